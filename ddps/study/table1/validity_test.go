package table1

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"testing"

	"github.com/ddps-go/ddps/ddps/baselines/swingnn"
	"github.com/ddps-go/ddps/ddps/run"
	"github.com/ddps-go/ddps/ddps/study"
	"github.com/ddps-go/ddps/ddps/train"
)

// smallValidity is the study on the example graph, in seconds.
func smallValidity(t *testing.T) *Validity {
	t.Helper()
	v, err := NewValidity(GraphRQ1, run.PresetQuick, "go", 1)
	if err != nil {
		t.Fatal(err)
	}
	if v.Data, err = run.MakeData("example", run.PresetQuick); err != nil {
		t.Fatal(err)
	}
	v.Config.Train.Steps, v.Config.Train.Batch, v.Config.Train.EvalSize, v.Config.Train.BoundPaths = 4, 8, 8, 0
	v.Config.Model.MLP.Hidden = 8
	m := &v.Swin.Model
	m.Patch, m.Window, m.Dim, m.Heads, m.Depths, m.Ratio, m.Noise = 2, 2, 4, 1, []int{1}, 1, 4
	tr := &v.Swin.Train
	tr.Steps, tr.Batch, tr.EvalEvery, tr.Checkpoint = 4, 2, 2, 2
	v.Swin.Sample.Steps, v.Swin.Probe, v.Samples, v.Steps, v.Lambdas = 3, 4, 6, 4, []float64{0, 10}
	return v
}

type validityFolder struct {
	dir   string
	rows  *study.Table[ValidityRow]
	curve *study.Table[SwinRow]
}

func openValidity(t *testing.T, dir string) validityFolder {
	t.Helper()
	f := validityFolder{dir: dir}
	var err error
	if f.rows, err = study.OpenTable[ValidityRow](filepath.Join(dir, "validity.csv")); err != nil {
		t.Fatal(err)
	}
	if f.curve, err = study.OpenTable[SwinRow](filepath.Join(dir, "swingnn.csv")); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := errors.Join(f.rows.Close(), f.curve.Close()); err != nil {
			t.Error(err)
		}
	})
	return f
}

func (f validityFolder) run(ctx context.Context, v *Validity, w run.Progress) error {
	return v.Run(ctx, f.dir, f.rows, f.curve, w)
}

// stopIn cancels when a stage has come so far.
type stopIn struct {
	run.NoProgress
	stage string
	done  int
	stop  func()
	in    *bool
}

func (s stopIn) Begin(stage string, _, _ int) { *s.in = stage == s.stage }
func (s stopIn) Set(done int, _ string) {
	if *s.in && done >= s.done {
		s.stop()
	}
}

// The study's rows are as they should be, and the same however often it was stopped: in SwinGNN's training, in its
// samples then, and in those that are measured. What is there is neither trained nor measured again.
func TestValidity(t *testing.T) {
	whole, broken := openValidity(t, t.TempDir()), openValidity(t, t.TempDir())
	if err := whole.run(context.Background(), smallValidity(t), nil); err != nil {
		t.Fatal(err)
	}
	for _, stage := range []string{"swingnn: training", "swingnn: samples", ValidDenoised + ", λ = 10"} {
		ctx, stop := context.WithCancel(context.Background())
		err := broken.run(ctx, smallValidity(t), stopIn{stage: stage, done: 3, stop: stop, in: new(bool)})
		if !errors.Is(err, train.ErrStopped) && !errors.Is(err, context.Canceled) {
			t.Fatalf("%s: error %v", stage, err)
		}
	}
	if n := len(broken.rows.Rows); n != 5 {
		t.Errorf("%d rows before the last", n)
	}
	if err := broken.run(context.Background(), smallValidity(t), nil); err != nil {
		t.Fatal(err)
	}
	if len(whole.rows.Rows) != 6 || len(whole.curve.Rows) != 2 || len(broken.curve.Rows) != 2 {
		t.Fatalf("%d rows, %d and %d of training", len(whole.rows.Rows), len(whole.curve.Rows), len(broken.curve.Rows))
	}
	for i, r := range whole.rows.Rows {
		s := broken.rows.Rows[i]
		r.Seconds, s.Seconds = 0, 0
		if r != s {
			t.Errorf("row %d: %+v, stopped %+v", i, r, s)
		}
		if all := r.Valid + r.Foreign + r.Extra + r.Broken + r.Scattered; math.Abs(all-1) > 1e-9 || r.Low > r.Valid ||
			r.High < r.Valid || r.Both > min(r.Valid, r.Reward)+1e-9 {
			t.Errorf("row %+v", r)
		}
		if r.Method == ValidDDPS && (r.Valid != 1 || r.Both != r.Reward) {
			t.Errorf("DDPS: row %+v", r)
		}
	}
	for i, r := range whole.curve.Rows {
		s := broken.curve.Rows[i]
		r.Seconds, s.Seconds = 0, 0
		if fmt.Sprint(r) != fmt.Sprint(s) || r.Step != 2*(i+1) || !(r.Held > 0) {
			t.Errorf("row %d of training: %+v, stopped %+v", i, r, s)
		}
	}
	files, _ := filepath.Glob(filepath.Join(whole.dir, "swingnn-*.safetensors"))
	others, _ := filepath.Glob(filepath.Join(broken.dir, "swingnn-*.safetensors"))
	if len(files) != 1 || len(others) != 1 || filepath.Base(files[0]) != filepath.Base(others[0]) {
		t.Fatalf("networks %v and %v", files, others)
	}
	a, err := os.ReadFile(files[0])
	b, err2 := os.ReadFile(others[0])
	if err != nil || err2 != nil || !bytes.Equal(a, b) {
		t.Errorf("another network after a stop: %v, %v", err, err2)
	}
}

// Guidance of DDPS brings paths to the edge.
func TestValidityGuides(t *testing.T) {
	f := openValidity(t, t.TempDir())
	v := smallValidity(t)
	v.Samples, v.Swin.Probe = 64, 0
	if err := f.run(context.Background(), v, nil); err != nil {
		t.Fatal(err)
	}
	if r := f.rows.Rows; !(r[1].Reward > r[0].Reward) {
		t.Errorf("%s: share with the edge %g, at λ = 10 %g", r[0].Method, r[0].Reward, r[1].Reward)
	}
	if len(f.curve.Rows) != 0 {
		t.Error("a curve that nobody asked for")
	}
}

// The sizes' settings are sound, and the edge is one that paths take or leave.
func TestValidityPresets(t *testing.T) {
	for _, c := range [][2]string{{GraphRQ1, run.PresetQuick}, {GraphRQ1, run.PresetPaper},
		{GraphExample, run.PresetQuick}} {
		graph, preset := c[0], c[1]
		v, err := NewValidity(graph, preset, "go", 0)
		if err != nil {
			t.Fatal(err)
		}
		if err := errors.Join(v.Swin.Train.Check(), v.Swin.Sample.Check(), v.Config.Check()); err != nil {
			t.Errorf("%s: %v", preset, err)
		}
		train, held := v.Data.Prune().Split(v.Config.Hold, 0)
		all, out := 1080, 270
		if graph == GraphExample {
			all, out = 8, 2
		}
		if len(train.Paths) != all || len(held.Paths) != out {
			t.Errorf("%s: %d paths to train on, %d for validation", preset, len(train.Paths), len(held.Paths))
		}
		m, err := swingnn.New(train.Graph.NumVertices(), v.Swin.Model, 0)
		if err != nil || preset == run.PresetPaper && m.NumWeights() < 14_000_000 {
			t.Errorf("%s: %v", preset, err)
		}
		e, err := rewardedEdge(train.Graph, train.Paths, 0)
		if err != nil {
			t.Fatal(err)
		}
		n := 0
		for _, p := range train.Paths {
			for l := 1; l < len(p); l++ {
				if k, _ := train.Graph.EdgeBetween(p[l-1], p[l]); k == e {
					n++
				}
			}
		}
		if share := float64(n) / float64(all); share < leastShare || share > mostShare {
			t.Errorf("edge %d is on a share of %g", e, share)
		}
	}
	for _, c := range [][2]string{{GraphExample, run.PresetPaper}, {"toy", run.PresetQuick}, {GraphRQ1, "huge"}} {
		if _, err := NewValidity(c[0], c[1], "go", 0); err == nil {
			t.Errorf("%v was taken", c)
		}
	}
}
