//go:build goexperiment.simd && amd64

package chain

import (
	"math"
	"simd/archsimd"
	"unsafe"
)

// lanesVector tells whether the processor has what the vector kernels need.
var lanesVector = archsimd.X86.AVX2()

func loadLane(x *lane) archsimd.Float64x4 { return archsimd.LoadFloat64x4((*[4]float64)(x)) }

func storeLane(y *lane, x archsimd.Float64x4) { x.Store((*[4]float64)(y)) }

// asBits returns the numbers of x as what they are stored as. The kernels load single numbers that way: a load as a
// number would be an instruction of SSE, and to switch between those and AVX is slow.
func asBits(x []float64) []uint64 {
	return unsafe.Slice((*uint64)(unsafe.Pointer(unsafe.SliceData(x))), len(x))
}

var one = math.Float64bits(1)

// broadcast returns four times number i of x, of 1 where i is below 0.
func broadcast(x []uint64, i int) archsimd.Float64x4 {
	bits := one
	if i >= 0 {
		bits = x[i]
	}
	return archsimd.BroadcastUint64x4(bits).AsFloat64x4()
}

// back is backPlain, two pieces at a time: eight classes. Products are rounded before they are added, as there.
func (l *lanes) back(m []lane, f []float64, lo, hi int) (top lane) {
	if !lanesVector {
		return l.backPlain(m, f, lo, hi)
	}
	n, factors, weights := l.n, asBits(f), asBits(l.w)
	var most archsimd.Float64x4
	for s := lo; s < hi; s++ {
		a, _ := l.g.Edges(s)
		heads := l.g.From(s)
		b := broadcast(factors, int(l.into[s]))
		c := 0
		for ; c+1 < n; c += 2 {
			var x0, x1 archsimd.Float64x4
			if l.w == nil && l.at == nil {
				k := a*n + c
				for _, h := range heads {
					y, p := (*[2]lane)(m[h*n+c:]), (*[2]lane)(l.p[k:])
					x0, x1 = x0.Add(loadLane(&p[0]).Mul(loadLane(&y[0]))), x1.Add(loadLane(&p[1]).Mul(loadLane(&y[1])))
					k += n
				}
			} else {
				for i, h := range heads {
					y, p := (*[2]lane)(m[h*n+c:]), (*[2]lane)(l.p[l.of(a+i)*n+c:])
					w := broadcast(weights, l.weight(a+i))
					x0, x1 = x0.Add(w.Mul(loadLane(&p[0])).Mul(loadLane(&y[0]))), x1.Add(w.Mul(loadLane(&p[1])).Mul(loadLane(&y[1])))
				}
			}
			x0, x1 = b.Mul(x0), b.Mul(x1)
			to := (*[2]lane)(m[s*n+c:])
			storeLane(&to[0], x0)
			storeLane(&to[1], x1)
			most = most.Max(x0.Max(x1))
		}
		if c < n {
			var x archsimd.Float64x4
			for i, h := range heads {
				w := broadcast(weights, l.weight(a+i))
				x = x.Add(w.Mul(loadLane(&l.p[l.of(a+i)*n+c])).Mul(loadLane(&m[h*n+c])))
			}
			x = b.Mul(x)
			storeLane(&m[s*n+c], x)
			most = most.Max(x)
		}
	}
	storeLane(&top, most)
	archsimd.ClearAVXUpperBits()
	return top
}

// weight returns where in w the weight of edge k is, −1 if it is 1.
func (l *lanes) weight(k int) int {
	if l.w == nil {
		return -1
	}
	return k
}

// ahead is aheadPlain.
func (l *lanes) ahead(r []lane, f []float64, lo, hi int) (top lane) {
	if !lanesVector {
		return l.aheadPlain(r, f, lo, hi)
	}
	n, factors := l.n, asBits(f)
	var most archsimd.Float64x4
	for s := lo; s < hi; s++ {
		a, _ := l.g.Edges(s)
		heads := l.g.From(s)
		b := broadcast(factors, int(l.into[s]))
		for c := range n {
			x := b.Mul(loadLane(&r[s*n+c]))
			storeLane(&r[s*n+c], x)
			for i, h := range heads {
				y := loadLane(&r[h*n+c]).Add(x.Mul(loadLane(&l.p[l.of(a+i)*n+c])))
				storeLane(&r[h*n+c], y)
				most = most.Max(y)
			}
		}
	}
	storeLane(&top, most)
	archsimd.ClearAVXUpperBits()
	return top
}

// meet is meetPlain; out has a number to spare.
func (l *lanes) meet(r, m []lane, out []float64, lo, hi int) {
	if !lanesVector {
		l.meetPlain(r, m, out, lo, hi)
		return
	}
	n := l.n
	for s := lo; s < hi; s++ {
		sum := loadLane(&r[s*n]).Mul(loadLane(&m[s*n]))
		for c := 1; c < n; c++ {
			sum = sum.Add(loadLane(&r[s*n+c]).Mul(loadLane(&m[s*n+c])))
		}
		half := sum.GetLo().Add(sum.GetHi())
		half.AddPairs(half).Store((*[2]float64)(out[s:]))
	}
	archsimd.ClearAVXUpperBits()
}
