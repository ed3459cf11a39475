package metrics

import (
	"errors"
	"fmt"
	"math"
	"testing"
)

var distances = map[string]Distance{
	"KL": KL, "L1": L1, "HalfL1": HalfL1, "TVSup": TVSup, "SFD": SFD, "KLFloor": KLFloor(100),
}

func TestDistancesAgainstOracle(t *testing.T) {
	o, _ := loadOracle(t)
	s := o.Small
	for name, want := range map[string]float64{
		"KL": s.KL, "KLFloor": s.KL, "L1": s.L1, "HalfL1": s.L1 / 2, "SFD": s.SFD,
		"TVSup": .3, // |.4−.1|; the oracle's "tvsup" is .2, the largest q−p
	} {
		got, err := distances[name](s.P, s.Q)
		near(t, name, got, err, want, 1e-12)
	}
}

func TestDistancesAtTheEdges(t *testing.T) {
	inf := math.Inf(1)
	tests := []struct {
		what                          string
		p, q                          []float64
		kl, floored, l1, half, tv, sf float64 // floored at n = 100
	}{
		{"equal", []float64{.5, .5}, []float64{.5, .5}, 0, 0, 0, 0, 0, 0},
		{"one element", []float64{1}, []float64{1}, 0, 0, 0, 0, 0, 0},
		{"disjoint", []float64{1, 0}, []float64{0, 1}, inf, math.Log(200), 2, 1, 1, 1},
		{"0 log 0", []float64{1, 0}, []float64{.5, .5}, math.Ln2, math.Ln2, 1, .5, .5, 0},
		{"q misses", []float64{.5, .5}, []float64{1, 0}, inf, .5*math.Log(.5) + .5*math.Log(100), 1, .5, .5, 0},
		{"disjoint, spread", []float64{.5, .5, 0, 0}, []float64{0, 0, .5, .5}, inf, math.Log(100), 2, 1, .5, 1},
		{"odd", []float64{.5, .3, .2}, []float64{.2, .3, .5}, .3 * math.Log(2.5), .3 * math.Log(2.5), .6, .3, .3, 1},
	}
	for _, test := range tests {
		for name, want := range map[string]float64{
			"KL": test.kl, "KLFloor": test.floored, "L1": test.l1, "HalfL1": test.half, "TVSup": test.tv, "SFD": test.sf,
		} {
			got, err := distances[name](test.p, test.q)
			near(t, test.what+": "+name, got, err, want, 1e-14)
		}
	}
}

func TestDistancesRefuseBadData(t *testing.T) {
	ok := []float64{.5, .5}
	tests := []struct {
		what string
		p, q []float64
		want error
	}{
		{"no support", nil, nil, ErrEmpty},
		{"lengths", ok, []float64{1}, ErrLength},
		{"NaN", []float64{math.NaN(), 1}, ok, ErrValue},
		{"Inf", ok, []float64{math.Inf(1), 0}, ErrValue},
		{"negative", []float64{1.5, -.5}, ok, ErrValue},
		{"not normalised", ok, []float64{1, 1}, ErrMass},
		{"all zero", []float64{0, 0}, ok, ErrMass},
	}
	for name, d := range distances {
		for _, test := range tests {
			got, err := d(test.p, test.q)
			var typed *DistributionError
			if !errors.Is(err, test.want) || !errors.As(err, &typed) || got != 0 {
				t.Errorf("%s of %s = %v, %v; want 0, %v", name, test.what, got, err, test.want)
			}
		}
	}
	if _, err := KLFloored(ok, ok, 0); !errors.Is(err, ErrEmpty) {
		t.Errorf("KLFloored of no samples: %v", err)
	}
}

func TestSFDTies(t *testing.T) {
	p, q := []float64{.25, .25, .25, .25}, []float64{.1, .2, .3, .4}
	got, err := SFD(p, q) // ranks of p are 0 1 2 3 by index, q's 3 2 1 0
	near(t, "reversed", got, err, 1, 0)
	got, err = SFD(p, []float64{.4, .3, .2, .1})
	near(t, "in order", got, err, 0, 0)
	long, err1 := SFD([]float64{.5, .5, 0, 0}, []float64{.5, .5, 0, 0}) // unsampled ones keep their rank
	near(t, "unsampled", long, err1, 0, 0)
}

func TestDistributionErrorNamesElement(t *testing.T) {
	err := Check("q", []float64{.5, -1})
	if want := "metrics: q[1]: not a finite number in range (-1)"; fmt.Sprint(err) != want {
		t.Errorf("%v, want %s", err, want)
	}
}

func TestNormalize(t *testing.T) {
	p, err := Normalize([]float64{1, 3, 0})
	if err != nil || p[0] != .25 || p[1] != .75 || p[2] != 0 {
		t.Error(p, err)
	}
	for want, w := range map[error][]float64{
		ErrEmpty: nil, ErrMass: {0, 0}, ErrValue: {math.MaxFloat64, math.MaxFloat64},
	} {
		if _, err := Normalize(w); !errors.Is(err, want) {
			t.Errorf("%v: %v, want %v", w, err, want)
		}
	}
}

func ExampleKLFloored() {
	p := []float64{.5, .5}
	q := []float64{1, 0} // 50 samples, none of the second path
	plain, _ := KL(p, q)
	floored, _ := KLFloored(p, q, 50)
	fmt.Printf("%v %.3f\n", plain, floored)
	// Output: +Inf 1.609
}
