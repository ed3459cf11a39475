package d3pm

import (
	"github.com/ddps-go/ddps/ddps"
	"github.com/ddps-go/ddps/ddps/chain"
	"github.com/ddps-go/ddps/ddps/internal/real"
)

// scorer holds one batch of paths on their way.
type scorer struct {
	*Bound
	times      []int
	x          [][]ddps.PALM // [time, batch]
	dists      posterior
	mixed      *mixed // of a denoiser that is a mixture; else nil
	paths      chain.PathDistribution
	pi, c      []float64 // [batch, edge]; both nil where nothing corrects a mixture
	ratio, out []float64
	tilter     *chain.Tilter
	cost       []float64
}

func (b *Bound) newScorer(n int, times []int) *scorer {
	E := b.Graph.NumEdges()
	w := &scorer{Bound: b, times: times, dists: posterior{b.Graph, b.Denoiser},
		ratio: make([]float64, E), out: make([]float64, E), tilter: chain.NewTilter(b.Graph), cost: make([]float64, n)}
	if w.mixed = mixtureOf(b.Denoiser); w.mixed != nil {
		w.paths = w.mixed.exact.Whole()
		if !w.mixed.bare() {
			w.c = make([]float64, n*E)
		}
	}
	if !w.mixed.bare() {
		w.pi = make([]float64, n*E)
	}
	for range times {
		xs := make([]ddps.PALM, n)
		for i := range xs {
			xs[i] = make(ddps.PALM, b.Graph.NumVertices())
		}
		w.x = append(w.x, xs)
	}
	return w
}

// step adds the cost of the k-th step to every path of the batch.
func (w *scorer) step(k int, paths []ddps.Path) error {
	if w.mixed != nil {
		return w.mixedStep(k, paths)
	}
	g, E := w.Graph, w.Graph.NumEdges()
	if err := w.dists.of(w.pi, w.x[k], w.times[k]); err != nil {
		return err
	}
	for i, p := range paths {
		pi := w.pi[i*E : (i+1)*E]
		dist, sign := pi, -1.0
		if w.times[k+1] > 0 {
			ratios(g, w.Schedule.Abar[w.times[k+1]], w.Schedule.Abar[w.times[k]], w.x[k+1][i], w.x[k][i], w.ratio)
			w.cost[i] -= w.tilter.Tilt(pi, w.ratio, w.out) // log Z
			dist, sign = w.ratio, 1
		}
		for l := range len(p) - 1 {
			e, _ := g.EdgeBetween(p[l], p[l+1])
			w.cost[i] += sign * real.Log(dist[e])
		}
	}
	return nil
}

// mixedStep is step where the distribution of x̃_0 is more than its rows: Z is its expectation of ∏ r_v, and the last
// step costs −log of the path's probability.
func (w *scorer) mixedStep(k int, paths []ddps.Path) error {
	g, E := w.Graph, w.Graph.NumEdges()
	if w.c != nil {
		if err := w.mixed.dists(w.pi, w.c, w.x[k], w.times[k]); err != nil {
			return err
		}
	}
	for i, p := range paths {
		var c []float64
		if w.c != nil {
			c = w.c[i*E : (i+1)*E]
		}
		w.paths.Weigh(w.x[k][i], w.mixed.exact.Ratio(w.times[k]), c)
		if w.times[k+1] == 0 {
			w.cost[i] -= w.paths.LogProb(p)
			continue
		}
		ratios(g, w.Schedule.Abar[w.times[k+1]], w.Schedule.Abar[w.times[k]], w.x[k+1][i], w.x[k][i], w.ratio)
		w.cost[i] -= w.paths.LogMean(w.ratio)
		for l := range len(p) - 1 {
			e, _ := g.EdgeBetween(p[l], p[l+1])
			w.cost[i] += real.Log(w.ratio[e])
		}
	}
	return nil
}
