package stack

import (
	"fmt"
	"math"

	"github.com/ddps-go/ddps/ddps"
	"github.com/ddps-go/ddps/ddps/chain"
)

// Condition is a condition on the paths of a graph, or evidence on their edges: the product graph of its states, and
// the logarithms of weights by edge of it, finite; nil: all 0. A path that is not in the product does not meet it.
// Those of package guide have both in their Product.
type Condition struct {
	Product *chain.Product
	LogW    []float64
}

// Noise is the evidence of x_t, up to a constant: of edge e of vertex v the weight 1 + r·D_v·1[x_t^v = e], r =
// ᾱ_t/(1−ᾱ_t). A distribution given it is the posterior of the path given x_t.
func Noise(g *ddps.LayeredGraph, xt ddps.PALM, ratio float64) Condition {
	b := make([]float64, g.NumEdges())
	for v, choice := range xt {
		if lo, hi := g.Edges(v); hi > lo {
			b[lo+int(choice)] = math.Log1p(ratio * float64(hi-lo))
		}
	}
	return Condition{chain.Identity(g), b}
}

// logWeight returns the logarithm of the weight of a path, −Inf where it does not meet c.
func (c Condition) logWeight(p ddps.Path) (float64, error) {
	edges, ok, err := c.Product.Edges(nil, p)
	if err != nil {
		return 0, fmt.Errorf("stack: %w", err)
	}
	if !ok {
		return math.Inf(-1), nil
	}
	sum := 0.0
	if c.LogW != nil {
		for _, k := range edges {
			sum += c.LogW[k]
		}
	}
	return sum, nil
}

// check returns an error where c is on another graph than g, or has not a weight for each edge.
func (c Condition) check(g *ddps.LayeredGraph) error {
	if c.Product == nil || !c.Product.Base.Equal(g) {
		return fmt.Errorf("stack: the condition is on another graph than the distribution of paths")
	}
	if c.LogW != nil && len(c.LogW) != len(c.Product.Edge) {
		return fmt.Errorf("stack: %d weights for %d edges of the condition", len(c.LogW), len(c.Product.Edge))
	}
	return nil
}
