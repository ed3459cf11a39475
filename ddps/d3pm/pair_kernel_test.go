package d3pm

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/ddps-go/ddps/ddps/internal/engine"
)

// The kernels of this build against those in plain Go.
func TestPairKernels(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 1))
	for n := 1; n <= 6; n++ {
		for edges := range 7 {
			vec := func(k int) []pairVec {
				x := make([]pairVec, k)
				for i := range x {
					engine.Normal(rng, x[i][:], 1)
				}
				return x
			}
			src, at, w := vec(5*n), make([]int32, edges), make([]float32, edges)
			for i := range at {
				at[i] = int32(rng.IntN(5) * n)
			}
			engine.Normal(rng, w, 1)
			x, y, z, u := vec(n), vec(n), vec(n), vec(n)
			got, want := slices.Clone(x), slices.Clone(x)
			pairGather(got, got, src, at, w)
			pairGatherPlain(want, want, src, at, w)
			pairSame(t, "gather", got, want)
			a, b := make([]float32, 8), make([]float32, 8)
			pairDots(a, x, src, at)
			pairDotsPlain(b, x, src, at)
			a[edges], b[edges] = pairDotDiff(x, y, z), pairDotDiffPlain(x, y, z)
			for i := range edges + 1 {
				if !near(float64(a[i]), float64(b[i]), 1e-5) {
					t.Errorf("dots: %v, want %v", a, b)
				}
			}
			pairMul(got, x, y)
			pairMulPlain(want, x, y)
			pairAxpy(got, z, 0.3)
			pairAxpyPlain(want, z, 0.3)
			pairSame(t, "mul, axpy", got, want)
			pairBackA(got, y, z, u, 0.7)
			pairBackAPlain(want, y, z, u, 0.7)
			pairSame(t, "backA", got, want)
			db, dc := slices.Clone(y), slices.Clone(z)
			pairBackS(got, db, dc, x, u, z, 0.7)
			db2, dc2 := slices.Clone(y), slices.Clone(z)
			pairBackSPlain(want, db2, dc2, x, u, z, 0.7)
			pairSame(t, "backS", append(append(got, db...), dc...), append(append(want, db2...), dc2...))
		}
	}
}

func pairSame(t *testing.T, name string, got, want []pairVec) {
	t.Helper()
	for k := range want {
		for i := range want[k] {
			if !near(float64(got[k][i]), float64(want[k][i]), 1e-5) {
				t.Errorf("%s: [%d][%d] = %v, want %v", name, k, i, got[k][i], want[k][i])
			}
		}
	}
}
