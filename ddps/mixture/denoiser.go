package mixture

import (
	"sync"

	"github.com/ddps-go/ddps/ddps"
	"github.com/ddps-go/ddps/ddps/chain"
)

// Denoiser is the exact denoiser, row by row, of a distribution over paths that is a mixture of chains, under
// uniform noise of every row. Given x_t the path is again such a mixture, Paths; π_v(e) is the probability that a
// path through v takes e. A chain of these rows is not the distribution of the path. Safe for concurrent use.
type Denoiser struct {
	*Weighted
	mixture *Mixture
	abar    []float64
	rows    []float64 // [E] the rows before any x_t: what a vertex keeps that no path visits
	pool    sync.Pool // *Paths
}

// NewDenoiser makes the exact denoiser of m. abar[t] is ᾱ_t for t in 0…T.
func NewDenoiser(m *Mixture, abar []float64) *Denoiser {
	d := &Denoiser{Weighted: m.Weighted(nil, nil), mixture: m, abar: abar, rows: make([]float64, m.Base().NumEdges())}
	d.pool.New = func() any { return d.Paths() }
	d.Refill(m)
	return d
}

// Refill takes over the numbers of m, a mixture of as many classes on the same product graph as the denoiser was made
// of. While any other method runs it is a race.
func (d *Denoiser) Refill(m *Mixture) {
	d.mixture = m
	d.fill(m)
	K := len(m.Weight)
	first := make([]float64, len(d.rows)) // of vertices that no path visits, by what their states' rows would be
	for e, under := range m.Product.Edge {
		for k, w := range m.Weight {
			first[under] += w * m.P[e*K+k]
		}
	}
	even := make([]float64, len(d.rows)) // of vertices with no state
	for e := range even {
		even[e] = 1 / float64(d.Graph().Degree(d.Graph().Tail(e)))
	}
	chain.NormaliseRows(d.Graph(), first, even)
	s := d.Paths()
	s.Weigh(nil, 0, nil)
	clear(d.rows)
	s.Rows(d.rows)
	chain.NormaliseRows(d.Graph(), d.rows, first)
}

// Mixture returns the mixture.
func (d *Denoiser) Mixture() *Mixture { return d.mixture }

// Rows returns the rows, by edge, of the distribution before any x_t: the live array, to be read only.
func (d *Denoiser) Rows() []float64 { return d.rows }

// LogProb returns log P(p) before any x_t; see Mixture.LogProb.
func (d *Denoiser) LogProb(p ddps.Path) (float64, error) { return d.mixture.LogProb(p) }

// Whole returns the distribution of the whole path, once Weigh is called.
func (d *Denoiser) Whole() chain.PathDistribution { return d.Paths() }

// Given is Whole under a condition that weighs paths by exp(logw), by edge of l or, where that is nil, of the graph;
// see Mixture.WeightedLog. It is nil where no path of the mixture's graph is one of l.
func (d *Denoiser) Given(l *chain.Product, logw []float64) chain.PathDistribution {
	if given := d.mixture.WeightedLog(l, logw); given != nil {
		return given.Paths()
	}
	return nil
}

// Ratio returns ᾱ_t/(1−ᾱ_t).
func (d *Denoiser) Ratio(t int) float64 { return d.abar[t] / (1 - d.abar[t]) }

// Posterior sets pi, [batch, edge], to the rows of the path given x_t, for each of xt at time t in 1…T. Vertices whose
// evidence is 0 in float64 keep the rows before any x_t. The error says so if pi has the wrong length or t is out of
// range. O(edges of the product graph · K) a sample. It implements d3pm.Denoiser.
func (d *Denoiser) Posterior(pi []float64, xt []ddps.PALM, t int) error {
	if err := chain.CheckPosterior(d.Graph(), d.abar, len(pi), len(xt), t); err != nil {
		return err
	}
	s := d.pool.Get().(*Paths)
	defer d.pool.Put(s)
	E := d.Graph().NumEdges()
	clear(pi)
	for i, x := range xt {
		row := pi[i*E : (i+1)*E]
		s.Weigh(x, d.Ratio(t), nil)
		s.Rows(row)
		chain.NormaliseRows(d.Graph(), row, d.rows)
	}
	return nil
}
