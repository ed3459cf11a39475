package chain

import (
	"fmt"
	"math"

	"github.com/ddps-go/ddps/ddps"
)

// faint is the relative weight below which a float64 holds a weight badly, or not at all.
const faint = 1e-290

// Relative returns weights w = exp(logw + best(head) − best(tail)), by edge of g, with best(v) the greatest sum of logw
// over the walks from v to the last layer along edges that keep admits. They are at most 1, and 1 along a best path; the
// product over a path's edges is exp(Σ logw − shift), shift = best(v¹). wide reports whether an admitted weight is too
// small for a float64. Edges that are not admitted, or from which no walk goes on, weigh 0. nil logw gives nil, 0, false.
// O(E).
func Relative(g *ddps.LayeredGraph, logw []float64, keep func(e int) bool) (w []float64, shift float64, wide bool) {
	if logw == nil {
		return nil, 0, false
	}
	best := make([]float64, g.NumVertices())
	last, _ := g.Layer(g.NumLayers() - 1)
	w = make([]float64, len(logw))
	for v := last - 1; v >= 0; v-- {
		best[v] = math.Inf(-1)
		lo, hi := g.Edges(v)
		for e := lo; e < hi; e++ {
			if keep(e) {
				best[v] = max(best[v], logw[e]+best[g.Head(e)])
			}
		}
		for e := lo; e < hi; e++ {
			if x := logw[e] + best[g.Head(e)]; keep(e) && !math.IsInf(x, -1) {
				w[e] = math.Exp(x - best[v])
				wide = wide || w[e] < faint
			}
		}
	}
	return w, best[0], wide
}

// Given returns the law given a condition, ∝ P(path)·exp(Σ logw of the edges over the path), without the paths of which
// c has none; see Condition. logw, by edge of c, is finite (nil: all 0): weights of any size, because those of the
// product are taken relative to the best path that both the law and c have. O(E) of the product.
func (l *Law) Given(c *Lift, logw []float64) (*Law, float64, error) {
	if logw != nil && len(logw) != c.Graph.NumEdges() {
		return nil, 0, fmt.Errorf("chain: %d weights for %d edges", len(logw), c.Graph.NumEdges())
	}
	both, own, other, err := product(l.Lift, c, func(i, _ int) bool { return l.P[i] > 0 })
	switch {
	case err != nil:
		return nil, 0, err
	case both == nil:
		return nil, math.Inf(-1), fmt.Errorf("chain: %w", ErrImpossible)
	}
	p, out, lifted := make([]float64, len(own)), make([]float64, len(own)), []float64(nil)
	for k, i := range own {
		p[k] = l.P[i]
	}
	if logw != nil {
		lifted = make([]float64, len(other))
		for k, j := range other {
			lifted[k] = logw[j]
		}
	}
	logm, t := 0.0, NewTilter(both.Graph)
	if w, shift, wide := Relative(both.Graph, lifted, func(int) bool { return true }); wide {
		logm = t.TiltLog(p, lifted, out)
	} else {
		logm = shift + t.Tilt(p, w, out)
	}
	normalise(both.Graph, out)
	return &Law{both, out}, logm, nil
}
