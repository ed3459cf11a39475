package chain

import (
	"fmt"
	"math"
	"sync"

	"github.com/ddps-go/ddps/ddps"
)

// MixtureDenoiser is the exact denoiser, row by row, of a path law that is a mixture of chains, under uniform noise of
// every row. Given x_t the path is again such a mixture; with b(e) = 1−ᾱ_t + ᾱ_t·D_v·1[x_t^v = e], of the edge e of the
// graph that an edge of the lift stands over, and the messages
//
//	m_k(s) = Σ_e P_k(e) b(e) m_k(head(e)), m = 1 on the last layer,
//	f_k(r) = Σ_{e: s→r} f_k(s) P_k(e) b(e), f_k(v¹) = ω_k,
//
// the row law of the paths through v is π_v(e) ∝ Σ_k f_k(s) P_k(e) b(e) m_k(head(e)), summed over the states s over v.
// A chain of these rows is not the law of the path: that is Paths. Safe for concurrent use.
type MixtureDenoiser struct {
	graph *ddps.LayeredGraph // of the paths
	lift  *Lift
	abar  []float64
	n     int       // lanes a state or an edge, the last filled up with classes of weight 0
	p     []lane    // [edge of the lift, n]
	omega []lane    // [n]
	rows  []float64 // [E] the law's rows before any x_t: what a vertex keeps that no path visits
	pool  sync.Pool // *mixtureScratch
}

// lane holds the numbers of four classes.
type lane [4]float64

type mixtureScratch struct {
	b    []float64 // [E]
	m, f []lane    // [state, n]
}

// NewMixtureDenoiser makes the exact denoiser of m. abar[t] is ᾱ_t for t in 0…T.
func NewMixtureDenoiser(m *Mixture, abar []float64) *MixtureDenoiser {
	l, K := m.Lift, len(m.Weight)
	n := (K + 3) / 4
	d := &MixtureDenoiser{graph: m.Base(), lift: l, abar: abar, n: n, p: make([]lane, len(l.Edge)*n), omega: make([]lane, n)}
	d.rows = make([]float64, d.graph.NumEdges())
	for k, w := range m.Weight {
		d.omega[k/4][k%4] = w
		for e, below := range l.Edge {
			d.p[e*n+k/4][k%4] = m.P[e*K+k]
			d.rows[below] += w * m.P[e*K+k]
		}
	}
	d.pool.New = func() any {
		states := l.Graph.NumVertices()
		return &mixtureScratch{b: make([]float64, d.graph.NumEdges()), m: make([]lane, states*n), f: make([]lane, states*n)}
	}
	d.normalise(d.rows, d.rows)
	rows := make([]float64, len(d.rows))
	d.posterior(d.pool.New().(*mixtureScratch), rows, make(ddps.PALM, d.graph.NumVertices()), 0)
	d.rows = rows
	return d
}

// Graph returns the graph whose paths are denoised.
func (d *MixtureDenoiser) Graph() *ddps.LayeredGraph { return d.graph }

// Posterior sets pi, by edge, to the row laws of the path given x_t at time t in 1…T. Of vertices whose evidence is
// under 1e-300 of the layer's greatest it gives the law's rows before any x_t. O(edges of the lift · K).
func (d *MixtureDenoiser) Posterior(pi []float64, xt ddps.PALM, t int) {
	s := d.pool.Get().(*mixtureScratch)
	d.posterior(s, pi, xt, d.abar[t]/(1-d.abar[t]))
	d.pool.Put(s)
}

// evidence sets b, by edge, to 1 + ratio·D_v·1[x_t^v = e], times c where that is not nil.
func (d *MixtureDenoiser) evidence(b, c []float64, xt ddps.PALM, ratio float64) {
	if c != nil {
		copy(b, c)
	} else {
		for e := range b {
			b[e] = 1
		}
	}
	for v := range d.graph.NumVertices() {
		if lo, hi := d.graph.Edges(v); hi > lo {
			b[lo+int(xt[v])] *= 1 + ratio*float64(hi-lo)
		}
	}
}

// posterior is Posterior at the ratio ᾱ_t/(1−ᾱ_t).
func (d *MixtureDenoiser) posterior(s *mixtureScratch, pi []float64, xt ddps.PALM, ratio float64) {
	g, n := d.lift.Graph, d.n
	d.evidence(s.b, nil, xt, ratio)
	last, end := g.Layer(g.NumLayers() - 1)
	for i := last * n; i < end*n; i++ {
		s.m[i] = lane{1, 1, 1, 1}
	}
	for l := g.NumLayers() - 2; l >= 0; l-- {
		lo, hi := g.Layer(l)
		for v := lo; v < hi; v++ {
			d.back(s, v)
		}
		rescale(s.m[lo*n : hi*n])
	}
	clear(s.f)
	clear(pi)
	copy(s.f, d.omega)
	for l := range g.NumLayers() - 1 {
		lo, hi := g.Layer(l)
		rescale(s.f[lo*n : hi*n])
		for v := lo; v < hi; v++ {
			d.ahead(s, pi, v)
		}
	}
	d.normalise(pi, d.rows)
}

// normalise makes each row of pi sum to 1; one that sums to 0 becomes that of rows.
func (d *MixtureDenoiser) normalise(pi, rows []float64) {
	for v := range d.graph.NumVertices() {
		lo, hi := d.graph.Edges(v)
		row, sum := pi[lo:hi], 0.0
		for _, y := range row {
			sum += y
		}
		if !(sum > 0) {
			copy(row, rows[lo:hi])
			continue
		}
		for i := range row {
			row[i] /= sum
		}
	}
}

// back sets m of state v.
func (d *MixtureDenoiser) back(s *mixtureScratch, v int) {
	n, heads := d.n, d.lift.Graph.From(v)
	lo, hi := d.lift.Graph.Edges(v)
	below := d.lift.Edge[lo:hi]
	for c := range n {
		var m lane
		for i, w := range heads {
			b, p, next := s.b[below[i]], &d.p[(lo+i)*n+c], &s.m[w*n+c]
			m[0] += b * p[0] * next[0]
			m[1] += b * p[1] * next[1]
			m[2] += b * p[2] * next[2]
			m[3] += b * p[3] * next[3]
		}
		s.m[v*n+c] = m
	}
}

// ahead adds to pi of the edges under v's, and to f of the states behind it.
func (d *MixtureDenoiser) ahead(s *mixtureScratch, pi []float64, v int) {
	n, heads := d.n, d.lift.Graph.From(v)
	lo, hi := d.lift.Graph.Edges(v)
	below, f := d.lift.Edge[lo:hi], s.f[v*n:][:n]
	for i, w := range heads {
		b, y := s.b[below[i]], 0.0
		for c := range f {
			f, p, m, next := &f[c], &d.p[(lo+i)*n+c], &s.m[w*n+c], &s.f[w*n+c]
			q0, q1, q2, q3 := b*f[0]*p[0], b*f[1]*p[1], b*f[2]*p[2], b*f[3]*p[3]
			next[0] += q0
			next[1] += q1
			next[2] += q2
			next[3] += q3
			y += (q0*m[0] + q1*m[1]) + (q2*m[2] + q3*m[3])
		}
		pi[below[i]] += y
	}
}

// rescale divides x by its greatest entry, where that is far from 1, and returns the logarithm of what it divided by.
func rescale(x []lane) float64 {
	top := 0.0
	for i := range x {
		top = max(top, x[i][0], x[i][1], x[i][2], x[i][3])
	}
	if top == 0 || top > 0x1p-100 && top < 0x1p100 {
		return 0
	}
	for i := range x {
		for k := range x[i] {
			x[i][k] /= top
		}
	}
	return math.Log(top)
}

// Posteriors sets pi, [batch, edge] row-major, to Posterior for each of xt.
func (d *MixtureDenoiser) Posteriors(pi []float64, xt []ddps.PALM, t int) error {
	E := d.graph.NumEdges()
	if len(pi) != len(xt)*E {
		return fmt.Errorf("chain: denoiser: %d numbers for %d samples of %d edges", len(pi), len(xt), E)
	}
	if t < 1 || t >= len(d.abar) {
		return fmt.Errorf("chain: denoiser: time %d is not in 1…%d", t, len(d.abar)-1)
	}
	for i, x := range xt {
		d.Posterior(pi[i*E:(i+1)*E], x, t)
	}
	return nil
}

// Logits sets z, [batch, edge] row-major, to the logarithms of Posterior for each of xt.
func (d *MixtureDenoiser) Logits(z []float32, xt []ddps.PALM, t int) error {
	pi := make([]float64, len(z))
	if err := d.Posteriors(pi, xt, t); err != nil {
		return err
	}
	for i, p := range pi {
		z[i] = float32(math.Log(p))
	}
	return nil
}
