package vec

import (
	"math"
	"math/rand/v2"
	"testing"
)

func sigmoid(x float64) float64 { return 1 / (1 + math.Exp(-x)) }

// gru64 is Gates of one unit in float64.
func gru64(g, a [3]float64, h float64) (c, r, z, to float64) {
	r, z = sigmoid(g[1]+a[0]), sigmoid(g[2]+a[1])
	c = math.Tanh(g[0] + r*a[2])
	return c, r, z, c + z*(h-c)
}

// A step of the unit and its gradients against float64: the gradients by central differences.
func TestGates(t *testing.T) {
	eachLevel(t, func(t *testing.T) {
		rng := rand.New(rand.NewPCG(7, 1))
		const n, eps = 5, 1e-5
		g, a, h, d, to := blocks(rng, 3*n), blocks(rng, 3*n), blocks(rng, n), blocks(rng, n), make([]Block, n)
		g[0][0], a[0][1], a[1][2], g[0][3] = 200, -200, 200, -200
		in := append([]Block(nil), g...)
		left, grad := append([]Block(nil), d...), make([]Block, 4*n)
		Gates(g, a, h, to)
		GatesBack(left, g, a[2*n:], h, grad)
		for j := range n {
			for k := range Lanes {
				var gs, as [3]float64
				for i := range gs {
					gs[i], as[i] = float64(in[i*n+j][k]), float64(a[i*n+j][k])
				}
				x := float64(h[j][k])
				c, r, z, y := gru64(gs, as, x)
				near(t, "c", g[j][k], c, 1e-6)
				near(t, "r", g[n+j][k], r, 1e-6)
				near(t, "z", g[2*n+j][k], z, 1e-6)
				near(t, "h'", to[j][k], y, 1e-6)
				slope := func(at *float64) float64 {
					*at += eps
					_, _, _, up := gru64(gs, as, x)
					*at -= 2 * eps
					_, _, _, down := gru64(gs, as, x)
					*at += eps
					return float64(d[j][k]) * (up - down) / (2 * eps)
				}
				for i, at := range []*float64{&gs[0], &gs[1], &gs[2], &as[2]} {
					near(t, "a gradient", grad[i*n+j][k], slope(at), 2e-6)
				}
				near(t, "a gradient by h", left[j][k], slope(&x), 2e-6)
			}
		}
	})
}

// Outputs that are added, at a stride, against float64; what lies between the rows stays.
func TestDenseAdd(t *testing.T) {
	eachLevel(t, func(t *testing.T) {
		rng := rand.New(rand.NewPCG(8, 1))
		for _, n := range []int{1, 32, 70} {
			for outs := range 19 {
				for _, stride := range []int{Lanes, 64} {
					w, x, y := numbers(rng, outs*n), blocks(rng, n), numbers(rng, outs*stride)
					before := append([]float32(nil), y...)
					DenseAdd(y, stride, w, x)
					for i := range y {
						want := float64(before[i])
						if k := i % stride; k < Lanes {
							for q := range x {
								want += float64(w[i/stride*n+q]) * float64(x[q][k])
							}
						}
						near(t, "an entry", y[i], want, 1e-5)
					}
				}
			}
		}
	})
}

// Products against plain ones, to the bit.
func TestTimes(t *testing.T) {
	eachLevel(t, func(t *testing.T) {
		rng := rand.New(rand.NewPCG(9, 1))
		for n := range 70 {
			x, y, to := numbers(rng, n), numbers(rng, n), make([]float32, n)
			Times(to, x, y)
			for i := range to {
				if to[i] != x[i]*y[i] {
					t.Fatalf("%g·%g is %g", x[i], y[i], to[i])
				}
			}
		}
	})
}

// AVX2 and AVX-512 give the same bits.
func TestSameGates(t *testing.T) {
	for _, n := range []int{1, 2, 37, 96} {
		requireSame(t, "gates", n, kinds(avx2, func(rng *rand.Rand) []float32 {
			g, a, h, d, to := blocks(rng, 3*n), blocks(rng, 3*n), blocks(rng, n), blocks(rng, n), blocks(rng, n)
			grad := make([]Block, 4*n)
			Gates(g, a, h, to)
			GatesBack(d, g, a[2*n:], h, grad)
			y := numbers(rng, 7*3*Lanes)
			DenseAdd(y, 3*Lanes, numbers(rng, n*7), h[:n])
			return append(append(append(Flat(d), Flat(grad)...), Flat(to)...), y...)
		}))
	}
}
