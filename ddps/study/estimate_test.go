package study

import (
	"context"
	"os"
	"path/filepath"
	"testing"

	"github.com/ddps-go/ddps/ddps/model"
	"github.com/ddps-go/ddps/ddps/run"
)

// An estimate counts the grid points that Run adds, those that a table lacks, and leaves nothing in the directory.
func TestEstimate(t *testing.T) {
	s, err := NewGuidance("toy", run.PresetQuick)
	if err != nil {
		t.Fatal(err)
	}
	s.Maxima, s.Lambdas, s.Samples, s.Steps, s.Instances = []int{2}, []float64{0, 10}, 64, 4, 1
	dir := t.TempDir()
	before, err := s.Estimate(context.Background(), dir, nil)
	if err != nil {
		t.Fatal(err)
	}
	if left, err := os.ReadDir(dir); err != nil || len(left) > 0 {
		t.Errorf("the estimate left %v: %v", left, err)
	}
	if before.Missing != before.Points || before.Training != 0 || before.Sampling <= 0 || before.Memory <= 0 {
		t.Errorf("before: %+v", before)
	}
	rows := ran(t, s, dir)
	if len(rows) != before.Points {
		t.Errorf("%d rows, estimated %d", len(rows), before.Points)
	}
	after, err := s.Estimate(context.Background(), dir, rows[1:])
	if err != nil || after.Missing != 1 || after.Points != before.Points {
		t.Errorf("with all rows but one: %+v, %v", after, err)
	}
	if after, err = s.Estimate(context.Background(), dir, rows); err != nil || after.Missing != 0 || after.Sampling != 0 {
		t.Errorf("with all rows: %+v, %v", after, err)
	}
}

// A network that does not ship costs training, until a run directory has it.
func TestEstimateTraining(t *testing.T) {
	s, err := NewGuidance("toy", run.PresetQuick)
	if err != nil {
		t.Fatal(err)
	}
	s = s.With(model.NetworkUNet)
	s.Maxima, s.Lambdas, s.Samples, s.Steps, s.Train = []int{2}, []float64{0}, 16, 2, 3
	dir := t.TempDir()
	before, err := s.Estimate(context.Background(), dir, nil)
	if err != nil {
		t.Fatal(err)
	}
	if before.Training <= 0 || before.Missing != before.Points {
		t.Errorf("before: %+v", before)
	}
	after, err := s.Estimate(context.Background(), dir, ran(t, s, dir))
	if err != nil || after.Training != 0 || after.Missing != 0 {
		t.Errorf("after: %+v, %v", after, err)
	}
}

// A model that is yet to be trained has the rows of the one that the same settings trained last, and of no other.
func TestEstimateRows(t *testing.T) {
	ctx := context.Background()
	s, err := NewGuidance("toy", run.PresetQuick)
	if err != nil {
		t.Fatal(err)
	}
	s = s.With(model.NetworkUNet)
	s.Maxima, s.Lambdas, s.Samples, s.Steps, s.Train = []int{2}, []float64{0}, 16, 2, 3
	dir := t.TempDir()
	rows := ran(t, s, dir)
	for name, c := range map[string]struct {
		change  func(*Guidance)
		missing int
	}{
		"the same":       {func(*Guidance) {}, 0},
		"two instances":  {func(s *Guidance) { s.Instances = 2 }, len(rows)},
		"other training": {func(s *Guidance) { s.Train = 4 }, len(rows)},
		"other samples":  {func(s *Guidance) { s.Samples = 17 }, len(rows)},
	} {
		few := *s
		c.change(&few)
		e, err := few.Estimate(ctx, t.TempDir(), rows)
		if err != nil || e.Missing != c.missing || e.Training <= 0 {
			t.Errorf("%s: %+v, %v, expected %d without a row", name, e, err, c.missing)
		}
	}
	rows, err = ReadTable[GuidanceRow]("../../docs/reproduced/" + GuidanceFile)
	if err != nil {
		t.Fatal(err)
	}
	if s, err = NewGuidance("ridge", run.PresetPaper); err != nil {
		t.Fatal(err)
	}
	s.Samples, s.Instances = 512, 2
	if e, err := s.Estimate(ctx, t.TempDir(), rows); err != nil || e.Points == 0 || e.Missing != 0 {
		t.Errorf("ridge: %+v, %v", e, err)
	}
}

// ran returns the rows that a study adds in a directory.
func ran(t *testing.T, s *Guidance, dir string) []GuidanceRow {
	t.Helper()
	table, err := OpenTable[GuidanceRow](filepath.Join(dir, GuidanceFile))
	if err != nil {
		t.Fatal(err)
	}
	defer table.Close()
	if err := s.Run(context.Background(), dir, table, nil); err != nil {
		t.Fatal(err)
	}
	return table.Rows
}
