//go:build goexperiment.simd && amd64

package d3pm

import (
	"math"
	"simd/archsimd"
)

// unetNorm is unetNormPlain, with its bits.
func unetNorm(y, x []mlpLane, film []float32, by bool) {
	if !mlpVector {
		unetNormPlain(y, x, film, by)
		return
	}
	spread := func(x float32) archsimd.Float32x8 { return mlpSpread8(math.Float32bits(x)) }
	one, size, eps := spread(1), spread(float32(len(x))), spread(unetEps)
	scale, shift := one, archsimd.Float32x8{}
	at := asBits(film)
	for k := 0; k < mlpLanes; k += 8 {
		inv := one
		if by {
			var sum archsimd.Float32x8
			for c := range x {
				z := mlpLoad(&x[c], k)
				sum = sum.Add(z.Mul(z))
			}
			inv = one.Div(sum.Div(size).Add(eps).Sqrt())
		}
		for c := range y {
			if film != nil {
				scale, shift = mlpSpread8(at[c]), mlpSpread8(at[len(x)+c])
			}
			mlpStore(&y[c], k, mlpLoad(&x[c], k).Mul(inv).Mul(scale).Add(shift))
		}
	}
	archsimd.ClearAVXUpperBits()
}

// unetMean is unetMeanPlain, with its bits.
func unetMean(mean, a, b []float32) {
	j := 0
	if mlpVector {
		half := mlpSpread8(math.Float32bits(0.5))
		for ; j+8 <= len(mean); j += 8 {
			x, y := archsimd.LoadFloat32x8((*[8]float32)(a[j:])), archsimd.LoadFloat32x8((*[8]float32)(b[j:]))
			x.Add(y).Mul(half).Store((*[8]float32)(mean[j:]))
		}
		archsimd.ClearAVXUpperBits()
	}
	unetMeanPlain(mean[j:], a[j:], b[j:])
}
