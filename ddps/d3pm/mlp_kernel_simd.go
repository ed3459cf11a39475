//go:build goexperiment.simd && amd64

package d3pm

import (
	"math"
	"simd/archsimd"
)

// mlpLanes is how many samples go through the network together: four vectors of eight, or two of sixteen.
const mlpLanes = 32

var (
	mlpVector = archsimd.X86.AVX2() && archsimd.X86.FMA()
	mlpWide   = archsimd.X86.AVX512()
)

// mlpLoad and mlpStore work on the eight lanes of x from k on.
func mlpLoad(x *mlpLane, k int) archsimd.Float32x8 {
	return archsimd.LoadFloat32x8((*[8]float32)(x[k:]))
}

func mlpStore(y *mlpLane, k int, v archsimd.Float32x8) { v.Store((*[8]float32)(y[k:])) }

func mlpStoreNarrow(y *mlpLane, p0, p1, p2, p3 archsimd.Float32x8) {
	mlpStore(y, 0, p0)
	mlpStore(y, 8, p1)
	mlpStore(y, 16, p2)
	mlpStore(y, 24, p3)
}

func mlpStoreWide(y *mlpLane, lo, hi archsimd.Float32x16) {
	lo.Store((*[16]float32)(y[:16]))
	hi.Store((*[16]float32)(y[16:]))
}

// mlpDense is y[j][:] = b[j] + Σ_i w[j, i]·x[i][:]. Each lane's sum runs over i in order, whatever the vectors' length.
func mlpDense(y []mlpLane, w, b []float32, x []mlpLane) {
	switch {
	case !mlpVector:
		mlpDensePlain(y, w, b, x)
		return
	case mlpWide:
		mlpDenseWide(y, w, b, x)
	default:
		mlpDenseNarrow(y, w, b, x)
	}
	archsimd.ClearAVXUpperBits()
}

// mlpDenseWide is mlpDense in vectors of sixteen, four outputs at a time: eight sums in registers. The product's first
// factor, which the instruction overwrites, is the one needed no more.
func mlpDenseWide(y []mlpLane, w, b []float32, x []mlpLane) {
	n, j := len(x), 0
	for ; j+3 < len(y); j += 4 {
		w0, w1, w2, w3 := w[j*n:][:len(x)], w[(j+1)*n:][:len(x)], w[(j+2)*n:][:len(x)], w[(j+3)*n:][:len(x)]
		p0, p1 := archsimd.BroadcastFloat32x16(b[j]), archsimd.BroadcastFloat32x16(b[j+1])
		p2, p3 := archsimd.BroadcastFloat32x16(b[j+2]), archsimd.BroadcastFloat32x16(b[j+3])
		q0, q1, q2, q3 := p0, p1, p2, p3
		for i := range x {
			lo, hi := archsimd.LoadFloat32x16((*[16]float32)(x[i][:16])), archsimd.LoadFloat32x16((*[16]float32)(x[i][16:]))
			a := archsimd.BroadcastFloat32x16(w0[i])
			p0, q0 = a.MulAdd(lo, p0), a.MulAdd(hi, q0)
			a = archsimd.BroadcastFloat32x16(w1[i])
			p1, q1 = a.MulAdd(lo, p1), a.MulAdd(hi, q1)
			a = archsimd.BroadcastFloat32x16(w2[i])
			p2, q2 = a.MulAdd(lo, p2), a.MulAdd(hi, q2)
			a = archsimd.BroadcastFloat32x16(w3[i])
			p3, q3 = a.MulAdd(lo, p3), a.MulAdd(hi, q3)
		}
		mlpStoreWide(&y[j], p0, q0)
		mlpStoreWide(&y[j+1], p1, q1)
		mlpStoreWide(&y[j+2], p2, q2)
		mlpStoreWide(&y[j+3], p3, q3)
	}
	for ; j < len(y); j++ {
		p := archsimd.BroadcastFloat32x16(b[j])
		q := p
		for i, weight := range w[j*n:][:len(x)] {
			a := archsimd.BroadcastFloat32x16(weight)
			p = a.MulAdd(archsimd.LoadFloat32x16((*[16]float32)(x[i][:16])), p)
			q = a.MulAdd(archsimd.LoadFloat32x16((*[16]float32)(x[i][16:])), q)
		}
		mlpStoreWide(&y[j], p, q)
	}
}

// mlpDenseNarrow is mlpDense in vectors of eight, two outputs at a time: eight sums in registers.
func mlpDenseNarrow(y []mlpLane, w, b []float32, x []mlpLane) {
	n, j := len(x), 0
	for ; j+1 < len(y); j += 2 {
		u, v := w[j*n:][:len(x)], w[(j+1)*n:][:len(x)]
		p0, q0 := archsimd.BroadcastFloat32x8(b[j]), archsimd.BroadcastFloat32x8(b[j+1])
		p1, p2, p3, q1, q2, q3 := p0, p0, p0, q0, q0, q0
		for i := range x {
			x0, x1, x2, x3 := mlpLoad(&x[i], 0), mlpLoad(&x[i], 8), mlpLoad(&x[i], 16), mlpLoad(&x[i], 24)
			a, c := archsimd.BroadcastFloat32x8(u[i]), archsimd.BroadcastFloat32x8(v[i])
			p0, q0 = x0.MulAdd(a, p0), x0.MulAdd(c, q0)
			p1, q1 = x1.MulAdd(a, p1), x1.MulAdd(c, q1)
			p2, q2 = x2.MulAdd(a, p2), x2.MulAdd(c, q2)
			p3, q3 = x3.MulAdd(a, p3), x3.MulAdd(c, q3)
		}
		mlpStoreNarrow(&y[j], p0, p1, p2, p3)
		mlpStoreNarrow(&y[j+1], q0, q1, q2, q3)
	}
	if j < len(y) {
		p0 := archsimd.BroadcastFloat32x8(b[j])
		p1, p2, p3 := p0, p0, p0
		for i, weight := range w[j*n:][:len(x)] {
			a := archsimd.BroadcastFloat32x8(weight)
			p0, p1 = mlpLoad(&x[i], 0).MulAdd(a, p0), mlpLoad(&x[i], 8).MulAdd(a, p1)
			p2, p3 = mlpLoad(&x[i], 16).MulAdd(a, p2), mlpLoad(&x[i], 24).MulAdd(a, p3)
		}
		mlpStoreNarrow(&y[j], p0, p1, p2, p3)
	}
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

// mlpGather adds to sum the rows of from, of its length, whose numbers are in at: 32 entries at a time, in registers.
func mlpGather(sum, from []float32, at []int32) {
	n, j := len(sum), 0
	if mlpVector {
		for ; j+32 <= n; j += 32 {
			to := (*mlpLane)(sum[j:])
			s0, s1, s2, s3 := mlpLoad(to, 0), mlpLoad(to, 8), mlpLoad(to, 16), mlpLoad(to, 24)
			for _, r := range at {
				row := (*mlpLane)(from[int(r)*n+j:])
				s0, s1 = s0.Add(mlpLoad(row, 0)), s1.Add(mlpLoad(row, 8))
				s2, s3 = s2.Add(mlpLoad(row, 16)), s3.Add(mlpLoad(row, 24))
			}
			mlpStoreNarrow(to, s0, s1, s2, s3)
		}
		archsimd.ClearAVXUpperBits()
	}
	mlpGatherPlain(sum, from, at, j)
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
		for k := 0; k < mlpLanes; k += 8 {
			a := mlpLoad(&y[j], k)
			a = a.Div(one.Add(mlpExpMinus(a)))
			if keep {
				a = a.Add(mlpLoad(&h[j], k))
			}
			mlpStore(&h[j], k, a)
		}
	}
	archsimd.ClearAVXUpperBits()
}

// mlpExps is x = e^x.
func mlpExps(x []float32) {
	j := 0
	if mlpVector {
		for ; j+8 <= len(x); j += 8 {
			y := (*[8]float32)(x[j:])
			mlpExpMinus(archsimd.Float32x8{}.Sub(archsimd.LoadFloat32x8(y))).Store(y)
		}
		archsimd.ClearAVXUpperBits()
	}
	mlpExpsPlain(x[j:])
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
