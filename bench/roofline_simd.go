//go:build goexperiment.simd && amd64

package main

import "simd/archsimd"

const peakFlops = 1 << 20 // operations a round

var (
	peakSink [8]float32
	wideSink [16]float32
)

// peak does rounds × peakFlops operations: twelve independent sums of eight lanes, enough to hide the latency.
func peak(rounds int) {
	x, y := archsimd.BroadcastFloat32x8(.999), archsimd.BroadcastFloat32x8(1e-3)
	a, b, c, d, e, f := y, y, y, y, y, y
	g, h, i, j, k, l := y, y, y, y, y, y
	for range rounds * peakFlops / (12 * 8 * 2) {
		a, b, c = a.MulAdd(x, y), b.MulAdd(x, y), c.MulAdd(x, y)
		d, e, f = d.MulAdd(x, y), e.MulAdd(x, y), f.MulAdd(x, y)
		g, h, i = g.MulAdd(x, y), h.MulAdd(x, y), i.MulAdd(x, y)
		j, k, l = j.MulAdd(x, y), k.MulAdd(x, y), l.MulAdd(x, y)
	}
	a.Add(b).Add(c).Add(d).Add(e).Add(f).Add(g).Add(h).Add(i).Add(j).Add(k).Add(l).Store(&peakSink)
	archsimd.ClearAVXUpperBits()
}

func triad(x, y, z []float32) {
	three, n := archsimd.BroadcastFloat32x8(3), len(x)/8*8
	y, z = y[:len(x)], z[:len(x)]
	for i := 0; i < n; i += 8 {
		three.MulAdd(archsimd.LoadFloat32x8Slice(z[i:]), archsimd.LoadFloat32x8Slice(y[i:])).StoreSlice(x[i:])
	}
	archsimd.ClearAVXUpperBits()
	triadPlain(x[n:], y[n:], z[n:])
}

// hasWide tells whether the processor has vectors of sixteen.
func hasWide() bool { return archsimd.X86.AVX512() }

// peakWide is peak with the vectors of AVX-512, which PyTorch's libraries use where they can.
func peakWide(rounds int) {
	x, y := archsimd.BroadcastFloat32x16(.999), archsimd.BroadcastFloat32x16(1e-3)
	a, b, c, d, e, f := y, y, y, y, y, y
	g, h, i, j, k, l := y, y, y, y, y, y
	for range rounds * peakFlops / (12 * 16 * 2) {
		a, b, c = a.MulAdd(x, y), b.MulAdd(x, y), c.MulAdd(x, y)
		d, e, f = d.MulAdd(x, y), e.MulAdd(x, y), f.MulAdd(x, y)
		g, h, i = g.MulAdd(x, y), h.MulAdd(x, y), i.MulAdd(x, y)
		j, k, l = j.MulAdd(x, y), k.MulAdd(x, y), l.MulAdd(x, y)
	}
	a.Add(b).Add(c).Add(d).Add(e).Add(f).Add(g).Add(h).Add(i).Add(j).Add(k).Add(l).Store(&wideSink)
	archsimd.ClearAVXUpperBits()
}
