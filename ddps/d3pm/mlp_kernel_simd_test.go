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

// The UNet's loops in vectors give the bits of those in plain Go.
func TestUNetKernels(t *testing.T) {
	if !mlpVector {
		t.Skip("no AVX2 with FMA")
	}
	rng := rand.New(rand.NewPCG(2, 1))
	for _, n := range []int{1, 6, 37} {
		x, film := make([]mlpLane, 2*n), make([]float32, 2*n)
		engine.Normal(rng, mlpFlat(x), 1)
		engine.Normal(rng, film, 1)
		for _, f := range [][]float32{nil, film} {
			for _, by := range []bool{false, true} {
				got, want := make([]mlpLane, n), make([]mlpLane, n)
				unetNorm(got, x[:n], f, by)
				unetNormPlain(want, x[:n], f, by)
				if !slices.Equal(got, want) {
					t.Errorf("%d channels, film %v, norm %v: other numbers", n, f != nil, by)
				}
			}
		}
		got, want := make([]mlpLane, n), make([]mlpLane, n)
		unetMean(mlpFlat(got), mlpFlat(x[:n]), mlpFlat(x[n:]))
		unetMeanPlain(mlpFlat(want), mlpFlat(x[:n]), mlpFlat(x[n:]))
		if !slices.Equal(got, want) {
			t.Errorf("%d channels: other means", n)
		}
	}
}
