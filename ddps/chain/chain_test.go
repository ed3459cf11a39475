package chain

import (
	"math"
	"slices"
	"testing"

	"github.com/ddps-go/ddps/ddps"
)

// dists returns a random chain on the example graph and its paths' probabilities.
func dists(seed uint64) (*Chain, []ddps.Path, []float64) {
	g, rng := ddps.Example(), ddps.Rand(seed, 0)
	z := make([]float64, g.NumEdges())
	for e := range z {
		z[e] = 2 * rng.NormFloat64()
	}
	Softmax(g, z, z)
	c, err := New(g, z)
	if err != nil {
		panic(err)
	}
	var paths []ddps.Path
	var probs []float64
	for p := range g.Paths() {
		lp, _ := c.LogProb(p)
		paths, probs = append(paths, p), append(probs, math.Exp(lp))
	}
	return c, paths, probs
}

func near(a, b float64) bool { return math.Abs(a-b) <= 1e-12*max(1, math.Abs(a)) }

func TestProbabilitiesSumToOne(t *testing.T) {
	_, _, probs := dists(1)
	sum := 0.0
	for _, p := range probs {
		sum += p
	}
	if !near(sum, 1) {
		t.Errorf("sum %v", sum)
	}
}

func TestTiltAgainstEnumeration(t *testing.T) {
	c, paths, probs := dists(2)
	for _, scale := range []float64{1, 1e-200, 1e200} { // the last two need logarithms
		rng, w, sum := ddps.Rand(3, 0), make([]float64, len(c.P)), 0.0
		for e := range w {
			if w[e] = rng.Float64(); w[e] < 0.2 {
				w[e] = 0
			}
		}
		want := make([]float64, len(paths))
		for i, p := range paths {
			edges, _ := c.Graph.PathEdges(nil, p)
			want[i] = probs[i]
			for _, e := range edges {
				want[i] *= w[e]
			}
			sum += want[i]
		}
		for e := range w {
			w[e] *= scale
		}
		tilted, logm, err := c.Tilt(w)
		if err != nil {
			t.Fatal(err)
		}
		if !near(logm, math.Log(sum)+3*math.Log(scale)) {
			t.Errorf("scale %g: log m = %v, want %v", scale, logm, math.Log(sum)+3*math.Log(scale))
		}
		for i, p := range paths {
			lp, _ := tilted.LogProb(p)
			if !near(math.Exp(lp), want[i]/sum) {
				t.Errorf("scale %g: P(%v) = %v, want %v", scale, p, math.Exp(lp), want[i]/sum)
			}
		}
	}
	if _, _, err := c.Tilt(make([]float64, len(c.P))); err == nil {
		t.Error("a tilt that nothing meets must fail")
	}
}

func TestUniform(t *testing.T) {
	c := Uniform(ddps.Example())
	for p := range c.Graph.Paths() {
		if lp, _ := c.LogProb(p); !near(lp, -math.Log(10)) {
			t.Errorf("log P(%v) = %v", p, lp)
		}
	}
}

func TestFitRecoversDistribution(t *testing.T) {
	c, paths, probs := dists(4)
	f, err := Fit(c.Graph, paths, probs, 0)
	if err != nil {
		t.Fatal(err)
	}
	for e := range c.P {
		if !near(c.P[e], f.P[e]) {
			t.Errorf("edge %d: %v, want %v", e, f.P[e], c.P[e])
		}
	}
	one, _ := Fit(c.Graph, paths[:1], nil, 0) // A B E H; row C is unseen
	lo, hi := c.Graph.Edges(2)
	for e := lo; e < hi; e++ {
		if one.P[e] != 0.5 {
			t.Error("an unseen vertex must be uniform")
		}
	}
	kappa, _ := Fit(c.Graph, paths[:1], nil, 2) // A → B seen once of 3: (1+2)/(1+6)
	if !near(kappa.P[0], 3./7) || !near(kappa.P[1], 2./7) {
		t.Errorf("pseudo-count: %v", kappa.P[:3])
	}
	for _, bad := range []struct {
		paths   []ddps.Path
		weights []float64
		kappa   float64
	}{{nil, nil, 0}, {paths, probs[:1], 0}, {paths[:1], []float64{-1}, 0}, {paths[:1], []float64{math.NaN()}, 0},
		{[]ddps.Path{{0, 0, 0, 0}}, nil, 0}, {paths, nil, -1}, {paths, nil, math.NaN()}, {paths[:1], []float64{0}, 1},
		{paths, nil, math.MaxFloat64}} {
		if _, err := Fit(c.Graph, bad.paths, bad.weights, bad.kappa); err == nil {
			t.Errorf("Fit(%v) must fail", bad)
		}
	}
}

func TestReachMarginalsMostLikely(t *testing.T) {
	c, paths, probs := dists(5)
	reach, marg := make([]float64, c.Graph.NumVertices()), make([]float64, len(c.P))
	top := 0
	for i, p := range paths {
		edges, _ := c.Graph.PathEdges(nil, p)
		for _, e := range edges {
			marg[e] += probs[i]
		}
		for _, v := range p {
			reach[v] += probs[i]
		}
		if probs[i] > probs[top] {
			top = i
		}
	}
	for v, p := range c.Reach() {
		if !near(p, reach[v]) {
			t.Errorf("reach %d: %v, want %v", v, p, reach[v])
		}
	}
	for e, p := range c.Marginals() {
		if !near(p, marg[e]) {
			t.Errorf("marginal %d: %v, want %v", e, p, marg[e])
		}
	}
	p, lp := c.MostLikely()
	if got, _ := c.LogProb(p); !near(got, lp) || !near(math.Exp(lp), probs[top]) {
		t.Errorf("most likely %v (%v), want %v (%v)", p, math.Exp(lp), paths[top], probs[top])
	}
}

func TestSampleDistribution(t *testing.T) {
	c, paths, probs := dists(6)
	index := map[[4]int]int{}
	for i, p := range paths {
		index[[4]int(p)] = i
	}
	const n = 50000
	count := make([]float64, len(paths))
	for i := range uint64(n) {
		count[index[[4]int(c.Sample(ddps.Rand(7, i)))]]++
	}
	chi2 := 0.0
	for i, p := range probs {
		chi2 += (count[i] - n*p) * (count[i] - n*p) / (n * p)
	}
	if chi2 > 27.9 {
		t.Errorf("χ² = %.1f with 9 degrees of freedom", chi2)
	}
}

// The posterior of the exact denoiser by Bayes' rule over all paths.
func TestDenoiserAgainstBayes(t *testing.T) {
	c, paths, probs := dists(8)
	g := c.Graph
	abar := []float64{1, 0.9, 0.4, 1e-6}
	d := NewDenoiser(c, abar)
	rng := ddps.Rand(9, 0)
	x, pi := make(ddps.PALM, g.NumVertices()), make([]float64, len(c.P))
	for _, tm := range []int{1, 2, 3} {
		g.Uniform(x, rng)
		if err := d.Posterior(pi, []ddps.PALM{x}, tm); err != nil {
			t.Fatal(err)
		}
		post, sum := make([]float64, len(paths)), 0.0
		for i, p := range paths {
			post[i] = probs[i]
			edges, _ := g.PathEdges(nil, p)
			for _, e := range edges {
				lo, hi := g.Edges(g.Tail(e))
				q := (1 - abar[tm]) / float64(hi-lo)
				if lo+int(x[g.Tail(e)]) == e {
					q += abar[tm]
				}
				post[i] *= q * float64(hi-lo) // off-path rows are uniform: divide their 1/D out
			}
			sum += post[i]
		}
		for i, p := range paths {
			lp := 0.0
			edges, _ := g.PathEdges(nil, p)
			for _, e := range edges {
				lp += math.Log(pi[e])
			}
			if !near(math.Exp(lp), post[i]/sum) {
				t.Errorf("t=%d: P(%v | x_t) = %v, want %v", tm, p, math.Exp(lp), post[i]/sum)
			}
		}
	}
	for _, bad := range []int{0, 4, -1} {
		if d.Posterior(pi, []ddps.PALM{x}, bad) == nil {
			t.Errorf("time %d must fail", bad)
		}
	}
	if d.Posterior(pi[1:], []ddps.PALM{x}, 1) == nil {
		t.Error("short pi must fail")
	}
}

func TestSoftmaxLimits(t *testing.T) {
	inf := math.Inf(1)
	for _, c := range []struct{ z, want []float64 }{
		{[]float64{1e6, 0}, []float64{1, 0}}, {[]float64{-inf, 3, -inf}, []float64{0, 1, 0}},
		{[]float64{-inf, -inf}, []float64{.5, .5}}, {[]float64{inf, inf, 0, 1}, []float64{.5, .5, 0, 0}},
		{[]float64{-1e308, 1e308}, []float64{0, 1}}, {[]float64{7}, []float64{1}}, {nil, nil},
	} {
		pi := make([]float64, len(c.z))
		SoftmaxRow(c.z, pi)
		for i := range pi {
			if pi[i] != c.want[i] {
				t.Errorf("softmax %v = %v", c.z, pi)
			}
		}
	}
}

func TestPick(t *testing.T) {
	for _, c := range []struct {
		u    float64
		want int
	}{{0, 1}, {0.49, 1}, {0.5, 3}, {0.999999999, 3}} {
		if got := Pick([]float64{0, 0.5, 0, 0.5, 0}, c.u); got != c.want {
			t.Errorf("Pick(%v) = %d", c.u, got)
		}
	}
	if Pick([]float64{0.3, 0.3, 0}, 0.99) != 1 {
		t.Error("rounding must not pick probability 0")
	}
}

// An edge of probability 10⁻⁹ is drawn at its rate: the numbers in [0, 1) that pick it have that measure, wherever it
// stands among others.
func TestPickRare(t *testing.T) {
	const rare = 1e-9
	for at := range 4 {
		p := []float64{.2, .3, .5 - rare}
		p = slices.Insert(p, at, rare)
		first := func(k int) float64 { // the least number that picks k or what follows it
			lo, hi := 0.0, 1.0
			for range 80 {
				if mid := (lo + hi) / 2; Pick(p, mid) >= k {
					hi = mid
				} else {
					lo = mid
				}
			}
			return hi
		}
		if at == 0 { // the first picks from 0 on
			if got := first(1); math.Abs(got-rare) > 1e-15 {
				t.Errorf("first: measure %v", got)
			}
			continue
		}
		if got := first(at+1) - first(at); math.Abs(got-rare) > 1e-15 {
			t.Errorf("place %d: measure %v", at, got)
		}
	}
}

// On a path that goes back and forth between two places, over edges that earn nothing, the k best are those of the
// enumeration, each once.
func TestKBestTwoCycles(t *testing.T) {
	const layers = 9
	sizes, heads := []int{1}, [][]int{{1, 2}}
	for l := 1; l < layers; l++ {
		sizes = append(sizes, 2)
		for range 2 {
			var h []int
			if next := 2*l + 1; l < layers-1 {
				h = []int{next, next + 1}
			}
			heads = append(heads, h)
		}
	}
	g, err := ddps.New(sizes, heads)
	if err != nil {
		t.Fatal(err)
	}
	tilt := make([]float64, g.NumEdges()) // rewards of 0 but for one edge
	tilt[7] = 1
	Softmax(g, tilt, tilt)
	for _, f := range []fixture{fixtureOf("zeros", Uniform(g).Distribution()),
		fixtureOf("one reward", (&Chain{g, tilt}).Distribution())} {
		for _, k := range []int{1, 5, 40, 300} {
			f.wantBest(t, k)
		}
	}
}
