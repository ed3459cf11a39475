package table1

import (
	"context"
	"encoding/json"
	"errors"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/ddps-go/ddps/datasets"
	"github.com/ddps-go/ddps/ddps"
	"github.com/ddps-go/ddps/ddps/baselines"
	"github.com/ddps-go/ddps/ddps/baselines/edpgnn"
	"github.com/ddps-go/ddps/ddps/run"
	"github.com/ddps-go/ddps/ddps/study"
)

// Every sample of the fitted chain's diffusion is a path; a row that is there is not measured again; the wrong is
// refused.
func TestTable1(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "table1.csv")
	results, err := study.OpenTable[Row](file)
	if err != nil {
		t.Fatal(err)
	}
	s := Study{Graph: GraphRQ1, Preset: run.PresetQuick, Samples: 300, Methods: []string{MethodDDPSChain}}
	rows, err := s.Run(context.Background(), dir, results, nil, nil)
	if err != nil || len(rows) != 1 {
		t.Fatalf("%d rows, %v", len(rows), err)
	}
	r := rows[0]
	if r.Train != 1080 || r.Held != 270 || r.Valid != 300 || r.ValidRate != 1 || r.ValidHigh != 1 ||
		!(r.ValidLow > 0.98) || r.MeanEdges != 9 {
		t.Errorf("row %+v", r)
	}
	if !(r.Unique > 200 && r.Unique <= 300 && r.Novel > 0 && r.Novel < 150) {
		t.Errorf("unique %d, novel %d of 300 draws of a distribution near that of 1,080 of 1,350 paths", r.Unique, r.Novel)
	}
	if again, err := s.Run(context.Background(), dir, results, nil, nil); err != nil || len(results.Rows) != 1 ||
		again[0] != r {
		t.Errorf("again: %+v, %v, %d rows on disk", again, err, len(results.Rows))
	}
	if err := results.Close(); err != nil {
		t.Fatal(err)
	}
	if read, err := study.ReadTable[Row](file); err != nil || read[0] != r || read[0].Counts().N() != 300 {
		t.Errorf("read %+v, %v", read, err)
	}
	for _, bad := range []Study{{Graph: GraphRQ1, Preset: "huge"}, {Graph: "toy", Preset: run.PresetQuick},
		{Graph: GraphRQ1, Preset: run.PresetQuick, Methods: []string{"GAN"}}} {
		if _, err := bad.Run(context.Background(), dir, results, nil, nil); err == nil {
			t.Errorf("%+v was taken", bad)
		}
	}
}

// The validation paths and trained on are apart, all of RQ1, on the graph without what lies on no path.
func TestTable1Data(t *testing.T) {
	d, err := newData(GraphRQ1, 3)
	if err != nil {
		t.Fatal(err)
	}
	if len(d.train.Paths) != 1080 || len(d.held.Paths) != 270 || d.graph.NumVertices() != 37 {
		t.Errorf("%d paths and %d for validation, %d vertices", len(d.train.Paths), len(d.held.Paths), d.graph.NumVertices())
	}
	tally := baselines.NewTally(d.graph, d.train.Paths)
	for _, p := range slices.Concat(d.train.Paths, d.held.Paths) {
		if err := tally.AddPath(p); err != nil {
			t.Fatal(err)
		}
	}
	if c := tally.Counts(); c.Unique != 1350 || c.Novel != 270 {
		t.Errorf("%+v", c)
	}
}

// halt is a Progress that stops the study when its n-th stage has begun.
type halt struct {
	n    int
	stop func()
}

func (h *halt) Begin(string, int, int) {
	if h.n--; h.n == 0 {
		h.stop()
	}
}
func (h *halt) Set(int, string) {}
func (h *halt) End()            {}

// tinyEDPGNN is EDP-GNN on the example's ten paths, in no time.
func tinyEDPGNN(t *testing.T) (*edpgnnMethod, *splitData) {
	t.Helper()
	data, err := datasets.All(ddps.Example(), 100)
	if err != nil {
		t.Fatal(err)
	}
	data = data.Prune()
	r := newEDPGNN(&Study{Backend: "go"}, sizeSmall)
	r.Network.Channels, r.Network.Hidden, r.Network.Rounds, r.Network.Sigmas = []int{2}, 2, 1, []float64{0.2, 1}
	r.Train.Steps, r.Train.Batch, r.Train.Checkpoint, r.Train.EvalEvery = 6, 4, 2, 3
	r.Sample = edpgnn.SampleConfig{Steps: 2, Batch: 8}
	r.Grid = edpgnn.Grid{Steps: []float64{0.1, 0.01}, Noises: []float64{1}, N: 4}
	part := func(lo, hi int) *datasets.Data {
		return &datasets.Data{Graph: data.Graph, Paths: data.Paths[lo:hi], Counts: data.Counts[lo:hi]}
	}
	return r, &splitData{graph: data.Graph, all: data, train: part(0, 7), held: part(7, 10), seed: 5}
}

// A method stopped at any stage, in training, in the choice of its sampler or between samples, ends with the numbers of
// one that was not.
func TestTable1Resume(t *testing.T) {
	r := func(dir string, w run.Progress, ctx context.Context) (Row, error) {
		r, d := tinyEDPGNN(t)
		row := Row{Samples: 20}
		err := measureMethod(ctx, r, dir, filepath.Join(dir, "own"), d, &row, w)
		row.TrainSeconds, row.SampleSeconds = 0, 0
		return row, err
	}
	want, err := r(t.TempDir(), run.NoProgress{}, context.Background())
	if err != nil {
		t.Fatal(err)
	}
	if want.Counts().N() != 20 || want.TrainExamples != 24 || want.Weights == 0 || !strings.HasPrefix(want.Chosen,
		"step 0.") || math.IsNaN(want.MeanEdges) {
		t.Errorf("row %+v", want)
	}
	dir := t.TempDir()
	for _, stage := range []int{1, 2, 2, 3} { // in training; in the search, twice; in the second part of the samples
		ctx, cancel := context.WithCancel(context.Background())
		_, err := r(dir, &halt{stage, cancel}, ctx)
		cancel()
		if !errors.Is(err, baselines.ErrStopped) && !errors.Is(err, context.Canceled) {
			t.Fatalf("stopped in stage %d: %v", stage, err)
		}
	}
	if got, err := r(dir, run.NoProgress{}, context.Background()); err != nil || got != want {
		t.Errorf("gone on: %+v, %v, want %+v", got, err, want)
	}
	data, err := os.ReadFile(filepath.Join(dir, "own", settingsFile))
	if err != nil || !json.Valid(data) || !strings.Contains(string(data), `"Sigmas":[0.2,1]`) {
		t.Errorf("settings %s, %v", data, err)
	}
	changed := 0
	// a changed byte is an error that names the file
	err = filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || d.Name() == settingsFile || strings.HasSuffix(path, ".sha256") {
			return err
		}
		data, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		other := slices.Clone(data)
		other[len(other)/2] ^= 1
		if err := os.WriteFile(path, other, 0o644); err != nil {
			return err
		}
		if _, err := r(dir, run.NoProgress{}, context.Background()); err == nil || !strings.Contains(err.Error(), path) {
			t.Errorf("%s: %v", path, err)
		}
		changed++
		return os.WriteFile(path, data, 0o644)
	})
	if err != nil || changed < 4 {
		t.Errorf("%d files, %v", changed, err)
	}
}

// stagesSeen is a Progress that keeps the stages' names.
type stagesSeen struct{ names []string }

func (s *stagesSeen) Begin(name string, _, _ int) { s.names = append(s.names, name) }
func (s *stagesSeen) Set(int, string)             {}
func (s *stagesSeen) End()                        {}

// SwinGNN and DDPS are those that the study of guidance trained in the same directory, from the same data and settings.
func TestTable1Shares(t *testing.T) {
	v := smallValidity(t)
	f := openValidity(t, t.TempDir())
	if err := v.Run(context.Background(), f.dir, f.rows, nil, nil); err != nil {
		t.Fatal(err)
	}
	train, held := v.Data.Prune().Split(v.Config.Hold, v.Seed)
	d := &splitData{graph: train.Graph, all: v.Data, train: train, held: held, seed: v.Seed}
	for _, m := range []method{&swinMethod{Swin: v.Swin, part: 4}, &ddpsMethod{Config: v.Config, method: MethodDDPS}} {
		row, seen := Row{Samples: 6}, &stagesSeen{}
		if err := measureMethod(context.Background(), m, f.dir, filepath.Join(f.dir, "own", m.name()), d, &row,
			seen); err != nil {
			t.Fatal(err)
		}
		if slices.ContainsFunc(seen.names, func(s string) bool { return strings.Contains(s, "training") }) {
			t.Errorf("%s was trained again: %q", m.name(), seen.names)
		}
		if row.Counts().N() != 6 || row.Weights == 0 || !(row.TrainSeconds > 0) || m.name() == MethodDDPS && row.Valid != 6 {
			t.Errorf("%s: row %+v", m.name(), row)
		}
	}
	if err := errors.Join(f.rows.Close(), f.curve.Close()); err != nil {
		t.Fatal(err)
	}
}

// SwinGNN's training leaves rows of what it has learned, of which no number of the table depends on.
func TestTable1Curve(t *testing.T) {
	d, err := newData(GraphExample, 0)
	if err != nil {
		t.Fatal(err)
	}
	f := openValidity(t, t.TempDir())
	r := newSwinGNN(&Study{}, sizeExample, f.curve)
	r.Swin = smallValidity(t).Swin
	if _, err := r.train(context.Background(), f.dir, "", d, run.NoProgress{}); err != nil {
		t.Fatal(err)
	}
	if n := len(f.curve.Rows); n != 2 || f.curve.Rows[1].Step != 4 || f.curve.Rows[1].Samples != 4 {
		t.Errorf("of training %+v", f.curve.Rows)
	}
	before, err := fingerprint(r.settings())
	if err != nil {
		t.Fatal(err)
	}
	r.Probe *= 2
	if after, err := fingerprint(r.settings()); err != nil || after != before {
		t.Errorf("settings %s, with more samples in training %s, %v", before, after, err)
	}
}
