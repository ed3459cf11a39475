package compare

import (
	"math"
	"slices"

	"github.com/ddps-go/ddps/ddps"
	"github.com/ddps-go/ddps/ddps/metrics"
)

// Distances are the paper's distances of a sample from a target; NaN where there is no target, or where paths are too
// many to compare distributions over them.
type Distances struct {
	KL  float64 `csv:"kl"` // the sample's distribution floored at 0.5/N
	L1  float64 `csv:"l1"`
	TV  float64 `csv:"tv"` // the paper's, sup
	SFD float64 `csv:"sfd"`

	ISLL1 float64 `csv:"isl_l1"`
	ISLKL float64 `csv:"isl_kl"` // floored as KL is
	ISLTV float64 `csv:"isl_tv"`
	ISLSF float64 `csv:"isl_sf"`
	FLGD  float64 `csv:"flgd"`
}

// DistanceNames lists the distances as figures 5 and 6 name them: the first four of paths' distributions, the others of
// features.
func DistanceNames() []string {
	return []string{"KL", "L1", "TV", "SFD", "IS-L-L1", "IS-L-KL", "IS-L-TV", "IS-L-SF", "FLGD"}
}

// fields are the distances in the order of DistanceNames.
func (d *Distances) fields() []*float64 {
	return []*float64{&d.KL, &d.L1, &d.TV, &d.SFD, &d.ISLL1, &d.ISLKL, &d.ISLTV, &d.ISLSF, &d.FLGD}
}

// Of returns the distance of a name; NaN for one that there is not.
func (d Distances) Of(name string) float64 {
	if i := slices.Index(DistanceNames(), name); i >= 0 {
		return *d.fields()[i]
	}
	return math.NaN()
}

// AddScaled adds w times e.
func (d *Distances) AddScaled(w float64, e Distances) {
	of := e.fields()
	for i, x := range d.fields() {
		*x += w * *of[i]
	}
}

// ReverseKL returns KL(sample ‖ target), in nats: +Inf where a sample is none of the target's paths.
func (t *Target) ReverseKL(paths []ddps.Path) (float64, error) {
	p, q, err := t.Distributions(paths)
	if err != nil {
		return 0, err
	}
	return metrics.KL(q, p)
}

// NoDistances are those where there is no target.
func NoDistances() Distances {
	n := math.NaN()
	return Distances{n, n, n, n, n, n, n, n, n}
}

// Distances returns those of a sample from t; of paths' distributions only if listed, where t's support holds every
// path.
func (t *Target) Distances(paths []ddps.Path, listed bool) (d Distances, err error) {
	d = NoDistances()
	floored := metrics.KLFloor(len(paths))
	if listed {
		p, q, err := t.Distributions(paths)
		if err != nil {
			return d, err
		}
		for _, m := range []struct {
			to *float64
			of metrics.Distance
		}{{&d.KL, floored}, {&d.L1, metrics.L1}, {&d.TV, metrics.TVSup}, {&d.SFD, metrics.SFD}} {
			if *m.to, err = m.of(p, q); err != nil {
				return d, err
			}
		}
	}
	target, sample := metrics.Sample{Paths: t.Paths, Weights: t.P}, metrics.Sample{Paths: paths}
	p, err := metrics.Marginals(t.Graph, target)
	if err != nil {
		return d, err
	}
	q, err := metrics.Marginals(t.Graph, sample)
	if err != nil {
		return d, err
	}
	for _, m := range []struct {
		to *float64
		of metrics.Distance
	}{{&d.ISLL1, metrics.L1}, {&d.ISLKL, floored}, {&d.ISLTV, metrics.TVSup}, {&d.ISLSF, metrics.SFD}} {
		if *m.to, err = metrics.ISLMarginals(p, q, m.of); err != nil {
			return d, err
		}
	}
	d.FLGD, err = metrics.FLGD(t.Graph, target, sample)
	return d, err
}
