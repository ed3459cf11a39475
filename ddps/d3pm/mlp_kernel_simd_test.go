//go:build goexperiment.simd && amd64

package d3pm

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/ddps-go/ddps/ddps/internal/engine"
)

// Vectors of eight and of sixteen give the same bits.
func TestMLPKernelsWide(t *testing.T) {
	if !mlpWide {
		t.Skip("no AVX-512")
	}
	defer func() { mlpWide = true }()
	rng := rand.New(rand.NewPCG(1, 1))
	for _, n := range []int{1, 2, 37, 192} {
		for outs := 1; outs < 15; outs++ {
			w, b, x := make([]float32, outs*n), make([]float32, outs), make([]mlpLane, n)
			engine.Normal(rng, w, 1)
			engine.Normal(rng, b, 1)
			for i := range x {
				engine.Normal(rng, x[i][:], 1)
			}
			var got [2][]mlpLane
			for i := range got {
				mlpWide = i == 1
				got[i] = make([]mlpLane, outs)
				mlpDense(got[i], w, b, x)
				mlpSilu(got[i], got[i], true)
			}
			if !slices.Equal(got[0], got[1]) {
				t.Errorf("%d×%d: other numbers", outs, n)
			}
		}
	}
}
