package d3pm

import (
	"context"
	"slices"
	"testing"

	"github.com/ddps-go/ddps/ddps"
	"github.com/ddps-go/ddps/ddps/chain"
)

// The pass over the vertices draws what the kernel and the rows after it draw: a kernel that is Joint by another name
// gives the same samples.
func TestLean(t *testing.T) {
	g := ddps.Example()
	schedule := Cosine(32)
	c := chain.Uniform(g)
	for _, d := range []Denoiser{chain.NewDenoiser(c, schedule.Abar), chain.NewMixtureDenoiser(c.Law().Single(), schedule.Abar)} {
		s := &Sampler{Graph: g, Denoiser: d, Schedule: schedule, Steps: 8}
		lean, err := s.Sample(context.Background(), 500, 3)
		if err != nil {
			t.Fatal(err)
		}
		s.Signal, s.Lambda = func(_, g []float64) { clear(g) }, 1e-300 // guidance that guides nothing
		full, err := s.Sample(context.Background(), 500, 3)
		if err != nil {
			t.Fatal(err)
		}
		if _, mixture := d.(*chain.MixtureDenoiser); !mixture && !slices.EqualFunc(lean, full, slices.Equal) {
			t.Errorf("%T: other samples", d)
		}
	}
}

// pickKept is Pick of the law written down.
func TestPickKept(t *testing.T) {
	rng := ddps.Rand(1, 0)
	for range 2000 {
		D := 1 + rng.IntN(6)
		x, a := rng.IntN(D), rng.Float64()
		if rng.IntN(5) == 0 {
			a = 1
		}
		keep, other := likelihood(a, true, D), likelihood(a, false, D)
		law := make([]float64, D)
		for i := range law {
			law[i] = likelihood(a, i == x, D)
		}
		u := rng.Float64()
		if got, want := pickKept(int32(D), int32(x), keep, other, u), chain.Pick(law, u); int(got) != want {
			t.Fatalf("%d, want %d of %v at %v", got, want, law, u)
		}
	}
}
