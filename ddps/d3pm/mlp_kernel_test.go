package d3pm

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/ddps-go/ddps/ddps/internal/engine"
)

// The kernels in use against float64, at widths that leave remainders.
func TestMLPKernels(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 1))
	for _, n := range []int{1, 7, 8, 33} {
		w, b, x := make([]float32, 13*n), make([]float32, 13), make([]mlpLane, n)
		engine.Normal(rng, w, 1)
		engine.Normal(rng, b, 1)
		for i := range x {
			engine.Normal(rng, x[i][:], 1)
		}
		for outs := 1; outs <= 13; outs += 2 {
			y := make([]mlpLane, outs)
			mlpDense(y, w, b, x)
			for j := range y {
				for k := range y[j] {
					want := float64(b[j])
					for i := range x {
						want += float64(w[j*n+i]) * float64(x[i][k])
					}
					if math.Abs(want-float64(y[j][k])) > 1e-5 {
						t.Fatalf("dense %d×%d, output %d lane %d: %g, want %g", outs, n, j, k, y[j][k], want)
					}
				}
			}
		}
		sum, row := w[:n], w[12*n:]
		want := make([]float64, n)
		for i := range want {
			want[i] = float64(sum[i]) + 3*float64(row[i])
		}
		mlpAxpy(sum, row, 2)
		mlpAdd(sum, row)
		for i := range want {
			if math.Abs(want[i]-float64(sum[i])) > 1e-5 {
				t.Fatalf("axpy, add of %d: entry %d is %g, want %g", n, i, sum[i], want[i])
			}
		}
	}
}

func TestMLPSilu(t *testing.T) {
	for z := -120.0; z < 120; z += 0.0137 {
		var y, h mlpLane
		for k := range y {
			y[k], h[k] = float32(z+float64(k)), 1
		}
		mlpSilu([]mlpLane{h}, []mlpLane{y}, false)
		got, same := []mlpLane{h}, []mlpLane{y}
		mlpSilu(got, same, true)
		mlpSilu(same, same, false)
		for k := range y {
			want := float64(y[k]) / (1 + math.Exp(-float64(y[k])))
			if math.Abs(float64(same[0][k])-want) > 5e-7*max(1e-3, math.Abs(want)) || math.Abs(float64(got[0][k])-want-1) > 2e-7*(1+math.Abs(want)) {
				t.Fatalf("silu(%g) is %g, added to %g %g; want %g", y[k], same[0][k], h[k], got[0][k], want)
			}
		}
	}
}
