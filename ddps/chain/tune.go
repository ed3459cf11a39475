package chain

import (
	"fmt"
	"math"
	"slices"

	"github.com/ddps-go/ddps/ddps"
	"github.com/ddps-go/ddps/ddps/internal/real"
)

// Sample is a weighted list of paths: Weights has a number ≥ 0 for each, nil stands for all 1.
type Sample struct {
	Paths   []ddps.Path
	Weights []float64
}

// KappaGrid returns the pseudo-counts that the experiments choose from, a decade in two steps from 0.01 to 10,000.
func KappaGrid() []float64 {
	return []float64{.01, .03, .1, .3, 1, 3, 10, 30, 100, 300, 1000, 3000, 10000}
}

// TuneKappa returns the pseudo-count of the grid with which the first-order chain that Fit fits to train gives the
// validation paths the least −log p, in nats per path by weight, and the scores of all; ties go to the first. The
// errors are those of Fit for either sample; it is one too if the grid is empty or every score is infinite, as where
// κ is 0 and a validation path uses an edge never seen. O(E) a number of the grid.
func TuneKappa(g *ddps.LayeredGraph, train, held Sample, grid []float64) (kappa float64, scores []float64, err error) {
	h, err := validationPaths(Identity(g), held)
	if err != nil {
		return 0, nil, err
	}
	n, err := EdgeWeights(g, train.Paths, train.Weights)
	if err != nil {
		return 0, nil, err
	}
	for _, k := range grid {
		c, err := OfWeights(g, slices.Clone(n), k)
		if err != nil {
			return 0, nil, err
		}
		scores = append(scores, h.score(c.P))
	}
	best, err := least(scores)
	if err != nil {
		return 0, nil, err
	}
	return grid[best], scores, nil
}

// TuneSecond is TuneKappa for the second-order chain of FitSecond: both pseudo-counts are taken from the grid, and
// scores[i][j] is that of κ₁ = grid[i], κ₂ = grid[j]. O(size of the line graph) a pair of numbers.
func TuneSecond(g *ddps.LayeredGraph, train, held Sample, grid []float64) (cfg SecondConfig, scores [][]float64,
	err error) {
	line := Line(g)
	h, err := validationPaths(line, held)
	if err != nil {
		return cfg, nil, err
	}
	n, err := pairWeights(line, train.Paths, train.Weights)
	if err != nil {
		return cfg, nil, err
	}
	edges, err := EdgeWeights(g, train.Paths, train.Weights)
	if err != nil {
		return cfg, nil, err
	}
	var all []float64
	p := make([]float64, len(n))
	for _, k1 := range grid {
		first, err := OfWeights(g, slices.Clone(edges), k1)
		if err != nil {
			return cfg, nil, err
		}
		for _, k2 := range grid {
			copy(p, n)
			interpolate(line, p, first.P, k2)
			all = append(all, h.score(p))
		}
		scores = append(scores, all[len(all)-len(grid):])
	}
	best, err := least(all)
	if err != nil {
		return cfg, nil, err
	}
	return SecondConfig{grid[best/len(grid)], grid[best%len(grid)]}, scores, nil
}

// used is what a sample uses of a product graph: edges, and their weights as shares of the paths'.
type used struct {
	edges  []int
	shares []float64
}

// validationPaths counts the edges of a sample.
func validationPaths(l *Product, s Sample) (*used, error) {
	n, err := pairWeights(l, s.Paths, s.Weights)
	if err != nil {
		return nil, fmt.Errorf("validation paths: %w", err)
	}
	_, sum, _ := ddps.Weights(len(s.Paths), s.Weights)
	u := &used{}
	for k, x := range n {
		if x > 0 {
			u.edges, u.shares = append(u.edges, k), append(u.shares, x/sum)
		}
	}
	return u, nil
}

// score returns the sample's mean −log p under edge probabilities.
func (u *used) score(p []float64) float64 {
	sum := 0.0
	for i, k := range u.edges {
		sum -= u.shares[i] * real.Log(p[k])
	}
	return sum
}

// least returns the index of the least score.
func least(scores []float64) (int, error) {
	best := -1
	for i, x := range scores {
		if !math.IsInf(x, 1) && (best < 0 || x < scores[best]) {
			best = i
		}
	}
	if best < 0 {
		return 0, fmt.Errorf("chain: no pseudo-count of %d gives every validation path a probability above 0", len(scores))
	}
	return best, nil
}
