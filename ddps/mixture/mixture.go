package mixture

import (
	"fmt"
	"math"
	"math/rand/v2"

	"github.com/ddps-go/ddps/ddps"
	"github.com/ddps-go/ddps/ddps/chain"
	"github.com/ddps-go/ddps/ddps/internal/real"
)

// Mixture is a mixture of K chains of one order, a latent-class chain: a class k is drawn by Weight once, and the
// path by the chain of that class on the product graph. What was early on a path tells of its class and so of its
// end: it is the simplest distribution whose memory spans the path, and its exact denoiser costs K times that of one
// chain. With K = 1 it is a chain.Distribution. It never changes and may be shared by goroutines.
type Mixture struct {
	Product *chain.Product // Identity for first-order chains, Turns for those of second-order moves
	Weight  []float64      // [K] ω_k, sum 1
	// [E, K] probability of edge e of the product graph at its tail in class k: P[e·K+k]; each row sums to 1 in
	// each class
	P []float64
}

// New makes a mixture of given numbers, with the lengths of Mixture's fields. The error names the class, edge
// or vertex whose numbers are negative, not finite, or do not sum to 1 within 1e-9.
func New(l *chain.Product, weight, p []float64) (*Mixture, error) {
	K := len(weight)
	if K == 0 || len(p) != K*l.Graph.NumEdges() {
		return nil, fmt.Errorf("mixture: %d probabilities for %d classes of %d edges", len(p), K, l.Graph.NumEdges())
	}
	sum := 0.0
	for k, w := range weight {
		if sum += w; !(w >= 0) {
			return nil, fmt.Errorf("mixture: class %d: weight %v", k+1, w)
		}
	}
	if !(math.Abs(sum-1) <= 1e-9) {
		return nil, fmt.Errorf("mixture: the classes' weights sum to %v", sum)
	}
	m := &Mixture{Product: l, Weight: weight, P: p}
	for k := range K {
		if _, err := chain.NewDistribution(l, m.Class(k).P); err != nil {
			return nil, fmt.Errorf("mixture: class %d: %w", k+1, err)
		}
	}
	return m, nil
}

// Of returns the mixture of one class that is the distribution l.
func Of(l *chain.Distribution) *Mixture {
	return &Mixture{Product: l.Product, Weight: []float64{1}, P: l.P}
}

// Base returns the graph whose paths the mixture is of.
func (m *Mixture) Base() *ddps.LayeredGraph { return m.Product.Base }

// Class returns the distribution of class k in 0…K−1.
func (m *Mixture) Class(k int) *chain.Distribution {
	K := len(m.Weight)
	p := make([]float64, len(m.P)/K)
	for e := range p {
		p[e] = m.P[e*K+k]
	}
	return &chain.Distribution{Product: m.Product, P: p}
}

// LogProb returns log P(p), −Inf where no class makes the path, or an error if p is no path.
func (m *Mixture) LogProb(p ddps.Path) (float64, error) {
	edges, ok, err := m.Product.Edges(nil, p)
	if err != nil {
		return 0, fmt.Errorf("mixture: %w", err)
	}
	if !ok {
		return math.Inf(-1), nil
	}
	K, top := len(m.Weight), math.Inf(-1)
	logs := make([]float64, K)
	for k, w := range m.Weight {
		logs[k] = real.Log(w)
		for _, e := range edges {
			logs[k] += real.Log(m.P[e*K+k])
		}
		top = max(top, logs[k])
	}
	if math.IsInf(top, -1) {
		return top, nil
	}
	sum := 0.0
	for _, x := range logs {
		sum += math.Exp(x - top)
	}
	return top + real.Log(sum), nil
}

// Sample draws a path.
func (m *Mixture) Sample(rng *rand.Rand) ddps.Path {
	g, K, k := m.Product.Graph, len(m.Weight), 0
	if K > 1 {
		k = chain.Pick(m.Weight, rng.Float64())
	}
	p, s := make(ddps.Path, g.NumLayers()), 0
	row := make([]float64, g.MaxDegree())
	for l := 1; l < len(p); l++ {
		lo, hi := g.Edges(s)
		for e := lo; e < hi; e++ {
			row[e-lo] = m.P[e*K+k]
		}
		e := lo
		if hi-lo > 1 {
			e += chain.Pick(row[:hi-lo], rng.Float64())
		}
		s = g.Head(e)
		p[l] = m.Product.Vertex[s]
	}
	return p
}
