package chain

import (
	"fmt"

	"github.com/ddps-go/ddps/ddps"
)

// Weighted is the chains of a mixture on a product graph, each times the weights w of a condition:
//
//	P(path) ∝ Σ_k ω_k ∏_{e on path} P_k(e) w(e).
//
// It never changes, unless the mixture's denoiser is refilled, and may be shared by goroutines.
type Weighted struct {
	Product *Lift       // the mixture's states, or their product with those of the condition
	Weight  []float64   // [K] ω_k
	P       [][]float64 // [K, edge of Product] P_k·w
	at      []int       // by edge of Product: that of the mixture's lift
}

// Weighted returns the mixture times the weights w ≥ 0 of a condition, by edge of l, or of the graph where l is nil; nil:
// all 1. It is nil where no path of the mixture's graph is one of l. It panics if l is a lift of another graph.
func (m *Mixture) Weighted(l *Lift, w []float64) *Weighted {
	s := &Weighted{Product: m.Lift, Weight: m.Weight, at: upTo(len(m.Lift.Edge))}
	by := func(k int) float64 { return w[m.Lift.Edge[k]] }
	if l != nil {
		over, mine, theirs, err := product(m.Lift, l, func(int, int) bool { return true })
		if err != nil {
			panic(fmt.Sprintf("chain: a condition on another graph: %v", err))
		}
		if over == nil {
			return nil
		}
		s.Product, s.at = over, mine
		by = func(k int) float64 { return w[theirs[k]] }
	}
	s.fill(m)
	for k := range s.at {
		for _, p := range s.P {
			if w != nil {
				p[k] *= by(k)
			}
		}
	}
	return s
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
