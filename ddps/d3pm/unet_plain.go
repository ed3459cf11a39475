package d3pm

import (
	"math"
	"unsafe"
)

// The loops of the UNet in plain Go: what the vector kernels (GOEXPERIMENT=simd) are tested against and fall back on. Its
// products and activations are the MLP's.

// mlpFlat returns x as numbers.
func mlpFlat(x []mlpLane) []float32 {
	return unsafe.Slice((*float32)(unsafe.Pointer(unsafe.SliceData(x))), len(x)*mlpLanes)
}

// unetNormPlain sets y to x, over the root mean square of its channels if by is true, then scaled and shifted by film, unless
// that is nil: scales, then shifts.
func unetNormPlain(y, x []mlpLane, film []float32, by bool) {
	var inv mlpLane
	for k := range inv {
		inv[k] = 1
	}
	if by {
		inv = mlpLane{}
		for c := range x {
			for k, z := range x[c] {
				inv[k] += float32(z * z)
			}
		}
		for k, z := range inv {
			inv[k] = 1 / float32(math.Sqrt(float64(z/float32(len(x))+unetEps)))
		}
	}
	for c := range y {
		scale, shift := float32(1), float32(0)
		if film != nil {
			scale, shift = film[c], film[len(x)+c]
		}
		for k, z := range x[c] {
			y[c][k] = float32(z*inv[k]*scale) + shift
		}
	}
}

// unetMeanPlain sets mean to that of a and b.
func unetMeanPlain(mean, a, b []float32) {
	a, b = a[:len(mean)], b[:len(mean)]
	for i := range mean {
		mean[i] = (a[i] + b[i]) / 2
	}
}
