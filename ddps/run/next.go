package run

import (
	"errors"
	"fmt"
	"math"

	"github.com/ddps-go/ddps/ddps"
	"github.com/ddps-go/ddps/ddps/mixture"
	"gonum.org/v1/gonum/floats"
)

// ErrNoBeginning says that a model gives a beginning of a path no probability.
var ErrNoBeginning = errors.New("it has probability 0 under the model")

// Next predicts the next vertex of paths from their beginnings under a mixture of chains, exactly:
//
//	P(v_{l+1} | v_1 … v_l) = Σ_k P(k | v_1 … v_l)·P_k(v_{l+1} | v_1 … v_l).
//
// It is safe for concurrent use.
type Next struct{ of *mixture.Mixture }

// NewNext returns the prediction of a mixture, such as a model's Law.
func NewNext(m *mixture.Mixture) *Next { return &Next{m} }

// Along calls visit for each layer l of path p, from 0 to the one before the last, with the probabilities of the edges
// out of p[l], in the order of ddps.LayeredGraph.Edges, and the logarithm of the probability of p up to layer l. The
// slice is valid until visit returns; the walk ends early where visit returns false, and the probabilities are NaN
// where the beginning has probability 0. The error is of what is no path. O(L·D·K).
func (n *Next) Along(p ddps.Path, visit func(l int, row []float64, logp float64) bool) error {
	m := n.of
	K := len(m.Weight)
	edges, ok, err := m.Product.Edges(nil, p)
	if err != nil {
		return err
	}
	class := make([]float64, K)
	for k, w := range m.Weight {
		class[k] = math.Log(w)
	}
	var row, weight []float64
	s := 0 // the state at layer l
	for l := range len(p) - 1 {
		logp := floats.LogSumExp(class)
		weight = weight[:0]
		for _, c := range class {
			weight = append(weight, math.Exp(c-logp))
		}
		lo, hi := m.Product.Base.Edges(p[l])
		row = append(row[:0], make([]float64, hi-lo)...)
		if math.IsInf(logp, -1) {
			floats.AddConst(math.NaN(), row)
		}
		from, to := m.Product.Graph.Edges(s)
		for e := from; e < to; e++ {
			for k, w := range weight {
				row[m.Product.Edge[e]-lo] += w * m.P[e*K+k]
			}
		}
		if !visit(l, row, logp) {
			return nil
		}
		if !ok && l >= len(edges) {
			return fmt.Errorf("run: next: %d layers of the path: %w", l+2, ErrNoBeginning)
		}
		for k := range class {
			class[k] += math.Log(m.P[edges[l]*K+k])
		}
		s = m.Product.Graph.Head(edges[l])
	}
	return nil
}

// After returns the probabilities of the edges out of the last vertex of a beginning, v_1 … v_l, in the order of
// ddps.LayeredGraph.Edges, and the logarithm of the beginning's probability. The error is ErrNoBeginning where that is
// −Inf.
func (n *Next) After(beginning ddps.Path) (row []float64, logp float64, err error) {
	g := n.of.Product.Base
	if len(beginning) == 0 || len(beginning) >= g.NumLayers() {
		return nil, 0, fmt.Errorf("run: next: a beginning of %d vertices, must be 1…%d", len(beginning), g.NumLayers()-1)
	}
	full := append(ddps.Path(nil), beginning...)
	for v := full[len(full)-1]; len(full) < g.NumLayers(); { // any way on
		lo, hi := g.Edges(v)
		if lo == hi {
			return nil, 0, fmt.Errorf("run: next: no path goes on from %s", g.Name(v))
		}
		v = g.Head(lo)
		full = append(full, v)
	}
	err = n.Along(full, func(l int, r []float64, lp float64) bool {
		row, logp = append([]float64(nil), r...), lp
		return l < len(beginning)-1
	})
	if err == nil && math.IsInf(logp, -1) {
		err = ErrNoBeginning
	}
	return row, logp, err
}
