package study

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/stat"

	"github.com/ddps-go/ddps/ddps"
	"github.com/ddps-go/ddps/ddps/metrics"
)

// Spread is a number over seeds: its mean, standard deviation (÷(n−1); NaN of one seed), least and greatest value.
type Spread struct {
	Mean, Std, Low, High float64
	N                    int
}

// NewSpread returns the spread of x, which has at least one number.
func NewSpread(x []float64) Spread {
	s := Spread{Low: slices.Min(x), High: slices.Max(x), N: len(x)}
	if s.Mean, s.Std = stat.MeanStdDev(x, nil); s.N < 2 {
		s.Std = math.NaN()
	}
	return s
}

// FeatureDistance returns ½L1 between a distribution and that of a feature of paths.
func FeatureDistance(want []float64, paths []ddps.Path, dist func([]ddps.Path) ([]float64, error)) (float64, error) {
	got, err := dist(paths)
	if err != nil {
		return 0, err
	}
	return metrics.HalfL1(want, got)
}
