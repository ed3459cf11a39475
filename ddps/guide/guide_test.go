package guide

import (
	"math"
	"slices"
	"testing"

	"github.com/ddps-go/ddps/ddps"
	"github.com/ddps-go/ddps/ddps/chain"
)

// example returns the paper's example graph, a random chain on it, a reward of either sign and all paths'
// probabilities and rewards.
func example(seed uint64) (g *ddps.LayeredGraph, z, pi, u []float64, paths []ddps.Path, p, r []float64) {
	g = ddps.Example()
	rng := ddps.Rand(seed, 0)
	z, pi, u = make([]float64, g.NumEdges()), make([]float64, g.NumEdges()), make([]float64, g.NumEdges())
	for e := range z {
		z[e] = rng.NormFloat64()
		u[e] = float64(rng.IntN(4) - 1)
	}
	chain.Softmax(g, z, pi)
	c := &chain.Chain{Graph: g, P: pi}
	for q := range g.Paths() {
		lp, _ := c.LogProb(q)
		paths, p, r = append(paths, q), append(p, math.Exp(lp)), append(r, g.Total(u, q))
	}
	return
}

func near(a, b, tol float64) bool { return math.Abs(a-b) <= tol*max(1, math.Abs(b)) }

func TestExpectedAgainstEnumeration(t *testing.T) {
	for seed := range uint64(20) {
		g, _, pi, u, _, p, r := example(seed)
		want := 0.0
		for i := range p {
			want += p[i] * r[i]
		}
		if got := Expected(g, pi, u); !near(got, want, 1e-12) {
			t.Errorf("R̄ = %v, want %v", got, want)
		}
	}
}

// The closed forms against central differences of the expectations.
func TestGradients(t *testing.T) {
	for seed := range uint64(20) {
		g, z, pi, u, _, _, _ := example(seed)
		for name, c := range map[string]struct {
			make func(*ddps.LayeredGraph, []float64) (Gradient, error)
			f    func(*ddps.LayeredGraph, []float64, []float64) float64
		}{"meant": {NewGradient, Expected}, "printed": {NewGradientPrinted, ExpectedPrinted}} {
			grad, err := c.make(g, u)
			if err != nil {
				t.Fatal(err)
			}
			got := make([]float64, len(z))
			grad(pi, got)
			for e := range z {
				const h = 1e-5
				at := func(d float64) float64 {
					zz, pp := append([]float64(nil), z...), make([]float64, len(z))
					zz[e] += d
					chain.Softmax(g, zz, pp)
					return c.f(g, pp, u)
				}
				if want := (at(h) - at(-h)) / (2 * h); !near(got[e], want, 1e-8) {
					t.Errorf("%s, edge %d: %v, want %v", name, e, got[e], want)
				}
			}
		}
	}
}

func TestConditionsAgainstEnumeration(t *testing.T) {
	for seed := range uint64(20) {
		g, _, pi, u, paths, p, r := example(seed)
		rmax := g.Best(u)
		maxR, err := MaxReward(g, u)
		if err != nil {
			t.Fatal(err)
		}
		check(t, "max", g, maxR, pi, paths, p, func(i int) float64 {
			if r[i] == rmax {
				return 1
			}
			return 0
		})
		for _, beta := range []float64{-3, 0, 0.5, 8} {
			c, err := Boltzmann(g, u, beta)
			if err != nil {
				t.Fatal(err)
			}
			check(t, "boltzmann", g, c, pi, paths, p, func(i int) float64 { return math.Exp(beta * r[i]) })
		}
		// a β beyond the range of exp is the maximum
		c, err := Boltzmann(g, u, 1e6)
		if err != nil {
			t.Fatal(err)
		}
		a, b := make([]float64, len(pi)), make([]float64, len(pi))
		c.Tilt(pi, a)
		maxR.Tilt(pi, b)
		ra, rb := make([]float64, g.NumVertices()), make([]float64, g.NumVertices())
		chain.Reach(g, a, ra)
		chain.Reach(g, b, rb)
		for v := range ra {
			if !near(ra[v], rb[v], 1e-9) {
				t.Errorf("β = 1e6: reach of %d is %v, want %v", v, ra[v], rb[v])
			}
		}
	}
}

// check compares a condition's distribution and log m with weights of all paths.
func check(t *testing.T, name string, g *ddps.LayeredGraph, c Condition, pi []float64, paths []ddps.Path, p []float64,
	w func(int) float64) {
	t.Helper()
	out, m := make([]float64, len(pi)), 0.0
	logm := c.Tilt(pi, out)
	for i := range p {
		m += p[i] * w(i)
	}
	if !near(logm, math.Log(m), 1e-9) {
		t.Errorf("%s: log m = %v, want %v", name, logm, math.Log(m))
	}
	tilted := &chain.Chain{Graph: g, P: out}
	for i, q := range paths {
		lp, _ := tilted.LogProb(q)
		if want := p[i] * w(i) / m; !near(math.Exp(lp), want, 1e-9) {
			t.Errorf("%s: P(%v) = %v, want %v", name, q, math.Exp(lp), want)
		}
	}
}

func TestBadRewards(t *testing.T) {
	g := ddps.Example()
	nan := make([]float64, g.NumEdges())
	nan[0] = math.NaN()
	for _, u := range [][]float64{nil, nan, make([]float64, 3)} {
		if _, err := NewGradient(g, u); err == nil {
			t.Error("NewGradient must fail")
		}
		if _, err := NewGradientPrinted(g, u); err == nil {
			t.Error("NewGradientPrinted must fail")
		}
		if _, err := MaxReward(g, u); err == nil {
			t.Error("MaxReward must fail")
		}
		if _, err := Boltzmann(g, u, 1); err == nil {
			t.Error("Boltzmann must fail")
		}
	}
	for _, beta := range []float64{math.NaN(), math.Inf(1)} {
		if _, err := Boltzmann(g, make([]float64, g.NumEdges()), beta); err == nil {
			t.Errorf("β = %v must fail", beta)
		}
	}
	ones := slices.Repeat([]float64{1}, g.NumEdges())
	for _, beta := range []float64{math.MaxFloat64, -math.MaxFloat64} { // finite an edge, not a path
		if _, err := Boltzmann(g, ones, beta); err == nil {
			t.Errorf("β = %v must fail", beta)
		}
	}
}
