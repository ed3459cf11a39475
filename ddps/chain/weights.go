package chain

import (
	"math"

	"github.com/ddps-go/ddps/ddps"
)

// Weights says how a condition weighs paths from what it makes of one chain. tilt sets out to the row distributions
// of the chain pi given the condition and returns log m, as conditions of package guide do; l and w are its product
// graph and weights, l nil where it has no memory. A path weighs the product of the weights returned, by edge of l or
// of g, times exp(shift); shift is −Inf if no path has weight.
func Weights(g *ddps.LayeredGraph, l *Product, w []float64, tilt func(pi, out []float64) float64) (weights []float64,
	shift float64) {
	u := Uniform(g).P
	rows := make([]float64, len(u))
	shift = tilt(u, rows)
	switch {
	case math.IsInf(shift, -1):
		return nil, shift
	case l != nil:
		return w, shift - NewProductTilter(l, w).Tilt(u)
	}
	for e, p := range u { // but for factors that cancel along a path, the rows are u times the weights
		if p > 0 {
			rows[e] /= p
		}
	}
	return rows, shift
}
