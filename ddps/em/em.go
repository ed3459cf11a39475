// Package em fits mixtures of Markov chains to walks that no one machine holds, by rounds of EM (Dempster, Laird and
// Rubin 1977; of mixtures of chains Cadez, Heckerman, Meek, Smyth and White 2003). Workers add the statistics of their
// walks under the mixture of the round before (Round), the sums are added up in any order (Sums, the same bits), and
// give the next mixture (Sums.Model). The round of a mixture of one class is counting: it fits chains.
//
// The prior of a row of class k at state s over vertex v with D out-edges is Dirichlet, worth κD walks:
//
//	P_k(e) = (N_k(e) + κD·P̄_v(e)) / (N_k(s) + κD),  P̄_v(e) = (n_e + κ)/(n_v + κD),  ω_k = N_k/Σ N_k,
//
// N_k being sums of the classes' posterior weights and n = Σ_k N_k counts of walks, which no round changes: every round
// raises Σ log P(walk) + κ Σ_k Σ_e D·P̄(e)·log P_k(e), or leaves it. Package mixture fits the same mixtures with fewer
// parameters, from walks in memory.
package em

import (
	"errors"
	"fmt"
	"math"

	"github.com/ddps-go/ddps/ddps"
	"github.com/ddps-go/ddps/ddps/chain"
	"github.com/ddps-go/ddps/ddps/exactsum"
	"github.com/ddps-go/ddps/ddps/mixture"
)

// Sums are the statistics of a round over some walks. Their size is that of the mixture.
type Sums struct {
	product *chain.Product
	classes int
	Vector  exactsum.Vector // walks, −Σ log P, N_k by class, N_k(e) by edge of the product graph and class
}

// The places of Vector before the classes.
const (
	walks = iota
	nll
	heads
)

// NewSums returns sums of nothing for rounds of m.
func NewSums(m *mixture.Mixture) *Sums {
	K := len(m.Weight)
	return &Sums{m.Product, K, make(exactsum.Vector, heads+K+K*len(m.Product.Edge))}
}

// Walks returns the number of walks.
func (s *Sums) Walks() float64 { return s.Vector[walks].Float() }

// NLL returns the negative log-likelihood of the walks under the mixture of the round before, in nats per walk.
func (s *Sums) NLL() float64 { return s.Vector[nll].Float() / s.Walks() }

// Round is a round's mixture. It holds scratch: one for each goroutine.
type Round struct {
	product *chain.Product
	log     []float64 // [edge, K]
	weight  []float64 // [K] log ω
	class   []float64 // [K] of the walk at hand
	edges   []int
}

// NewRound prepares a round under m.
func NewRound(m *mixture.Mixture) *Round {
	r := &Round{product: m.Product, log: make([]float64, len(m.P)), class: make([]float64, len(m.Weight))}
	for i, p := range m.P {
		r.log[i] = math.Log(p)
	}
	for _, w := range m.Weight {
		r.weight = append(r.weight, math.Log(w))
	}
	return r
}

// Add adds a path with its count ≥ 1 to s. The error is of what is no path, or has no probability. O(L·K).
func (r *Round) Add(p ddps.Path, count int, s *Sums) (err error) {
	ok := false
	if r.edges, ok, err = r.product.Edges(r.edges[:0], p); err != nil {
		return fmt.Errorf("em: %w", err)
	}
	K, top := len(r.class), 0
	copy(r.class, r.weight)
	for _, e := range r.edges {
		for k, x := range r.log[e*K : (e+1)*K] {
			r.class[k] += x
		}
	}
	for k, x := range r.class {
		if x > r.class[top] {
			top = k
		}
	}
	most, sum := r.class[top], 0.0
	if !ok || math.IsInf(most, -1) {
		return fmt.Errorf("em: the model gives the path %v no probability", p)
	}
	for k, x := range r.class {
		r.class[k] = math.Exp(x - most)
		sum += r.class[k]
	}
	n := uint64(count)
	s.add(walks, exactsum.Whole(n))
	s.add(nll, exactsum.Of(max(0, -most-math.Log(sum))).Times(n))
	rest := uint64(0) // what the others leave to the top class, of 2⁶⁴: together all have exactly n
	for k, x := range r.class {
		if k != top {
			u := uint64(x / sum * (1 << 64))
			rest -= u
			r.weigh(s, k, exactsum.Units(u).Times(n))
		}
	}
	x := exactsum.Units(rest)
	if rest == 0 {
		x = exactsum.Whole(1)
	}
	r.weigh(s, top, x.Times(n))
	return nil
}

// weigh adds the walk at hand to class k.
func (r *Round) weigh(s *Sums, k int, x exactsum.Number) {
	s.add(heads+k, x)
	for _, e := range r.edges {
		s.add(heads+s.classes+e*s.classes+k, x)
	}
}

func (s *Sums) add(i int, x exactsum.Number) { s.Vector[i] = s.Vector[i].Plus(x) }

// Maximise returns the chain and the mixture that the sums give with pseudo-count κ ≥ 0, in walks an edge. The error is
// of κ, or of no walk.
func (s *Sums) Maximise(kappa float64) (*chain.Chain, *mixture.Mixture, error) {
	if !(s.Walks() > 0) {
		return nil, nil, errors.New("em: no walk")
	}
	x, K, l := s.Vector.Floats(), s.classes, s.product
	count := make(exactsum.Vector, l.Base.NumEdges())
	edge := s.Vector[heads+K:]
	for i, e := range l.Edge {
		for k := range K {
			count[e] = count[e].Plus(edge[i*K+k])
		}
	}
	c, err := chain.OfWeights(l.Base, count.Floats(), kappa)
	if err != nil {
		return nil, nil, err
	}
	if K == 1 && l.Graph.NumEdges() == l.Base.NumEdges() {
		return c, mixture.Of(c.Distribution()), nil
	}
	weight := make([]float64, K)
	for k := range weight {
		weight[k] = x[heads+k] / x[walks]
	}
	p := x[heads+K:]
	for q := range l.Graph.NumVertices() {
		lo, hi := l.Graph.Edges(q)
		for k := range K {
			row(p, c.P, l.Edge, lo, hi, k, K, kappa)
		}
	}
	m, err := mixture.New(l, weight, p)
	return c, m, err
}

// row turns the weights of class k on edges lo…hi-1 into probabilities.
func row(p, base []float64, edge []int, lo, hi, k, K int, kappa float64) {
	prior := kappa * float64(hi-lo)
	sum, total := prior, 0.0
	for i := lo; i < hi; i++ {
		sum += p[i*K+k]
	}
	for i := lo; i < hi; i++ {
		if x := &p[i*K+k]; sum == 0 {
			*x = base[edge[i]]
		} else {
			*x = (*x + prior*base[edge[i]]) / sum
		}
		total += p[i*K+k]
	}
	for i := lo; i < hi; i++ {
		p[i*K+k] /= total // rounding
	}
}
