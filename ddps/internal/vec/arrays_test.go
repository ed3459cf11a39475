package vec

import (
	"math"
	"math/rand/v2"
	"testing"
)

// numbers returns n normal numbers.
func numbers(rng *rand.Rand, n int) []float32 {
	x := make([]float32, n)
	for i := range x {
		x[i] = float32(rng.NormFloat64())
	}
	return x
}

func blocks(rng *rand.Rand, n int) []Block {
	x := make([]Block, n)
	copy(Flat(x), numbers(rng, Lanes*n))
	return x
}

// eachLevel runs f with the kernels of each level that the CPU has.
func eachLevel(t *testing.T, f func(t *testing.T)) {
	for l := plainGo; l <= best; l++ {
		restore := lower(l)
		t.Run(Kind(), f)
		restore()
	}
}

func near(t *testing.T, what string, got float32, want, tolerance float64) {
	t.Helper()
	if !(math.Abs(float64(got)-want) <= tolerance*(1+math.Abs(want))) {
		t.Fatalf("%s is %g, want %g", what, got, want)
	}
}

// A dense layer against float64, at sizes that leave every remainder of a tile.
func TestDense(t *testing.T) {
	eachLevel(t, func(t *testing.T) {
		rng := rand.New(rand.NewPCG(1, 1))
		for _, n := range []int{0, 1, 7, 33} {
			for outs := range 18 {
				w, b, x, y := numbers(rng, outs*n), numbers(rng, outs), blocks(rng, n), make([]Block, outs)
				Dense(y, w, b, x)
				for j := range y {
					for k := range y[j] {
						want := float64(b[j])
						for i := range x {
							want += float64(w[j*n+i]) * float64(x[i][k])
						}
						near(t, "an output", y[j][k], want, 1e-5)
					}
				}
			}
		}
	})
}

// The first layer against float64; lanes beyond n keep nothing of the others.
func TestDenseInput(t *testing.T) {
	eachLevel(t, func(t *testing.T) {
		rng := rand.New(rand.NewPCG(2, 1))
		for _, H := range []int{1, 8, 37, 104} {
			const rows, choices = 5, 20
			h, sum, bias, in := make([]Block, H), make([]float32, Lanes*H), numbers(rng, H), numbers(rng, choices*H)
			at := make([]int32, Lanes*rows)
			for i := range at {
				at[i] = rng.Int32N(choices) * int32(H)
			}
			for _, n := range []int{0, 1, 9, Lanes} {
				DenseInput(h, sum, bias, in, at, n)
				for j := range h {
					for k := range n {
						z := float64(bias[j])
						for _, a := range at[k*rows : (k+1)*rows] {
							z += float64(in[int(a)+j])
						}
						near(t, "a unit", h[j][k], z/(1+math.Exp(-z)), 1e-5)
					}
				}
			}
		}
	})
}

// The loops over arrays against float64, at every length up to 100.
func TestArrays(t *testing.T) {
	eachLevel(t, func(t *testing.T) {
		rng := rand.New(rand.NewPCG(3, 1))
		for n := range 100 {
			x, y, rows := numbers(rng, n), numbers(rng, n), numbers(rng, 4*n)
			sum, mean := append([]float32(nil), y...), make([]float32, n)
			Average(mean, x, y)
			Axpy(sum, x, 2)
			Add(sum, y)
			Gather(sum, rows, []int32{3, 0, 3})
			for i := range x {
				near(t, "a mean", mean[i], (float64(x[i])+float64(y[i]))/2, 1e-7)
				near(t, "a sum", sum[i], 2*(float64(y[i])+float64(x[i])+float64(rows[3*n+i]))+float64(rows[i]), 1e-6)
			}
		}
	})
}

// Transposing is exact.
func TestTurn(t *testing.T) {
	eachLevel(t, func(t *testing.T) {
		rng := rand.New(rand.NewPCG(4, 1))
		for _, n := range []int{1, 8, 31, 32, 77} {
			x, rows := blocks(rng, n), numbers(rng, Lanes*n)
			y, to := append([]Block(nil), x...), make([]Block, (n+Lanes-1)/Lanes*Lanes)
			TurnAdd(y, rows)
			Turn(to, x)
			for j := range n {
				for k := range Lanes {
					if y[j][k] != x[j][k]+rows[k*n+j] || to[j/Lanes*Lanes+k][j%Lanes] != x[j][k] {
						t.Fatalf("%d units: unit %d of lane %d is another", n, j, k)
					}
				}
			}
			for _, cols := range []int{1, 8, 45} {
				from, turned := numbers(rng, n*cols), make([]float32, n*cols)
				Transpose(turned, from, n, cols)
				for i, z := range from {
					if turned[i%cols*n+i/cols] != z {
						t.Fatalf("%d×%d: entry %d is another", n, cols, i)
					}
				}
			}
		}
	})
}

// silu and its slope against float64, and both ways of setting h.
func TestSilu(t *testing.T) {
	eachLevel(t, func(t *testing.T) {
		for z := -120.0; z < 120; z += 0.137 {
			var y, h, d Block
			for k := range y {
				y[k], h[k], d[k] = float32(z+float64(k)/8), 1, 3
			}
			got, same, slope := []Block{h}, []Block{y}, []Block{d}
			Silu(got, same, true)
			SiluBack(slope, same)
			Silu(same, same, false)
			for k, z := range y {
				s := 1 / (1 + math.Exp(-float64(z)))
				near(t, "silu", same[0][k], float64(z)*s, 1e-6)
				near(t, "1 + silu", got[0][k], 1+float64(z)*s, 1e-6)
				near(t, "3·silu'", slope[0][k], 3*s*(1+float64(z)*(1-s)), 1e-5)
			}
		}
	})
}

// The exponential against float64, at any place, clamped beyond 87, and NaN of NaN.
func TestExps(t *testing.T) {
	eachLevel(t, func(t *testing.T) {
		for n := range 70 {
			x := make([]float32, n)
			for i := range x {
				x[i] = float32(i*5-n*2) + 0.3
			}
			y := append([]float32(nil), x...)
			Exps(y)
			for i, z := range x {
				e := math.Exp(min(87, max(-87, float64(z))))
				if math.Abs(float64(y[i])/e-1) > 3e-7 {
					t.Fatalf("e^%g is %g, want %g", z, y[i], e)
				}
				one := []float32{z}
				if Exps(one); one[0] != y[i] {
					t.Fatalf("e^%g is %g alone, %g at place %d of %d", z, one[0], y[i], i, n)
				}
			}
		}
		x := []float32{float32(math.NaN()), float32(math.Inf(1)), float32(math.Inf(-1))}
		if Exps(x); x[0] == x[0] || x[1] < 6e37 || x[2] > 2e-38 {
			t.Errorf("e^x of NaN, ∞ and −∞ are %v", x)
		}
	})
}
