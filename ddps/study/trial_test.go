package study

import (
	"context"
	"math"
	"reflect"
	"testing"

	"github.com/ddps-go/ddps/ddps/compare"
	"github.com/ddps-go/ddps/ddps/query"
	"github.com/ddps-go/ddps/ddps/run/toytest"
)

// The reward rises with λ, exact draws show the floors, and the sweet spot is where a curve is least.
func TestTrial(t *testing.T) {
	m, u, dist := toytest.Exact(t)
	best := m.Graph.Best(u)
	given, err := dist.Given(compare.AtMax(m.Graph, u, best))
	if err != nil {
		t.Fatal(err)
	}
	c := Trial{Guide: query.Algorithm2, Scales: []float64{0, 30, 1e4}, Samples: 200, Steps: 8, Floors: 3, Seed: 1}
	rows, err := c.Run(context.Background(), m, u, given, nil)
	if err != nil || len(rows) != 4 {
		t.Fatal(len(rows), err)
	}
	of := SeriesOf(rows)
	if len(of) != 1 || of[0].Distribution != query.Algorithm2 {
		t.Fatalf("series %v", of)
	}
	reward := Curves(rows, of[0], QuantityReward, false)
	if len(reward) != 1 || !(reward[0].Y[0] < reward[0].Y[1]-1 && reward[0].Y[1] <= reward[0].Y[2]) ||
		math.Abs(reward[0].Floor-best) > 1e-9 ||
		reward[0].RMax != int(best) {
		t.Errorf("rewards %+v, greatest %v", reward, best)
	}
	l1 := Curves(rows, of[0], "L1", false)[0]
	if x := l1.SweetSpot(); x == 0 || l1.At(x) != min(l1.Y[0], l1.Y[1], l1.Y[2]) ||
		!(l1.Floor > 0 && l1.Floor < l1.At(x)) {
		t.Errorf("sweet spot %v of %+v", x, l1)
	}
	floor := compare.Distances{} // the mean over three exact samples
	for r := range 3 {
		d, err := given.Distances(given.Draw(200, 1, uint64(r)), true)
		if err != nil {
			t.Fatal(err)
		}
		floor.AddScaled(1./3, d)
	}
	for _, name := range compare.DistanceNames() {
		if c := Curves(rows, of[0], name, false)[0]; math.Abs(c.Floor-floor.Of(name)) > 1e-12 {
			t.Errorf("%s: floor %v, expected %v", name, c.Floor, floor.Of(name))
		}
	}
	scales, mean, kl, err := Tradeoff(rows, of[0])
	if err != nil || !reflect.DeepEqual(scales, c.Scales) || !reflect.DeepEqual(mean, reward[0].Y) ||
		!math.IsInf(kl[0], 1) || math.IsInf(kl[2], 1) {
		t.Errorf("KL of samples off the maximum, then at it: %v (%v)", kl, err)
	}
	again, err := c.Run(context.Background(), m, u, given, nil)
	if err != nil || !reflect.DeepEqual(Curves(again, of[0], "KL", false)[0].Y, Curves(rows, of[0], "KL", false)[0].Y) {
		t.Errorf("other rows the second time (%v)", err)
	}
	if list := Curves(rows, Series{Distribution: "none such"}, "L1", false); list != nil {
		t.Errorf("curves of a series that there is not: %v", list)
	}
	if _, _, _, err := Tradeoff(rows, Series{Distribution: "none such"}); err == nil {
		t.Error("trade-off of a series that there is not: no error")
	}
}

func TestTrialErrors(t *testing.T) {
	m, u, dist := toytest.Exact(t)
	for name, c := range map[string]Trial{"guide": {Guide: "none such", Samples: 1}, "samples": {Guide: query.Eq7},
		"kernel": {Guide: query.Eq7, Samples: 1, Kernel: "x"}, "floors": {Guide: query.Eq7, Samples: 1, Floors: -1}} {
		if _, err := c.Run(context.Background(), m, u, dist, nil); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
	one := Trial{Guide: query.Eq7, Samples: 1}
	if _, err := one.Run(context.Background(), m, u[1:], dist, nil); err == nil {
		t.Error("reward of the wrong length: no error")
	}
	third := make([]float64, len(u))
	for e := range u {
		third[e] = u[e] / 3
	}
	if _, err := one.Run(context.Background(), m, third, dist, nil); err == nil {
		t.Errorf("greatest reward %v: no error", m.Graph.Best(third))
	}
}

// On a backend all scales are drawn together, and come to what the host's do.
func TestTrialBackend(t *testing.T) {
	m, u, dist := toytest.Exact(t)
	c := Trial{Guide: query.Eq7, Scales: []float64{0, 10, 1000}, Samples: 150, Steps: 3, Seed: 1}
	want, err := c.Run(context.Background(), m, u, dist, nil)
	if err != nil {
		t.Fatal(err)
	}
	c.Backend = "go"
	got, err := c.Run(context.Background(), m, u, dist, nil)
	if err != nil {
		t.Fatal(err)
	}
	of := SeriesOf(want)[0]
	for _, name := range append(compare.DistanceNames(), QuantityReward) {
		y := Curves(want, of, name, false)[0].Y
		for i, x := range Curves(got, of, name, false)[0].Y {
			if math.Abs(x-y[i]) > .02*(1+math.Abs(y[i])) {
				t.Errorf("%s at %v: %v, on the host %v", name, c.Scales[i], x, y[i])
			}
		}
	}
}
