package table1

import (
	"context"
	"testing"

	"github.com/ddps-go/ddps/ddps/run"
	"github.com/ddps-go/ddps/internal/cputime"
)

// Estimates count methods and strengths without a row; what is there costs nothing.
func TestEstimate(t *testing.T) {
	ctx := context.Background()
	s := &Study{Graph: GraphExample, Preset: run.PresetQuick, Backend: "go"}
	e, err := s.Estimate(ctx, nil)
	if err != nil {
		t.Fatal(err)
	}
	if e.Points != len(Methods()) || e.Missing != e.Points || e.Training <= 0 || e.Sampling <= 0 || e.Memory <= 0 {
		t.Errorf("table 1: %+v", e)
	}
	list, err := s.list(nil)
	if err != nil {
		t.Fatal(err)
	}
	var rows []Row
	for _, m := range list {
		print, err := fingerprint(m.settings())
		if err != nil {
			t.Fatal(err)
		}
		rows = append(rows, Row{Method: m.name(), Graph: s.Graph, Preset: s.Preset, Settings: print,
			Samples: s.samples()})
	}
	if e, err = s.Estimate(ctx, rows); err != nil || e.Missing != 0 || e.Training != 0 || e.Sampling != 0 {
		t.Errorf("table 1 with its rows: %+v, %v", e, err)
	}
	v, err := NewValidity(GraphExample, run.PresetQuick, "go", 0)
	if err != nil {
		t.Fatal(err)
	}
	alone, err := v.Estimate(ctx, nil, false)
	if err != nil || alone.Points != 3*len(v.Lambdas) || alone.Training <= 0 || alone.Sampling <= 0 {
		t.Errorf("figure 3: %+v, %v", alone, err)
	}
	train, _ := v.Data.Prune().Split(v.Config.Hold, v.Config.HoldSeed)
	edge, err := rewardedEdge(train.Graph, repeated(train), 0)
	if err != nil {
		t.Fatal(err)
	}
	rows0 := v.points(train.Graph, edge)[:1]
	other := ValidityRow{Edge: "another", Method: ValidDDPS, Lambda: 10, Samples: v.Samples}
	after, err := v.Estimate(ctx, append(rows0, other), true)
	if err != nil || after.Training != 0 || after.Missing != alone.Missing-1 {
		t.Errorf("figure 3 after table 1: %+v, %v", after, err)
	}
}

// What happens once, as compiling a graph, is in no slope.
func TestSlope(t *testing.T) {
	spin := func(seconds float64) {
		for began := cputime.Process(); cputime.Process()-began < seconds; {
		}
	}
	compiled := false
	for _, each := range []bool{false, true} {
		runs := 0
		got, err := slope(func(n int) error {
			if runs++; !compiled || each {
				spin(0.06 + .02*float64(runs%2)) // not the same every time
				compiled = true
			}
			spin(0.002 * float64(n))
			return nil
		})
		if err != nil || got < 0.001 || got > 0.004 {
			t.Errorf("slope %g, %v, expected about .002 (compiled each time: %v)", got, err, each)
		}
	}
}
