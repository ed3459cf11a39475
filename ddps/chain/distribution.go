package chain

import (
	"fmt"
	"math"
	"math/rand/v2"

	"github.com/ddps-go/ddps/ddps"
	"github.com/ddps-go/ddps/ddps/internal/real"
)

// Distribution is a distribution of the paths of a graph that is a Markov chain on a product graph over it: of first
// order on Identity, of second order on Line, conditioned on an automaton on a Product. It never changes and may be
// shared by goroutines.
type Distribution struct {
	Product *Product
	P       []float64 // by edge of the product graph: probability of the edge at its state; every row sums to 1
}

// NewDistribution makes the distribution of given edge probabilities on a product graph. The errors are those of New,
// naming states.
func NewDistribution(l *Product, p []float64) (*Distribution, error) {
	if _, err := New(l.Graph, p); err != nil {
		return nil, err
	}
	return &Distribution{l, p}, nil
}

// Distribution returns the chain as a distribution on Identity of its graph.
func (c *Chain) Distribution() *Distribution { return &Distribution{Identity(c.Graph), c.P} }

// Base returns the graph whose paths the distribution is of.
func (l *Distribution) Base() *ddps.LayeredGraph { return l.Product.Base }

// LogProb returns log P(p), −Inf where the distribution has no such path, or an error if p is no path of the graph.
func (l *Distribution) LogProb(p ddps.Path) (float64, error) {
	edges, ok, err := l.Product.Edges(nil, p)
	if err != nil {
		return 0, fmt.Errorf("chain: %w", err)
	}
	if !ok {
		return math.Inf(-1), nil
	}
	sum := 0.0
	for _, k := range edges {
		sum += real.Log(l.P[k])
	}
	return sum, nil
}

// Sample draws a path, as Draw does on the product graph.
func (l *Distribution) Sample(rng *rand.Rand) ddps.Path {
	p := make(ddps.Path, l.Product.Graph.NumLayers())
	Draw(l.Product.Graph, l.P, rng, p)
	for i, s := range p {
		p[i] = l.Product.Vertex[s]
	}
	return p
}

// Reach returns, by vertex of the base, the probability that a path visits it. O(E) of the product graph.
func (l *Distribution) Reach() []float64 {
	reach, p := l.reach(), make([]float64, l.Base().NumVertices())
	for s, x := range reach {
		if v := l.Product.Vertex[s]; v >= 0 {
			p[v] += x
		}
	}
	return p
}

// reach returns the probability of every state.
func (l *Distribution) reach() []float64 {
	p := make([]float64, l.Product.Graph.NumVertices())
	Reach(l.Product.Graph, l.P, p)
	return p
}

// Marginals returns, by edge of the base, the probability that a path uses it. O(E) of the product graph.
func (l *Distribution) Marginals() []float64 {
	reach, m := l.reach(), make([]float64, l.Base().NumEdges())
	for k, e := range l.Product.Edge {
		m[e] += reach[l.Product.Graph.Tail(k)] * l.P[k]
	}
	return m
}

// Entropy returns −Σ P(path) log P(path) in nats, by the chain rule: Σ_s P(s)·H(row s). O(E) of the product graph.
func (l *Distribution) Entropy() float64 {
	reach, h := l.reach(), 0.0
	for k, p := range l.P {
		if x := reach[l.Product.Graph.Tail(k)] * p; x > 0 {
			h -= x * real.Log(p)
		}
	}
	return h
}

// Tilt returns the distribution reweighted by w ≥ 0, by edge of the base: ∝ P(path)·∏ w(edges). It returns log m too,
// m the expectation of that product under l, so that log m is the log partition function of the tilt. The error is
// ErrImpossible if no path of positive probability has a positive product, or names the edge whose weight is negative
// or not finite. O(E) of the product graph.
func (l *Distribution) Tilt(w []float64) (*Distribution, float64, error) {
	if err := checkWeights(l.Base(), w); err != nil {
		return nil, 0, err
	}
	lifted, p := make([]float64, len(l.P)), make([]float64, len(l.P))
	l.Product.Pull(w, lifted)
	logm := NewTilter(l.Product.Graph).any(l.P, lifted, p)
	if math.IsInf(logm, -1) {
		return nil, logm, fmt.Errorf("chain: %w", ErrImpossible)
	}
	return &Distribution{l.Product, p}, logm, nil
}

// Condition returns the distribution given a condition, ∝ P(path)·∏ w(edges of the path above it), without the paths
// of which c has none, on the product of the distribution's product graph and c: c is an automaton that reads the
// path, its states over the graph's vertices, and w ≥ 0, by edge of c (nil: all 1), its weights. It returns log m
// too, m the expectation of the product under l: for a condition that is met or not, its probability. Errors as of
// Tilt. O(E) of the product.
func (l *Distribution) Condition(c *Product, w []float64) (*Distribution, float64, error) {
	if w != nil {
		if err := checkWeights(c.Graph, w); err != nil {
			return nil, 0, err
		}
	}
	both, own, other, err := Intersect(l.Product, c, func(i, j int) bool { return l.P[i] > 0 && (w == nil || w[j] > 0) })
	if err != nil {
		return nil, 0, err
	}
	if both == nil {
		return nil, math.Inf(-1), fmt.Errorf("chain: %w", ErrImpossible)
	}
	p, lifted, out := make([]float64, len(own)), []float64(nil), make([]float64, len(own))
	for k, i := range own {
		p[k] = l.P[i]
	}
	if w != nil {
		lifted = make([]float64, len(other))
		for k, j := range other {
			lifted[k] = w[j]
		}
	}
	logm := NewTilter(both.Graph).any(p, lifted, out)
	normalise(both.Graph, out)
	return &Distribution{both, out}, logm, nil
}

// normalise makes the rows sum to 1 that lost edges and lie out of reach of a float64.
func normalise(g *ddps.LayeredGraph, p []float64) {
	for s := range g.NumVertices() {
		lo, hi := g.Edges(s)
		sum := 0.0
		for k := lo; k < hi; k++ {
			sum += p[k]
		}
		if math.Abs(sum-1) > 1e-9 {
			for k := lo; k < hi; k++ {
				p[k] /= sum
			}
		}
	}
}

// Rows returns, by edge of the base, P(the path takes the edge | it visits its tail), uniform where no path visits it.
// O(E) of the product graph.
func (l *Distribution) Rows() []float64 {
	g := l.Base()
	rows, uniform := make([]float64, g.NumEdges()), make([]float64, g.NumEdges())
	for e := range uniform {
		uniform[e] = 1 / float64(g.Degree(g.Tail(e)))
	}
	l.Product.rows(l.P, uniform, make([]float64, l.Product.Graph.NumVertices()), rows)
	return rows
}
