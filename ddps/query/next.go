package query

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"

	"github.com/ddps-go/ddps/ddps"
	"github.com/ddps-go/ddps/ddps/chain"
	"github.com/ddps-go/ddps/ddps/internal/real"
	"github.com/ddps-go/ddps/ddps/mixture"
	"github.com/ddps-go/ddps/ddps/model"
	"github.com/ddps-go/ddps/ddps/stack"
)

// ErrNoBeginning says that a model gives a beginning of a path no probability.
var ErrNoBeginning = errors.New("it has probability 0 under the model")

// Next predicts the next vertex of paths from their beginnings, exactly, under a mixture of distributions over paths:
//
//	P(v_{l+1} | v_1 … v_l) = Σ_k P(k | v_1 … v_l)·P_k(v_{l+1} | v_1 … v_l).
//
// It is safe for concurrent use.
type Next struct {
	g     *ddps.LayeredGraph
	parts []nextPart
}

// nextPart is a part with the logarithm of its weight ω_k.
type nextPart struct {
	logw  float64
	along func(p ddps.Path, visit nextVisit) error
}

// nextVisit is what Along calls.
type nextVisit = func(l int, row []float64, logp float64) bool

// NewNext returns the prediction of a model, nil where its distribution is not known: it has a network that corrects
// its exact denoiser.
func NewNext(m *model.Model) *Next {
	switch {
	case m.Stack != nil:
		n := &Next{g: m.Graph}
		for _, part := range m.Stack.Parts {
			if part.Weight > 0 {
				n.parts = append(n.parts, nextPart{real.Log(part.Weight), alongPart(part.Distribution)})
			}
		}
		return n
	case m.Distribution() != nil:
		return &Next{m.Graph, []nextPart{{0, alongMixture(m.Distribution())}}}
	}
	return nil
}

// alongPart returns the walk along a path under a part of a stack.
func alongPart(d stack.Distribution) func(ddps.Path, nextVisit) error {
	switch in := stack.Inner(d).(type) {
	case *chain.Distribution:
		return alongMixture(mixture.Of(in))
	case *mixture.Mixture:
		return alongMixture(in)
	}
	steps, ok := d.(stack.Stepper)
	if !ok {
		return func(ddps.Path, nextVisit) error { return fmt.Errorf("query: next: a %T does not go step by step", d) }
	}
	return func(p ddps.Path, visit nextVisit) error { return alongSteps(steps, p, visit) }
}

// alongSteps is Along under one Stepper.
func alongSteps(d stack.Stepper, p ddps.Path, visit nextVisit) error {
	g, logp := d.Graph(), 0.0
	states, row := d.Start(1), make([]float64, d.Graph().MaxDegree())
	for l := range len(p) - 1 {
		states.Step(p[l:l+1], row)
		lo, hi := g.Edges(p[l])
		e, ok := g.EdgeBetween(p[l], p[l+1])
		if !ok {
			return g.Check(p)
		}
		next := logp + row[e-lo]
		for i, x := range row[:hi-lo] {
			row[i] = math.Exp(x)
		}
		if !visit(l, row[:hi-lo], logp) {
			return nil
		}
		if logp = next; math.IsInf(logp, -1) && l+2 < len(p) {
			return fmt.Errorf("query: next: %d layers of the path: %w", l+2, ErrNoBeginning)
		}
	}
	return nil
}

// Along calls visit for each layer l of path p, from 0 to the one before the last, with the probabilities of the edges
// out of p[l], in the order of ddps.LayeredGraph.Edges, and the logarithm of the probability of p up to layer l. The
// slice is valid until visit returns; the walk ends early where visit returns false, and the probabilities are NaN
// where the beginning has probability 0. The error is of what is no path. O(L·D·K).
func (n *Next) Along(p ddps.Path, visit nextVisit) error {
	if err := n.g.Check(p); err != nil {
		return err
	}
	if len(n.parts) == 1 {
		return n.parts[0].along(p, visit)
	}
	rows := make([][][]float64, len(n.parts)) // by part and layer
	logs := make([][]float64, len(n.parts))   // log ω_k P_k(v_1 … v_l)
	for k, part := range n.parts {
		err := part.along(p, func(_ int, row []float64, logp float64) bool {
			rows[k] = append(rows[k], slices.Clone(row))
			logs[k] = append(logs[k], part.logw+logp)
			return !math.IsInf(logp, -1)
		})
		if err != nil && !errors.Is(err, ErrNoBeginning) {
			return err
		}
	}
	for l := range len(p) - 1 {
		row, logp := n.combine(p, l, rows, logs)
		if !visit(l, row, logp) {
			return nil
		}
		if math.IsInf(logp, -1) {
			return fmt.Errorf("query: next: %d layers of the path: %w", l+1, ErrNoBeginning)
		}
	}
	return nil
}

// combine returns the parts' rows of layer l, weighted by what the beginning says of the part.
func (n *Next) combine(p ddps.Path, l int, rows [][][]float64, logs [][]float64) (row []float64, logp float64) {
	at := make([]float64, len(n.parts))
	for k := range at {
		if at[k] = math.Inf(-1); l < len(logs[k]) {
			at[k] = logs[k][l]
		}
	}
	logp = floats.LogSumExp(at)
	row = make([]float64, n.g.Degree(p[l]))
	for k, x := range at {
		if w := math.Exp(x - logp); w > 0 {
			floats.AddScaled(row, w, rows[k][l])
		}
	}
	if math.IsInf(logp, -1) {
		floats.AddConst(math.NaN(), row)
	}
	return row, logp
}

// alongMixture returns Along under one mixture of chains.
func alongMixture(m *mixture.Mixture) func(ddps.Path, nextVisit) error {
	return func(p ddps.Path, visit nextVisit) error {
		K := len(m.Weight)
		edges, ok, err := m.Product.Edges(nil, p)
		if err != nil {
			return err
		}
		class := make([]float64, K)
		for k, w := range m.Weight {
			class[k] = real.Log(w)
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
				return fmt.Errorf("query: next: %d layers of the path: %w", l+2, ErrNoBeginning)
			}
			for k := range class {
				class[k] += real.Log(m.P[edges[l]*K+k])
			}
			s = m.Product.Graph.Head(edges[l])
		}
		return nil
	}
}

// After returns the probabilities of the edges out of the last vertex of a beginning, v_1 … v_l, in the order of
// ddps.LayeredGraph.Edges, and the logarithm of the beginning's probability. The error is ErrNoBeginning where that is
// −Inf, and a *ddps.PathError where it is the beginning of no path of the graph.
func (n *Next) After(beginning ddps.Path) (row []float64, logp float64, err error) {
	g := n.g
	if len(beginning) == 0 || len(beginning) >= g.NumLayers() {
		return nil, 0, fmt.Errorf("query: next: a beginning of %d vertices, must be 1…%d", len(beginning), g.NumLayers()-1)
	}
	if err := g.CheckBeginning(beginning); err != nil {
		return nil, 0, fmt.Errorf("query: next: %w", err)
	}
	full := append(ddps.Path(nil), beginning...)
	for v := full[len(full)-1]; len(full) < g.NumLayers(); { // any way on
		lo, hi := g.Edges(v)
		if lo == hi {
			return nil, 0, fmt.Errorf("query: next: no path goes on from %s", g.Name(v))
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
