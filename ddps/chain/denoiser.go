package chain

import (
	"fmt"
	"math"
	"sync"

	"github.com/ddps-go/ddps/ddps"
)

// Denoiser is the exact denoiser of a path law that is a first-order chain π⁰, under uniform noise of every
// row: given x_t, the path is again a chain,
//
//	π_v(e) ∝ π⁰_v(e)·(1−ᾱ_t + ᾱ_t·D_v·1[x_t^v = e])·B(head(e)),  B the backward messages of that product,
//
// because a row off the path is uniform before and after the noise, so that x_t tells of it only by its rows on
// the path. On data whose law is the chain it is the Bayes optimum, with no network. Safe for concurrent use.
type Denoiser struct {
	chain   *Chain
	abar    []float64
	scratch sync.Pool
}

// denoiserScratch is what one call needs.
type denoiserScratch struct {
	tilter *Tilter
	w, pi  []float64
}

// NewDenoiser makes the exact denoiser of c. abar[t] is ᾱ_t for t in 0…T.
func NewDenoiser(c *Chain, abar []float64) *Denoiser {
	d := &Denoiser{chain: c, abar: abar}
	d.scratch.New = func() any {
		E := c.Graph.NumEdges()
		return &denoiserScratch{tilter: NewTilter(c.Graph), w: make([]float64, E), pi: make([]float64, E)}
	}
	return d
}

// Posterior sets pi, by edge, to the law of the path given x_t at time t in 1…T, as a chain. A vertex that no
// path of positive probability visits keeps its row of π⁰.
func (d *Denoiser) Posterior(pi []float64, xt ddps.PALM, t int) {
	s := d.scratch.Get().(*denoiserScratch)
	d.posterior(s, pi, xt, t)
	d.scratch.Put(s)
}

func (d *Denoiser) posterior(s *denoiserScratch, pi []float64, xt ddps.PALM, t int) {
	g, a := d.chain.Graph, d.abar[t]
	for v := range g.NumVertices() {
		lo, hi := g.Edges(v)
		for e := lo; e < hi; e++ {
			s.w[e] = 1 - a
		}
		if lo < hi {
			s.w[lo+int(xt[v])] += a * float64(hi-lo)
		}
	}
	s.tilter.Tilt(d.chain.P, s.w, pi)
}

// Logits sets z, [batch, edge] row-major, to the logarithms of Posterior for each of xt; −Inf for edges of
// probability 0. The error says so if z has the wrong length or t is not in 1…T.
func (d *Denoiser) Logits(z []float32, xt []ddps.PALM, t int) error {
	E := d.chain.Graph.NumEdges()
	if len(z) != len(xt)*E {
		return fmt.Errorf("chain: denoiser: %d logits for %d samples of %d edges", len(z), len(xt), E)
	}
	if t < 1 || t >= len(d.abar) {
		return fmt.Errorf("chain: denoiser: time %d is not in 1…%d", t, len(d.abar)-1)
	}
	s := d.scratch.Get().(*denoiserScratch)
	defer d.scratch.Put(s)
	for i, x := range xt {
		d.posterior(s, s.pi, x, t)
		for e, p := range s.pi {
			z[i*E+e] = float32(math.Log(p))
		}
	}
	return nil
}
