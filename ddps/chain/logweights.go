package chain

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/ddps-go/ddps/ddps"
)

// faint is the relative weight below which a float64 holds a weight badly, or not at all.
const faint = 1e-290

// Relative returns weights w = exp(logw + best(head) − best(tail)), by edge of g, with best(v) the greatest sum of logw
// over the walks from v to the last layer along edges that keep admits. They are at most 1, and 1 along a best path;
// the product over a path's edges is exp(Σ logw − shift), shift = best(v¹). wide reports whether an admitted weight is
// too small for a float64. Edges that are not admitted, or from which no walk continues, weigh 0. nil logw gives nil,
// 0, false. O(E).
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

// Given returns the distribution given a condition, ∝ P(path)·exp(Σ logw of the edges over the path), without the
// paths of which c has none; see Condition. logw, by edge of c, is finite (nil: all 0): weights of any size, because
// those of the product are taken relative to the best path that both the distribution and c have. O(E) of the
// product.
func (l *Distribution) Given(c *Product, logw []float64) (*Distribution, float64, error) {
	x, err := newConditioner(l, c, logw)
	if errors.Is(err, ErrImpossible) {
		return nil, math.Inf(-1), err
	}
	if err != nil {
		return nil, math.NaN(), err
	}
	given, logm := x.dist(l.P)
	return given, logm, nil
}

// GivenEach is Given for each of several distributions on one product graph; the product is made once if they have
// the same paths. A distribution of which no path meets the condition gives nil and −Inf.
func GivenEach(dists []*Distribution, c *Product, logw []float64) (given []*Distribution, logm []float64, err error) {
	given, logm = make([]*Distribution, len(dists)), make([]float64, len(dists))
	same := func(p, q float64) bool { return (p > 0) == (q > 0) }
	var x *conditioner
	for k, l := range dists {
		if x == nil || l.Product != dists[k-1].Product || !slices.EqualFunc(l.P, dists[k-1].P, same) {
			switch x, err = newConditioner(l, c, logw); {
			case errors.Is(err, ErrImpossible):
				x, logm[k] = nil, math.Inf(-1)
				continue
			case err != nil:
				return nil, nil, err
			}
		}
		given[k], logm[k] = x.dist(l.P)
	}
	return given, logm, nil
}

// conditioner is the product of a distribution's product graph and a condition's, of the paths that both have.
type conditioner struct {
	both  *Product
	own   []int     // by edge of both: the edge of the distribution's product graph
	w     []float64 // relative weights by edge of both; nil: all 1
	logw  []float64 // their logarithms, with the factor exp(shift)
	log   bool      // w does not hold them
	shift float64
}

func newConditioner(l *Distribution, c *Product, logw []float64) (x *conditioner, err error) {
	if logw != nil && len(logw) != c.Graph.NumEdges() {
		return nil, fmt.Errorf("chain: %d weights for %d edges", len(logw), c.Graph.NumEdges())
	}
	x = &conditioner{both: c, own: c.Edge, logw: logw}
	// the product of a first-order chain is the condition's own
	first := l.Product.Graph == l.Product.Base && c.Base.Equal(l.Product.Base)
	if !first || slices.ContainsFunc(c.Edge, func(e int) bool { return l.P[e] == 0 }) {
		var other []int
		if x.both, x.own, other, err = Intersect(l.Product, c, func(i, _ int) bool { return l.P[i] > 0 }); err != nil {
			return nil, err
		}
		if x.both == nil {
			return nil, fmt.Errorf("chain: %w", ErrImpossible)
		}
		if logw != nil {
			x.logw = make([]float64, len(other))
			for k, j := range other {
				x.logw[k] = logw[j]
			}
		}
	}
	x.w, x.shift, x.log = Relative(x.both.Graph, x.logw, func(int) bool { return true })
	return x, nil
}

// dist conditions the distribution of probabilities p by edge of its product graph.
func (x *conditioner) dist(p []float64) (*Distribution, float64) {
	own, out, t := make([]float64, len(x.own)), make([]float64, len(x.own)), NewTilter(x.both.Graph)
	for k, i := range x.own {
		own[k] = p[i]
	}
	logm := 0.0
	if x.log {
		logm = t.TiltLog(own, x.logw, out)
	} else {
		logm = x.shift + t.Tilt(own, x.w, out)
	}
	normalise(x.both.Graph, out)
	return &Distribution{x.both, out}, logm
}
