package chain

import (
	"fmt"
	"math"

	"github.com/ddps-go/ddps/ddps"
)

// SecondConfig holds the pseudo-counts of FitSecond, both ≥ 0, in the unit of the paths' weights.
type SecondConfig struct {
	Kappa1 float64 // κ₁ an edge, of the first-order chain that it backs off to
	Kappa2 float64 // κ₂ a context, the weight of that chain against what was seen after the edge before
}

// FitSecond fits a second-order chain to paths with weights (nil: all 1), a distribution on Line(g): the probability
// of edge e at v after edge a is interpolated with the first-order chain of Fit,
//
//	P(e | a) = (n_{a,e} + κ₂·P_v(e)) / (n_a + κ₂),  P_v(e) = (n_e + κ₁)/(n_v + κ₁·D_v),
//
// n the weights of the paths that use the pair, edge or vertex (a Dirichlet prior of mean P_v, as in MacKay and Peto
// 1995). The first edge has none before it and follows P_{v¹}, and so does the edge after one never seen where κ₂ is
// 0; a vertex never seen is uniform. κ₂ → ∞ is the first-order chain. Errors are those of Fit.
func FitSecond(g *ddps.LayeredGraph, paths []ddps.Path, weights []float64, cfg SecondConfig) (*Distribution, error) {
	if k := cfg.Kappa2; !(k >= 0) || k > math.MaxFloat64/4 {
		return nil, fmt.Errorf("chain: pseudo-count κ₂ %v, must be a finite number of at least 0", k)
	}
	first, err := Fit(g, paths, weights, cfg.Kappa1)
	if err != nil {
		return nil, err
	}
	line := Line(g)
	n, err := pairWeights(line, paths, weights)
	if err != nil {
		return nil, err
	}
	interpolate(line, n, first.P, cfg.Kappa2)
	return &Distribution{line, n}, nil
}

// pairWeights sums the weights of the paths over each edge of a product graph that has them all.
func pairWeights(l *Product, paths []ddps.Path, weights []float64) ([]float64, error) {
	weights, _, err := ddps.Weights(len(paths), weights)
	if err != nil {
		return nil, fmt.Errorf("chain: %w", err)
	}
	n := make([]float64, l.Graph.NumEdges())
	var edges []int
	for i, p := range paths {
		if edges, _, err = l.Edges(edges[:0], p); err != nil {
			return nil, fmt.Errorf("chain: path %d: %w", i+1, err)
		}
		for _, k := range edges {
			n[k] += weights[i]
		}
	}
	return n, nil
}

// interpolate turns the weights n by edge of the line graph into the second-order chain's probabilities.
func interpolate(line *Product, n, first []float64, kappa float64) {
	for s := range line.Graph.NumVertices() {
		lo, hi := line.Graph.Edges(s)
		sum := kappa
		for k := lo; k < hi; k++ {
			sum += n[k]
		}
		for k := lo; k < hi; k++ {
			if base := first[line.Edge[k]]; s == 0 || sum == 0 {
				n[k] = base
			} else {
				n[k] = (n[k] + kappa*base) / sum
			}
		}
	}
}
