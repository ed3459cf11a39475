package engine

import (
	"math"
	"math/rand/v2"
	"testing"
)

// The kernel has the bits of the plain loop at every length, and tells of what is not finite wherever that is.
func TestAdamW(t *testing.T) {
	a := adamW{beta1: 0.9, beta2: 0.999, scale: 0.7, decay: 1e-4, step: 1e-3, eps: 1e-8, keep: 0.99}
	rng := rand.New(rand.NewPCG(1, 2))
	for n := range 40 {
		var x, y [5][]float32
		for k := range x {
			for range n {
				z := float32(rng.NormFloat64())
				if k == 3 { // v
					z *= z
				}
				x[k] = append(x[k], z)
			}
			y[k] = append(y[k], x[k]...)
		}
		if a.update(x[0], x[1], x[2], x[3], x[4]) != 0 || a.plain(y[0], y[1], y[2], y[3], y[4]) != 0 {
			t.Fatalf("%d finite numbers are told to be none", n)
		}
		for k := range x {
			for j := range x[k] {
				if math.Float32bits(x[k][j]) != math.Float32bits(y[k][j]) {
					t.Fatalf("array %d of length %d: entry %d is %v, want %v", k, n, j, x[k][j], y[k][j])
				}
			}
		}
		for j := range n {
			w := append([]float32(nil), x[0]...)
			w[j] = float32(math.Inf(1))
			if odd := a.update(w, x[1], x[2], x[3], x[4]); odd == odd {
				t.Fatalf("infinity at %d of %d is not told", j, n)
			}
		}
	}
}
