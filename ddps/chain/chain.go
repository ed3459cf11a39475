// Package chain holds Markov chains on a layered graph: first- and second-order chains fitted to weighted paths, and
// what is exact about them.
//
//	chain.go messages.go             first-order chains by edge: fit, reach, tilt, sampling
//	product.go unfold.go             product (state-expanded) graphs: line graph, automata, intersections
//	distribution.go kl.go kbest.go   distributions of any order: conditions, marginals, entropy, KL, k best paths
//	second.go tune.go                second-order chains; pseudo-counts chosen on validation paths
//	denoiser.go distributiondenoiser.go  exact denoisers of such distributions
//	producttilter.go rows.go         conditions on a product graph of chains that change from step to step
//	weights.go logweights.go         how a condition weighs paths; weights of any size
//	paths.go                         distributions over whole paths, as an interface
//
// A chain is one array by edge (the graph's numbering): pi[e] = π_v(e), the probability of taking edge e at its tail
// v. The functions on such arrays serve the diffusion model too, whose row softmax defines a chain of the same form
// at every step. Rows of vertices without out-edges are empty. A distribution of higher order, or under a condition
// with a memory, is a chain on a product graph: the same array on another graph. Tilting is exponential tilting:
// reweighting by a product of edge weights, and normalising.
package chain

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"

	"github.com/ddps-go/ddps/ddps"
	"github.com/ddps-go/ddps/ddps/internal/real"
)

// Chain is a first-order Markov chain of paths from v¹. It never changes and may be shared by goroutines.
type Chain struct {
	Graph *ddps.LayeredGraph
	P     []float64 // by edge: probability of the edge at its tail; every row sums to 1
}

// New makes a chain of given edge probabilities. The error names the edge or vertex whose numbers are
// negative, not finite, or do not sum to 1 within 1e-9.
func New(g *ddps.LayeredGraph, p []float64) (*Chain, error) {
	if len(p) != g.NumEdges() {
		return nil, fmt.Errorf("chain: %d probabilities for %d edges", len(p), g.NumEdges())
	}
	for v := range g.NumVertices() {
		lo, hi := g.Edges(v)
		sum := 0.0
		for e := lo; e < hi; e++ {
			if !(p[e] >= 0) {
				return nil, fmt.Errorf("chain: edge %s → %s: probability %v", g.Name(v), g.Name(g.Head(e)), p[e])
			}
			sum += p[e]
		}
		if lo < hi && !(math.Abs(sum-1) <= 1e-9) {
			return nil, fmt.Errorf("chain: vertex %s: probabilities sum to %v", g.Name(v), sum)
		}
	}
	return &Chain{Graph: g, P: p}, nil
}

// Fit fits a chain to paths with weights (nil: all 1): P_v(e) = (n_e + κ)/(n_v + κ·D_v), with n the weight of
// the paths that use the edge and the vertex, and κ ≥ 0 the pseudo-count an edge. The row of a vertex that no
// path visits is uniform. The error names the path, from 1, that is none, or whose weight is negative or not
// finite; no weight at all is an error too.
func Fit(g *ddps.LayeredGraph, paths []ddps.Path, weights []float64, kappa float64) (*Chain, error) {
	if err := checkKappa(kappa); err != nil {
		return nil, err
	}
	n, err := EdgeWeights(g, paths, weights)
	if err != nil {
		return nil, err
	}
	return OfWeights(g, n, kappa)
}

func checkKappa(kappa float64) error {
	if !(kappa >= 0) || math.IsInf(kappa, 0) {
		return fmt.Errorf("chain: pseudo-count %v, must be at least 0", kappa)
	}
	return nil
}

// OfWeights is [Fit] of the weights n_e ≥ 0 of paths by edge, as [EdgeWeights] sums them, which become the chain's.
func OfWeights(g *ddps.LayeredGraph, n []float64, kappa float64) (*Chain, error) {
	if err := checkKappa(kappa); err != nil {
		return nil, err
	}
	if kappa > math.MaxFloat64/2/float64(g.MaxDegree()) {
		return nil, fmt.Errorf("chain: pseudo-count %v of %d out-edges overflows", kappa, g.MaxDegree())
	}
	for v := range g.NumVertices() {
		lo, hi := g.Edges(v)
		sum := 0.0
		for e := lo; e < hi; e++ {
			n[e] += kappa
			sum += n[e]
		}
		for e := lo; e < hi; e++ {
			if n[e] /= sum; sum == 0 {
				n[e] = 1 / float64(hi-lo)
			}
		}
	}
	return &Chain{Graph: g, P: n}, nil
}

// EdgeWeights sums the weights of the paths over each edge.
func EdgeWeights(g *ddps.LayeredGraph, paths []ddps.Path, weights []float64) ([]float64, error) {
	weights, _, err := ddps.Weights(len(paths), weights)
	if err != nil {
		return nil, fmt.Errorf("chain: %w", err)
	}
	n := make([]float64, g.NumEdges())
	var edges []int
	for i, p := range paths {
		if edges, err = g.PathEdges(edges[:0], p); err != nil {
			return nil, fmt.Errorf("chain: path %d: %w", i+1, err)
		}
		for _, e := range edges {
			n[e] += weights[i]
		}
	}
	return n, nil
}

// Uniform returns the chain whose distribution is uniform over all paths of g: P_v(e) is the share of the paths from v
// that take e. Vertices from which no path leads on keep empty rows.
func Uniform(g *ddps.LayeredGraph) *Chain {
	ones := make([]float64, g.NumEdges())
	for e := range ones {
		ones[e] = 1
	}
	p := make([]float64, len(ones))
	NewTilter(g).Tilt(ones, nil, p)
	return &Chain{Graph: g, P: p}
}

// LogProb returns log P(p), −Inf where an edge has probability 0, or an error if p is no path.
func (c *Chain) LogProb(p ddps.Path) (float64, error) {
	edges, err := c.Graph.PathEdges(nil, p)
	if err != nil {
		return 0, fmt.Errorf("chain: %w", err)
	}
	sum := 0.0
	for _, e := range edges {
		sum += real.Log(c.P[e])
	}
	return sum, nil
}

// Sample draws a path.
func (c *Chain) Sample(rng *rand.Rand) ddps.Path {
	p := make(ddps.Path, c.Graph.NumLayers())
	Draw(c.Graph, c.P, rng, p)
	return p
}

// MostLikely returns a path of the greatest probability, and its logarithm; ties go to the first out-edge.
func (c *Chain) MostLikely() (ddps.Path, float64) {
	g := c.Graph
	logs := make([]float64, len(c.P))
	for e, p := range c.P {
		logs[e] = real.Log(p)
	}
	best := g.BestFrom(logs)
	p := make(ddps.Path, 1, g.NumLayers())
	for len(p) < g.NumLayers() {
		lo, hi := g.Edges(p[len(p)-1])
		top := lo
		for e := lo; e < hi; e++ {
			if logs[e]+best[g.Head(e)] > logs[top]+best[g.Head(top)] {
				top = e
			}
		}
		p = append(p, g.Head(top))
	}
	return p, best[0]
}

// ErrImpossible says that nothing is left of a distribution under a condition.
var ErrImpossible = errors.New("no path of positive probability meets the condition")

// ImpossibleError is ErrImpossible in words of its own.
type ImpossibleError string

func (e ImpossibleError) Error() string { return string(e) }
func (e ImpossibleError) Unwrap() error { return ErrImpossible }

// Tilt returns the chain conditioned by edge weights w ≥ 0, its distribution ∝ P(path)·∏ w(edges), and log m with m the
// expectation of that product under c. It is an error if no path of positive probability has a positive
// product, or a weight is negative or not finite.
func (c *Chain) Tilt(w []float64) (*Chain, float64, error) {
	if err := checkWeights(c.Graph, w); err != nil {
		return nil, 0, err
	}
	p := make([]float64, len(c.P))
	logm := NewTilter(c.Graph).any(c.P, w, p)
	if math.IsInf(logm, -1) {
		return nil, logm, fmt.Errorf("chain: %w", ErrImpossible)
	}
	return &Chain{Graph: c.Graph, P: p}, logm, nil
}

// checkWeights returns an error that names the edge if w is not one finite number ≥ 0 an edge of g.
func checkWeights(g *ddps.LayeredGraph, w []float64) error {
	if len(w) != g.NumEdges() {
		return fmt.Errorf("chain: %d weights for %d edges", len(w), g.NumEdges())
	}
	for e, x := range w {
		if !(x >= 0) || math.IsInf(x, 0) {
			return fmt.Errorf("chain: edge %s → %s: weight %v", g.Name(g.Tail(e)), g.Name(g.Head(e)), x)
		}
	}
	return nil
}

// Reach returns p_v, by vertex: the probability that a path visits it.
func (c *Chain) Reach() []float64 {
	p := make([]float64, c.Graph.NumVertices())
	Reach(c.Graph, c.P, p)
	return p
}

// Marginals returns the probability, by edge, that a path uses it.
func (c *Chain) Marginals() []float64 {
	reach, m := c.Reach(), make([]float64, len(c.P))
	for e, p := range c.P {
		m[e] = reach[c.Graph.Tail(e)] * p
	}
	return m
}
