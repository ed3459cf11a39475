package stack

import (
	"context"
	"errors"
	"math"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/floats"

	"github.com/ddps-go/ddps/ddps"
	"github.com/ddps-go/ddps/ddps/chain"
	"github.com/ddps-go/ddps/ddps/markov"
	"github.com/ddps-go/ddps/ddps/mixture"
)

// tractable are all kinds of tractable distributions.
func (f *fixture) tractable(t testing.TB) []Tractable {
	t.Helper()
	second, err := chain.FitSecond(f.g, f.data.Paths, nil, chain.SecondConfig{Kappa1: 1, Kappa2: 2})
	if err != nil {
		t.Fatal(err)
	}
	c, _ := chain.Fit(f.g, f.data.Paths, nil, .5)
	m, err := mixture.Fit(c, f.data.Paths, nil, mixture.Config{Order: 1, Classes: 2, Ridge: 1, Rounds: 20}, 1, nil)
	if err != nil {
		t.Fatal(err)
	}
	return []Tractable{f.first, f.model, Chain(second), Mixture(m)}
}

// Tractable distributions are conditioned as by enumeration, twice too, and posteriors given x_t.
func TestTractable(t *testing.T) {
	f := fixtureOf(t, 4, 1)
	x := make(ddps.PALM, f.g.NumVertices())
	f.g.Uniform(x, ddps.Rand(4, 0))
	noise := Noise(f.g, x, .7)
	for n, d := range f.tractable(t) {
		p := f.probs(t, d)
		odd, w1 := f.condition(t, 2, 1, true)
		given, log, err := d.Given(t.Context(), odd)
		if err != nil {
			t.Fatal(err)
		}
		f.same(t, given, log, p, w1)
		w2 := make([]float64, len(f.paths))
		for i, path := range f.paths {
			w2[i] = 1
			for l, v := range path[:len(path)-1] {
				lo, hi := f.g.Edges(v)
				if e, _ := f.g.EdgeBetween(v, path[l+1]); int(x[v]) == e-lo {
					w2[i] *= 1 + .7*float64(hi-lo)
				}
			}
		}
		post, log, err := d.Given(t.Context(), noise)
		if err != nil {
			t.Fatal(err)
		}
		f.same(t, post, log, p, w2)
		both, log, err := given.Given(t.Context(), noise)
		if err != nil {
			t.Fatal(n, err)
		}
		f.same(t, both, log, f.probs(t, given), w2)
	}
}

// same checks a distribution against p·w over its sum.
func (f *fixture) same(t testing.TB, d Distribution, log float64, p, w []float64) {
	t.Helper()
	sum, q := 0.0, f.probs(t, d)
	for i := range p {
		sum += p[i] * w[i]
	}
	if math.Abs(log-math.Log(sum)) > 1e-9 {
		t.Fatalf("log P is %v, want %v", log, math.Log(sum))
	}
	for i := range p {
		if want := p[i] * w[i] / sum; math.Abs(q[i]-want) > 1e-11 {
			t.Fatalf("P%v is %v, want %v", f.paths[i], q[i], want)
		}
	}
}

// A stack of tractable parts is conditioned exactly, to the last path.
func TestGivenExact(t *testing.T) {
	f := fixtureOf(t, 4, 1)
	s := f.stack(t, .4, .6, 0)
	c, w := f.condition(t, 3, 1, true)
	x, err := s.Given(context.Background(), c, Options{})
	if err != nil {
		t.Fatal(err)
	}
	f.same(t, x, x.LogP, f.probs(t, s), w)
	if x.StdErr != 0 || len(x.Estimates) != 2 || x.Estimates[0].ESS != 1 || x.Estimates[1].Draws != 0 {
		t.Errorf("estimates %+v of exact parts", x.Estimates)
	}
}

// agrees compares x, s given a condition of weights w, with enumeration: its probability, and its draws, of which the
// share ess is effective.
func (f *fixture) agrees(t *testing.T, s *Stack, x *Conditioned, w []float64, ess float64) {
	t.Helper()
	p, sum := f.given(t, s, w)
	if d := math.Exp(x.LogP)/sum - 1; math.Abs(d) > 5*x.StdErr+1e-9 {
		t.Errorf("P is %v, %v from %v, with a standard error of %v", math.Exp(x.LogP), d, sum, x.StdErr)
	}
	per, cells := f.drawn(t, x, p)
	if limit := (1 + 1/ess) * (1 + 5*math.Sqrt(2/cells)); per > limit || cells < 10 {
		t.Errorf("χ² is %.2f per cell of %v, want at most %.2f", per, cells, limit)
	}
}

// With a network, the condition's probability is estimated within its standard error, and the draws are those of
// enumeration (χ², of weighted draws: 1 + 1/ESS per cell at most); draws depend on seed and number alone.
func TestGivenNetwork(t *testing.T) {
	for _, steps := range []bool{false, true} {
		f := fixtureOf(t, 4, .6)
		s := f.stack(t, .1, .3, .6)
		for r, weigh := range []bool{false, true} {
			c, w := f.condition(t, 3, r, weigh)
			o := Options{Draws: 8000, Seed: 3}
			if steps { // more than any share: particles always
				o.Least = 1
			}
			x, err := s.Given(context.Background(), c, o)
			if err != nil {
				t.Fatal(err)
			}
			net := x.Estimates[2]
			if steps != net.Steps || net.Draws != 8000 && !net.Free || !(net.ESS > .3) || !(net.StdErr > 0) {
				t.Fatalf("estimate %+v", net)
			}
			f.agrees(t, s, x, w, net.ESS)
		}
	}
}

// A context model whose product is too large is conditioned by draws of a proposal without a weight, and says so.
func TestProposal(t *testing.T) {
	f := fixtureOf(t, 4, .5)
	large := f.model.(contexts)
	large.limit = 5
	c, w := f.condition(t, 3, 1, true)
	parts := []Part{{Name: "chain", Distribution: f.first}, {Name: "context", Distribution: large, Weight: 1}}
	s, err := New(parts)
	if err != nil {
		t.Fatal(err)
	}
	s.Parts[1].Distribution = struct{ Tractable }{large} // does not go step by step
	if _, err := s.Given(context.Background(), c, Options{}); !errors.Is(err, markov.ErrTooLarge) ||
		!strings.Contains(err.Error(), "more than 5 edges") {
		t.Errorf("no proposal: %v", err)
	}
	s.Parts[1].Distribution = large
	x, err := s.Rejection(t.Context(), c)
	if err != nil || x.Sample(t.Context(), make([]ddps.Path, 50), 1, 0) != nil {
		t.Errorf("no proposal, by rejection: %v", err)
	}
	sum := 0.0
	for i, p := range f.probs(t, s) {
		sum += p * w[i]
	}
	for i := range 4 { // by its nearest chain alone, then by a proposal, and where that is too large, too
		s.Parts[0].Proposal = i > 0
		x, err := s.Given(context.Background(), c, Options{})
		if err != nil {
			t.Fatal(err)
		}
		if e := x.Estimates[0]; len(x.Estimates) != 1 || e.Note == "" ||
			math.Abs(math.Exp(e.LogProb)/sum-1) > 5*e.StdErr+1e-9 {
			t.Errorf("estimates %+v, want P = %v", x.Estimates, sum)
		}
		switch i {
		case 1:
			s.Parts[0].Distribution = large // whose limit is that of parts with a weight
		case 2:
			s.Parts[0].Distribution = tooLarge{large}
		}
	}
}

// A part far from all proposals, of which many draws meet the condition, is estimated and drawn by its own draws.
func TestOwnDraws(t *testing.T) {
	f := fixtureOf(t, 6, 6)
	for _, weigh := range []bool{false, true} {
		c, w := f.condition(t, 3, 0, weigh)
		s, err := New([]Part{{Name: "chain", Distribution: Chain(chain.Uniform(f.g).Distribution()), Weight: .5},
			{Name: "network", Distribution: f.net, Weight: .5}})
		if err != nil {
			t.Fatal(err)
		}
		x, err := s.Given(context.Background(), c, Options{})
		if err != nil {
			t.Fatal(err)
		}
		e := x.Estimates[1]
		if !e.Own || e.Steps || e.ESS < .3 || e.Warning != "" {
			t.Errorf("estimate %+v", e)
		}
		f.agrees(t, s, x, w, e.ESS)
		if _, weight, independent, err := x.Weighted(context.Background(), 1, 100, 1); err != nil || independent != 100 ||
			math.Abs(floats.Sum(weight)-1) > 1e-9 {
			t.Errorf("weighted draws: %v, %d independent", err, independent)
		}
	}
}

// tooLarge has too large a product with any condition.
type tooLarge struct{ Tractable }

func (tooLarge) Given(context.Context, Condition) (Tractable, float64, error) {
	return nil, 0, markov.ErrTooLarge
}

func TestGivenErrors(t *testing.T) {
	f, other := fixtureOf(t, 3, 1), fixtureOf(t, 4, 1)
	c, _ := f.condition(t, 2, 0, false)
	ctx := context.Background()
	if _, err := other.stack(t, .5, .5, 0).Given(ctx, c, Options{}); err == nil {
		t.Error("a condition on another graph must be refused")
	}
	if x, err := f.stack(t, 0, 0, 1).Given(ctx, c, Options{}); err != nil || x.StdErr == 0 {
		t.Errorf("a network alone is conditioned by its nearest chain: %v", err)
	}
	if _, err := f.stack(t, 0, .5, .5).Given(ctx, c, Options{Least: 2}); err == nil {
		t.Error("a share above 1 must be refused")
	}
	one, err := New([]Part{{Name: "sure", Distribution: f.sure(t), Weight: 1}})
	if err != nil {
		t.Fatal(err)
	}
	impossible := 0
	for r := range 2 {
		c, _ := f.condition(t, 2, r, false)
		if _, err := one.Given(ctx, c, Options{}); errors.Is(err, chain.ErrImpossible) {
			impossible++
		}
	}
	if impossible != 1 {
		t.Errorf("one path meets %d of two opposite conditions", 2-impossible)
	}
}

// What no draw meets is not called impossible, and of a stack without a tractable part nothing is known.
func TestNoEstimate(t *testing.T) {
	f := fixtureOf(t, 3, 1)
	c, _ := f.condition(t, 2, 1, false)
	path := f.paths[0]
	if w, err := c.logWeight(path); err != nil || math.IsInf(w, -1) {
		path = f.paths[slices.IndexFunc(f.paths, func(p ddps.Path) bool {
			w, _ := c.logWeight(p)
			return w == 0
		})]
	}
	other, _ := f.condition(t, 2, 0, false)
	s, err := New([]Part{{Name: "one path", Distribution: only{f.net, path}, Weight: 1},
		{Name: "small", Distribution: f.model, Proposal: true}})
	if err != nil {
		t.Fatal(err)
	}
	if x, err := s.Given(context.Background(), other, Options{}); !errors.Is(err, ErrNoEstimate) ||
		errors.Is(err, chain.ErrImpossible) {
		t.Errorf("no draw: %+v, %v", x, err)
	}
	whole := struct{ Distribution }{f.net} // no Stepper
	if s, err = New([]Part{{Name: "net", Distribution: whole, Weight: 1}}); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Given(context.Background(), c, Options{}); !errors.Is(err, ErrNoEstimate) {
		t.Errorf("no tractable part: %v", err)
	}
}

// only is a distribution of one path.
type only struct {
	Distribution
	path ddps.Path
}

func (o only) Sample(_ context.Context, paths []ddps.Path, _ uint64, _ int) error {
	for i := range paths {
		paths[i] = o.path
	}
	return nil
}

func (o only) LogProb(paths []ddps.Path, out []float64) error {
	for i, p := range paths {
		if out[i] = math.Inf(-1); slices.Equal(p, o.path) {
			out[i] = 0
		}
	}
	return nil
}

// rareStart returns a stack of a network and of a chain that hardly takes the first edge, which the network does.
func (f *fixture) rareStart(t *testing.T) *Stack {
	t.Helper()
	first, end := f.g.Edges(0)
	rare := append([]float64(nil), chain.Uniform(f.g).P...)
	rest := 1 - rare[first]
	rare[first] = 1e-7
	for e := first + 1; e < end; e++ {
		rare[e] *= (1 - 1e-7) / rest
	}
	d, err := chain.NewDistribution(chain.Identity(f.g), rare)
	if err != nil {
		t.Fatal(err)
	}
	s, err := New([]Part{{Name: "chain", Distribution: Chain(d), Weight: .3}, {Name: "network", Distribution: f.net,
		Weight: .7}})
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// A network that has a share of its probability where the tractable parts have hardly any: the estimate and its
// standard error hold over seeds, as no draws of the tractable parts alone could.
func TestDefensive(t *testing.T) {
	f := fixtureOf(t, 4, 1)
	s := f.rareStart(t)
	c, w := f.condition(t, 3, 2, true)
	want := 0.0
	for i, p := range f.probs(t, s) {
		want += p * w[i]
	}
	sum, squares := 0.0, 0.0
	const seeds = 60
	for seed := range uint64(seeds) {
		x, err := s.Given(context.Background(), c, Options{Seed: seed, Draws: 512, Least: 1e-9})
		if err != nil {
			t.Fatal(err)
		}
		z := (math.Exp(x.LogP)/want - 1) / x.StdErr
		sum, squares = sum+z, squares+z*z
	}
	if mean, rms := sum/seeds, math.Sqrt(squares/seeds); math.Abs(mean) > .6 || rms > 1.6 {
		t.Errorf("errors are %.2f standard errors on average, %.2f in the square mean", mean, rms)
	}
}
