package run

import (
	"math"
	"slices"
	"testing"

	"github.com/ddps-go/ddps/datasets"
	"github.com/ddps-go/ddps/ddps"
	"github.com/ddps-go/ddps/ddps/chain"
	"github.com/ddps-go/ddps/ddps/markov"
	"github.com/ddps-go/ddps/ddps/mixture"
)

// A path with the weight n is the same as the path n times, in any order, in every fit; and no order of a model is too
// long for a graph of two layers.
func TestWeightsAreCopies(t *testing.T) {
	two, err := ddps.New([]int{1, 3}, [][]int{{1, 2, 3}, nil, nil, nil})
	if err == nil {
		two, err = two.WithMeta(ddps.Meta{Place: []int{3, 0, 1, 2}})
	}
	if err != nil {
		t.Fatal(err)
	}
	short := &datasets.Data{Graph: two, Paths: []ddps.Path{{0, 1}, {0, 2}, {0, 3}}, Counts: []int{5, 3, 2}}
	for _, d := range []*datasets.Data{walks(t), short} {
		counted := chain.Sample{Paths: d.Paths, Weights: Counts(d)}
		var copied chain.Sample
		for i, p := range d.Paths {
			for range d.Counts[i] {
				copied.Paths = append(copied.Paths, p)
			}
		}
		slices.Reverse(copied.Paths)
		for name, fit := range map[string]func(s chain.Sample) (func(p ddps.Path) (float64, error), error){
			"chain": func(s chain.Sample) (func(p ddps.Path) (float64, error), error) {
				c, err := chain.Fit(d.Graph, s.Paths, s.Weights, .5)
				return c.LogProb, err
			},
			"second": func(s chain.Sample) (func(p ddps.Path) (float64, error), error) {
				c, err := chain.FitSecond(d.Graph, s.Paths, s.Weights, chain.SecondConfig{Kappa1: .5, Kappa2: 2})
				return c.LogProb, err
			},
			"mixture": func(s chain.Sample) (func(p ddps.Path) (float64, error), error) {
				c, err := chain.Fit(d.Graph, s.Paths, s.Weights, .5)
				if err != nil {
					return nil, err
				}
				cfg := mixture.DefaultConfig()
				cfg.Classes, cfg.Rounds = 2, 20
				m, err := mixture.Fit(c, s.Paths, s.Weights, cfg, 1, nil)
				return m.LogProb, err
			},
			"context": func(s chain.Sample) (func(p ddps.Path) (float64, error), error) {
				if s.Weights == nil {
					s.Weights = slices.Repeat([]float64{1}, len(s.Paths))
				}
				m, err := markov.Fit(d.Graph, s, markov.Config{Order: 4, MinCount: 2, Start: true, Position: true, Visited: true,
					Run: 3, Ridge: 1})
				return func(p ddps.Path) (float64, error) {
					var lp [1]float64
					err := m.LogProb([]ddps.Path{p}, lp[:])
					return lp[0], err
				}, err
			},
		} {
			a, err := fit(counted)
			if err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			b, err := fit(copied)
			if err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			sum := 0.0
			for p := range d.Graph.Paths() {
				x, err := a(p)
				if err != nil {
					t.Fatalf("%s: %v", name, err)
				}
				y, err := b(p)
				if err != nil || math.Abs(x-y) > 1e-6*max(1, math.Abs(x)) {
					t.Errorf("%s: −log p is %v of counts and %v of copies, %v", name, -x, -y, err)
				}
				sum += math.Exp(x)
			}
			if math.Abs(sum-1) > 1e-9 {
				t.Errorf("%s: the probabilities sum to %v", name, sum)
			}
		}
	}
}
