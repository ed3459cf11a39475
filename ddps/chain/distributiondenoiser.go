package chain

import (
	"fmt"
	"sync"

	"github.com/ddps-go/ddps/ddps"
)

// DistributionDenoiser is the exact denoiser, row by row, of a distribution of any order under uniform noise of every
// row: given x_t the path is a chain on the distribution's product graph, of edge probabilities ∝ P_s(e)·(1−ᾱ_t +
// ᾱ_t·D_v·1[x_t^v = e])·B as in Denoiser, and π_v(e) = P(the path takes e | it visits v, x_t). Of a first-order
// distribution it is Denoiser. Of others the rows alone are exact: a chain of them is not the distribution of the
// path given x_t, which has the memory of the product graph. Safe for concurrent use.
type DistributionDenoiser struct {
	dist    *Distribution
	abar    []float64
	prior   []float64 // rows of the distribution, by edge of the base
	scratch sync.Pool // *distributionScratch
}

// distributionScratch is scratch for one posterior.
type distributionScratch struct {
	tilter      *Tilter
	w, p        []float64 // by edge of the product graph
	base, reach []float64 // by edge of the base, by state
}

// NewDistributionDenoiser makes the exact denoiser of l. abar[t] is ᾱ_t for t in 0…T.
func NewDistributionDenoiser(l *Distribution, abar []float64) *DistributionDenoiser {
	d := &DistributionDenoiser{dist: l, abar: abar, prior: make([]float64, l.Base().NumEdges())}
	d.scratch.New = func() any {
		return &distributionScratch{NewTilter(l.Product.Graph), make([]float64, len(l.P)), make([]float64, len(l.P)),
			make([]float64, l.Base().NumEdges()), make([]float64, l.Product.Graph.NumVertices())}
	}
	uniform := make([]float64, len(d.prior))
	for e := range uniform {
		uniform[e] = 1 / float64(l.Base().Degree(l.Base().Tail(e)))
	}
	l.Product.rows(l.P, uniform, make([]float64, l.Product.Graph.NumVertices()), d.prior)
	return d
}

// Posterior sets pi, [batch, edge], to the row distributions of the path given x_t, for each of xt at time t in 1…T. A
// vertex that no path of positive probability visits keeps the row of the distribution, uniform where that has none.
// The error says so if pi has the wrong length or t is out of range. O(E) of the product graph a sample. It implements
// d3pm.Denoiser.
func (d *DistributionDenoiser) Posterior(pi []float64, xt []ddps.PALM, t int) error {
	if err := CheckPosterior(d.dist.Base(), d.abar, len(pi), len(xt), t); err != nil {
		return err
	}
	s, E := d.scratch.Get().(*distributionScratch), d.dist.Base().NumEdges()
	defer d.scratch.Put(s)
	for i, x := range xt {
		d.posterior(s, pi[i*E:(i+1)*E], x, t)
	}
	return nil
}

func (d *DistributionDenoiser) posterior(s *distributionScratch, pi []float64, xt ddps.PALM, t int) {
	g := d.dist.Base()
	for e := range s.base {
		s.base[e] = 1 // relative to 1−ᾱ_t, which every row of a path carries alike
	}
	ratio := d.abar[t] / (1 - d.abar[t])
	for v := range g.NumVertices() {
		if lo, hi := g.Edges(v); lo < hi {
			s.base[lo+int(xt[v])] += ratio * float64(hi-lo)
		}
	}
	d.dist.Product.Pull(s.base, s.w)
	s.tilter.Tilt(d.dist.P, s.w, s.p)
	d.dist.Product.rows(s.p, d.prior, s.reach, pi)
}

// CheckPosterior returns an error if n numbers are not batch samples by edge of g, or t is not in 1…T, T = len(abar)−1:
// what d3pm.Denoiser's Posterior must not be called with.
func CheckPosterior(g *ddps.LayeredGraph, abar []float64, n, batch, t int) error {
	if E := g.NumEdges(); n != batch*E {
		return fmt.Errorf("denoiser: %d numbers for %d samples of %d edges", n, batch, E)
	}
	if t < 1 || t >= len(abar) {
		return fmt.Errorf("denoiser: time %d is not in 1…%d", t, len(abar)-1)
	}
	return nil
}
