package mixture

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/ddps-go/ddps/ddps"
	"github.com/ddps-go/ddps/ddps/chain"
	"github.com/ddps-go/ddps/ddps/internal/oracle"
)

// The product graphs that classes knows: of two of them a state has one edge into it, of the others several.
const (
	onGraph = iota
	onLine
	onTurns
	onParity // of the numbers of the edges taken
	lifts
)

// classes returns a mixture of K random chains on a product graph over a small graph, and all paths with their
// probabilities.
func classes(t *testing.T, kind, K int) (*Mixture, []ddps.Path, []float64) {
	t.Helper()
	g, rng := ddps.Example(), rand.New(rand.NewPCG(7, uint64(K)))
	if kind == onTurns {
		g = oracle.Places()
	}
	var l *chain.Product
	switch kind {
	case onGraph:
		l = chain.Identity(g)
	case onLine:
		l = chain.Line(g)
	case onTurns:
		l = Turns(g)
	case onParity:
		var err error
		if l, _, err = chain.Unfold(g, 0, func(q, e int) (int, bool) { return (q + e) % 2, true }, 0); err != nil {
			t.Fatal(err)
		}
	}
	weight, p := make([]float64, K), make([]float64, len(l.Edge)*K)
	for k := range K {
		weight[k] = rng.Float64() + .1
		for e, q := range oracle.RandomRows(l.Graph, rng) {
			p[e*K+k] = q
		}
	}
	sum := 0.0
	for _, w := range weight {
		sum += w
	}
	for k := range weight {
		weight[k] /= sum
	}
	m, err := New(l, weight, p)
	if err != nil {
		t.Fatal(err)
	}
	var paths []ddps.Path
	var probs []float64
	for q := range g.Paths() {
		lp, err := m.LogProb(q)
		if err != nil {
			t.Fatal(err)
		}
		paths, probs = append(paths, slices.Clone(q)), append(probs, math.Exp(lp))
	}
	return m, paths, probs
}

// The denoiser is Bayes' rule by enumeration, for every x_t that is tried.
func TestMixtureDenoiser(t *testing.T) {
	for i, K := range []int{1, 2, 5, 9, 1, 4, 5, 2} {
		m, paths, probs := classes(t, i%lifts, K)
		g := m.Base()
		abar := []float64{1, .9, .3, .01}
		d := NewDenoiser(m, abar)
		rng := rand.New(rand.NewPCG(1, 1))
		xt, pi := make(ddps.PALM, g.NumVertices()), make([]float64, g.NumEdges())
		for range 20 {
			g.Uniform(xt, rng)
			for step := 1; step < len(abar); step++ {
				a, visit, use := abar[step], make([]float64, g.NumVertices()), make([]float64, g.NumEdges())
				for i, p := range paths {
					w := probs[i]
					edges, _ := g.PathEdges(nil, p)
					for l, e := range edges {
						lo, hi := g.Edges(p[l])
						like := (1 - a) / float64(hi-lo)
						if int(xt[p[l]]) == e-lo {
							like += a
						}
						w *= like * float64(hi-lo)
					}
					for l, e := range edges {
						visit[p[l]] += w
						use[e] += w
					}
				}
				d.Posterior(pi, []ddps.PALM{xt}, step)
				for e := range pi {
					if want := use[e] / visit[g.Tail(e)]; math.Abs(pi[e]-want) > 1e-12 {
						t.Fatalf("K %d, step %d, edge %d: %v, by enumeration %v", K, step, e, pi[e], want)
					}
				}
			}
		}
	}
}

func TestMixtureOfOneIsTheChain(t *testing.T) {
	g := ddps.Example()
	c := &chain.Chain{Graph: g, P: oracle.RandomRows(g, ddps.Rand(3, 0))}
	paths, weights := slices.Collect(g.Paths()), []float64(nil)
	for _, p := range paths {
		lp, _ := c.LogProb(p)
		weights = append(weights, math.Exp(lp))
	}
	m, err := Fit(c, paths, weights, Config{Order: 1, Classes: 1}, 0, nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range paths {
		a, _ := m.LogProb(p)
		if b, _ := c.LogProb(p); math.Abs(a-b) > 1e-12 {
			t.Fatalf("path %v: %v, the chain's %v", p, a, b)
		}
	}
	a, b := m.Sample(ddps.Rand(1, 2)), c.Sample(ddps.Rand(1, 2))
	if !slices.Equal(a, b) {
		t.Errorf("drew %v, the chain %v", a, b)
	}
}

func TestMixtureSample(t *testing.T) {
	m, paths, probs := classes(t, onLine, 3)
	const n = 20000
	count := map[string]int{}
	for i := range uint64(n) {
		count[fmt.Sprint(m.Sample(ddps.Rand(5, i)))]++
	}
	chi2 := 0.0
	for i, p := range paths {
		want := n * probs[i]
		d := float64(count[fmt.Sprint(p)]) - want
		chi2 += d * d / want
	}
	if k := float64(len(paths) - 1); chi2 > k+5*math.Sqrt(2*k) {
		t.Errorf("χ² %v of %v degrees of freedom", chi2, k)
	}
}

// memory returns paths that come back at the end to where they were early, which no chain of first order knows.
func memory(t *testing.T) (*ddps.LayeredGraph, []ddps.Path) {
	t.Helper()
	heads := [][]int{{1, 2}, {3}, {3}, {4, 5}, {}, {}}
	g, err := ddps.New([]int{1, 2, 1, 2}, heads)
	if err != nil {
		t.Fatal(err)
	}
	var paths []ddps.Path
	for i := range 100 {
		a := i % 2
		b := a
		if i%10 == 0 {
			b = 1 - a
		}
		paths = append(paths, ddps.Path{0, 1 + a, 3, 4 + b})
	}
	return g, paths
}

func TestFitMixtureLearnsMemory(t *testing.T) {
	g, paths := memory(t)
	c, err := chain.Fit(g, paths, nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	cfg := Config{Order: 1, Classes: 2, Ridge: .01, Rounds: 100}
	m, err := Fit(c, paths, nil, cfg, 1, nil)
	if err != nil {
		t.Fatal(err)
	}
	chain, mixture, entropy := 0.0, 0.0, 0.0
	share := map[string]float64{}
	for _, p := range paths {
		share[fmt.Sprint(p)] += 1 / float64(len(paths))
	}
	for _, p := range paths {
		a, _ := c.LogProb(p)
		b, _ := m.LogProb(p)
		chain -= a / float64(len(paths))
		mixture -= b / float64(len(paths))
		entropy -= math.Log(share[fmt.Sprint(p)]) / float64(len(paths))
	}
	if !(mixture < entropy+.02 && chain > entropy+.2) {
		t.Errorf("%v nats per path, the chain %v, the data %v", mixture, chain, entropy)
	}
}

func TestMixtureErrors(t *testing.T) {
	g := ddps.Example()
	c := chain.Uniform(g)
	path := c.Sample(ddps.Rand(1, 1))
	for want, cfg := range map[string]Config{"order": {Classes: 1}, "classes": {Order: 1}, "ridge": {Order: 1, Classes: 2},
		"smooth": {Order: 1, Classes: 2, Ridge: 1, Smooth: math.NaN()},
		"rounds": {Order: 1, Classes: 2, Ridge: 1}, "places": DefaultConfig()} {
		if _, err := Fit(c, []ddps.Path{path}, nil, cfg, 0, nil); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%+v: %v, want an error about %s", cfg, err, want)
		}
	}
	huge := Config{Order: 1, Classes: maxClasses, Ridge: 1, Rounds: 1}
	if err := huge.Check(oracle.Wide(300_000)); !errors.Is(err, ErrTooLarge) {
		t.Errorf("huge: %v", err)
	}
	if l, _, err := turnStates(oracle.Places(), 5); err == nil {
		t.Errorf("more turns than the limit: %v", l)
	}
	if _, err := Fit(c, []ddps.Path{{0}}, nil, Config{Order: 1, Classes: 2, Ridge: 1, Rounds: 1}, 0, nil); err == nil ||
		!strings.Contains(err.Error(), "path 1") {
		t.Errorf("no path: %v", err)
	}
	bad := slices.Clone(c.P)
	bad[0] = math.NaN()
	if _, err := New(chain.Identity(g), []float64{1}, bad); err == nil || !strings.Contains(err.Error(), "class 1") {
		t.Errorf("NaN: %v", err)
	}
	if _, err := New(chain.Identity(g), []float64{.5, .6}, append(slices.Clone(c.P), c.P...)); err == nil ||
		!strings.Contains(err.Error(), "sum to") {
		t.Errorf("weights: %v", err)
	}
	if err := NewDenoiser(Of(c.Distribution()), []float64{1, .5}).Posterior(nil, make([]ddps.PALM, 1), 1); err == nil {
		t.Error("lengths that differ are no error")
	}
}

// A denoiser that is refilled is the one made anew.
func TestRefill(t *testing.T) {
	for kind := range lifts {
		m, _, _ := classes(t, kind, 5)
		abar := []float64{1, .7}
		want := NewDenoiser(m, abar)
		other := &Mixture{Product: m.Product, Weight: slices.Clone(m.Weight), P: slices.Clone(m.P)}
		slices.Reverse(other.Weight)
		got := NewDenoiser(other, abar)
		got.Refill(m)
		x, a, b := make(ddps.PALM, m.Base().NumVertices()), make([]float64, m.Base().NumEdges()),
			make([]float64, m.Base().NumEdges())
		got.Posterior(a, []ddps.PALM{x}, 1)
		want.Posterior(b, []ddps.PALM{x}, 1)
		if !slices.Equal(a, b) || !slices.Equal(got.Rows(), want.Rows()) {
			t.Errorf("lift %d: refilled %v, made anew %v", kind, a, b)
		}
	}
}
