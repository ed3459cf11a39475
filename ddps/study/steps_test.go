package study

import (
	"context"
	"errors"
	"path/filepath"
	"slices"
	"testing"

	"github.com/ddps-go/ddps/ddps/query"
	"github.com/ddps-go/ddps/ddps/run"
)

// The study of Toy in small: every row is there once, of valid numbers, and what is there is not measured again.
func TestStrides(t *testing.T) {
	if testing.Short() {
		t.Skip("minutes under the race detector, which is all that -short is for")
	}
	l, err := OpenTable[StepsRow](filepath.Join(t.TempDir(), "steps.csv"))
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	s := &Steps{Steps: []int{1, 4}, Seeds: 2, Scale: 0.05}
	if err := s.model(context.Background(), "toy", l, run.NoProgress{}); err != nil {
		t.Fatal(err)
	}
	if want := 2 * 2 * (2*len(StepsKernels()) + len(stepsLambdas)); len(l.Rows) != want {
		t.Fatalf("%d rows, want %d", len(l.Rows), want)
	}
	for _, r := range l.Rows {
		if !(r.L1 > 0 && r.L1 <= 2 && r.L1Floor > 0) || r.Distribution == query.MaxReward && r.Reward != 4 {
			t.Errorf("%+v", r)
		}
	}
	rows := slices.Clone(l.Rows)
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if err := s.model(ctx, "toy", l, run.NoProgress{}); err != nil || len(l.Rows) != len(rows) {
		t.Errorf("again: %v, %d rows", err, len(l.Rows))
	}
	s.Seeds = 3
	if err := s.model(ctx, "toy", l, run.NoProgress{}); !errors.Is(err, context.Canceled) {
		t.Errorf("stopped: %v", err)
	}
	s.Scale = 0
	if err := s.Run(context.Background(), l, nil); err == nil {
		t.Error("a scale of 0 is taken")
	}
}

func TestStrideCurves(t *testing.T) {
	row := func(kernel string, steps int, l1 float64) StepsRow {
		return StepsRow{Model: "toy", Distribution: query.NoGuide, Kernel: kernel, Steps: steps, L1: l1, L1Floor: .1}
	}
	curves, floor := StepsCurves([]StepsRow{row("joint", 16, .2), row("austin", 4, 1), row("joint", 4, .5),
		row("joint", 16, .4),
		{Model: "heights", Distribution: query.NoGuide, L1: 9}, {Model: "toy", Distribution: query.MaxReward, L1: 9}}, "toy",
		query.NoGuide, "L1")
	if len(curves) != 2 || curves[0].Name != "joint" || !slices.Equal(curves[0].X, []float64{4, 16}) || floor != .1 {
		t.Fatalf("%+v, %v", curves, floor)
	}
	if y, s := curves[0].Y[1], curves[0].Std[1]; !near(y, .3) || !near(s, .1) {
		t.Errorf("mean %v, deviation %v", y, s)
	}
}

func near(a, b float64) bool { return a-b < 1e-12 && b-a < 1e-12 }
