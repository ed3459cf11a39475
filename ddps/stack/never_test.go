package stack

import (
	"context"
	"errors"
	"math"
	"slices"
	"testing"

	"github.com/ddps-go/ddps/ddps"
	"github.com/ddps-go/ddps/ddps/chain"
)

// once returns the probability of each path by the rule of NeverTwice, from the rows of the fixture's network.
func (f *fixture) once() []float64 {
	place := f.g.Meta().Place
	out := make([]float64, len(f.paths))
	for i, p := range f.paths {
		out[i] = 1
		for l := range len(p) - 1 {
			row, left, seen := f.net.row(p[:l+1]), 0.0, func(v int) bool {
				return slices.ContainsFunc(p[:l+1], func(w int) bool { return place[w] == place[v] })
			}
			lo, hi := f.g.Edges(p[l])
			for e := lo; e < hi; e++ {
				if !seen(f.g.Head(e)) {
					left += row[e-lo]
				}
			}
			e, _ := f.g.EdgeBetween(p[l], p[l+1])
			switch x := row[e-lo]; {
			case left == 0:
				out[i] *= x
			case seen(p[l+1]):
				out[i] = 0
			default:
				out[i] *= x / left
			}
		}
	}
	return out
}

// Of three layers of three places some paths pass no place twice; of four all do, as a row of which nothing is left
// stays. Draws follow the probabilities, alone and given a condition, and a Stepper's states agree with both.
func TestNeverTwice(t *testing.T) {
	for _, L := range []int{3, 4} {
		f := fixtureOf(t, L, 1)
		net, model := NeverTwice(f.net), NeverTwice(f.model.(Stepper))
		want, sum := f.once(), 0.0
		for i, p := range f.probs(t, net) {
			if sum += p; math.Abs(p-want[i]) > 1e-12 {
				t.Errorf("%v has probability %v, expected %v", f.paths[i], p, want[i])
			}
		}
		if math.Abs(sum-1) > 1e-12 || Revisits(f.g, f.paths) == Revisits(f.g, f.paths[:0]) {
			t.Errorf("the probabilities sum to %v", sum)
		}
		if per, cells := f.drawn(t, net, want); per > 1+5*math.Sqrt(2/cells) || cells < 3 {
			t.Errorf("draws: χ² is %.2f per cell of %v", per, cells)
		}
		s, err := New([]Part{{Name: "context", Distribution: model, Weight: .4}, {Name: "net", Distribution: net, Weight: .6},
			{Name: "small", Distribution: f.model, Proposal: true}})
		if err != nil {
			t.Fatal(err)
		}
		c, w := f.condition(t, 2, 1, true)
		p, sum := f.given(t, s, w)
		x, err := s.Given(context.Background(), c, Options{Draws: 20000})
		if err != nil {
			t.Fatal(err)
		}
		// the parts share their random numbers, so that their errors add
		if math.Abs(math.Exp(x.LogP)/sum-1) > 5*math.Sqrt2*x.StdErr+1e-9 || len(x.Estimates) != 2 {
			t.Errorf("P is %v ± %v, expected %v; %+v", math.Exp(x.LogP), x.StdErr, sum, x.Estimates)
		}
		least := math.Inf(1)
		for _, e := range x.Estimates {
			least = min(least, e.ESS)
		}
		if per, cells := f.drawn(t, x, p); per > (1+1/least)*(1+5*math.Sqrt(2/cells)) {
			t.Errorf("given the condition: χ² is %.2f per cell of %v", per, cells)
		}
	}
}

// A first-order chain with a weight proposes beside the proposal, which alone is near to a part that passes no place
// twice.
func TestNeverTwiceBesideChain(t *testing.T) {
	f := fixtureOf(t, 3, 1)
	s, err := New([]Part{{Name: "chain", Distribution: f.first, Weight: .05},
		{Name: "context", Distribution: NeverTwice(f.model.(Stepper)), Weight: .95},
		{Name: "small", Distribution: f.model, Proposal: true}})
	if err != nil {
		t.Fatal(err)
	}
	c, w := f.condition(t, 3, 1, false)
	p, sum := f.given(t, s, w)
	x, err := s.Given(context.Background(), c, Options{Draws: 20000})
	if err != nil {
		t.Fatal(err)
	}
	if math.Abs(math.Exp(x.LogP)/sum-1) > 5*x.StdErr+1e-9 {
		t.Errorf("P is %v ± %v, expected %v", math.Exp(x.LogP), x.StdErr, sum)
	}
	if per, cells := f.drawn(t, x, p); per > 4 {
		t.Errorf("χ² is %.2f per cell of %v", per, cells)
	}
	// no path of a part that passes no place twice
	twice, _ := New([]Part{{Name: "context", Distribution: NeverTwice(f.model.(Stepper)), Weight: 1},
		{Name: "small", Distribution: f.model, Proposal: true}})
	place := f.g.Meta().Place
	l, _, err := chain.Unfold(f.g, [2]int{}, func(q [2]int, e int) ([2]int, bool) { // from place 0 to place 0
		at := place[f.g.Head(e)]
		if q[0]++; q[0] == 1 || q[0] == 2 {
			return q, at == 0
		}
		return q, true
	}, 0)
	if err != nil {
		t.Fatal(err)
	}
	_, err = twice.Given(context.Background(), Condition{Product: l}, Options{})
	if !errors.Is(err, chain.ErrImpossible) {
		t.Errorf("the same place twice: %v", err)
	}
	if err := s.LogProb([]ddps.Path{{0}}, make([]float64, 1)); err == nil {
		t.Error("a path that is none")
	}
}
