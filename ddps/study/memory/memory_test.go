package memory

import (
	"context"
	"errors"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/ddps-go/ddps/ddps/model"
	"github.com/ddps-go/ddps/ddps/run"
	"github.com/ddps-go/ddps/ddps/study"
	"github.com/ddps-go/ddps/ddps/train"
)

// A small study, stopped and gone on with, has the rows of one that was not; what is there is not measured again.
func TestRecall(t *testing.T) {
	if testing.Short() {
		t.Skip("minutes under the race detector, which is all that -short is for")
	}
	small := func() *Study {
		r, err := New("heights", run.PresetQuick, model.NetworkMLP, 1)
		if err != nil {
			t.Fatal(err)
		}
		r.Paths, r.Samples, r.Bound, r.Particles, r.Config.TuneMixture = 300, 200, 20, 2, false
		r.Config.Model.MLP.Hidden, r.Config.Model.Mixture.Rounds, r.Config.Model.Mixture.Classes = 8, 5, 2
		r.Config.Train.Steps, r.Config.Train.Batch, r.Config.Train.EvalEvery, r.Config.Train.EvalSize,
			r.Config.Train.Checkpoint = 4, 8, 2, 8, 2
		return r
	}
	dir := t.TempDir()
	file := filepath.Join(dir, "memory.csv")
	results, err := study.OpenTable[Row](file)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := study.OpenTable[Row](file); err == nil || !strings.Contains(err.Error(), "another process") {
		t.Errorf("two at once: %v", err)
	}
	stopped, stop := context.WithCancel(context.Background())
	stop()
	if err := small().Run(stopped, dir, results, nil); !errors.Is(err, train.ErrStopped) {
		t.Fatalf("stopped: %v", err)
	}
	if err := small().Run(context.Background(), dir, results, nil); err != nil {
		t.Fatal(err)
	}
	want := 4 + 2*5
	if len(results.Rows) != want {
		t.Fatalf("%d rows, want %d", len(results.Rows), want)
	}
	for missing := range 2 {
		e, err := small().Estimate(context.Background(), results.Rows[missing:])
		if err != nil || e.Points != want || e.Missing != missing || (e.Sampling > 0) != (missing > 0) {
			t.Errorf("without %d rows: %+v, %v", missing, e, err)
		}
	}
	for _, r := range results.Rows {
		if !(r.Probability > 0 && r.Probability <= 1 && r.Districts >= 0 && r.Districts <= 1 && r.Revisits >= 0 &&
			r.DistrictFloor > 0 && r.RevisitHigh >= r.RevisitFloor) {
			t.Errorf("row %+v", r)
		}
		if (r.Condition == "") != (r.NLL > r.NLLTrue-0.5 && r.NLL < 30) {
			t.Errorf("nats of %+v", r)
		}
	}
	means := Means(results.Rows)
	if len(means) != want || means[4].Condition != "max(reward)" || !math.IsNaN(means[0].Districts.Std) {
		t.Errorf("means %+v", means)
	}
	results.Rows = results.Rows[:want-1]
	if err := results.Add(results.Rows[0]); err != nil { // as if one were of another seed
		t.Fatal(err)
	}
	if err := small().Run(context.Background(), dir, results, nil); err != nil || len(results.Rows) != want+1 {
		t.Errorf("gone on: %d rows, %v", len(results.Rows), err)
	}
	if err := results.Close(); err != nil {
		t.Fatal(err)
	}
	rows, err := study.ReadTable[Row](file)
	if err != nil || len(rows) != want+1 || rows[2] != results.Rows[2] && !math.IsNaN(rows[2].NLL) {
		t.Errorf("read %d rows, %v", len(rows), err)
	}
	whole, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string]string{"line 1": "a,b\n1,2\n", "seed": strings.Replace(string(whole), ",1,", ",x,",
		1)} {
		bad := filepath.Join(dir, "bad.csv")
		if err := os.WriteFile(bad, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		if _, err := study.OpenTable[Row](bad); err == nil || !strings.Contains(err.Error(), "bad.csv") {
			t.Errorf("%s: %v", name, err)
		}
	}
	if _, err := New("toy", run.PresetQuick, model.NetworkNone, 0); err == nil {
		t.Error("toy has no places")
	}
}

// Rows of another size of data, or of another network, are other grid points, and no means are over both.
func TestRowsOfOtherSettings(t *testing.T) {
	a := Row{Graph: "heights", Distribution: Model, Samples: 8, Paths: 100, Network: model.NetworkNone, Districts: 1}
	b, c := a, a
	b.Paths, b.Districts = 200, 2
	c.Network, c.Districts = model.NetworkMLP, 3
	if a.same(b) || a.same(c) || !a.same(a) {
		t.Error("rows of other settings are the same grid point")
	}
	means := Means([]Row{a, b, c})
	if len(means) != 3 || means[1].Paths != 200 || means[2].Distribution != "model, mlp" {
		t.Errorf("means %+v", means)
	}
}
