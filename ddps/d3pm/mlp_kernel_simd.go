//go:build goexperiment.simd && amd64

package d3pm

import (
	"simd/archsimd"
	"unsafe"

	"github.com/ddps-go/ddps/ddps/internal/octet"
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

// mlpSix is mlpDense for six outputs and n > 0 inputs, in assembly: Go's compiler spreads a weight by a register, on the
// port where half of the products go, and moves every sum once for each input. That takes half as long again.
//
//go:noescape
func mlpSix(y *mlpLane, w, b *float32, x *mlpLane, n int)

// mlpDenseWide is mlpDense in vectors of sixteen, six outputs at a time; of what is left, four.
func mlpDenseWide(y []mlpLane, w, b []float32, x []mlpLane) {
	n, j := len(x), 0
	for ; j+5 < len(y) && n > 0; j += 6 {
		to, bias, rows := (*[6]mlpLane)(y[j:]), (*[6]float32)(b[j:]), w[j*n:(j+6)*n]
		mlpSix(&to[0], &rows[0], &bias[0], &x[0], n)
	}
	if j+3 < len(y) {
		mlpFour((*[4]mlpLane)(y[j:]), asBits(w[j*n:(j+4)*n]), asBits(b[j:]), x)
		j += 4
	}
	for ; j < len(y); j++ {
		p := mlpSpread(asBits(b)[j])
		q := p
		for i, weight := range asBits(w[j*n:][:len(x)]) {
			a := mlpSpread(weight)
			p = a.MulAdd(archsimd.LoadFloat32x16((*[16]float32)(x[i][:16])), p)
			q = a.MulAdd(archsimd.LoadFloat32x16((*[16]float32)(x[i][16:])), q)
		}
		mlpStoreWide(&y[j], p, q)
	}
}

// mlpFour is mlpDenseWide for four outputs.
func mlpFour(y *[4]mlpLane, w, b []uint32, x []mlpLane) {
	n := len(x)
	w0, w1, w2, w3 := w[:n], w[n:][:n], w[2*n:][:n], w[3*n:][:n]
	p0, p1, p2, p3 := mlpSpread(b[0]), mlpSpread(b[1]), mlpSpread(b[2]), mlpSpread(b[3])
	q0, q1, q2, q3 := p0, p1, p2, p3
	for i := range x {
		lo, hi := archsimd.LoadFloat32x16((*[16]float32)(x[i][:16])), archsimd.LoadFloat32x16((*[16]float32)(x[i][16:]))
		a, c := mlpSpread(w0[i]), mlpSpread(w1[i])
		p0, q0 = a.MulAdd(lo, p0), a.MulAdd(hi, q0)
		p1, q1 = c.MulAdd(lo, p1), c.MulAdd(hi, q1)
		a, c = mlpSpread(w2[i]), mlpSpread(w3[i])
		p2, q2 = a.MulAdd(lo, p2), a.MulAdd(hi, q2)
		p3, q3 = c.MulAdd(lo, p3), c.MulAdd(hi, q3)
	}
	mlpStoreWide(&y[0], p0, q0)
	mlpStoreWide(&y[1], p1, q1)
	mlpStoreWide(&y[2], p2, q2)
	mlpStoreWide(&y[3], p3, q3)
}

// asBits returns the numbers of x as what they are stored as. A number loaded by itself, to be spread over a vector, costs
// a switch between AVX and SSE; its bits do not.
func asBits(x []float32) []uint32 {
	return unsafe.Slice((*uint32)(unsafe.Pointer(unsafe.SliceData(x))), len(x))
}

// mlpSpread is the number of these bits in every lane, mlpSpread8 for vectors of eight.
func mlpSpread(x uint32) archsimd.Float32x16 { return archsimd.BroadcastUint32x16(x).AsFloat32x16() }
func mlpSpread8(x uint32) archsimd.Float32x8 { return archsimd.BroadcastUint32x8(x).AsFloat32x8() }

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
		row = row[:len(sum)]
		for ; mlpWide && j+32 <= len(sum); j += 32 {
			to, x := (*[2][16]float32)(unsafe.Pointer(&sum[j])), (*[2][16]float32)(unsafe.Pointer(&row[j]))
			archsimd.LoadFloat32x16(&to[0]).Add(archsimd.LoadFloat32x16(&x[0])).Store(&to[0])
			archsimd.LoadFloat32x16(&to[1]).Add(archsimd.LoadFloat32x16(&x[1])).Store(&to[1])
		}
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
	switch {
	case !mlpVector:
		mlpSiluPlain(h, y, keep)
		return
	case mlpWide:
		mlpSiluWide(h, y, keep)
	default:
		mlpSiluNarrow(h, y, keep)
	}
	archsimd.ClearAVXUpperBits()
}

func mlpSiluWide(h, y []mlpLane, keep bool) {
	one, zero := archsimd.BroadcastFloat32x16(1), archsimd.Float32x16{}
	y = y[:len(h)]
	for j := range h {
		from, to := (*[2][16]float32)(unsafe.Pointer(&y[j])), (*[2][16]float32)(unsafe.Pointer(&h[j]))
		a, b := archsimd.LoadFloat32x16(&from[0]), archsimd.LoadFloat32x16(&from[1])
		a, b = a.Div(one.Add(octet.Exp16(zero.Sub(a)))), b.Div(one.Add(octet.Exp16(zero.Sub(b))))
		if keep {
			a, b = a.Add(archsimd.LoadFloat32x16(&to[0])), b.Add(archsimd.LoadFloat32x16(&to[1]))
		}
		a.Store(&to[0])
		b.Store(&to[1])
	}
}

func mlpSiluNarrow(h, y []mlpLane, keep bool) {
	one, zero := archsimd.BroadcastFloat32x8(1), archsimd.Float32x8{}
	for j := range h {
		for k := 0; k < mlpLanes; k += 8 {
			a := mlpLoad(&y[j], k)
			a = a.Div(one.Add(octet.Exp8(zero.Sub(a))))
			if keep {
				a = a.Add(mlpLoad(&h[j], k))
			}
			mlpStore(&h[j], k, a)
		}
	}
}

// mlpSiluBack is d *= silu'(y).
func mlpSiluBack(d, y []mlpLane) {
	if !mlpVector {
		mlpSiluBackPlain(d, y)
		return
	}
	one, zero := archsimd.BroadcastFloat32x8(1), archsimd.Float32x8{}
	for j := range d {
		for k := 0; k < mlpLanes; k += 8 {
			z := mlpLoad(&y[j], k)
			s := one.Div(one.Add(octet.Exp8(zero.Sub(z))))
			s = s.Mul(one.Add(z.Mul(one.Sub(s))))
			mlpStore(&d[j], k, mlpLoad(&d[j], k).Mul(s))
		}
	}
	archsimd.ClearAVXUpperBits()
}

// mlpTurnAdd adds rows, [lane, unit], to y.
func mlpTurnAdd(y []mlpLane, rows []float32) { mlpTurnAddPlain(y, rows, 0) }

// mlpAddLane adds x to sum, which may be shorter.
func mlpAddLane(sum []float32, x *mlpLane) { mlpAdd(sum, x[:]) }

// mlpSingles is y as groups of eight lanes: output j of group i at 4·j + i.
func mlpSingles(y []mlpLane) []octet.Single {
	return unsafe.Slice((*octet.Single)(unsafe.Pointer(unsafe.SliceData(y))), len(y)*mlpLanes/octet.Width)
}
