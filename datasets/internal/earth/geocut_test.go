package earth

import (
	"math"
	"math/rand/v2"
	"reflect"
	"testing"
)

func TestCutAt180(t *testing.T) {
	type line = [][2]float64
	for _, c := range []struct {
		in   line
		want []line
	}{
		{line{{24.1, 60}, {24.2, 60}}, []line{{{24.1, 60}, {24.2, 60}}}},
		{line{{179, 0}, {-179, 2}}, []line{{{179, 0}, {180, 1}}, {{-180, 1}, {-179, 2}}}},
		{line{{-179.5, 0}, {179.5, 1}, {-179.5, 2}}, []line{{{-179.5, 0}, {-180, .5}}, {{180, .5}, {179.5, 1}, {180, 1.5}},
			{{-180, 1.5}, {-179.5, 2}}}},
		{line{{179, 0}, {180, 1}, {179, 2}}, []line{{{179, 0}, {180, 1}, {179, 2}}}},
		{line{{179, 0}, {-180, 1}}, []line{{{179, 0}, {180, 1}}}},
		{line{{180, 0}, {-179, 1}}, []line{{{-180, 0}, {-179, 1}}}},
		{line{{179, 0}, {180, 0}, {180, 1}, {-179, 1}}, []line{{{179, 0}, {180, 0}, {180, 1}}, {{-180, 1}, {-179, 1}}}},
		{line{{-180, 0}, {179, 1}}, []line{{{180, 0}, {179, 1}}}},
		{line{{0, 0}, {120, 0}, {-120, 0}, {0, 0}}, []line{{{0, 0}, {120, 0}, {180, 0}}, {{-180, 0}, {-120, 0}, {0, 0}}}},
	} {
		if got := CutAt180(c.in); !reflect.DeepEqual(got, c.want) {
			t.Errorf("%v: %v, want %v", c.in, got, c.want)
		}
	}
}

// TestCutLengths: no piece of a part is longer than half a turn, or outside of ±180, and the lengths in degrees add up
// to those of the line.
func TestCutLengths(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for range 1000 {
		in, want, got := make([][2]float64, 2+rng.IntN(6)), 0., 0.
		for i := range in {
			in[i] = [2]float64{float64(rng.IntN(361) - 180), float64(rng.IntN(121) - 60)}
			if i > 0 {
				want += math.Hypot(Beside(in[i][0], in[i-1][0])-in[i-1][0], in[i][1]-in[i-1][1])
			}
		}
		for _, part := range CutAt180(in) {
			for i := range part {
				if math.Abs(part[i][0]) > 180 || len(part) < 2 {
					t.Fatalf("%v: %v", in, CutAt180(in))
				}
				if i > 0 {
					got += math.Hypot(part[i][0]-part[i-1][0], part[i][1]-part[i-1][1])
				}
			}
		}
		if math.Abs(got-want) > 1e-6 {
			t.Fatalf("%v: %v is %v long, want %v", in, CutAt180(in), got, want)
		}
	}
}
