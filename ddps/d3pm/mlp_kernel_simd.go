//go:build goexperiment.simd && amd64

package d3pm

import (
	"math"
	"simd/archsimd"
)

// mlpLanes is how many samples go through the network together: two vectors of eight.
const mlpLanes = 16

var mlpVector = archsimd.X86.AVX2() && archsimd.X86.FMA()

func mlpLoad(x *mlpLane) (lo, hi archsimd.Float32x8) {
	return archsimd.LoadFloat32x8((*[8]float32)(x[:8])), archsimd.LoadFloat32x8((*[8]float32)(x[8:]))
}

func mlpStore(y *mlpLane, lo, hi archsimd.Float32x8) {
	lo.Store((*[8]float32)(y[:8]))
	hi.Store((*[8]float32)(y[8:]))
}

// mlpDense is y[j][:] = b[j] + Σ_i w[j, i]·x[i][:], four outputs at a time: eight sums in registers.
func mlpDense(y []mlpLane, w, b []float32, x []mlpLane) {
	if !mlpVector {
		mlpDensePlain(y, w, b, x)
		return
	}
	n, j := len(x), 0
	for ; j+3 < len(y); j += 4 {
		w0, w1, w2, w3 := w[j*n:][:len(x)], w[(j+1)*n:][:len(x)], w[(j+2)*n:][:len(x)], w[(j+3)*n:][:len(x)]
		p0 := archsimd.BroadcastFloat32x8(b[j])
		p1, p2, p3 := archsimd.BroadcastFloat32x8(b[j+1]), archsimd.BroadcastFloat32x8(b[j+2]), archsimd.BroadcastFloat32x8(b[j+3])
		q0, q1, q2, q3 := p0, p1, p2, p3
		for i := range x {
			lo, hi := mlpLoad(&x[i])
			a := archsimd.BroadcastFloat32x8(w0[i])
			p0, q0 = lo.MulAdd(a, p0), hi.MulAdd(a, q0)
			a = archsimd.BroadcastFloat32x8(w1[i])
			p1, q1 = lo.MulAdd(a, p1), hi.MulAdd(a, q1)
			a = archsimd.BroadcastFloat32x8(w2[i])
			p2, q2 = lo.MulAdd(a, p2), hi.MulAdd(a, q2)
			a = archsimd.BroadcastFloat32x8(w3[i])
			p3, q3 = lo.MulAdd(a, p3), hi.MulAdd(a, q3)
		}
		mlpStore(&y[j], p0, q0)
		mlpStore(&y[j+1], p1, q1)
		mlpStore(&y[j+2], p2, q2)
		mlpStore(&y[j+3], p3, q3)
	}
	for ; j < len(y); j++ {
		p := archsimd.BroadcastFloat32x8(b[j])
		q := p
		for i, weight := range w[j*n:][:len(x)] {
			lo, hi := mlpLoad(&x[i])
			a := archsimd.BroadcastFloat32x8(weight)
			p, q = lo.MulAdd(a, p), hi.MulAdd(a, q)
		}
		mlpStore(&y[j], p, q)
	}
	archsimd.ClearAVXUpperBits()
}

// mlpAdd is sum += row.
func mlpAdd(sum, row []float32) {
	j := 0
	if mlpVector {
		for ; j+8 <= len(sum); j += 8 {
			archsimd.LoadFloat32x8Slice(sum[j:]).Add(archsimd.LoadFloat32x8Slice(row[j:])).StoreSlice(sum[j:])
		}
		archsimd.ClearAVXUpperBits()
	}
	mlpAddPlain(sum[j:], row[j:])
}

// mlpAxpy is sum += a·row.
func mlpAxpy(sum, row []float32, a float32) {
	j := 0
	if mlpVector {
		v := archsimd.BroadcastFloat32x8(a)
		for ; j+8 <= len(sum); j += 8 {
			v.MulAdd(archsimd.LoadFloat32x8Slice(row[j:]), archsimd.LoadFloat32x8Slice(sum[j:])).StoreSlice(sum[j:])
		}
		archsimd.ClearAVXUpperBits()
	}
	mlpAxpyPlain(sum[j:], row[j:], a)
}

// mlpSilu is h = silu(y), with keep h += silu(y). h and y may be the same.
func mlpSilu(h, y []mlpLane, keep bool) {
	if !mlpVector {
		mlpSiluPlain(h, y, keep)
		return
	}
	one := archsimd.BroadcastFloat32x8(1)
	for j := range h {
		a, b := mlpLoad(&y[j])
		a, b = a.Div(one.Add(mlpExpMinus(a))), b.Div(one.Add(mlpExpMinus(b)))
		if keep {
			lo, hi := mlpLoad(&h[j])
			a, b = a.Add(lo), b.Add(hi)
		}
		mlpStore(&h[j], a, b)
	}
	archsimd.ClearAVXUpperBits()
}

// mlpExpMinus is mlpExp of −x in each lane.
func mlpExpMinus(x archsimd.Float32x8) archsimd.Float32x8 {
	c := &mlpConst
	x = archsimd.LoadFloat32x8(&c[0]).Sub(x).Min(archsimd.LoadFloat32x8(&c[1])).Max(archsimd.LoadFloat32x8(&c[2]))
	n := x.Mul(archsimd.LoadFloat32x8(&c[3])).RoundToEven()
	r := n.MulAdd(archsimd.LoadFloat32x8(&c[5]), n.MulAdd(archsimd.LoadFloat32x8(&c[4]), x))
	p := archsimd.LoadFloat32x8(&c[7])
	p = p.MulAdd(r, archsimd.LoadFloat32x8(&c[8]))
	p = p.MulAdd(r, archsimd.LoadFloat32x8(&c[9]))
	p = p.MulAdd(r, archsimd.LoadFloat32x8(&c[10]))
	p = p.MulAdd(r, archsimd.LoadFloat32x8(&c[11]))
	p = p.MulAdd(r, archsimd.LoadFloat32x8(&c[12]))
	e := p.MulAdd(r.Mul(r), r.Add(archsimd.LoadFloat32x8(&c[6])))
	return e.Mul(n.ConvertToInt32().Add(archsimd.BroadcastInt32x8(127)).ShiftAllLeft(23).AsFloat32x8())
}

// mlpConst holds the constants of mlpExpMinus, each in eight lanes: loading them costs less than spreading them.
var mlpConst = func() (c [13][8]float32) {
	for k, x := range append([]float32{0, 87, -87, math.Log2E, -mlpLn2Hi, -mlpLn2Lo, 1}, mlpExpPoly[:]...) {
		for i := range c[k] {
			c[k][i] = x
		}
	}
	return c
}()
