package chain

import (
	"sync"

	"github.com/ddps-go/ddps/ddps"
)

// Denoiser is the exact denoiser of a path distribution that is a first-order chain π⁰, under uniform noise of every
// row: given x_t, the path is again a chain,
//
//	π_v(e) ∝ π⁰_v(e)·(1−ᾱ_t + ᾱ_t·D_v·1[x_t^v = e])·B(head(e)),  B the backward messages of that product,
//
// because a row off the path is uniform before and after the noise, so that x_t tells of it only by its rows on
// the path. On data whose distribution is the chain it is the Bayes optimum, with no network. Safe for concurrent use.
type Denoiser struct {
	chain   *Chain
	abar    []float64
	scratch sync.Pool // of messages, [V]
}

// NewDenoiser makes the exact denoiser of c. abar[t] is ᾱ_t for t in 0…T.
func NewDenoiser(c *Chain, abar []float64) *Denoiser {
	d := &Denoiser{chain: c, abar: abar}
	d.scratch.New = func() any { return NewTilter(c.Graph) }
	return d
}

// Chain returns the chain.
func (d *Denoiser) Chain() *Chain { return d.chain }

// Graph returns the graph whose paths are denoised.
func (d *Denoiser) Graph() *ddps.LayeredGraph { return d.chain.Graph }

// Ratio returns ᾱ_t/(1−ᾱ_t).
func (d *Denoiser) Ratio(t int) float64 { return d.abar[t] / (1 - d.abar[t]) }

// Posterior sets pi, [batch, edge], to the distribution of the path given x_t, as a chain, for each of xt at time t in
// 1…T. A vertex that no path of positive probability visits keeps its row of π⁰. The error says so if pi has the wrong
// length or t is out of range. O(E) a sample. It implements d3pm.Denoiser.
func (d *Denoiser) Posterior(pi []float64, xt []ddps.PALM, t int) error {
	if err := CheckPosterior(d.chain.Graph, d.abar, len(pi), len(xt), t); err != nil {
		return err
	}
	tilter, E := d.scratch.Get().(*Tilter), d.chain.Graph.NumEdges()
	defer d.scratch.Put(tilter)
	for i, x := range xt {
		d.posterior(tilter, pi[i*E:(i+1)*E], x, t)
	}
	return nil
}

// posterior is Tilter.Tilt with the weights made on the way: relative to 1−ᾱ_t, which every row of a path
// carries alike, they are 1 for every edge but the row's x_t.
func (d *Denoiser) posterior(s *Tilter, pi []float64, xt ddps.PALM, t int) {
	g, m := d.chain.Graph, s.m
	ratio := d.abar[t] / (1 - d.abar[t])
	lo, hi := g.Layer(g.NumLayers() - 1)
	for v := lo; v < hi; v++ {
		m[v] = 1
	}
	for l := g.NumLayers() - 2; l >= 0; l-- {
		lo, hi := g.Layer(l)
		top := 0.0
		for v := lo; v < hi; v++ {
			a, b := g.Edges(v)
			if a == b {
				m[v] = 0
				continue
			}
			m[v] = d.row(pi[a:b], d.chain.P[a:b], g.From(v), m, int(xt[v]), 1+ratio*float64(b-a))
			top = max(top, m[v])
		}
		if !(top >= 0x1p-960 && top <= 0x1p960) {
			d.posteriorLog(s, pi, xt, t)
			return
		}
		for v := lo; v < hi; v++ {
			m[v] /= top
		}
	}
}

// row sets one row of the posterior and returns its message; boost is the weight of choice x.
func (d *Denoiser) row(pi, p []float64, heads []int, m []float64, x int, boost float64) float64 {
	sum := 0.0
	for i, w := range heads {
		q := p[i] * m[w]
		if i == x {
			q *= boost
		}
		pi[i] = q
		sum += q
	}
	if sum == 0 {
		copy(pi, p)
		return 0
	}
	inv := 1 / sum
	for i := range pi {
		pi[i] *= inv
	}
	return sum
}

// posteriorLog is posterior where messages leave the range of a float64.
func (d *Denoiser) posteriorLog(s *Tilter, pi []float64, xt ddps.PALM, t int) {
	g, a := d.chain.Graph, d.abar[t]
	w := make([]float64, g.NumEdges())
	for v := range g.NumVertices() {
		lo, hi := g.Edges(v)
		for e := lo; e < hi; e++ {
			w[e] = 1 - a
		}
		if lo < hi {
			w[lo+int(xt[v])] += a * float64(hi-lo)
		}
	}
	s.tiltLog(d.chain.P, w, pi)
}
