package pcg

import (
	"math/rand/v2"
	"testing"
)

// A source has the numbers of math/rand/v2, one by one and many at once.
func TestSource(t *testing.T) {
	for seed := range uint64(20) {
		seed *= 0x123456789abcdef1
		want, s := rand.New(rand.NewPCG(seed, mix(seed/3))), Of(seed, seed/3)
		r := rand.New(s)
		u := make([][8]float64, 30)
		for k := range 8 {
			s.Column(u, k)
			for i := range u {
				if x := want.Float64(); u[i][k] != x {
					t.Fatalf("seed %d, number %d of column %d: %v, want %v", seed, i, k, u[i][k], x)
				}
			}
			if x, y := want.Float64(), s.Float64(); x != y {
				t.Fatalf("seed %d: %v after column %d, want %v", seed, y, k, x)
			}
			if x, y := want.IntN(1e9), r.IntN(1e9); x != y {
				t.Fatalf("seed %d: %d after column %d, want %d", seed, y, k, x)
			}
		}
	}
}
