//go:build !goexperiment.simd || !amd64

package main

import "runtime"

const peakFlops = 1 << 20 // operations a round

// peak does rounds × peakFlops operations: eight independent sums.
func peak(rounds int) {
	var s [8]float32
	a, b, c, d, e, f, g, h := s[0], s[1], s[2], s[3], s[4], s[5], s[6], s[7]
	x, y := float32(.999), float32(1e-3)
	for range rounds * peakFlops / 16 {
		a, b, c, d = a*x+y, b*x+y, c*x+y, d*x+y
		e, f, g, h = e*x+y, f*x+y, g*x+y, h*x+y
	}
	runtime.KeepAlive(a + b + c + d + e + f + g + h)
}

func triad(x, y, z []float32) { triadPlain(x, y, z) }

func hasWide() bool { return false }

func peakWide(int) {}
