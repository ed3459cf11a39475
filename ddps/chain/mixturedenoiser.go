package chain

import (
	"fmt"
	"math"
	"sync"

	"github.com/ddps-go/ddps/ddps"
)

// MixtureDenoiser is the exact denoiser of a path law that is a mixture of chains, under uniform noise of every row.
// Given x_t the path is again such a mixture; with b_v(e) = 1−ᾱ_t + ᾱ_t·D_v·1[x_t^v = e] and the messages
//
//	m_k(v) = Σ_e P_k(e) b_v(e) m_k(head(e)), m = 1 on the last layer,
//	f_k(w) = Σ_{e: v→w} f_k(v) P_k(e) b_v(e), f_k(v¹) = ω_k,
//
// the row law of the paths through v is π_v(e) ∝ Σ_k f_k(v) P_k(e) b_v(e) m_k(head(e)). Safe for concurrent use.
type MixtureDenoiser struct {
	graph *ddps.LayeredGraph
	abar  []float64
	n     int       // lanes a vertex or an edge, the last filled up with classes of weight 0
	p     []lane    // [E, n]
	omega []lane    // [n]
	rows  []float64 // [E] the law's rows before any x_t: what a vertex keeps that no path visits
	pool  sync.Pool // *mixtureScratch
}

// lane holds the numbers of four classes.
type lane [4]float64

type mixtureScratch struct{ m, f []lane } // [V, n]

// NewMixtureDenoiser makes the exact denoiser of m. abar[t] is ᾱ_t for t in 0…T.
func NewMixtureDenoiser(m *Mixture, abar []float64) *MixtureDenoiser {
	g, K := m.Graph, len(m.Weight)
	n := (K + 3) / 4
	d := &MixtureDenoiser{graph: g, abar: abar, n: n, p: make([]lane, g.NumEdges()*n), omega: make([]lane, n)}
	for k, w := range m.Weight {
		d.omega[k/4][k%4] = w
		for e := range g.NumEdges() {
			d.p[e*n+k/4][k%4] = m.P[e*K+k]
		}
	}
	d.pool.New = func() any {
		return &mixtureScratch{m: make([]lane, g.NumVertices()*n), f: make([]lane, g.NumVertices()*n)}
	}
	d.rows = make([]float64, g.NumEdges())
	for e := range d.rows {
		for k, w := range m.Weight {
			d.rows[e] += w * m.P[e*K+k]
		}
	}
	rows := make([]float64, len(d.rows))
	d.posterior(d.pool.New().(*mixtureScratch), rows, make(ddps.PALM, g.NumVertices()), 0)
	d.rows = rows
	return d
}

// Graph returns the graph whose paths are denoised.
func (d *MixtureDenoiser) Graph() *ddps.LayeredGraph { return d.graph }

// Posterior sets pi, by edge, to the row laws of the path given x_t at time t in 1…T. Of vertices whose evidence is
// under 1e-300 of the layer's greatest it gives the law's rows before any x_t. O(E·K).
func (d *MixtureDenoiser) Posterior(pi []float64, xt ddps.PALM, t int) {
	s := d.pool.Get().(*mixtureScratch)
	d.posterior(s, pi, xt, d.abar[t]/(1-d.abar[t]))
	d.pool.Put(s)
}

// posterior is Posterior at the ratio ᾱ_t/(1−ᾱ_t).
func (d *MixtureDenoiser) posterior(s *mixtureScratch, pi []float64, xt ddps.PALM, ratio float64) {
	g, n := d.graph, d.n
	last, end := g.Layer(g.NumLayers() - 1)
	for i := last * n; i < end*n; i++ {
		s.m[i] = lane{1, 1, 1, 1}
	}
	for l := g.NumLayers() - 2; l >= 0; l-- {
		lo, hi := g.Layer(l)
		for v := lo; v < hi; v++ {
			d.back(s, v, int(xt[v]), ratio)
		}
		rescale(s.m[lo*n : hi*n])
	}
	clear(s.f)
	copy(s.f, d.omega)
	for l := range g.NumLayers() - 1 {
		lo, hi := g.Layer(l)
		rescale(s.f[lo*n : hi*n])
		for v := lo; v < hi; v++ {
			d.ahead(s, pi, v, int(xt[v]), ratio)
		}
	}
}

// back sets m of vertex v.
func (d *MixtureDenoiser) back(s *mixtureScratch, v, x int, ratio float64) {
	n, heads := d.n, d.graph.From(v)
	lo, _ := d.graph.Edges(v)
	for c := range n {
		var m lane
		for i, w := range heads {
			b := 1.0
			if i == x {
				b += ratio * float64(len(heads))
			}
			p, next := &d.p[(lo+i)*n+c], &s.m[w*n+c]
			m[0] += b * p[0] * next[0]
			m[1] += b * p[1] * next[1]
			m[2] += b * p[2] * next[2]
			m[3] += b * p[3] * next[3]
		}
		s.m[v*n+c] = m
	}
}

// ahead sets v's row of pi and adds to f of the vertices behind it.
func (d *MixtureDenoiser) ahead(s *mixtureScratch, pi []float64, v, x int, ratio float64) {
	n, heads := d.n, d.graph.From(v)
	lo, _ := d.graph.Edges(v)
	f, sum := s.f[v*n:][:n], 0.0
	for i, w := range heads {
		b := 1.0
		if i == x {
			b += ratio * float64(len(heads))
		}
		y := 0.0
		for c := range f {
			f, p, m, next := &f[c], &d.p[(lo+i)*n+c], &s.m[w*n+c], &s.f[w*n+c]
			q0, q1, q2, q3 := b*f[0]*p[0], b*f[1]*p[1], b*f[2]*p[2], b*f[3]*p[3]
			next[0] += q0
			next[1] += q1
			next[2] += q2
			next[3] += q3
			y += (q0*m[0] + q1*m[1]) + (q2*m[2] + q3*m[3])
		}
		pi[lo+i] = y
		sum += y
	}
	row := pi[lo : lo+len(heads)]
	if !(sum > 0) {
		copy(row, d.rows[lo:])
		return
	}
	for i := range row {
		row[i] /= sum
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
