package chain

import (
	"math/rand/v2"

	"github.com/ddps-go/ddps/ddps"
)

// Lifter conditions chains on the base of a Lift by weights on its edges, again and again. It holds scratch space:
// one a goroutine.
type Lifter struct {
	*Lift
	W     []float64 // by edge of Graph, ≥ 0; nil: all 1
	P     []float64 // by edge of Graph: the chain that the last Tilt made
	raw   []float64 // [edge of Graph]
	out   []float64 // [edge of Graph]; made when first used
	reach []float64 // [vertex of Graph]
	tilt  *Tilter
}

// NewLifter makes a Lifter of l with weights w.
func NewLifter(l *Lift, w []float64) *Lifter {
	E := l.Graph.NumEdges()
	return &Lifter{Lift: l, W: w, P: make([]float64, E), raw: make([]float64, E), reach: make([]float64, l.Graph.NumVertices()), tilt: NewTilter(l.Graph)}
}

// Tilt sets t.P to the chain pi, by edge of Base, carried up to Graph and tilted by the weights, as Tilter.Tilt
// does: the law of the path given the condition. It returns log m, −Inf if no path has weight; t.P is then no
// law. pi's rows need not sum to 1. O(edges of Graph).
func (t *Lifter) Tilt(pi []float64) float64 {
	t.Pull(pi, t.raw)
	return t.tilt.Tilt(t.raw, t.W, t.P)
}

// Rows sets out, by edge of Base, to the row laws of the chain t.P seen from below,
//
//	out_v(e) = P(the path takes e | it visits v) = Σ_s p_s P_s(e) / Σ_s p_s,  s the states over v,
//
// with p the reach probabilities on Graph. Rows that no path visits are those of pi. O(edges of Graph).
func (t *Lifter) Rows(pi, out []float64) {
	t.rows(t.P, pi, t.reach, out)
}

// Draw draws a path of the chain t.P into p, of length L, as a path of Base, using one random number for each
// state with a choice.
func (t *Lifter) Draw(rng *rand.Rand, p ddps.Path) {
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
func (t *Lifter) LogMean(w []float64) float64 {
	if t.out == nil {
		t.out = make([]float64, len(t.P))
	}
	t.Pull(w, t.raw)
	return t.tilt.Tilt(t.P, t.raw, t.out)
}
