package study

import (
	"math"
	"slices"
	"testing"

	"github.com/ddps-go/ddps/ddps/compare"
	"github.com/ddps-go/ddps/ddps/query"
)

// Each reward has the λ of its own least distance; the interval is Student's.
func TestSweetSpots(t *testing.T) {
	var rows []GuidanceRow
	add := func(instance int, lambda, kl, reward float64) {
		d := compare.NoDistances()
		d.KL = kl
		rows = append(rows, GuidanceRow{Graph: "toy", Model: "m", RMax: 2, Instance: instance,
			Distribution: query.Algorithm2, Lambda: lambda, Exact: d, Reward: reward})
	}
	for i, spot := range []float64{10, 100, 100} {
		for _, lambda := range []float64{0, 10, 100} {
			kl := 3.
			if lambda == spot {
				kl = float64(i) // 0, 1, 2
			}
			add(i, lambda, kl, 1+lambda/100)
		}
	}
	rows = append(rows, GuidanceRow{Graph: "toy", Model: "m", RMax: 2, Distribution: ReferenceExact,
		Exact: compare.Distances{KL: .5}})
	list := SweetSpots(rows, Series{Graph: "toy", Model: "m", Distribution: query.Algorithm2}, "KL")
	if len(list) != 1 || list[0].Rewards != 3 || !slices.Equal(list[0].Lambdas, []float64{10, 100, 100}) ||
		list[0].Median() != 100 {
		t.Fatalf("%+v", list)
	}
	// Of 0, 1 and 2 the mean is 1, the deviation 1, and t of two degrees of freedom 4.302653.
	if x := list[0].Distance; x.Mean != 1 || math.Abs(x.Half-4.302653/math.Sqrt(3)) > 1e-5 {
		t.Errorf("distance %+v", x)
	}
	if x := list[0].Reward; math.Abs(x.Mean-(1.1+2+2)/3) > 1e-12 {
		t.Errorf("reward %+v", x)
	}
	if x := NewInterval([]float64{3, 5}); x.Mean != 4 || !math.IsNaN(x.Half) {
		t.Errorf("of two numbers: %+v", x)
	}
	if list := SweetSpots(rows, Series{Graph: "toy", Model: "m", Distribution: query.Algorithm2}, "FLGD"); list != nil {
		t.Errorf("of a distance that no row has: %+v", list)
	}
}
