package experiment

import (
	"math"

	"github.com/ddps-go/ddps/ddps"
	"github.com/ddps-go/ddps/ddps/metrics"
)

// StudyRow is the result of one cell of a Study.
type StudyRow struct {
	Graph     string  `csv:"graph"`
	Model     string  `csv:"model"` // its network and what it corrects
	Key       string  `csv:"key"`   // of the model's weights
	RMax      int     `csv:"r_max"`
	Instance  int     `csv:"instance"`
	P         float64 `csv:"p_max"` // probability of the greatest reward under the exact law
	Law       string  `csv:"law"`   // a guide's name, or a reference's
	Kernel    string  `csv:"kernel"`
	Lambda    float64 `csv:"lambda"`
	Steps     int     `csv:"steps"`
	Samples   int     `csv:"samples"`
	Seed      uint64  `csv:"seed"`
	Valid     float64 `csv:"valid"` // share that are paths
	Reward    float64 `csv:"reward"`
	RewardStd float64 `csv:"reward_std"`
	AtMax     float64 `csv:"at_max"`
	Distinct  int     `csv:"distinct"` // paths
	Seconds   float64 `csv:"seconds"`  // that sampling took

	// Exact are the distances from the exact target, a law given the greatest reward: of the data on Toy, on maps of a
	// model without a network, beside a network the true distribution.
	Exact Distances `csv:"exact_,inline"`
	// Hits is how many samples at λ = 0 earn the greatest reward: the paper's target, of which Own are the distances.
	Hits int       `csv:"hits"`
	Own  Distances `csv:"own_,inline"`

	Preset  string `csv:"preset"`  // of the data, and of training
	Trained string `csv:"trained"` // what training the model took
	Built   string `csv:"built"`   // of what program: revision, Go, platform
}

// Distances are the paper's distances of a sample from a target; NaN where there is no target, or where paths are too
// many to compare laws over them.
type Distances struct {
	KL  float64 `csv:"kl"` // the sample's law floored at 0.5/N
	L1  float64 `csv:"l1"`
	TV  float64 `csv:"tv"` // the paper's, sup
	SFD float64 `csv:"sfd"`

	ISLL1 float64 `csv:"isl_l1"`
	ISLKL float64 `csv:"isl_kl"` // floored as KL is
	ISLTV float64 `csv:"isl_tv"`
	ISLSF float64 `csv:"isl_sf"`
	FLGD  float64 `csv:"flgd"`
}

// DistanceNames lists the distances as figures 5 and 6 name them: the first four of paths' laws, the others of features.
func DistanceNames() []string {
	return []string{"KL", "L1", "TV", "SFD", "IS-L-L1", "IS-L-KL", "IS-L-TV", "IS-L-SF", "FLGD"}
}

// Of returns the distance of a name; NaN for one that there is not.
func (d Distances) Of(name string) float64 {
	switch name {
	case "KL":
		return d.KL
	case "L1":
		return d.L1
	case "TV":
		return d.TV
	case "SFD":
		return d.SFD
	case "IS-L-L1":
		return d.ISLL1
	case "IS-L-KL":
		return d.ISLKL
	case "IS-L-TV":
		return d.ISLTV
	case "IS-L-SF":
		return d.ISLSF
	case "FLGD":
		return d.FLGD
	}
	return math.NaN()
}

// noDistances are those where there is no target.
func noDistances() Distances {
	n := math.NaN()
	return Distances{n, n, n, n, n, n, n, n, n}
}

// distances returns those of a sample from t; of paths' laws only if listed, where t's support holds every path.
func (t *Target) distances(paths []ddps.Path, listed bool) (d Distances, err error) {
	d = noDistances()
	floored := metrics.KLFloor(len(paths))
	if listed {
		p, q, err := t.laws(paths)
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
