package vec

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// kinds returns the bits of what f gives with the kernels of levels from lowest to that of the CPU.
func kinds(lowest level, f func(rng *rand.Rand) []float32) (bits [][]uint32) {
	for l := lowest; l <= best; l++ {
		restore := lower(l)
		var b []uint32
		for _, x := range f(rand.New(rand.NewPCG(5, 1))) {
			b = append(b, math.Float32bits(x))
		}
		bits = append(bits, b)
		restore()
	}
	return bits
}

func requireSame(t *testing.T, what string, n int, bits [][]uint32) {
	t.Helper()
	for _, b := range bits {
		if !slices.Equal(b, bits[0]) {
			t.Errorf("%s of %d: the kinds of kernels give other bits", what, n)
		}
	}
}

// AVX2 and AVX-512 give the same bits.
func TestSameVectors(t *testing.T) {
	for _, n := range []int{1, 2, 37, 104, 192} {
		for outs := 1; outs < 19; outs++ {
			requireSame(t, "dense", n, kinds(avx2, func(rng *rand.Rand) []float32 {
				y := make([]Block, outs)
				Dense(y, numbers(rng, outs*n), numbers(rng, outs), blocks(rng, n))
				return Flat(y)
			}))
		}
		requireSame(t, "silu", n, kinds(avx2, func(rng *rand.Rand) []float32 {
			x, y := blocks(rng, n), blocks(rng, n)
			Silu(y, x, true)
			SiluBack(x, y)
			Silu(y, x, false)
			return append(Flat(x), Flat(y)...)
		}))
		requireSame(t, "exp and axpy", n, kinds(avx2, func(rng *rand.Rand) []float32 {
			x, y := numbers(rng, n), numbers(rng, n)
			Exps(x)
			Axpy(y, x, 1.1)
			return append(x, y...)
		}))
	}
}

// Where nothing is fused, plain Go gives the same bits too.
func TestSamePlain(t *testing.T) {
	for n := 1; n < 80; n++ {
		for _, eps := range []float32{0, 1e-5} {
			requireSame(t, "norm", n, kinds(plainGo, func(rng *rand.Rand) []float32 {
				x, y, z := blocks(rng, n), make([]Block, n), make([]Block, n)
				Norm(y, x, nil, eps)
				Norm(z, x, numbers(rng, 2*n), eps)
				return append(Flat(y), Flat(z)...)
			}))
		}
		requireSame(t, "sums", n, kinds(plainGo, func(rng *rand.Rand) []float32 {
			x, y, z := numbers(rng, n), numbers(rng, n), numbers(rng, n)
			Average(z, x, y)
			Add(y, z)
			Gather(z, numbers(rng, 3*n), []int32{2, 0})
			return append(y, z...)
		}))
		requireSame(t, "AdamW", n, kinds(plainGo, func(rng *rand.Rand) []float32 {
			w, g, m, v, mean := numbers(rng, n), numbers(rng, n), numbers(rng, n), numbers(rng, n), numbers(rng, n)
			for i := range v {
				v[i] *= v[i]
			}
			a := AdamW{Beta1: 0.9, Beta2: 0.999, Scale: 0.7, Decay: 1e-4, Step: 1e-3, Eps: 1e-8, Keep: 0.99}
			if !a.Update(w, g, m, v, mean) {
				t.Error("finite numbers are reported not to be")
			}
			return slices.Concat(w, m, v, mean)
		}))
	}
}

// A weight that is not finite is reported wherever it is.
func TestAdamWNotFinite(t *testing.T) {
	a := AdamW{Beta1: 0.9, Beta2: 0.999, Scale: 1, Decay: 1e-4, Step: 1e-3, Eps: 1e-8, Keep: 0.99}
	eachLevel(t, func(t *testing.T) {
		for n := range 40 {
			for j := range n {
				var x [5][]float32
				for i := range x {
					x[i] = make([]float32, n)
				}
				x[j%2*3][j] = float32(math.Inf(1)) // w or v
				if a.Update(x[0], x[1], x[2], x[3], x[4]) {
					t.Fatalf("infinity at %d of %d is not reported", j, n)
				}
			}
		}
	})
}

// The logarithms and exponentials of arrays have the bits of Log and ExpDown.
func TestLogs(t *testing.T) {
	special := []float64{0, math.Copysign(0, -1), 5e-324, 0x1p-1022, 0x1p-1023, math.Sqrt2 / 2, 1, math.MaxFloat64}
	eachLevel(t, func(t *testing.T) {
		rng := rand.New(rand.NewPCG(6, 1))
		for n := range 60 {
			x := make([]float64, n)
			for i := range x {
				x[i] = math.Exp(1400 * (rng.Float64() - 0.5))
			}
			if n > 20 {
				copy(x[n-20:], special)
			}
			y, down := slices.Clone(x), make([]float64, n)
			for i := range down {
				down[i] = -800 * rng.Float64() * rng.Float64()
			}
			if n > 20 {
				copy(down[n-20:], []float64{0, math.Inf(-1), -708, -709, -5e-324})
			}
			z := slices.Clone(down)
			Logs(y)
			ExpsDown(z)
			for i := range x {
				if math.Float64bits(y[i]) != math.Float64bits(Log(x[i])) {
					t.Fatalf("log %g is %g, want %g", x[i], y[i], Log(x[i]))
				}
				if math.Float64bits(z[i]) != math.Float64bits(ExpDown(down[i])) {
					t.Fatalf("e^%g is %g, want %g", down[i], z[i], ExpDown(down[i]))
				}
			}
		}
	})
}
