package run

import (
	"github.com/ddps-go/ddps/datasets"
	"github.com/ddps-go/ddps/ddps/chain"
	"github.com/ddps-go/ddps/ddps/stack"
)

// validated returns the settings with ByWalk where they say nothing and few paths are repeated, too few to leave out.
func (c Config) validated(d *datasets.Data) Config {
	if n := len(d.Paths); c.ValidationBy == "" && n < 1000 && d.Total() >= 2*n {
		c.ValidationBy = ByWalk
	}
	return c
}

// Split returns the run's paths on the pruned graph, those to train on and those of the validation set (none if Hold is
// 0).
func (r *Run) Split() (train, held *datasets.Data) {
	data := r.Data.Prune()
	if r.Config.Hold == 0 {
		return data, nil
	}
	if r.Config.ValidationBy == ByWalk {
		return splitWalks(data, r.Config.Hold, r.Config.HoldSeed)
	}
	train, held = data.Split(r.Config.Hold, r.Config.HoldSeed)
	if len(held.Paths) == 0 {
		held = nil
	}
	return train, held
}

// splitWalks takes a share of the walks for validation, of which many may be walks of paths to train on, too.
func splitWalks(d *datasets.Data, share float64, seed uint64) (train, held *datasets.Data) {
	some, out, err := stack.Split(d.Graph, chain.Sample{Paths: d.Paths, Weights: Counts(d)}, share, seed)
	if err != nil { // too few walks for both
		return d, nil
	}
	of := func(s chain.Sample) *datasets.Data {
		part := &datasets.Data{Graph: d.Graph, Paths: s.Paths}
		for _, w := range s.Weights {
			part.Counts = append(part.Counts, int(w))
		}
		return part
	}
	return of(some), of(out)
}

// FitChain fits a first-order chain to data. The pseudo-count kappa is in paths, repetitions counted.
func FitChain(data *datasets.Data, kappa float64) (*chain.Chain, error) {
	return chain.Fit(data.Graph, data.Paths, Counts(data), kappa)
}

// Counts returns how often each path of data stands in it, as weights: pseudo-counts are in paths.
func Counts(data *datasets.Data) []float64 {
	counts := make([]float64, len(data.Paths))
	for i := range counts {
		counts[i] = float64(data.Count(i))
	}
	return counts
}
