package mixture

import (
	"fmt"
	"math"
	"slices"

	"github.com/ddps-go/ddps/ddps"
	"github.com/ddps-go/ddps/ddps/chain"
	"github.com/ddps-go/ddps/ddps/internal/vec"
)

// Weighted is the chains of a mixture on a product graph, each times the weights w of a condition:
//
//	P(path) ∝ Σ_k ω_k ∏_{e on path} P_k(e) w(e).
//
// It never changes, unless the mixture's denoiser is refilled, and may be shared by goroutines.
type Weighted struct {
	Product *chain.Product // the mixture's states, or their product with those of the condition
	// [K] ω_k, given a condition times the greatest weight of a path of the class, over exp(Shift)
	Weight []float64
	P      [][]float64 // [K, edge of Product] P_k·w, given a condition up to potentials of states
	Shift  float64     // logarithm of a factor that Weight and P leave out
	at     []int       // by edge of Product: that of the mixture's product graph
}

// Weighted returns the mixture times the weights w ≥ 0 of a condition, by edge of l, or of the graph where l is nil;
// nil: all 1. It is nil where no path of the mixture's graph is one of l. It panics if l is a product graph over
// another graph.
func (m *Mixture) Weighted(l *chain.Product, w []float64) *Weighted {
	if l == nil && w == nil {
		s := &Weighted{Product: m.Product, at: numbers(len(m.Product.Edge))}
		s.fill(m)
		return s
	}
	logw := w
	if w != nil {
		logw = make([]float64, len(w))
		for e, x := range w {
			logw[e] = vec.Log(x)
		}
	}
	return m.WeightedLog(l, logw)
}

// WeightedLog is Weighted with the logarithms of the weights, of any size, −Inf for 0 (nil: all 0).
func (m *Mixture) WeightedLog(l *chain.Product, logw []float64) *Weighted {
	s := &Weighted{Product: m.Product, at: numbers(len(m.Product.Edge))}
	edge := m.Product.Edge // by edge of the product: that of logw
	if l != nil {
		over, mine, theirs, err := chain.Intersect(m.Product, l, func(int, int) bool { return true })
		if err != nil {
			panic(fmt.Sprintf("mixture: a condition on another graph: %v", err))
		}
		if over == nil {
			return nil
		}
		s.Product, s.at, edge = over, mine, theirs
	}
	s.fill(m)
	logs, shifts, most := make([]float64, len(edge)), make([]float64, len(s.P)), math.Inf(-1)
	for k, p := range s.P {
		for e := range p {
			if logs[e] = vec.Log(p[e]); logw != nil {
				logs[e] += logw[edge[e]]
			}
		}
		shifts[k] = potentials(s.Product.Graph, logs, p)
		most = max(most, shifts[k])
	}
	s.Weight = slices.Clone(s.Weight)
	for k, x := range shifts {
		if s.Weight[k] *= math.Exp(x - most); math.IsInf(most, -1) {
			s.Weight[k] = 0
		}
	}
	s.Shift = most
	return s
}

// potentials sets p, by edge of g, to exp(logs + best(head) − best(tail)), best(v) being the greatest sum of logs
// over the walks from v to the last layer, and returns best of the first vertex. The product of p along a path is
// that of exp(logs) over exp(best): no number of a likely path underflows, however unlikely the most likely is. Edges
// from which no walk continues get 0.
func potentials(g *ddps.LayeredGraph, logs, p []float64) float64 {
	best := make([]float64, g.NumVertices())
	for v := len(best) - 1; v >= 0; v-- {
		lo, hi := g.Edges(v)
		if g.LayerOf(v) == g.NumLayers()-1 {
			continue
		}
		best[v] = math.Inf(-1)
		for e := lo; e < hi; e++ {
			best[v] = max(best[v], logs[e]+best[g.Head(e)])
		}
		for e := lo; e < hi; e++ {
			if x := logs[e] + best[g.Head(e)]; math.IsInf(x, -1) {
				p[e] = 0
			} else {
				p[e] = math.Exp(x - best[v])
			}
		}
	}
	return best[0]
}

// fill sets P to the mixture's probabilities.
func (s *Weighted) fill(m *Mixture) {
	K := len(m.Weight)
	if s.P == nil {
		all := make([]float64, K*len(s.at))
		for k := range K {
			s.P = append(s.P, all[k*len(s.at):(k+1)*len(s.at):(k+1)*len(s.at)])
		}
	}
	s.Weight = m.Weight
	for k, p := range s.P {
		for i, e := range s.at {
			p[i] = m.P[e*K+k]
		}
	}
}

// Graph returns the graph whose paths are meant.
func (s *Weighted) Graph() *ddps.LayeredGraph { return s.Product.Base }

// Size returns the number of lanes of memory of a Mixture.
func (s *Weighted) Size() int {
	return len(s.Weight)*s.Product.Graph.NumVertices() + len(s.Product.Edge)
}
