package swingnn

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// The identities that define the preconditioning: with data of variance σ_data² the network's input and its target,
// (y − skip·x)/out, have variance 1 at every σ, skip makes out least, and the loss weight cancels out².
func TestPreconditioning(t *testing.T) {
	c := Default()
	c.Sigma = 0.7
	near := func(a, b float64) bool { return math.Abs(a-b) <= 1e-12*(1+math.Abs(b)) }
	for _, s := range []float64{0.002, 0.1, 0.5, 1, 7, 80} {
		skip, out, in := c.precond(s)
		d2 := c.Sigma * c.Sigma
		if v := in * in * (d2 + s*s); !near(v, 1) {
			t.Errorf("σ = %g: input variance %g", s, v)
		}
		target := func(skip float64) float64 { return (1-skip)*(1-skip)*d2 + skip*skip*s*s } // variance of y − skip·x
		if v := target(skip) / (out * out); !near(v, 1) {
			t.Errorf("σ = %g: target variance %g", s, v)
		}
		if target(skip) > target(skip+1e-3) || target(skip) > target(skip-1e-3) {
			t.Errorf("σ = %g: skip %g is not the best", s, skip)
		}
		if w := c.weight(s) * out * out; !near(w, 1) {
			t.Errorf("σ = %g: weight %g of the network's error", s, w)
		}
	}
}

func TestSchedule(t *testing.T) {
	s := schedule(18, 0.002, 80, 7)
	if len(s) != 19 || math.Abs(s[0]-80) > 1e-12 || math.Abs(s[17]-0.002) > 1e-15 || s[18] != 0 {
		t.Errorf("ends %v", s)
	}
	for i := range 16 { // σ^(1/ρ) is equally spaced
		if d := math.Pow(s[i], 1./7) - math.Pow(s[i+1], 1./7); math.Abs(d-(math.Pow(80, 1./7)-math.Pow(0.002,
			1./7))/17) > 1e-12 {
			t.Errorf("step %d: %g", i, d)
		}
	}
	if one := schedule(1, 0.002, 80, 7); !slices.Equal(one, []float64{schedule(2, 0.002, 80, 7)[0], 0}) {
		t.Errorf("one level: %v", one)
	}
}

// The exact denoiser against finite differences of the log density: Tweedie's D = x + σ²∇ log p(x; σ).
func TestExact(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	const K, dim = 5, 4
	points := gauss(rng, K*dim, 1)
	den := Exact(points, dim)
	logp := func(x []float64, s float64) float64 {
		sum := 0.0
		for k := range K {
			r := 0.0
			for c := range dim {
				r += (x[c] - points[k*dim+c]) * (x[c] - points[k*dim+c])
			}
			sum += math.Exp(-r / (2 * s * s))
		}
		return math.Log(sum)
	}
	for _, s := range []float64{0.3, 1, 5} {
		x, d := gauss(rng, 3*dim, 1), make([]float64, 3*dim)
		if err := den(d, x, nil, s); err != nil {
			t.Fatal(err)
		}
		for i := range x {
			own := x[i/dim*dim : i/dim*dim+dim]
			const eps = 1e-5
			z := x[i]
			x[i] = z + eps
			up := logp(own, s)
			x[i] = z - eps
			slope := (up - logp(own, s)) / (2 * eps)
			x[i] = z
			if want := z + s*s*slope; math.Abs(d[i]-want) > 1e-6*(1+math.Abs(want)) {
				t.Errorf("σ = %g, coordinate %d: %g, want %g", s, i, d[i], want)
			}
		}
	}
}
