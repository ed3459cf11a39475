package guide

import (
	"errors"
	"math"
	"math/big"
	"slices"
	"strings"
	"testing"

	"github.com/ddps-go/ddps/ddps"
	"github.com/ddps-go/ddps/ddps/chain"
)

// fan is one choice of as many edges as there are probabilities, and the chain of these.
func fan(t testing.TB, p ...float64) (*ddps.LayeredGraph, *chain.Distribution) {
	t.Helper()
	heads := [][]int{nil}
	for i := range p {
		heads[0] = append(heads[0], i+1)
		heads = append(heads, []int{len(p) + 1})
	}
	g, err := ddps.New([]int{1, len(p), 1}, append(heads, nil))
	if err != nil {
		t.Fatal(err)
	}
	all := append([]float64{}, p...)
	for range p {
		all = append(all, 1)
	}
	return g, (&chain.Chain{Graph: g, P: all}).Distribution()
}

// grid is L layers of n vertices after the first, every vertex with an edge to all of the next layer.
func grid(t testing.TB, L, n int) *ddps.LayeredGraph {
	t.Helper()
	sizes, heads := []int{1}, [][]int{nil}
	for l := range L - 1 {
		lo := len(heads)
		for range n {
			heads = append(heads, nil)
		}
		for v := lo - sizes[l]; v < lo; v++ {
			for w := lo; w < len(heads); w++ {
				heads[v] = append(heads[v], w)
			}
		}
		sizes = append(sizes, n)
	}
	g, err := ddps.New(sizes, heads)
	if err != nil {
		t.Fatal(err)
	}
	return g
}

// Weights are relative to the best path that both the condition and the distribution have, however far others are
// ahead.
func TestWeightsOfAnySize(t *testing.T) {
	edges := func(x ...float64) []float64 { return append(x, 0, 0, 0) }
	for _, c := range []struct {
		p, u    []float64
		beta    float64
		without int // an edge to avoid, −1 for none
		want    []float64
		logm    float64
	}{
		{[]float64{.5, .3, .2}, []float64{100, 900, 950}, -1, 0, []float64{0, 1, .2 / .3 * math.Exp(-50)},
			math.Log(.3) - 900},
		{[]float64{0, .6, .4}, []float64{100, 900, 950}, -1, -1, []float64{0, 1, .4 / .6 * math.Exp(-50)},
			math.Log(.6) - 900},
		{[]float64{.5, .3, .2}, []float64{1000, 1, 0}, 1, 0, []float64{0, .3 * math.E / (.3*math.E + .2),
			.2 / (.3*math.E + .2)}, math.Log(.3*math.E + .2)},
		{[]float64{1e-300, .5, .5}, []float64{1e4, -1e4, 0}, 1, 0, []float64{0, 0, 1}, math.Log(.5)},
	} {
		g, dist := fan(t, c.p...)
		parts := []Condition{must(Boltzmann(g, edges(c.u...), c.beta))}
		if c.without >= 0 {
			parts = append(parts, must(Avoid(g, Stop{Edges: []int{c.without}})))
		}
		given, logm, err := GivenDistribution(dist, must(All(parts...)))
		if err != nil || !near(logm, c.logm, 1e-12) {
			t.Fatalf("%+v: log m = %v, %v", c, logm, err)
		}
		out := make([]float64, g.NumEdges())
		if logm := must(All(parts...)).Tilt(dist.P, out); !near(logm, c.logm, 1e-12) {
			t.Errorf("%+v: Tilt: log m = %v", c, logm)
		}
		for i, want := range c.want {
			lp, _ := given.LogProb(ddps.Path{0, i + 1, 4})
			if got := math.Exp(lp); math.Abs(got-want) > 1e-6*want || math.Abs(out[i]-want) > 1e-6*want {
				t.Errorf("%+v: P(%d) = %v by Given, %v by Tilt, want %v", c, i, got, out[i], want)
			}
		}
	}
}

// Totals are exact where sums are few, of any size and any number of digits.
func TestExactTotals(t *testing.T) {
	p := []float64{.5, .3, .2}
	for _, c := range []struct {
		u        []float64
		min, max float64
		want     float64
	}{
		{[]float64{3.1415926536, 2.7182818285, 1.4142135624}, 2.7182818284, math.Inf(1), .8},
		{[]float64{3.1415926536, 2.7182818285, 1.4142135624}, 2.7182818285, 2.7182818285, .3},
		{[]float64{1.7e9 + .25, 1.7e9 + .5, 1.7e9 + .75}, math.Inf(-1), 1700000000.3, .5},
		{[]float64{1e9 + .4, 1e9 - .4, 1e9}, 1e9 + .2, math.Inf(1), .5},
		{[]float64{1e-12, 2e-12, 3e-12}, 2e-12, math.Inf(1), .5},
		{[]float64{1e-300, 2e-300, 3e-300}, 2e-300, 2e-300, .3},
		{[]float64{1e300, 2e300, 3e300}, 2e300, 2e300, .3},
		{[]float64{1e-320, 2e-320, 3e-320}, 2e-320, 2e-320, .3},
		{[]float64{-1e-320, 0, 1e-320}, math.Inf(-1), -5e-321, .5},
		{[]float64{1e-320, 1e300, -1e300}, 1, math.Inf(1), .3},
		{[]float64{1e16, 1, -1e16}, .5, 2, .3},
		{[]float64{1e16, 0, 1}, 1, 2, .2},
		{[]float64{math.Pi, math.E, math.Sqrt2}, math.E, math.E, .3},
		{[]float64{1e15, 1e15 + 1, 1e15 - 1}, 1e15, math.Inf(1), .8},
		{[]float64{3, 3, math.Nextafter(3, 4)}, 3, 3, .8},
		{[]float64{3, 3, math.Nextafter(3, 4)}, math.Nextafter(3, 4), math.Inf(1), .2},
	} {
		g, dist := fan(t, p...)
		got := must(Within(g, append(c.u, 0, 0, 0), Band{Min: c.min, Max: c.max}))
		_, logm, err := GivenDistribution(dist, got)
		if err != nil || !near(math.Exp(logm), c.want, 1e-12) || (got.Product().Notes != nil) != (c.u[1] == 1e300) {
			// beside 1e300 1e-320 is 0, and that is said
			t.Errorf("%+v: %v, %v, %q", c, math.Exp(logm), err, got.Product().Notes)
		}
	}
	for _, c := range []struct {
		k    float64
		u    []float64
		want float64
	}{{3, []float64{3, 2, math.Nextafter(3, 4)}, .2}, {1e9, []float64{1e9, 1000000000.0000001, 1e9}, .3},
		{0, []float64{0, 1e-300, 0}, .3}} { // more than k
		g, dist := fan(t, p...)
		for _, band := range []Band{{Min: c.k, Max: math.Inf(1), Open: true}, {Min: math.Inf(-1), Max: -c.k, Open: true}} {
			u := append(slices.Clone(c.u), 0, 0, 0)
			for e := range u {
				if math.IsInf(band.Min, -1) {
					u[e] = -u[e]
				}
			}
			if _, logm, err := GivenDistribution(dist, must(Within(g, u, band))); err != nil || !near(math.Exp(logm), c.want,
				1e-12) {
				t.Errorf("%+v, %+v: %v, %v", c, band, math.Exp(logm), err)
			}
		}
	}
	g, _ := fan(t, p...)
	third := []float64{1. / 3, 1, 0, 2. / 3, 0, 1} // what rounding makes of sums of long numbers is said
	if c := must(Exactly(g, third, 1)); Count(g, c).Int64() != 3 || len(c.Product().Notes) != 1 {
		t.Errorf("1/3 + 2/3 = 1 on %d paths, %q", Count(g, c), c.Product().Notes)
	}
	u := []float64{.1, .1, .3, .2, .1, 0} // .1 + .2 and .3 + 0 are .3, as one reads it
	if n := Count(g, must(Exactly(g, u, .3))).Int64(); n != 2 {
		t.Errorf(".1 + .2 = .3 on %d paths, want 2", n)
	}
	if n := Count(g, must(MaxReward(g, u))).Int64(); n != 2 {
		t.Errorf("the greatest is had by %d paths, want 2", n)
	}
	if n := Count(g, must(MaxReward(g, []float64{1e9 + .4, 1e9 - .4, 1e9, 0, 0, 0}))).Int64(); n != 1 {
		t.Errorf("of large rewards the greatest is had by %d paths, want 1", n)
	}
	if n := Count(g, must(MaxReward(g, []float64{1. / 3, 1, 0, 2. / 3, 0, 0}))).Int64(); n != 2 {
		t.Errorf("1/3 + 2/3 and 1 are the greatest on %d paths, want 2", n)
	}
}

// Sums that are too many are counted in steps, which is said; no path outside the band is drawn, and what may be
// missing is no more than what is said.
func TestRoundedTotals(t *testing.T) {
	const limit = 1 << 20
	g := grid(t, 41, 3)
	u, rng := make([]float64, g.NumEdges()), ddps.Rand(1, 0)
	for e := range u {
		u[e] = rng.NormFloat64()
	}
	c := must(newDiagrams(g, limit).within("at least 20", u, Band{Min: 20, Max: math.Inf(1)}))
	notes := c.Product().Notes
	if len(notes) != 1 || !strings.Contains(notes[0], "in steps of 0.0") || !strings.Contains(notes[0],
		"may be left out") {
		t.Fatalf("notes %q", notes)
	}
	dist := chain.Uniform(g).Distribution()
	given, logm, err := GivenDistribution(dist, c)
	if err != nil {
		t.Fatal(err)
	}
	for i := range 1000 {
		if r := g.Total(u, given.Sample(ddps.Rand(2, uint64(i)))); r < 20 {
			t.Fatalf("a path of reward %v", r)
		}
	}
	wide, err := NewDiagrams(g).rounded2(u, 20, 0.02)
	if err != nil {
		t.Fatal(err)
	}
	if _, most, err := GivenDistribution(dist, wide); err != nil || most < logm || math.Exp(logm-most) < 0.5 {
		t.Errorf("probability %v, at most %v, %v", math.Exp(logm), math.Exp(most), err)
	}
	if _, err := newDiagrams(g, limit).within("20", u, Band{Min: 20, Max: 20}); err == nil ||
		!strings.Contains(err.Error(), "ask for a band instead") {
		t.Errorf("exactly: %v", err)
	}
}

// rounded2 is a condition that all paths of at least k meet, and some of a little less.
func (d *Diagrams) rounded2(u []float64, k, step float64) (Condition, error) {
	n := make([]int64, len(u))
	for e, r := range u {
		n[e] = int64(math.Ceil(r / step))
	}
	s, err := d.sums(n, int64(math.Floor(k/step)), 2*maxUnits, d.limit)
	return d.condition("wide", s, err)
}

// Counting neither underflows nor rounds.
func TestCountsOfManyPaths(t *testing.T) {
	g := grid(t, 41, 20)
	u := make([]float64, g.NumEdges())
	for e := range u {
		u[e] = float64(e % 7)
	}
	want := new(big.Int).Exp(big.NewInt(20), big.NewInt(40), nil)
	if n := Count(g, must(Boltzmann(g, u, 700))); n.Cmp(want) != 0 {
		t.Errorf("%v paths, want %v", n, want)
	}
}

// The product is minimal: twelve words at their places need hardly a state beside the graph's own vertices.
func TestPositionalMotifs(t *testing.T) {
	g := grid(t, 601, 4)
	var parts []Condition
	for k := range 12 {
		var word [][]int
		for j := range 6 {
			l := 1 + 45*k + j
			lo, _ := g.Layer(l)
			word = append(word, []int{lo + (k+j)%4})
		}
		parts = append(parts, must(Motif(g, word, 1+45*k)))
	}
	all := must(All(parts...))
	if l, _ := all.OnProduct(); l != nil || all.Product().States() > g.NumVertices() {
		t.Errorf("%d states on %d vertices", all.Product().States(), g.NumVertices())
	}
	if _, err := allOf(1000, parts); !errors.Is(err, ErrTooLarge) && !strings.Contains(err.Error(), "too many states") {
		t.Errorf("a limit of 1,000: %v", err)
	}
}

// Weights are joined by And alone.
func TestWeightsHaveNoOpposite(t *testing.T) {
	g := ddps.Example()
	u := make([]float64, g.NumEdges())
	u[0] = 1
	d := NewDiagrams(g)
	w, err := d.Boltzmann(u, 2)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := d.Not(w); !errors.Is(err, errWeighs) {
		t.Error(err)
	}
	if _, err := d.Or(Every, w); !errors.Is(err, errWeighs) {
		t.Error(err)
	}
	twice, err := d.And(w, w)
	if err != nil || twice == w {
		t.Errorf("weights twice: %v, %v", twice, err)
	}
	c := must(d.Condition("twice", []Part{{"twice", twice}}))
	for p := range g.Paths() {
		if got := c.LogWeight(p); !near(got, 4*g.Total(u, p), 1e-12) {
			t.Errorf("%v: %v", p, got)
		}
	}
}
