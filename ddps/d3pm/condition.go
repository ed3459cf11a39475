package d3pm

import (
	"fmt"
	"math"
	"slices"

	"github.com/ddps-go/ddps/ddps"
	"github.com/ddps-go/ddps/ddps/chain"
	"github.com/ddps-go/ddps/ddps/internal/real"
)

// Condition conditions the chain that π defines; package guide has them. One that also has the method
//
//	OnProduct() (*chain.Product, []float64)
//
// has a memory where that is not nil: the distribution given the condition is no chain on the graph but one on the
// product graph, whose edges have these weights (nil: all 1). Where one has the method
//
//	Weights() (w []float64, shift float64)
//
// Tilt tilts by these weights, by edge of the product graph (nil: all 1) or of the graph where there is none, and its
// logm has shift in it; with a shift of NaN, only Tilt has them. Samples that go together take them, and ask Tilt
// only where they leave the range of a float64. One with the method
//
//	Impossible(pi []float64) error
//
// says what of it a chain makes impossible.
type Condition interface {
	// Tilt sets out to the row distributions of pi given the condition and returns the logarithm of the condition's
	// probability under pi, or of the expectation of its weight. The slices are by edge and differ; pi's rows need
	// not sum to 1. Safe for concurrent use.
	Tilt(pi, out []float64) (logm float64)
}

// ProductOf returns the product graph of c and its weights, nil if c has no memory.
func ProductOf(c Condition) (*chain.Product, []float64) {
	if lifted, ok := c.(interface {
		OnProduct() (*chain.Product, []float64)
	}); ok {
		return lifted.OnProduct()
	}
	return nil, nil
}

// WeightsOf returns what Tilt of c tilts by, by edge of its product graph l or, where that is nil, of the graph; nil
// if it does not tell.
func WeightsOf(c Condition, l *chain.Product) (w []float64, shift float64) {
	if own, ok := c.(interface{ Weights() ([]float64, float64) }); ok {
		if w, shift = own.Weights(); math.IsNaN(shift) {
			return nil, 0
		}
		if w == nil && l != nil {
			w = slices.Repeat([]float64{1}, len(l.Edge))
		}
	}
	return w, shift
}

// newTilter returns scratch to draw from the distribution given c, nil if c has no memory.
func newTilter(c Condition) *chain.ProductTilter {
	if l, w := ProductOf(c); l != nil {
		return chain.NewProductTilter(l, w)
	}
	return nil
}

// impossible returns an error that says what of c the chain pi makes impossible, nil if nothing.
func impossible(c Condition, pi []float64) error {
	if !math.IsInf(c.Tilt(pi, make([]float64, len(pi))), -1) {
		return nil
	}
	const kappa = "a pseudo-count kappa above 0 gives one to all paths"
	if why, ok := c.(interface{ Impossible(pi []float64) error }); ok {
		if err := why.Impossible(pi); err != nil {
			return fmt.Errorf("the condition is impossible under the model's chain: %w (%s)", err, kappa)
		}
	}
	return chain.ImpossibleError("the condition is impossible: no path to which the model's chain gives a probability " +
		"above 0 meets it (" + kappa + ")")
}

// Tilt sets the step's distribution of the path to π given the condition, or to π itself where there is none. Joint
// by default, unguided, needs no rows of a condition that has a memory, nor of one on a mixture, and then leaves Pi
// unset. c are the network's factors on the mixture's rows, by edge; nil: none.
func (w *Scalar) Tilt(pi, c []float64) {
	st := &w.Step
	if st.Whole = st.Paths != nil && !math.IsInf(st.Paths.Weigh(st.Xt, w.mixed.exact.Ratio(st.T), c), -1); st.Whole &&
		w.Guide == nil {
		st.Pi = pi
		return
	}
	if pi == nil { // no path has weight: rows there are
		pi = make([]float64, st.Graph.NumEdges())
		if err := w.mixed.exact.Posterior(pi, []ddps.PALM{st.Xt}, st.T); err != nil {
			w.Fail(err)
			copy(pi, w.uniform)
		}
	}
	switch {
	case w.Condition == nil:
		st.Pi = pi
		return
	case st.Product == nil:
		if math.IsInf(w.Condition.Tilt(pi, w.Tilted), -1) { // the denoiser forbids every path that meets it
			w.Condition.Tilt(w.uniform, w.Tilted)
		}
	default:
		if math.IsInf(st.Product.Tilt(pi), -1) {
			st.Product.Tilt(w.uniform)
		}
		if !w.lean {
			st.Product.Rows(pi, w.Tilted)
		}
	}
	st.Pi = w.Tilted
}

// DrawLast draws x_0 where the condition has a memory: a walk on the product graph that takes edge k, over e of row
// v, with probability ∝ P(k)·(Dist_v(e)/π_v(e))·exp(λ g_v(e)), P the tilted chain. The middle factor is what the
// kernel makes of the row, 1 for Joint, Occupancy and Eq2. Only edges that the tilted chain takes are taken, so
// that the condition is met. It returns the logarithm of the path's probability. Rows off the path stay as they are.
//
// A whole distribution needs none of this: its path is drawn as such, and scored for a Proposal alone.
func (w *Scalar) DrawLast(x ddps.PALM) (logp float64) {
	st := &w.Step
	if st.Whole && w.Guided == nil {
		st.draw()
		for l, v := range st.path[:len(st.path)-1] {
			e, _ := st.Graph.EdgeBetween(v, st.path[l+1])
			first, _ := st.Graph.Edges(v)
			x[v] = int32(e - first)
		}
		if w.scored {
			logp = st.Paths.LogProb(st.path)
		}
		return logp
	}
	for l, s := 1, 0; l < len(st.path); l++ {
		lo, hi := st.Product.Graph.Edges(s)
		row := append(w.walk[:0], st.Product.P[lo:hi]...)
		w.walk = row
		if !w.lean {
			for i := range row {
				row[i] = w.bias(row[i], st.Product.Edge[lo+i])
			}
			chain.SoftmaxRow(row, row)
		}
		i := 0
		if len(row) > 1 {
			i = chain.Pick(row, st.Rand.Float64())
		}
		logp += real.Log(row[i])
		e := st.Product.Edge[lo+i]
		first, _ := st.Graph.Edges(st.Graph.Tail(e))
		x[st.Graph.Tail(e)] = int32(e - first)
		s = st.Product.Graph.Head(lo + i)
	}
	return logp
}

// bias returns log p with what the kernel and the guide make of it at edge e.
func (w *Scalar) bias(p float64, e int) float64 {
	st, sum := &w.Step, real.Log(p)
	// a single edge has no distribution; a row so rare had none to make
	if st.Graph.Degree(st.Graph.Tail(e)) < 2 || st.Pi[e] == 0 {
		return sum
	}
	if st.Log {
		sum += st.Dist[e] - real.Log(st.Pi[e])
	} else {
		sum += real.Log(st.Dist[e] / st.Pi[e])
	}
	if w.Guided != nil {
		sum += clamped(w.Scale * w.Guided[e])
	}
	return sum
}
