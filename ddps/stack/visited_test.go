package stack

import (
	"context"
	"math"
	"strings"
	"testing"

	"github.com/ddps-go/ddps/ddps"
	"github.com/ddps-go/ddps/ddps/chain"
)

// discounted returns the probability of each path by the rule of DiscountVisited, from the rows of the network, and the
// expected number of steps to visited places along each.
func (f *fixture) discounted(factor float64) (probs, revisits []float64) {
	place := f.g.Meta().Place
	for _, p := range f.paths {
		prob, expected := 1.0, 0.0
		for l := range len(p) - 1 {
			row, sum := f.net.row(p[:l+1]), 0.0
			lo, hi := f.g.Edges(p[l])
			for e := lo; e < hi; e++ {
				for _, w := range p[:l+1] {
					if place[w] == place[f.g.Head(e)] {
						expected += row[e-lo]
						row[e-lo] *= factor
						break
					}
				}
				sum += row[e-lo]
			}
			e, _ := f.g.EdgeBetween(p[l], p[l+1])
			prob *= row[e-lo] / sum
		}
		probs, revisits = append(probs, prob), append(revisits, expected)
	}
	return probs, revisits
}

// less returns d with a discount.
func less(t *testing.T, d Distribution, factor float64) Stepper {
	t.Helper()
	s, err := DiscountVisited(d.(Stepper), factor)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// Probabilities, draws and expected revisits against the rule by enumeration, and both given a condition.
func TestDiscountVisited(t *testing.T) {
	for _, factor := range []float64{1, .1, 1e-9} {
		f := fixtureOf(t, 4, 1)
		net, model := less(t, f.net, factor), less(t, f.model, factor)
		want, revisits := f.discounted(factor)
		sum := 0.0
		for i, p := range f.probs(t, net) {
			if sum += p; math.Abs(p-want[i]) > 1e-12 {
				t.Errorf("%v: %v has probability %v, expected %v", factor, f.paths[i], p, want[i])
			}
			if x := ExpectedRevisits(f.net, f.paths[i:i+1], []float64{3}); math.Abs(x-3*revisits[i]) > 1e-12 {
				t.Errorf("%v: %v revisits, expected %v", f.paths[i], x, 3*revisits[i])
			}
		}
		if math.Abs(sum-1) > 1e-12 {
			t.Errorf("%v: the probabilities sum to %v", factor, sum)
		}
		if per, cells := f.drawn(t, net, want); per > 1+5*math.Sqrt(2/cells) || cells < 3 {
			t.Errorf("%v: draws: χ² is %.2f per cell of %v", factor, per, cells)
		}
		s, err := New([]Part{{Name: "context", Distribution: model, Weight: .4},
			{Name: "net", Distribution: net, Weight: .6}})
		if err != nil {
			t.Fatal(err)
		}
		c, w := f.condition(t, 2, 1, true)
		p, sum := f.given(t, s, w)
		x, err := s.Given(context.Background(), c, Options{Draws: 20000})
		if err != nil {
			t.Fatal(err)
		}
		if math.Abs(math.Exp(x.LogP)/sum-1) > 5*x.StdErr+1e-9 || len(x.Estimates) != 2 {
			t.Errorf("%v: P is %v ± %v, expected %v; %+v", factor, math.Exp(x.LogP), x.StdErr, sum, x.Estimates)
		}
		least := math.Inf(1)
		for _, e := range x.Estimates {
			least = min(least, e.ESS)
		}
		if per, cells := f.drawn(t, x, p); per > (1+1/least)*(1+5*math.Sqrt(2/cells)) {
			t.Errorf("%v: given the condition: χ² is %.2f per cell of %v", factor, per, cells)
		}
		r, err := s.Rejection(t.Context(), c)
		if err != nil {
			t.Fatal(err)
		}
		if per, cells := f.drawn(t, r, p); per > 1+5*math.Sqrt(2/cells) {
			t.Errorf("%v: by rejection: χ² is %.2f per cell of %v", factor, per, cells)
		}
		if left := NewDenoiser(s, []float64{1, .5}, nil).Left(); !strings.Contains(left, "context (without its discount") ||
			!strings.Contains(left, "net") {
			t.Errorf("reverse steps without %s", left)
		}
	}
}

// A discount is taken where no walk passes a place twice though the model expects that, and not on few walks, nor where
// some do.
func TestFitVisited(t *testing.T) {
	f := fixtureOf(t, 3, 0)
	var once, twice []ddps.Path
	for _, p := range f.paths {
		if Revisits(f.g, []ddps.Path{p}) {
			twice = append(twice, p)
		} else {
			once = append(once, p)
		}
	}
	for _, c := range []struct {
		walks []ddps.Path
		count float64
		taken bool
	}{{once, 100, true}, {once, .5, false}, {append(twice[:1:1], once...), 100, false}} {
		s := chain.Sample{Paths: c.walks, Weights: make([]float64, len(c.walks))}
		for i := range s.Weights {
			s.Weights[i] = c.count
		}
		d, fit, err := FitVisited(f.net, s, s)
		if err != nil || (fit.Factor > 0) != c.taken || VisitedFactor(d) < 1 != c.taken || c.taken && !(fit.NLL < fit.Plain) {
			t.Errorf("%d walks × %v: %+v, %v", len(c.walks), c.count, fit, err)
		}
		if c.taken {
			if want := 1 / (1 + 2*ExpectedRevisits(f.net, s.Paths, s.Weights)); fit.Factor != want || want > .05 {
				t.Errorf("the factor is %v, expected %v", fit.Factor, want)
			}
		}
	}
	for _, factor := range []float64{0, -1, 2, math.NaN()} {
		if _, err := DiscountVisited(f.net, factor); err == nil {
			t.Errorf("factor %v", factor)
		}
	}
	bare := f.net
	bare.g = ddps.Example()
	if _, err := DiscountVisited(bare, .5); err == nil {
		t.Error("a graph without places")
	}
	if err := less(t, f.net, .5).LogProb([]ddps.Path{{0}}, make([]float64, 1)); err == nil {
		t.Error("a path that is none")
	}
}

// The errors of the estimates of several parts are independent, so that the whole's standard error is right.
func TestEstimatesIndependent(t *testing.T) {
	f := fixtureOf(t, 3, 1)
	s, err := New([]Part{{Name: "context", Distribution: less(t, f.model, 1e-3), Weight: .4},
		{Name: "net", Distribution: less(t, f.net, 1e-3), Weight: .6}})
	if err != nil {
		t.Fatal(err)
	}
	c, w := f.condition(t, 2, 1, true)
	_, sum := f.given(t, s, w)
	const n = 150
	mean, squares, errors := 0.0, 0.0, 0.0
	for seed := range uint64(n) {
		x, err := s.Given(context.Background(), c, Options{Seed: seed})
		if err != nil {
			t.Fatal(err)
		}
		d := math.Exp(x.LogP)/sum - 1
		mean, squares, errors = mean+d/n, squares+d*d/n, errors+x.StdErr/n
	}
	spread := math.Sqrt(squares)
	if math.Abs(mean) > 5*spread/math.Sqrt(n) || spread > 1.25*errors || spread < .75*errors {
		t.Errorf("bias %v, spread %v, standard error %v", mean, spread, errors)
	}
}
