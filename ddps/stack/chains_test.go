package stack

import (
	"context"
	"math"
	"testing"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/stat"

	"github.com/ddps-go/ddps/ddps/metrics"
)

// Parts given a condition, as chains or as weighted draws, have the probabilities of enumeration, whether particles go
// step by step or not.
func TestPartsGiven(t *testing.T) {
	f := fixtureOf(t, 4, 1)
	s, err := New([]Part{{Name: "chain", Distribution: f.first, Weight: .3}, {Name: "network", Distribution: f.net,
		Weight: .7}})
	if err != nil {
		t.Fatal(err)
	}
	if list, weight := s.Chains(0); len(list) != 1 || weight[0] != 1 {
		t.Fatalf("the chain is %d chains, %v", len(list), weight)
	}
	if list, _ := s.Chains(1); list != nil {
		t.Fatal("a network is no chain")
	}
	c, w := f.condition(t, 3, 2, true)
	for _, least := range []float64{1e-9, 1} {
		x, err := s.Given(context.Background(), c, Options{Least: least})
		if err != nil {
			t.Fatal(err)
		}
		if steps := x.Estimates[1].Steps; steps != (least == 1) {
			t.Fatalf("least share %v: step by step: %v", least, steps)
		}
		want, got := f.probs(t, f.first), 0.0
		floats.Mul(want, w)
		floats.Scale(1/floats.Sum(want), want)
		list, weight := x.Chains(0)
		for i, p := range f.paths {
			for k, d := range list {
				lp, err := d.LogProb(p)
				if err != nil {
					t.Fatal(err)
				}
				got = weight[k] * math.Exp(lp)
			}
			if math.Abs(got-want[i]) > 1e-12 {
				t.Fatalf("path %v: %v given the condition, by enumeration %v", p, got, want[i])
			}
		}
		number, n := map[string]int{}, 0.0
		for i, p := range f.paths {
			number[metrics.Key(p)] = i
		}
		want = f.probs(t, f.net)
		floats.Mul(want, w)
		floats.Scale(1/floats.Sum(want), want)
		paths, weight, runs, err := x.Weighted(context.Background(), 1, 20000, 5)
		if err != nil {
			t.Fatal(err)
		}
		if n = floats.Sum(weight); math.Abs(n-1) > 1e-12 || len(weight) < 20000 || len(paths)%runs != 0 {
			t.Fatalf("%d draws in %d runs, weights of sum %v", len(weight), runs, n)
		}
		freq := make([]float64, len(want))
		for i, p := range paths {
			freq[number[metrics.Key(p)]] += weight[i]
		}
		if d := floats.Distance(freq, want, 1) / 2; d > .03 || stat.Correlation(freq, want, nil) < .99 {
			t.Errorf("step by step %v: ½L1 %.4f of %d paths", x.Estimates[1].Steps, d, len(want))
		}
	}
}
