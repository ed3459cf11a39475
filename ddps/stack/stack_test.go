package stack

import (
	"context"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/ddps-go/ddps/ddps"
	"github.com/ddps-go/ddps/ddps/chain"
)

func (f *fixture) stack(t testing.TB, first, ctx, net float64) *Stack {
	t.Helper()
	s, err := New([]Part{{Name: "chain", Distribution: f.first, Weight: first},
		{Name: "context", Distribution: f.model, Weight: ctx}, {Name: "network", Distribution: f.net, Weight: net}})
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// A stack's probabilities are the weighted sum of its parts'; its draws have them, and depend on seed and number alone.
func TestStack(t *testing.T) {
	f := fixtureOf(t, 4, .7)
	s := f.stack(t, .2, .3, .5)
	p := f.probs(t, s)
	a, b, c := f.probs(t, f.first), f.probs(t, f.model), f.probs(t, f.net)
	sum := 0.0
	for i := range p {
		sum += p[i]
		if want := .2*a[i] + .3*b[i] + .5*c[i]; math.Abs(p[i]-want) > 1e-12 {
			t.Fatalf("P%v is %v, want %v", f.paths[i], p[i], want)
		}
	}
	if math.Abs(sum-1) > 1e-9 {
		t.Errorf("probabilities sum to %v", sum)
	}
	if per, cells := f.drawn(t, s, p); per > 1+5*math.Sqrt(2/cells) {
		t.Errorf("χ² is %.2f per cell of %v", per, cells)
	}
}

// EM finds the weights of a mixture from draws, and the best of one path's.
func TestWeights(t *testing.T) {
	f := fixtureOf(t, 4, 1.5)
	s := f.stack(t, 0, .3, .7)
	draws := make([]ddps.Path, 40000)
	if err := s.Sample(context.Background(), draws, 9, 0); err != nil {
		t.Fatal(err)
	}
	logp := [][]float64{make([]float64, len(draws)), make([]float64, len(draws))}
	if f.model.LogProb(draws, logp[0]) != nil || f.net.LogProb(draws, logp[1]) != nil {
		t.Fatal("no probabilities")
	}
	w, nll, err := Weights(logp, slices.Repeat([]float64{1}, len(draws)))
	if err != nil || math.Abs(w[0]-.3) > .03 || !(nll > 0) {
		t.Errorf("weights %v, NLL %v (%v), want 0.3 and 0.7", w, nll, err)
	}
	if _, _, err := Weights([][]float64{{math.Inf(-1)}, {math.Inf(-1)}}, []float64{1}); err == nil {
		t.Error("a path of probability 0 must be refused")
	}
}

// Where EM ends at weights that are worse than the best part, that part has all the weight.
func TestWeighTakesTheBestPartAlone(t *testing.T) {
	list := []float64{1.0987, 1.0987, 1.0998, 1.1587} // NLL of one path: EM gives up near the first two
	s, logp := &Stack{}, [][]float64{}
	for _, nll := range list {
		s.Parts, logp = append(s.Parts, Part{NLL: nll}), append(logp, []float64{-nll})
	}
	if _, nll, err := Weights(logp, []float64{1}); err != nil || nll <= list[0] {
		t.Fatalf("EM ends at %v (%v): the test is of no use", nll, err)
	}
	if err := s.weigh(logp, []float64{1}); err != nil {
		t.Fatal(err)
	}
	if s.NLL != list[0] || s.Parts[0].Weight != 1 || s.Parts[1].Weight != 0 || s.Parts[2].Weight != 0 {
		t.Errorf("NLL %v of parts %+v, want the first alone", s.NLL, s.Parts)
	}
}

// A fitted stack is no worse than its best part on the validation paths, says what its parts are, and refits.
func TestFit(t *testing.T) {
	f := fixtureOf(t, 4, 1)
	train, validation, err := Split(f.g, chain.Sample{Paths: f.data.Paths}, .2, 1)
	if err != nil {
		t.Fatal(err)
	}
	if n := len(train.Paths) + len(validation.Paths); n != len(f.data.Paths) {
		t.Errorf("%d walks after the split, want %d", n, len(f.data.Paths))
	}
	list := []Fitter{FirstOrder(f.g), SecondOrder(f.g), Contexts(f.g, 0, nil),
		{Name: "network", Fit: func(context.Context, chain.Sample, chain.Sample) (Distribution, Refit, error) {
			return f.net,
				nil, nil
		}}}
	var parts []Part
	s, err := Fit(context.Background(), list, train, validation, true, func(p Part) { parts = append(parts, p) })
	if err != nil {
		t.Fatal(err)
	}
	for k, p := range s.Parts {
		if s.NLL > p.NLL+1e-6 || p.Name != list[k].Name || parts[k].NLL != p.NLL {
			t.Errorf("part %s has NLL %v, the stack %v", p.Name, p.NLL, s.NLL)
		}
		if !strings.Contains(s.String(), p.Name) {
			t.Errorf("the table lacks %s", p.Name)
		}
	}
	kept, err := Fit(context.Background(), list, train, validation, false, nil)
	if err != nil {
		t.Fatal(err)
	}
	a, b := f.probs(t, kept.Parts[0].Distribution), f.probs(t, s.Parts[0].Distribution)
	if s.Parts[0].Weight > 0 == slices.Equal(a, b) {
		t.Error("the first-order chain is fitted again just where it has a weight")
	}
}

func TestNewErrors(t *testing.T) {
	f, other := fixtureOf(t, 3, 1), fixtureOf(t, 4, 1)
	for want, parts := range map[string][]Part{
		"another graph": {{Name: "a", Distribution: f.first, Weight: .5}, {Name: "b", Distribution: other.first, Weight: .5}},
		"weight -1":     {{Name: "a", Distribution: f.first, Weight: -1}},
		"sum to":        {{Name: "a", Distribution: f.first, Weight: .5}}} {
		if _, err := New(parts); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, want %s", err, want)
		}
	}
}

// Split takes walks, not paths: a path of weight n is n walks.
func TestSplit(t *testing.T) {
	s := chain.Sample{Paths: []ddps.Path{{0}, {1}, {2}}, Weights: []float64{10000, .5, 2.5}}
	train, validation, err := Split(ddps.Example(), s, .25, 3)
	if err != nil {
		t.Fatal(err)
	}
	if w := validation.Weights[0]; w+train.Weights[0] != 10000 || math.Abs(w-2500) > 250 {
		t.Errorf("%v walks of 10,000 for validation, want about 2,500", w)
	}
	sum := 0.0
	for _, w := range append(append([]float64(nil), train.Weights...), validation.Weights...) {
		sum += w
	}
	if sum != 10003 {
		t.Errorf("weights sum to %v", sum)
	}
}
