package chain

import (
	"math/rand/v2"

	"github.com/ddps-go/ddps/ddps"
	"github.com/ddps-go/ddps/ddps/internal/real"
)

// ProductTilter conditions chains on the base of a Product by weights on its edges, again and again. It holds scratch
// space: one for each goroutine.
type ProductTilter struct {
	*Product
	W     []float64 // by edge of Graph, ≥ 0; nil: all 1
	P     []float64 // by edge of Graph: the chain that the last Tilt made
	raw   []float64 // [edge of Graph]
	out   []float64 // [edge of Graph]; made when first used
	reach []float64 // [vertex of Graph]
	tilt  *Tilter
}

// NewProductTilter makes a ProductTilter of l with weights w.
func NewProductTilter(l *Product, w []float64) *ProductTilter {
	E := l.Graph.NumEdges()
	return &ProductTilter{Product: l, W: w, P: make([]float64, E), raw: make([]float64, E), reach: make([]float64,
		l.Graph.NumVertices()), tilt: NewTilter(l.Graph)}
}

// Tilt sets t.P to the chain pi, by edge of Base, carried up to Graph and tilted by the weights, with the messages of
// Tilter.Tilt: the distribution of the path given the condition. It returns log m, −Inf if no path has weight; t.P is
// then no distribution. pi's rows need not sum to 1. O(edges of Graph).
func (t *ProductTilter) Tilt(pi []float64) float64 {
	g, m := t.Graph, t.tilt.m
	lo, hi := g.Layer(g.NumLayers() - 1)
	for s := lo; s < hi; s++ {
		m[s] = 1
	}
	logScale := 0.0
	for l := g.NumLayers() - 2; l >= 0; l-- {
		lo, hi := g.Layer(l)
		top := 0.0
		for s := lo; s < hi; s++ {
			m[s] = t.row(s, pi)
			top = max(top, m[s])
		}
		if !(top >= 0x1p-960 && top <= 0x1p960) {
			t.Pull(pi, t.raw)
			return t.tilt.tiltLog(t.raw, t.W, t.P)
		}
		inv := 1 / top
		for s := lo; s < hi; s++ {
			m[s] *= inv
		}
		logScale += real.Log(top)
	}
	if logScale < Faint {
		t.Pull(pi, t.raw)
		return t.tilt.tiltLog(t.raw, t.W, t.P)
	}
	return logScale
}

// TiltLog is Tilt with weights exp(logw), by edge of Graph, in place of W: of any size, in logarithms, and slower.
func (t *ProductTilter) TiltLog(pi, logw []float64) float64 {
	t.Pull(pi, t.raw)
	return t.tilt.TiltLog(t.raw, logw, t.P)
}

// row tilts the row of state s and returns its message; one so small that its inverse is infinite becomes 0.
func (t *ProductTilter) row(s int, pi []float64) float64 {
	lo, hi := t.Graph.Edges(s)
	below, p, m, sum := t.Edge[lo:hi], t.P[lo:hi], t.tilt.m, 0.0
	for i, h := range t.Graph.From(s) {
		x := pi[below[i]] * m[h]
		if t.W != nil {
			x *= t.W[lo+i]
		}
		x = float64(x) // as in Tilter.row
		p[i] = x
		sum += x
	}
	if sum < 0x1p-1022 {
		clear(p)
		return 0
	}
	inv := 1 / sum
	for i := range p {
		p[i] *= inv
	}
	return sum
}

// Rows sets out, by edge of Base, to the row distributions of the chain t.P seen from below,
//
//	out_v(e) = P(the path takes e | it visits v) = Σ_s p_s P_s(e) / Σ_s p_s,  s the states over v,
//
// with p the reach probabilities on Graph. Rows that no path visits are those of pi. O(edges of Graph).
func (t *ProductTilter) Rows(pi, out []float64) {
	t.rows(t.P, pi, t.reach, out)
}

// Draw draws a path of the chain t.P into p, of length L, as a path of Base, using one random number for each
// state with a choice.
func (t *ProductTilter) Draw(rng *rand.Rand, p ddps.Path) {
	s := 0
	p[0] = 0
	for l := 1; l < len(p); l++ {
		lo, hi := t.Graph.Edges(s)
		k := lo
		if hi-lo > 1 {
			k += Pick(t.P[lo:hi], rng.Float64())
		}
		s = t.Graph.Head(k)
		p[l] = t.Base.Head(t.Edge[k])
	}
}

// LogMean returns the logarithm of the expectation under t.P of the product of w ≥ 0, by edge of Base, over the
// path's edges. O(edges of Graph).
func (t *ProductTilter) LogMean(w []float64) float64 {
	if t.out == nil {
		t.out = make([]float64, len(t.P))
	}
	t.Pull(w, t.raw)
	return t.tilt.Tilt(t.P, t.raw, t.out)
}
