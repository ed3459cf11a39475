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
	mix  *Mixture
	abar []float64
	rows []float64 // [E] the law's rows before any x_t: what a vertex keeps that no path visits
	pool sync.Pool // *mixtureScratch
}

type mixtureScratch struct{ m, f, s []float64 } // [V, K], [V, K], [K]

// NewMixtureDenoiser makes the exact denoiser of m. abar[t] is ᾱ_t for t in 0…T.
func NewMixtureDenoiser(m *Mixture, abar []float64) *MixtureDenoiser {
	d := &MixtureDenoiser{mix: m, abar: abar}
	V, K := m.Graph.NumVertices(), len(m.Weight)
	d.pool.New = func() any {
		return &mixtureScratch{m: make([]float64, V*K), f: make([]float64, V*K), s: make([]float64, K)}
	}
	d.rows = make([]float64, m.Graph.NumEdges())
	for v := range V {
		lo, hi := m.Graph.Edges(v)
		for e := lo; e < hi; e++ {
			for k, w := range m.Weight {
				d.rows[e] += w * m.P[e*K+k]
			}
		}
	}
	s := d.pool.New().(*mixtureScratch)
	rows := make([]float64, len(d.rows))
	d.posterior(s, rows, make(ddps.PALM, V), 0)
	d.rows = rows
	return d
}

// Posterior sets pi, by edge, to the row laws of the path given x_t at time t in 1…T. O(E·K).
func (d *MixtureDenoiser) Posterior(pi []float64, xt ddps.PALM, t int) {
	s := d.pool.Get().(*mixtureScratch)
	d.posterior(s, pi, xt, d.abar[t]/(1-d.abar[t]))
	d.pool.Put(s)
}

// posterior is Posterior at the ratio ᾱ_t/(1−ᾱ_t).
func (d *MixtureDenoiser) posterior(s *mixtureScratch, pi []float64, xt ddps.PALM, ratio float64) {
	g, K := d.mix.Graph, len(d.mix.Weight)
	last, end := g.Layer(g.NumLayers() - 1)
	for i := last * K; i < end*K; i++ {
		s.m[i] = 1
	}
	for l := g.NumLayers() - 2; l >= 0; l-- {
		lo, hi := g.Layer(l)
		for v := lo; v < hi; v++ {
			d.back(s, v, int(xt[v]), ratio)
		}
		rescale(s.m[lo*K : hi*K])
	}
	clear(s.f)
	copy(s.f, d.mix.Weight)
	for l := range g.NumLayers() - 1 {
		lo, hi := g.Layer(l)
		rescale(s.f[lo*K : hi*K])
		for v := lo; v < hi; v++ {
			d.ahead(s, pi, v, int(xt[v]), ratio)
		}
	}
}

// back sets m of vertex v.
func (d *MixtureDenoiser) back(s *mixtureScratch, v, x int, ratio float64) {
	K, heads := len(s.s), d.mix.Graph.From(v)
	lo, _ := d.mix.Graph.Edges(v)
	m := s.m[v*K:][:K]
	clear(m)
	for i, w := range heads {
		b := 1.0
		if i == x {
			b += ratio * float64(len(heads))
		}
		p, next := d.mix.P[(lo+i)*K:][:K], s.m[w*K:][:K]
		for k := range m {
			m[k] += b * p[k] * next[k]
		}
	}
}

// ahead sets v's row of pi and adds to f of the vertices behind it.
func (d *MixtureDenoiser) ahead(s *mixtureScratch, pi []float64, v, x int, ratio float64) {
	K, heads := len(s.s), d.mix.Graph.From(v)
	lo, _ := d.mix.Graph.Edges(v)
	f, sum := s.f[v*K:][:K], 0.0
	for i, w := range heads {
		b := 1.0
		if i == x {
			b += ratio * float64(len(heads))
		}
		p, m, next := d.mix.P[(lo+i)*K:][:K], s.m[w*K:][:K], s.f[w*K:][:K]
		y := 0.0
		for k := range f {
			q := b * f[k] * p[k]
			next[k] += q
			y += q * m[k]
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

// rescale divides x by its greatest entry.
func rescale(x []float64) {
	top := 0.0
	for _, y := range x {
		top = max(top, y)
	}
	if top == 0 || top > 0x1p-100 && top < 0x1p100 {
		return
	}
	for i := range x {
		x[i] /= top
	}
}

// Posteriors sets pi, [batch, edge] row-major, to Posterior for each of xt.
func (d *MixtureDenoiser) Posteriors(pi []float64, xt []ddps.PALM, t int) error {
	E := d.mix.Graph.NumEdges()
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
