package metrics

import (
	"errors"
	"math"
	"math/rand/v2"
	"runtime"
	"slices"
	"testing"

	"github.com/ddps-go/ddps/ddps"
)

func uniform(n int) []float64 {
	p := make([]float64, n)
	for i := range p {
		p[i] = 1 / float64(n)
	}
	return p
}

// E|q_i − p_i| ≈ √(2p(1−p)/πN): with 1,063 paths and 65,536 samples the L1 floor is .102.
func TestFloorOfL1(t *testing.T) {
	const n, N = 1063, 65536
	p := uniform(n)
	f, err := Floor(p, func(q []float64) (float64, error) { return L1(p, q) },
		FloorConfig{N: N, Reps: 40, Seed: 1, Quantiles: []float64{0, .5, 1}})
	if err != nil {
		t.Fatal(err)
	}
	want := n * math.Sqrt(2*(1.0/n)*(1-1.0/n)/math.Pi/N)
	near(t, "mean", f.Mean, nil, want, 1e-3)
	near(t, ".102", f.Mean, nil, .102, 1e-3)
	if !(f.Std > 0 && f.Std < .005) || f.Quantiles[0] != f.Values[0] || f.Quantiles[2] != f.Values[39] {
		t.Error(f)
	}
}

// The draws are multinomial: the χ² statistic has mean k−1 and variance near 2(k−1), whatever the distribution.
func TestFloorDrawsAreExact(t *testing.T) {
	p := []float64{.5, .25, .125, .1, .02, .005, 0}
	const N = 2000
	chi2 := func(q []float64) (float64, error) {
		s := 0.0
		for i := range p {
			if p[i] > 0 {
				s += N * (q[i] - p[i]) * (q[i] - p[i]) / p[i]
			} else if q[i] > 0 {
				return 0, errors.New("drew what has probability 0")
			}
		}
		return s, nil
	}
	f, err := Floor(p, chi2, FloorConfig{N: N, Reps: 4000, Seed: 3, Quantiles: []float64{.95, .999}})
	if err != nil {
		t.Fatal(err)
	}
	near(t, "mean", f.Mean, nil, 5, .2)
	near(t, "std", f.Std, nil, math.Sqrt(10), .25)
	near(t, "95%", f.Quantiles[0], nil, 11.07, .7)
	near(t, "99.9%", f.Quantiles[1], nil, 20.5, 5)
}

func TestFloorSameSeedSameNumbers(t *testing.T) {
	p := []float64{.2, .3, .5}
	run := func(seed uint64, cores int) []float64 {
		defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(cores))
		f, err := Floor(p, func(q []float64) (float64, error) { return KLFloored(p, q, 50) },
			FloorConfig{N: 50, Reps: 200, Seed: seed})
		if err != nil {
			t.Fatal(err)
		}
		return f.Values
	}
	if !slices.Equal(run(5, 1), run(5, 4)) {
		t.Error("the number of cores matters")
	}
	if slices.Equal(run(5, 1), run(6, 1)) {
		t.Error("the seed does not matter")
	}
}

func TestFloorOfPaths(t *testing.T) {
	g := ddps.Example()
	all := Sample{Paths: slices.Collect(g.Paths())}
	draw := func(rng *rand.Rand, n int) (Sample, error) {
		s := Sample{Paths: make([]ddps.Path, n)}
		for i := range s.Paths {
			s.Paths[i] = all.Paths[rng.IntN(len(all.Paths))]
		}
		return s, nil
	}
	flgd := func(s Sample) (float64, error) { return FLGD(g, all, s) }
	small, err := FloorOf(draw, flgd, FloorConfig{N: 50, Reps: 100, Seed: 1})
	if err != nil {
		t.Fatal(err)
	}
	large, err := FloorOf(draw, flgd, FloorConfig{N: 800, Reps: 100, Seed: 1})
	if err != nil {
		t.Fatal(err)
	}
	if !(large.Mean > 0 && large.Mean < small.Mean/4) {
		t.Error(small.Mean, large.Mean)
	}
}

func TestFloorErrors(t *testing.T) {
	p := []float64{.5, .5}
	zero := func([]float64) (float64, error) { return 0, nil }
	tests := []struct {
		what string
		p    []float64
		stat func([]float64) (float64, error)
		c    FloorConfig
		want error
	}{
		{"no distribution", nil, zero, FloorConfig{N: 1, Reps: 1}, ErrEmpty},
		{"no draws", p, zero, FloorConfig{N: 0, Reps: 1}, ErrEmpty},
		{"no reps", p, zero, FloorConfig{N: 1, Reps: -1}, ErrEmpty},
		{"quantile", p, zero, FloorConfig{N: 1, Reps: 1, Quantiles: []float64{math.NaN()}}, ErrValue},
		{"mass", []float64{.5, .6}, zero, FloorConfig{N: 1, Reps: 1}, ErrMass},
		{"NaN", p, func([]float64) (float64, error) { return math.NaN(), nil }, FloorConfig{N: 1, Reps: 3}, ErrValue},
		{"stat", p, func(q []float64) (float64, error) { return L1(q, nil) }, FloorConfig{N: 1, Reps: 3}, ErrEmpty},
	}
	for _, test := range tests {
		if _, err := Floor(test.p, test.stat, test.c); !errors.Is(err, test.want) {
			t.Errorf("%s: %v, want %v", test.what, err, test.want)
		}
	}
	f, err := Floor(p, func(q []float64) (float64, error) { return KL(p, q) }, FloorConfig{N: 1, Reps: 5,
		Quantiles: []float64{.5}})
	if err != nil || !math.IsInf(f.Mean, 1) || !math.IsInf(f.Std, 1) || !math.IsInf(f.Quantiles[0], 1) {
		t.Error(f, err)
	}
}

func BenchmarkFloorToy(b *testing.B) {
	p := uniform(1063)
	for b.Loop() {
		_, err := Floor(p, func(q []float64) (float64, error) { return L1(p, q) }, FloorConfig{N: 65536, Reps: 10})
		if err != nil {
			b.Fatal(err)
		}
	}
}
