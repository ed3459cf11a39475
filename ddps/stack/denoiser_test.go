package stack

import (
	"context"
	"math"
	"math/big"
	"testing"

	"github.com/ddps-go/ddps/ddps"
	"github.com/ddps-go/ddps/ddps/chain"
	"github.com/ddps-go/ddps/ddps/d3pm"
	"github.com/ddps-go/ddps/ddps/metrics"
	"github.com/ddps-go/ddps/ddps/mixture"
)

// listed returns all paths.
func listed(t *testing.T, g *ddps.LayeredGraph) (list []ddps.Path) {
	t.Helper()
	x := ddps.NewIndex(g)
	for i := range x.Count().Int64() {
		p, err := x.At(big.NewInt(i))
		if err != nil {
			t.Fatal(err)
		}
		list = append(list, p)
	}
	return list
}

// twoParts returns a stack of a first-order chain, a second-order chain and a mixture of two chains.
func twoParts(t *testing.T, g *ddps.LayeredGraph) *Stack {
	t.Helper()
	list := listed(t, g)
	w := make([]float64, len(list))
	for i := range w {
		w[i] = 1 + 9*ddps.Rand(7, uint64(i)).Float64()
	}
	c, err := chain.Fit(g, list, w, 1)
	if err != nil {
		t.Fatal(err)
	}
	second, err := chain.FitSecond(g, list, w, chain.SecondConfig{Kappa1: 1, Kappa2: 1})
	if err != nil {
		t.Fatal(err)
	}
	p := make([]float64, 2*g.NumEdges())
	for e := range g.NumEdges() {
		p[2*e], p[2*e+1] = c.P[e], 1/float64(g.Degree(g.Tail(e)))
	}
	mix, err := mixture.New(chain.Identity(g), []float64{.3, .7}, p)
	if err != nil {
		t.Fatal(err)
	}
	s, err := New([]Part{{Name: "chain", Distribution: Chain(c.Distribution()), Weight: .2},
		{Name: "second", Distribution: Chain(second), Weight: .5}, {Name: "mixture", Distribution: Mixture(mix), Weight: .3}})
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// The posterior given x_t is that by enumeration, and so are its rows.
func TestDenoiserPosterior(t *testing.T) {
	g := square(t, 4)
	s, sched := twoParts(t, g), d3pm.Cosine(16)
	d := NewDenoiser(s, sched.Abar, nil)
	if left := d.Left(); left != "" {
		t.Errorf("left out: %s", left)
	}
	list := listed(t, g)
	prior := make([]float64, len(list))
	if err := s.LogProb(list, prior); err != nil {
		t.Fatal(err)
	}
	xt, rng := make(ddps.PALM, g.NumVertices()), ddps.Rand(1, 2)
	g.Uniform(xt, rng)
	for _, at := range []int{2, 8, 15} {
		post, sum := make([]float64, len(list)), 0.0
		for i, p := range list {
			x := math.Exp(prior[i])
			for l := range len(p) - 1 {
				e, _ := g.EdgeBetween(p[l], p[l+1])
				lo, hi := g.Edges(p[l])
				x *= float64(hi-lo) * d3pm.Likelihood(sched.Abar[at], int(xt[p[l]]) == e-lo, hi-lo) // rows off the path are uniform
			}
			post[i] = x
			sum += x
		}
		dist, rows := d.Whole(), make([]float64, g.NumEdges())
		dist.Weigh(xt, d.Ratio(at), nil)
		visits := make([]float64, g.NumVertices())
		for i, p := range list {
			if got, want := dist.LogProb(p), math.Log(post[i]/sum); math.Abs(got-want) > 1e-9 {
				t.Fatalf("t = %d, path %v: %v, by enumeration %v", at, p, got, want)
			}
			for l := range len(p) - 1 {
				e, _ := g.EdgeBetween(p[l], p[l+1])
				rows[e] += post[i] / sum
				visits[p[l]] += post[i] / sum
			}
		}
		pi := make([]float64, g.NumEdges())
		d.Posterior(pi, []ddps.PALM{xt}, at)
		for e, x := range pi {
			if want := rows[e] / visits[g.Tail(e)]; math.Abs(x-want) > 1e-9 {
				t.Fatalf("t = %d, edge %d: %v, by enumeration %v", at, e, x, want)
			}
		}
	}
}

// The bound equals −log p at any S but for what x_T keeps of the path, and draws by reverse steps have the stack's
// distribution.
func TestDenoiserReverse(t *testing.T) {
	g := square(t, 3)
	s, sched := twoParts(t, g), d3pm.Cosine(32)
	d := NewDenoiser(s, sched.Abar, nil)
	list := listed(t, g)
	logp := make([]float64, len(list))
	if err := s.LogProb(list, logp); err != nil {
		t.Fatal(err)
	}
	for _, S := range []int{1, 4, 32} {
		b := &d3pm.Bound{Graph: g, Denoiser: d, Schedule: sched, Steps: S, Draws: 400}
		nats, err := b.Score(context.Background(), list, 3)
		if err != nil {
			t.Fatal(err)
		}
		for i, x := range nats {
			if diff := x.Mean + logp[i]; math.Abs(diff) > .02+5*x.StdErr {
				t.Errorf("S = %d, path %v: bound %.4f ± %.4f, −log p %.4f", S, list[i], x.Mean, x.StdErr, -logp[i])
			}
		}
		const n = 20000
		paths, err := (&d3pm.Sampler{Graph: g, Denoiser: d, Schedule: sched, Steps: S}).Sample(context.Background(), n, 5)
		if err != nil {
			t.Fatal(err)
		}
		count := map[string]float64{}
		for _, p := range paths {
			count[metrics.Key(p)]++
		}
		chi := 0.0
		for i, p := range list {
			want := n * math.Exp(logp[i])
			chi += (count[metrics.Key(p)] - want) * (count[metrics.Key(p)] - want) / want
		}
		if free := float64(len(list) - 1); chi > free+6*math.Sqrt(2*free) {
			t.Errorf("S = %d: χ² %.1f of %v degrees of freedom", S, chi, free)
		}
	}
}
