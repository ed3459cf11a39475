package metrics

import (
	"fmt"
	"math"

	"github.com/ddps-go/ddps/ddps"
	"gonum.org/v1/gonum/stat"
)

// Sample is a weighted list of paths. Weights has a number ≥ 0 for every path, in any unit; nil means equal
// weights. All paths of a graph weighted by their probability are a distribution.
type Sample struct {
	Paths   []ddps.Path
	Weights []float64
}

// normalWeights returns n weights that sum to 1.
func normalWeights(n int, weights []float64) ([]float64, error) {
	if n == 0 {
		return nil, &DistributionError{ErrEmpty, "sample", -1, 0}
	}
	if weights == nil {
		w := make([]float64, n)
		for i := range w {
			w[i] = 1 / float64(n)
		}
		return w, nil
	}
	if len(weights) != n {
		return nil, &DistributionError{ErrLength, "weights", -1, float64(len(weights))}
	}
	return Normalize(weights)
}

// ValidRate returns the share of samples that are paths of g, in [0, 1] (paper, §5.1, VR; there in percent). A
// sample that its method could not read as a sequence of vertices is nil and counts as none. No samples at all
// is ErrEmpty.
func ValidRate(g *ddps.LayeredGraph, samples []ddps.Path) (float64, error) {
	if len(samples) == 0 {
		return 0, &DistributionError{ErrEmpty, "samples", -1, 0}
	}
	valid := 0
	for _, p := range samples {
		if g.Check(p) == nil {
			valid++
		}
	}
	return float64(valid) / float64(len(samples)), nil
}

// Rewards returns each path's reward, the sum of u over its edges; u has one number per edge of g. The error
// names the first sample, from 0, that is no path, or the first number of u that is not finite.
func Rewards(g *ddps.LayeredGraph, u []float64, paths []ddps.Path) ([]float64, error) {
	if err := g.CheckReward(u); err != nil {
		return nil, err
	}
	r := make([]float64, len(paths))
	var edges []int
	for i, p := range paths {
		var err error
		if edges, err = g.PathEdges(edges[:0], p); err != nil {
			return nil, fmt.Errorf("metrics: sample %d: %w", i, err)
		}
		for _, e := range edges {
			r[i] += u[e]
		}
	}
	return r, nil
}

// MeanStd returns the weighted mean of x and its standard deviation √(Σw(x−mean)²), divided by N and not
// N−1: the error bars of the paper's figure 4. weights has a number ≥ 0 for every value, nil means equal
// weights. One value has deviation 0. The error is ErrEmpty, ErrLength, ErrValue or ErrMass.
func MeanStd(x, weights []float64) (mean, std float64, err error) {
	if _, err := normalWeights(len(x), weights); err != nil {
		return 0, 0, err
	}
	for i, v := range x {
		if math.IsNaN(v) || math.IsInf(v, 0) {
			return 0, 0, &DistributionError{ErrValue, "x", i, v}
		}
	}
	mean, std = stat.PopMeanStdDev(x, weights)
	return mean, std, nil
}
