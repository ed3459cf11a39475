// Package paths studies how well models that are trained with the default settings predict recorded and made paths.
package paths

import (
	"context"
	"fmt"
	"math"
	"path/filepath"

	"github.com/ddps-go/ddps/datasets"
	"github.com/ddps-go/ddps/datasets/sequences"
	"github.com/ddps-go/ddps/ddps"
	"github.com/ddps-go/ddps/ddps/compare"
	"github.com/ddps-go/ddps/ddps/model"
	"github.com/ddps-go/ddps/ddps/run"
	"github.com/ddps-go/ddps/ddps/study"
	"github.com/ddps-go/ddps/internal/cputime"
)

// Study measures how well a model that is trained with the default settings predicts the test paths of a set, and how
// near its samples come to them. A set is NAME-train and NAME-test of a directory, walks split by walk, or heights or
// ridge, whose data are made and whose test paths, a tenth of all (seed 1), are distinct from those to train on.
type Study struct {
	Set     string
	Data    string // directory of the files; "" for heights and ridge
	Parts   string // of the stack, as model.StackConfig.Parts; "": the default
	Seed    uint64 // of the fit, its validation paths, and samples
	Samples int    // as many as are compared with the test paths
	Reps    int    // draws behind each sampling floor
}

// New returns the study of a set at its usual size.
func New(set, data string, seed uint64) *Study {
	return &Study{Set: set, Data: data, Seed: seed, Samples: 20_000, Reps: 20}
}

// Row is a row of the results: a model, or a part of one, on a set. Rates are those of the samples and of the test
// paths; distances are ½L1 of distributions, each beside its mean over exact samples of the same size. NaN where there
// is none.
type Row struct {
	Set           string  `csv:"set"`
	Model         string  `csv:"model"` // "stack", the parts of another model, or "stack: " and a part
	Seed          uint64  `csv:"seed"`
	Condition     string  `csv:"condition"` // "" for none
	Validation    float64 `csv:"validation_nll"`
	NLL           float64 `csv:"test_nll"` // nats per path, the end included
	StdErr        float64 `csv:"test_se"`  // over test paths
	True          float64 `csv:"true_nll"` // of the distribution that made the paths
	Weight        float64 `csv:"weight"`   // of a part
	Length        float64 `csv:"length"`   // mean
	LengthTest    float64 `csv:"length_test"`
	LengthTV      float64 `csv:"length_tv"`
	LengthFloor   float64 `csv:"length_floor"`
	Return        float64 `csv:"return"` // share of paths that end where they begin
	ReturnTest    float64 `csv:"return_test"`
	ReturnTV      float64 `csv:"return_tv"`
	ReturnFloor   float64 `csv:"return_floor"`
	Revisit       float64 `csv:"revisit"` // share of paths that come back to a place
	RevisitTest   float64 `csv:"revisit_test"`
	RevisitTV     float64 `csv:"revisit_tv"` // for heights and ridge of the number of revisits
	RevisitFloor  float64 `csv:"revisit_floor"`
	EndTV         float64 `csv:"end_tv"`
	EndFloor      float64 `csv:"end_floor"`
	District      float64 `csv:"district_tv"`
	DistrictFloor float64 `csv:"district_floor"`
	Quadrant      float64 `csv:"quadrant_tv"` // of the quadrants after three moves and at the end
	QuadrantFloor float64 `csv:"quadrant_floor"`
	CPU           float64 `csv:"cpu_s"` // of the fit
}

// same reports whether x is of the same grid point.
func (r Row) same(x Row) bool {
	return x.Set == r.Set && x.Model == r.Model && x.Seed == r.Seed && x.Condition == r.Condition
}

// row returns an empty row.
func (s *Study) row(name string) Row {
	n := math.NaN()
	return Row{Set: s.Set, Model: name, Seed: s.Seed, Validation: n, NLL: n, StdErr: n, True: n, Weight: n,
		Length: n, LengthTest: n, LengthTV: n, LengthFloor: n, Return: n, ReturnTest: n, ReturnTV: n, ReturnFloor: n,
		Revisit: n, RevisitTest: n, RevisitTV: n, RevisitFloor: n, EndTV: n, EndFloor: n, District: n, DistrictFloor: n,
		Quadrant: n, QuadrantFloor: n, CPU: n}
}

// name is that of the model in the rows.
func (s *Study) name() string {
	if s.Parts == "" {
		return "stack"
	}
	return s.Parts
}

// Run adds to the table the rows that it lacks. The model is trained in a run directory in dir, where a study that was
// stopped resumes.
func (s *Study) Run(ctx context.Context, dir string, to *study.Table[Row], w run.Progress) error {
	if w == nil {
		w = run.NoProgress{}
	}
	main := s.row(s.name())
	if len(to.Missing([]Row{main}, Row.same)) == 0 {
		return nil
	}
	train, test, err := s.load()
	if err != nil {
		return fmt.Errorf("paths: %s: %w", s.Set, err)
	}
	cfg := run.StackConfig()
	cfg.HoldSeed, cfg.InitSeed, cfg.Train.Seed = s.Seed, s.Seed, s.Seed
	if s.made() {
		cfg.ValidationBy = run.ByPath
	}
	if s.Parts != "" {
		cfg.Model.Stack.Parts = s.Parts
	}
	r, err := run.FindOrCreate(filepath.Join(dir, fmt.Sprintf("%s-%s-%d", s.Set, s.name(), s.Seed)), cfg, train)
	if err != nil {
		return err
	}
	began := cputime.Process()
	m, err := r.Trained(ctx, fmt.Sprintf("%s, seed %d", s.Set, s.Seed), w)
	if err != nil {
		return err
	}
	main.CPU = cputime.Process() - began
	main.Validation = m.Stack.NLL
	if err := s.measure(ctx, m, train, test, &main); err != nil {
		return fmt.Errorf("paths: %s: %w", s.Set, err)
	}
	for _, p := range m.Stack.Parts {
		row := s.row(s.name() + ": " + p.Name)
		row.Validation, row.Weight = p.NLL, p.Weight
		if len(to.Missing([]Row{row}, Row.same)) == 0 || p.Weight == 0 {
			continue
		}
		if row.NLL, row.StdErr, err = testNLL(p.Distribution, test); err != nil {
			return err
		}
		if err := to.Add(row); err != nil {
			return err
		}
	}
	return to.Add(main) // last: it says that the set is done
}

func (s *Study) made() bool { return s.Set == "heights" || s.Set == "ridge" }

// load returns the paths to train and to test on, on one graph.
func (s *Study) load() (train, test *datasets.Data, err error) {
	if s.made() {
		d, err := run.MakeData(s.Set, run.PresetPaper)
		if err != nil {
			return nil, nil, err
		}
		train, test = d.Prune().Split(.1, 1)
		return train, test, nil
	}
	var sets []*sequences.Walks
	for _, part := range []string{"train", "test"} {
		files, err := filepath.Glob(filepath.Join(s.Data, s.Set+"-"+part+".txt*"))
		if err == nil && len(files) != 1 {
			err = fmt.Errorf("%s has %d files %s-%s.txt or .txt.gz, expected 1", s.Data, len(files), s.Set, part)
		}
		if err != nil {
			return nil, nil, err
		}
		walks, err := sequences.ReadFile(sequences.ReadOptions{}, files[0])
		if err != nil {
			return nil, nil, err
		}
		sets = append(sets, walks)
	}
	r, err := sequences.Make(sequences.Options{}, sets...)
	if err != nil {
		return nil, nil, err
	}
	return r.Data[0], r.Data[1], nil
}

// scored gives log-probabilities of paths.
type scored interface {
	LogProb(paths []ddps.Path, out []float64) error
}

// testNLL returns the mean −log p of the test paths, by count, and its standard error.
func testNLL(d scored, test *datasets.Data) (mean, se float64, err error) {
	logp := make([]float64, len(test.Paths))
	if err := d.LogProb(test.Paths, logp); err != nil {
		return 0, 0, err
	}
	n, square := 0.0, 0.0
	for i, lp := range logp {
		c := float64(test.Count(i))
		mean, square, n = mean-c*lp, square+c*lp*lp, n+c
	}
	mean /= n
	return mean, math.Sqrt(max(0, square/n-mean*mean) / (n - 1)), nil
}

// measure sets the results of the whole model.
func (s *Study) measure(ctx context.Context, m *model.Model, train, test *datasets.Data, row *Row) (err error) {
	if row.NLL, row.StdErr, err = testNLL(m.Stack, test); err != nil {
		return err
	}
	paths := make([]ddps.Path, s.Samples)
	if err := m.Stack.Sample(ctx, paths, s.Seed, 0); err != nil {
		return err
	}
	if s.made() {
		return s.measureMade(train, test, paths, row)
	}
	t, err := compare.DataTarget(test.Graph, test)
	if err != nil {
		return err
	}
	list, err := compare.Features(ctx, t, paths, s.Reps, s.Seed)
	for _, x := range list {
		switch x.Key {
		case compare.FeatureLength:
			row.Length, row.LengthTest, row.LengthTV, row.LengthFloor = x.Samples, x.Reference, x.Value.Value, x.Floor
		case compare.FeatureReturn:
			row.Return, row.ReturnTest, row.ReturnTV, row.ReturnFloor = x.Samples, x.Reference, x.Value.Value, x.Floor
		case compare.FeatureRevisit:
			row.Revisit, row.RevisitTest, row.RevisitTV, row.RevisitFloor = x.Samples, x.Reference, x.Value.Value, x.Floor
		case compare.FeatureEnd:
			row.EndTV, row.EndFloor = x.Value.Value, x.Floor
		}
	}
	return err
}
