//go:build goexperiment.simd && amd64

package octet

import (
	"simd/archsimd"
	"unsafe"
)

// The inner loops of Pair for AVX-512: two numbers of eight samples in a vector.

// pairs are sixteen numbers of a vector, in lanes.
type pairs [8][2 * Width]float32

func load16(x *[2 * Width]float32) archsimd.Float32x16 { return archsimd.LoadFloat32x16(x) }

// twice returns q in both halves.
func twice(q archsimd.Float32x8) archsimd.Float32x16 {
	var x archsimd.Float32x16
	return x.SetLo(q).SetHi(q)
}

// spreads are the places of a pair of sixteen numbers, eight times each.
var spreads = [8][2 * Width]uint32{
	{0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1, 1, 1},
	{2, 2, 2, 2, 2, 2, 2, 2, 3, 3, 3, 3, 3, 3, 3, 3},
	{4, 4, 4, 4, 4, 4, 4, 4, 5, 5, 5, 5, 5, 5, 5, 5},
	{6, 6, 6, 6, 6, 6, 6, 6, 7, 7, 7, 7, 7, 7, 7, 7},
	{8, 8, 8, 8, 8, 8, 8, 8, 9, 9, 9, 9, 9, 9, 9, 9},
	{10, 10, 10, 10, 10, 10, 10, 10, 11, 11, 11, 11, 11, 11, 11, 11},
	{12, 12, 12, 12, 12, 12, 12, 12, 13, 13, 13, 13, 13, 13, 13, 13},
	{14, 14, 14, 14, 14, 14, 14, 14, 15, 15, 15, 15, 15, 15, 15, 15},
}

// pair16 returns the j-th pair of numbers of x, each in a half. It takes no number by itself: that would cost a switch
// between AVX and SSE.
func pair16(x archsimd.Float32x16, j int) archsimd.Float32x16 {
	return x.Permute(archsimd.LoadUint32x16(&spreads[j]))
}

// gather16 is gather for H a multiple of sixteen.
func gather16(x []Single, v int, base []float32, H int, at []int32, w []Single) {
	w = w[:len(at)]
	from := unsafe.Pointer(unsafe.SliceData(x))
	size := uintptr(H) * unsafe.Sizeof(Single{})
	for h := 0; h < H; h += 16 {
		b := load16((*[16]float32)(base[v*H+h:]))
		s0, s1, s2, s3 := pair16(b, 0), pair16(b, 1), pair16(b, 2), pair16(b, 3)
		s4, s5, s6, s7 := pair16(b, 4), pair16(b, 5), pair16(b, 6), pair16(b, 7)
		piece := unsafe.Add(from, uintptr(h)*unsafe.Sizeof(Single{}))
		for i, j := range at {
			q, y := twice(load8(&w[i])), (*pairs)(unsafe.Add(piece, uintptr(j)*size))
			s0, s1 = load16(&y[0]).MulAdd(q, s0), load16(&y[1]).MulAdd(q, s1)
			s2, s3 = load16(&y[2]).MulAdd(q, s2), load16(&y[3]).MulAdd(q, s3)
			s4, s5 = load16(&y[4]).MulAdd(q, s4), load16(&y[5]).MulAdd(q, s5)
			s6, s7 = load16(&y[6]).MulAdd(q, s6), load16(&y[7]).MulAdd(q, s7)
		}
		d := (*pairs)(unsafe.Pointer(&x[v*H+h]))
		s0.Store(&d[0])
		s1.Store(&d[1])
		s2.Store(&d[2])
		s3.Store(&d[3])
		s4.Store(&d[4])
		s5.Store(&d[5])
		s6.Store(&d[6])
		s7.Store(&d[7])
	}
}

// dot16 is dot.
func dot16(to *Single, x, y []Single) {
	var s0, s1, s2, s3 archsimd.Float32x16
	for h := 0; h+16 <= len(x) && h+16 <= len(y); h += 16 {
		a, b := (*pairs)(unsafe.Pointer(&x[h])), (*pairs)(unsafe.Pointer(&y[h]))
		s0, s1 = load16(&a[0]).MulAdd(load16(&b[0]), s0), load16(&a[1]).MulAdd(load16(&b[1]), s1)
		s2, s3 = load16(&a[2]).MulAdd(load16(&b[2]), s2), load16(&a[3]).MulAdd(load16(&b[3]), s3)
		s0, s1 = load16(&a[4]).MulAdd(load16(&b[4]), s0), load16(&a[5]).MulAdd(load16(&b[5]), s1)
		s2, s3 = load16(&a[6]).MulAdd(load16(&b[6]), s2), load16(&a[7]).MulAdd(load16(&b[7]), s3)
	}
	s0, s1 = s0.Add(s2), s1.Add(s3)
	s0.GetLo().Add(s0.GetHi()).Add(s1.GetLo().Add(s1.GetHi())).Store(to)
}

// dotDiff16 is dotDiff.
func dotDiff16(to *Single, u []Single, a, b []float32) {
	var s0, s1, s2, s3 archsimd.Float32x16
	for h := 0; h+16 <= len(u); h += 16 {
		x := (*pairs)(unsafe.Pointer(&u[h]))
		p, q := load16((*[16]float32)(a[h:])), load16((*[16]float32)(b[h:]))
		s0, s1 = diff16(&x[0], p, q, 0, s0), diff16(&x[1], p, q, 1, s1)
		s2, s3 = diff16(&x[2], p, q, 2, s2), diff16(&x[3], p, q, 3, s3)
		s0, s1 = diff16(&x[4], p, q, 4, s0), diff16(&x[5], p, q, 5, s1)
		s2, s3 = diff16(&x[6], p, q, 6, s2), diff16(&x[7], p, q, 7, s3)
	}
	s0, s1 = s0.Add(s2), s1.Add(s3)
	s0 = s0.Add(s1)
	s0.GetLo().Add(s0.GetHi()).Store(to)
}

// diff16 adds to sum a·(u−b) of the j-th pair of a and b.
func diff16(u *[2 * Width]float32, a, b archsimd.Float32x16, j int, sum archsimd.Float32x16) archsimd.Float32x16 {
	return load16(u).Sub(pair16(b, j)).MulAdd(pair16(a, j), sum)
}
