package ddps_test

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/ddps-go/ddps/ddps"
)

func TestUnwrapLongitudes(t *testing.T) {
	for _, c := range []struct{ in, want []float64 }{
		{nil, []float64{}},
		{[]float64{24.9, -3}, []float64{24.9, -3}},
		{[]float64{-90, 0, 90}, []float64{-90, 0, 90}},
		{[]float64{179.9, -179.9}, []float64{179.9, 180.1}},
		{[]float64{-180, 180, 179}, []float64{180, 180, 179}},
		{[]float64{181, 179}, []float64{181, 179}},
		{[]float64{math.NaN(), 10, 350}, []float64{math.NaN(), 10, -10}},
		{[]float64{-100, 100}, []float64{260, 100}},
	} {
		got := ddps.UnwrapLongitudes(c.in)
		same := func(a, b float64) bool { return a == b || math.IsNaN(a) && math.IsNaN(b) }
		if !slices.EqualFunc(got, c.want, same) {
			t.Errorf("%v: %v, want %v", c.in, got, c.want)
		}
	}
}

// TestUnwrapTurns: a map turned by any angle keeps its differences, if it is narrower than half the globe.
func TestUnwrapTurns(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for range 2000 {
		lon, turned := make([]float64, 1+rng.IntN(8)), make([]float64, 0, 8)
		turn, width := rng.Float64()*360, rng.Float64()*170
		for i := range lon {
			lon[i] = width * (rng.Float64() - .5)
			turned = append(turned, math.Remainder(lon[i]+turn, 360))
		}
		for i, x := range ddps.UnwrapLongitudes(turned) {
			if d := x - ddps.UnwrapLongitudes(turned)[0] - (lon[i] - lon[0]); math.Abs(d) > 1e-9 {
				t.Fatalf("%v turned by %v: differences are off by %v", lon, turn, d)
			}
		}
	}
}
