package compare

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"runtime"
	"sync"

	"golang.org/x/sync/errgroup"

	"github.com/ddps-go/ddps/ddps"
	"github.com/ddps-go/ddps/ddps/metrics"
)

// Metric is one of the paper's measures of a sample against a target. Value.Floor is its mean over exact draws
// of the target, as many as the sample has, and Value.High the greatest of them.
type Metric struct {
	Key, Name string
	Whole     bool // it compares distributions of whole paths, and says little where there are fewer samples than paths
	Value
}

// measure is a metric of a sample against a target.
type measure struct {
	key, name string
	whole     bool
	of        func(t *Target, paths []ddps.Path, p, q []float64) (float64, error)
}

// dist makes a measure of two distributions over the paths.
func dist(key, name string, d func(n int) metrics.Distance) measure {
	return measure{key, name, true, func(_ *Target, paths []ddps.Path, p, q []float64) (float64,
		error) {
		return d(len(paths))(p, q)
	}}
}

// always takes no account of the sample's size.
func always(d metrics.Distance) func(int) metrics.Distance {
	return func(int) metrics.Distance { return d }
}

// layers makes a measure of the vertices' marginals, or of edges: target and sample as weighted paths.
func layers(key, name string, f func(*ddps.LayeredGraph, metrics.Sample, metrics.Sample) (float64, error)) measure {
	return measure{key, name, false, func(t *Target, paths []ddps.Path, _, _ []float64) (float64, error) {
		return f(t.Graph, metrics.Sample{Paths: t.Paths, Weights: t.P}, metrics.Sample{Paths: paths})
	}}
}

// feature makes a measure of a feature of memory.
func feature(key, name string, i int) measure {
	return measure{key, name, false, func(t *Target, paths []ddps.Path, _, _ []float64) (float64, error) {
		p, err := t.feature(i, t.Paths, t.P)
		if err != nil {
			return 0, err
		}
		q, err := t.feature(i, paths, nil)
		if err != nil {
			return 0, err
		}
		return metrics.HalfL1(p, q)
	}}
}

// measures lists the metrics of the paper's §5.3, and those of memory for targets that have them.
func (t *Target) measures() []measure {
	list := []measure{
		dist("l1", "L1", always(metrics.L1)), dist("tv", "total variation, ½ L1", always(metrics.HalfL1)),
		dist("tv_max", "max abs. difference (the paper's TV)", always(metrics.TVSup)), dist("kl", "KL", always(metrics.KL)),
		dist("kl_smoothed", "KL, unseen paths at 0.5/N", metrics.KLFloor), dist("sfd", "SFD", always(metrics.SFD)),
		layers("isl_l1", "IS-L L1", metrics.ISLL1), layers("isl_kl", "IS-L KL", metrics.ISLKL),
		layers("isl_tv", "IS-L TV", metrics.ISLTV), layers("isl_sf", "IS-L SF", metrics.ISLSF), layers("flgd", "FLGD",
			metrics.FLGD),
	}
	if t.districts != nil {
		list = append(list, feature("districts", "districts early and late, ½ L1", 0),
			feature("district_revisits", "revisits, ½ L1", 1))
	}
	return list
}

// Evaluate compares a sample of paths with t by every metric, with sampling floors from reps exact draws (0: none).
// It is an error if one of them is no path. progress, if not nil, is called with the draws measured.
func Evaluate(ctx context.Context, t *Target, paths []ddps.Path, reps int, seed uint64,
	progress func(done, total int)) ([]Metric, error) {
	if reps < 0 {
		return nil, fmt.Errorf("compare: %d draws for the sampling floors, must be at least 0", reps)
	}
	for i, p := range paths {
		if err := t.Graph.Check(p); err != nil {
			return nil, fmt.Errorf("compare: sample %d: %w", i+1, err)
		}
	}
	list := t.measures()
	got, err := t.all(list, paths)
	if err != nil {
		return nil, err
	}
	draws, by := make([][]float64, reps), t.choice()
	grp, ctx := errgroup.WithContext(ctx)
	grp.SetLimit(runtime.GOMAXPROCS(0))
	var mu sync.Mutex
	done := 0
	for r := range draws {
		if ctx.Err() != nil {
			break
		}
		grp.Go(func() (err error) {
			if err = ctx.Err(); err != nil {
				return err
			}
			reference := t
			if t.Walks > 0 {
				if reference, err = t.again(by, seed, uint64(reps+r)); err != nil {
					return err
				}
			}
			draws[r], err = reference.all(list, t.draw(by, len(paths), seed, uint64(r)))
			mu.Lock()
			defer mu.Unlock()
			if done++; progress != nil {
				progress(done, reps)
			}
			return err
		})
	}
	stopped := ctx.Err() // before Wait ends ctx
	if err := cmp.Or(grp.Wait(), stopped); err != nil {
		return nil, err
	}
	out := make([]Metric, len(list))
	for i, m := range list {
		out[i] = Metric{m.key, m.name, m.whole, Value{got[i], math.NaN(), math.NaN()}}
		if reps > 0 {
			out[i].Floor, out[i].High = 0, math.Inf(-1)
		}
		for _, d := range draws {
			out[i].Floor += d[i] / float64(reps)
			out[i].High = max(out[i].High, d[i])
		}
	}
	return out, nil
}

// all returns every metric of a sample; NaN for those that it is too small for.
func (t *Target) all(list []measure, paths []ddps.Path) ([]float64, error) {
	p, q, err := t.Distributions(paths)
	if err != nil {
		return nil, err
	}
	out := make([]float64, len(list))
	for i, m := range list {
		if out[i], err = m.of(t, paths, p, q); errors.Is(err, metrics.ErrEmpty) {
			out[i], err = math.NaN(), nil
		}
		if err != nil {
			return nil, fmt.Errorf("compare: %s: %w", m.name, err)
		}
		out[i] = t.rounded(out[i], len(paths))
	}
	return out, nil
}

// rounded is a distance from a sample of n paths, or 0 where it is below the rounding error of the sums that make the
// probabilities: of a sample with the target's shares, say.
func (t *Target) rounded(d float64, n int) float64 {
	if math.Abs(d) <= 0x1p-52*float64(len(t.P)+n+8) {
		return 0
	}
	return d
}

// again returns the target as another sample of as many walks would have it.
func (t *Target) again(by *ddps.Choice, seed, stream uint64) (*Target, error) {
	var err error
	c := *t
	c.P, err = t.support.Distribution(metrics.Keys(t.draw(by, t.Walks, seed, stream)), nil)
	return &c, err
}

// choice returns the choice among the paths by P, for draw.
func (t *Target) choice() *ddps.Choice {
	c, _ := ddps.NewChoice(len(t.P), t.P) // a distribution: no error
	return c
}

// draw returns n exact draws of the target, of a stream of the seed; by is choice's.
func (t *Target) draw(by *ddps.Choice, n int, seed, stream uint64) []ddps.Path {
	rng := ddps.Rand(seed, stream)
	paths := make([]ddps.Path, n)
	for i := range paths {
		paths[i] = t.Paths[by.Draw(rng)]
	}
	return paths
}
