package d3pm

import (
	"math"
	"slices"
	"testing"

	"github.com/ddps-go/ddps/ddps"
	"github.com/ddps-go/ddps/ddps/chain"
	"github.com/ddps-go/ddps/ddps/internal/oracle"
)

// pairOracle is a network with the vectors of the independent program.
func pairOracle(t *testing.T) (*oracle.Vectors2, *Pair) {
	t.Helper()
	o, o2, g := oracle.Load()
	want := o2.Pair
	p, err := NewPair(g, chain.NewDenoiser(chain.Uniform(g), Cosine(o.Schedule.T).Abar), Cosine(o.Schedule.T), PairConfig{Hidden: want.H, Time: 2}, 1)
	if err != nil {
		t.Fatal(err)
	}
	f := make([]float32, 2)
	p.features(f, o2.T)
	for h := range want.H {
		for v := range want.A {
			p.a.rows[v*want.H+h], p.b.rows[v*want.H+h] = float32(want.A[v][h]), float32(want.B[v][h])
		}
		p.gamma[h] = float32(want.Gamma[h]-1) / f[0]
	}
	return o2, p
}

// The recursions, in float64, and the sweeps, in float32, against the independent program's numbers.
func TestPairVectors(t *testing.T) {
	o, p := pairOracle(t)
	want, g := o.Pair, &p.graph
	plain := pairMessages(g.LayeredGraph, o.Exact.Pi, want.A, want.B, want.Gamma)
	s := newPairScratch(p)
	out := make([]float32, g.E)
	p.vectors(s)
	p.setGamma(s, o.T)
	p.chain(s, o.Xt, o.T)
	p.before(s)
	p.after(s, out)
	all(t, "T", plain.T, want.T, 1e-9)
	all(t, "T, float32", s.T, want.T, 1e-5)
	for v := range want.A {
		all(t, "C", plain.C[v], want.C[v], 1e-9)
		all(t, "S", plain.S[v], want.S[v], 1e-9)
		for h := range want.H {
			c, u := float64(s.A[v*g.n][h]-s.a[v*g.n][h]), float64(s.U[v*g.n][h]-s.gb[v*g.n][h])/want.Gamma[h]
			if v < g.last && !near(c, want.C[v][h], 1e-5) || !near(u, want.S[v][h], 1e-5) {
				t.Errorf("vertex %d: C %v, S %v, want %v, %v", v, c, u, want.C[v][h], want.S[v][h])
			}
		}
	}
	for e, x := range want.Logits {
		if x == nil {
			continue
		}
		base := math.Log(o.Exact.Pi[e])
		if !near(base+plain.out[e], *x, 1e-9) || !near(base+float64(out[e]), *x, 1e-5) {
			t.Errorf("edge %d: logit %v, float32 %v, want %v", e, base+plain.out[e], base+float64(out[e]), *x)
		}
	}
}

// pairCases calls f with networks of several widths, shared or not, on a graph with a vertex that no path visits.
func pairCases(t *testing.T, f func(t *testing.T, p *Pair, g *ddps.LayeredGraph)) {
	for name, cfg := range map[string]PairConfig{"H=3": {Hidden: 3, Time: 2}, "H=8 shared": {Hidden: 8, Time: 1, Shared: true},
		"H=21 shared": {Hidden: 21, Time: 3, Shared: true}, "H=32": {Hidden: 32, Time: 4}} {
		t.Run(name, func(t *testing.T) {
			g := pairPlaces(t, mlpGraph(t, 6, 7, 3, 4))
			if !slices.Contains(g.Reachable(), false) {
				t.Fatal("every vertex is reached")
			}
			p := pairNew(t, g, cfg)
			f(t, p, g)
		})
	}
}

func TestPairForwardAgainstPlain(t *testing.T) {
	pairCases(t, func(t *testing.T, p *Pair, g *ddps.LayeredGraph) {
		xt, E, pi := mlpPALMs(g, 5, 1), g.NumEdges(), make([]float64, g.NumEdges())
		out := make([]float32, len(xt)*E)
		if p.Forward(out, xt, 9); slices.ContainsFunc(out, func(x float32) bool { return x != 0 }) {
			t.Error("a fresh network must be the chain")
		}
		pairRandom(p, 0.4, 2)
		_, params := pairGrads(p)
		for _, tm := range []int{1, 9, 64} {
			p.Forward(out, xt, tm)
			for i, x := range xt {
				p.posts.Posterior(pi, x, tm)
				a, b, gamma := pairVectors(p, params, tm)
				for e, want := range pairMessages(g, pi, a, b, gamma).out {
					if !near(float64(out[i*E+e]), want, 1e-5) {
						t.Errorf("t=%d sample %d edge %d: %v, want %v", tm, i, e, out[i*E+e], want)
					}
				}
			}
		}
	})
}

// The gradient against central differences of the loss in float64, every entry of every parameter.
func TestPairGradient(t *testing.T) {
	pairCases(t, func(t *testing.T, p *Pair, g *ddps.LayeredGraph) {
		pairRandom(p, 0.3, 4)
		b := mlpBatch(t, g, 11, p.times, 5) // more than one chunk
		grads, params := pairGrads(p)
		loss, err := p.LossGrad(b, grads)
		if err != nil {
			t.Fatal(err)
		}
		if want := pairLoss(p, g, params, b); !near(loss.CE, want, 1e-6) || loss.Total != loss.CE || loss.VB != 0 {
			t.Errorf("loss %+v, want %v", loss, want)
		}
		if only, err := p.LossGrad(b, nil); err != nil || only != loss {
			t.Errorf("without gradients %v, %v; want %v", only, err, loss)
		}
		const eps = 1e-5
		for i := range params {
			for j, x := range params[i] {
				if testing.Short() && j%7 != 0 {
					continue
				}
				params[i][j] = x + eps
				up := pairLoss(p, g, params, b)
				params[i][j] = x - eps
				want := (up - pairLoss(p, g, params, b)) / (2 * eps)
				if params[i][j] = x; math.Abs(float64(grads[i][j])-want) > 2e-5*max(1, math.Abs(want)) {
					t.Errorf("%s[%d]: %v, want %v", p.params[i].Name, j, grads[i][j], want)
				}
			}
		}
	})
}

// A vertex that no path visits takes no part.
func TestPairUnreached(t *testing.T) {
	g := mlpGraph(t, 6, 7, 3, 4)
	p := pairNew(t, g, PairConfig{Hidden: 5, Time: 2})
	pairRandom(p, 0.5, 6)
	grads, _ := pairGrads(p)
	b := mlpBatch(t, g, 16, p.times, 7)
	if _, err := p.LossGrad(b, grads); err != nil {
		t.Fatal(err)
	}
	moved := 0
	for v, on := range g.Reachable() {
		for _, d := range grads[:2] {
			zero := !slices.ContainsFunc(d[v*5:(v+1)*5], func(x float32) bool { return x != 0 })
			if !on && !zero {
				t.Errorf("vertex %d lies on no path and has a gradient", v)
			} else if on && !zero {
				moved++
			}
		}
	}
	if moved == 0 {
		t.Error("no gradient at all")
	}
}

// Vertices numbered otherwise within their layers give the same numbers in other places.
func TestPairPermutation(t *testing.T) {
	g := mlpGraph(t, 6, 7, 3, 8)
	h, at := renumber(t, g, 9)
	cfg := PairConfig{Hidden: 10, Time: 2}
	p, q := pairNew(t, g, cfg), pairNew(t, h, cfg)
	pairRandom(p, 0.4, 1)
	copy(q.gamma, p.gamma)
	x, y := mlpPALMs(g, 1, 2)[0], make(ddps.PALM, len(at))
	for v, w := range at {
		copy(q.a.rows[w*10:(w+1)*10], p.a.rows[v*10:])
		copy(q.b.rows[w*10:(w+1)*10], p.b.rows[v*10:])
		y[w] = x[v]
	}
	out, other := make([]float32, g.NumEdges()), make([]float32, g.NumEdges())
	p.Forward(out, []ddps.PALM{x}, 20)
	q.Forward(other, []ddps.PALM{y}, 20)
	for e, z := range out {
		k, _ := h.EdgeBetween(at[g.Tail(e)], at[g.Head(e)])
		if !near(float64(other[k]), float64(z), 1e-5) {
			t.Errorf("edge %d: %v, renumbered %v", e, z, other[k])
		}
	}
}
