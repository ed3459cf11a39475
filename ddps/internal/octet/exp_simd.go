//go:build goexperiment.simd && amd64

package octet

import (
	"math"
	"simd/archsimd"
)

// expConst holds the constants of the exponentials, each in sixteen lanes: loading them costs less than spreading them.
var expConst = func() (c [13][16]float32) {
	for k, x := range append([]float32{0, 87, -87, math.Log2E, -ln2Hi, -ln2Lo, 1}, expPoly[:]...) {
		for i := range c[k] {
			c[k][i] = x
		}
	}
	return c
}()

func expNumber8(k int) archsimd.Float32x8 {
	return archsimd.LoadFloat32x8((*[8]float32)(expConst[k][:8]))
}
func expNumber16(k int) archsimd.Float32x16 { return archsimd.LoadFloat32x16(&expConst[k]) }

// Exp8 is Exp in each lane.
func Exp8(x archsimd.Float32x8) archsimd.Float32x8 {
	x = x.Min(expNumber8(1)).Max(expNumber8(2))
	n := x.Mul(expNumber8(3)).RoundToEven()
	r := n.MulAdd(expNumber8(5), n.MulAdd(expNumber8(4), x))
	p := expNumber8(7)
	p = p.MulAdd(r, expNumber8(8))
	p = p.MulAdd(r, expNumber8(9))
	p = p.MulAdd(r, expNumber8(10))
	p = p.MulAdd(r, expNumber8(11))
	p = p.MulAdd(r, expNumber8(12))
	e := p.MulAdd(r.Mul(r), r.Add(expNumber8(6)))
	return e.Mul(n.ConvertToInt32().Add(archsimd.BroadcastInt32x8(127)).ShiftAllLeft(23).AsFloat32x8())
}

// Exp16 is Exp in each lane.
func Exp16(x archsimd.Float32x16) archsimd.Float32x16 {
	x = x.Min(expNumber16(1)).Max(expNumber16(2))
	n := x.Mul(expNumber16(3)).RoundToEvenScaled(0)
	r := n.MulAdd(expNumber16(5), n.MulAdd(expNumber16(4), x))
	p := expNumber16(7)
	p = p.MulAdd(r, expNumber16(8))
	p = p.MulAdd(r, expNumber16(9))
	p = p.MulAdd(r, expNumber16(10))
	p = p.MulAdd(r, expNumber16(11))
	p = p.MulAdd(r, expNumber16(12))
	e := p.MulAdd(r.Mul(r), r.Add(expNumber16(6)))
	return e.Mul(n.ConvertToInt32().Add(archsimd.BroadcastInt32x16(127)).ShiftAllLeft(23).AsFloat32x16())
}

// expsFast is e^x of each; the last few are worked on as eight too, so that a number's place does not matter.
func expsFast(x []float32) {
	j := 0
	for ; j+8 <= len(x); j += 8 {
		y := (*[8]float32)(x[j:])
		Exp8(archsimd.LoadFloat32x8(y)).Store(y)
	}
	if j < len(x) {
		var y [8]float32
		copy(y[:], x[j:])
		Exp8(archsimd.LoadFloat32x8(&y)).Store(&y)
		copy(x[j:], y[:])
	}
	archsimd.ClearAVXUpperBits()
}
