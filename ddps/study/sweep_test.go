package study

import (
	"context"
	"math"
	"reflect"
	"testing"

	"github.com/ddps-go/ddps/ddps/compare"
	"github.com/ddps-go/ddps/ddps/run"
)

// The reward rises with λ, exact draws show the floors, and the sweet spot is where a curve is least.
func TestSweep(t *testing.T) {
	m, u, law := toyParts(t)
	given, err := law.Given(compare.AtMax(m.Graph, u, m.Graph.Best(u)))
	if err != nil {
		t.Fatal(err)
	}
	cfg := SweepConfig{Guide: run.Algorithm2, Strengths: []float64{0, 30, 1e4}, Samples: 200, Steps: 8, Floors: 3, Seed: 1}
	s, err := cfg.Run(context.Background(), m, u, given, nil)
	if err != nil {
		t.Fatal(err)
	}
	reward, err := s.Curve(CurveReward)
	if err != nil || len(reward.Y) != 3 || !(reward.Y[0] < reward.Y[1]-1 && reward.Y[1] <= reward.Y[2]) || math.Abs(reward.Floor-s.Best) > 1e-9 || len(reward.Std) != 3 {
		t.Errorf("rewards %+v, greatest %v (%v)", reward, s.Best, err)
	}
	x, y, err := s.SweetSpot("L1")
	l1, _ := s.Curve("L1")
	if err != nil || x == 0 || y != min(l1.Y[0], l1.Y[1], l1.Y[2]) || !(l1.Floor > 0 && l1.Floor <= l1.High && l1.High < y) {
		t.Errorf("sweet spot %v, %v of %+v (%v)", x, y, l1, err)
	}
	if common, err := CommonSweetSpot("L1", s, s); err != nil || common != x {
		t.Errorf("common sweet spot %v, want %v (%v)", common, x, err)
	}
	if r, err := s.Curve(CurveReverse); err != nil || !math.IsInf(r.Y[0], 1) || math.IsInf(r.Y[2], 1) {
		t.Errorf("KL of samples off the maximum, then at it: %v (%v)", r.Y, err)
	}
	nowhere := &Sweep{X: []float64{0}, Curves: []Curved{{Name: "a", Y: []float64{math.Inf(1)}}}}
	if _, _, err := nowhere.SweetSpot("a"); err == nil {
		t.Error("a curve that is infinite everywhere has a sweet spot")
	}
	again, err := cfg.Run(context.Background(), m, u, given, nil)
	if err != nil || len(again.Curves) != 14 {
		t.Fatalf("%d curves, %v", len(again.Curves), err)
	}
	for k, c := range again.Curves {
		if !reflect.DeepEqual(c.Y, s.Curves[k].Y) {
			t.Errorf("%s: %v, then %v", c.Name, s.Curves[k].Y, c.Y)
		}
	}
}

func TestMeanSweep(t *testing.T) {
	one := &Sweep{Best: 2, X: []float64{0, 1}, Curves: []Curved{{Name: "a", Y: []float64{1, math.Inf(1)}, Floor: .2, High: .4}}}
	two := &Sweep{Best: 4, X: []float64{0, 1}, Curves: []Curved{{Name: "a", Y: []float64{3, 5}, Floor: .4, High: .6}}}
	got, err := MeanSweep(one, two)
	if err != nil || got.Best != 3 || !reflect.DeepEqual(got.Curves[0].Y, []float64{2, math.Inf(1)}) || !reflect.DeepEqual(got.Curves[0].Std, []float64{1, 0}) {
		t.Errorf("mean %+v (%v)", got, err)
	}
	if f := got.Curves[0]; math.Abs(f.Floor-.3) > 1e-12 || math.Abs(f.High-.5) > 1e-12 {
		t.Errorf("floor %v, %v", f.Floor, f.High)
	}
	if _, err := MeanSweep(); err == nil {
		t.Error("the mean of none: no error")
	}
	if _, err := MeanSweep(one, &Sweep{X: []float64{0, 2}}); err == nil {
		t.Error("other strengths: no error")
	}
}

func TestSweepErrors(t *testing.T) {
	m, u, law := toyParts(t)
	for name, c := range map[string]SweepConfig{"guide": {Guide: "none such", Samples: 1}, "samples": {Guide: run.Eq13}, "kernel": {Guide: run.Eq13, Samples: 1, Kernel: "x"}, "floors": {Guide: run.Eq13, Samples: 1, Floors: -1}} {
		if _, err := c.Run(context.Background(), m, u, law, nil); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
	if _, err := (SweepConfig{Guide: run.Eq13, Samples: 1}).Run(context.Background(), m, u[1:], law, nil); err == nil {
		t.Error("reward of the wrong length: no error")
	}
	if _, err := (&Sweep{}).Curve("x"); err == nil {
		t.Error("no such curve: no error")
	}
}

// On a backend a sweep's strengths are drawn together, and come to what the host's do.
func TestSweepBackend(t *testing.T) {
	m, u, law := toyParts(t)
	cfg := SweepConfig{Guide: run.Eq13, Strengths: []float64{0, 10, 1000}, Samples: 150, Steps: 3, Seed: 1}
	want, err := cfg.Run(context.Background(), m, u, law, nil)
	if err != nil {
		t.Fatal(err)
	}
	cfg.Backend = "go"
	got, err := cfg.Run(context.Background(), m, u, law, nil)
	if err != nil {
		t.Fatal(err)
	}
	for k, c := range want.Curves {
		for i, y := range c.Y {
			if x := got.Curves[k].Y[i]; math.Abs(x-y) > .02*(1+math.Abs(y)) {
				t.Errorf("%s at %v: %v, on the host %v", c.Name, want.X[i], x, y)
			}
		}
	}
}
