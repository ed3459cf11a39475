package table1

import (
	"bytes"
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/ddps-go/ddps/datasets"
	"github.com/ddps-go/ddps/ddps"
	"github.com/ddps-go/ddps/ddps/baselines"
	"github.com/ddps-go/ddps/ddps/baselines/swingnn"
	"github.com/ddps-go/ddps/ddps/run"
	"github.com/ddps-go/ddps/ddps/study"
)

// The graphs of the studies of the baselines: RQ1 is the paper's; the example graph has ten paths, one size, and takes
// minutes without XLA.
const (
	GraphRQ1     = "rq1"
	GraphExample = "example"
)

// Graphs lists the graphs of the studies, the default first.
func Graphs() []string { return []string{GraphRQ1, GraphExample} }

// size is what settings are chosen by: of a graph and a preset.
type size int

const (
	sizeExample size = iota
	sizeSmall        // RQ1 at run.PresetQuick: two CPUs manage it in an hour or so
	sizePaper
)

// sizeOf returns the size of a graph and a preset. The error names the one that there is not.
func sizeOf(graph, preset string) (size, error) {
	switch {
	case !slices.Contains(Graphs(), graph):
		return 0, fmt.Errorf("table1: there is no graph %q, but %s", graph, strings.Join(Graphs(), ", "))
	case !slices.Contains(run.Presets(), preset):
		return 0, fmt.Errorf("table1: there is no preset %q, but %s", preset, strings.Join(run.Presets(), ", "))
	case graph == GraphExample && preset != run.PresetQuick:
		return 0, fmt.Errorf("table1: the example graph has the preset %s alone, not %s", run.PresetQuick, preset)
	case graph == GraphExample:
		return sizeExample, nil
	case preset == run.PresetPaper:
		return sizePaper, nil
	}
	return sizeSmall, nil
}

// Swin is all that a SwinGNN in a study is made by.
type Swin struct {
	Model  swingnn.Config
	Train  baselines.TrainConfig
	Sample swingnn.SampleConfig
	Probe  int // samples drawn at each checkpoint, for SwinRow; 0: none
}

// swinOf returns the settings of a size, on that backend.
func swinOf(n size, backend string) Swin {
	s := Swin{Model: swingnn.Small(), Train: swingnn.SmallTrain(), Sample: swingnn.SmallSample(), Probe: 64}
	if n == sizePaper {
		s = Swin{Model: swingnn.Default(), Train: swingnn.DefaultTrain(), Sample: swingnn.DefaultSample(), Probe: 256}
	}
	if n == sizeExample {
		m, t := &s.Model, &s.Train
		m.Patch, m.Window, m.Dim, m.Heads, m.Ratio, m.Noise, m.Init, m.PStd = 2, 10, 64, 4, 2, 32, 0, 0.8
		t.Steps, t.LRDecay, t.EvalEvery, t.Checkpoint = 1000, 0.998, 250, 250
		t.Optim.LR, t.Optim.Beta2 = 1e-3, 0.999
		s.Sample.Steps, s.Sample.Churn = 18, 3
	}
	s.Model.Backend = backend
	return s
}

// SwinRow is a row of what a SwinGNN in training has learned: samples of the averaged weights.
type SwinRow struct {
	Step    int     `csv:"step"`
	Seconds float64 `csv:"seconds"`         // of training
	Held    float64 `csv:"validation_loss"` // on validation paths
	Samples int     `csv:"samples"`
	Valid   float64 `csv:"valid"` // share, with its interval of 95%
	Low     float64 `csv:"valid_low"`
	High    float64 `csv:"valid_high"`
	Novel   float64 `csv:"novel"` // share of the valid ones that are no training path
	Seed    uint64  `csv:"seed"`
	Steps   int     `csv:"steps"` // of the whole training
}

// Fit returns the SwinGNN of these settings and seed trained on paths of a graph, with its files in dir (see
// fit): read if it is there, trained from where it was stopped if not. to, if not nil, gets a row a checkpoint.
// It returns the seconds that training took, over all runs, too.
func (c Swin) Fit(ctx context.Context, dir string, train, held *datasets.Data, seed uint64, to *study.Table[SwinRow],
	w run.Progress) (m *swingnn.Model, seconds float64, err error) {
	if w == nil {
		w = run.NoProgress{}
	}
	V := train.Graph.NumVertices()
	m, err = swingnn.New(V, c.Model, seed)
	if err != nil {
		return nil, 0, err
	}
	var out []ddps.Path
	if held != nil {
		out = repeated(held)
	}
	c.Train.Seed = seed
	on := repeated(train)
	f := &fit{dir: dir, kind: swingnn.Kind, key: []any{V, c.Model, c.Train, seed, on, out}, net: m, progress: w,
		trainer: func() (*baselines.Trainer, error) { return m.Trainer(train.Graph, on, out, c.Train) }}
	if to != nil && c.Probe > 0 {
		probe, err := swingnn.New(V, c.Model, seed)
		if err != nil {
			return nil, 0, err
		}
		f.measured = func(h history, file []byte) error {
			row := SwinRow{Step: h.Step, Seconds: h.Seconds, Seed: seed, Steps: c.Train.Steps}
			due := c.Train.Checkpoint > 0 && h.Step%c.Train.Checkpoint == 0 || h.Step == c.Train.Steps
			if !due || slices.ContainsFunc(to.Rows, row.same) {
				return nil
			}
			if n := len(h.Evals); n > 0 {
				row.Held = h.Evals[n-1].Loss
			}
			if err := probe.ReadWeights(bytes.NewReader(file)); err != nil {
				return err
			}
			return c.probe(ctx, probe, train.Graph, on, seed, row, to, w)
		}
	}
	if err := f.run(ctx); err != nil {
		return nil, 0, err
	}
	return m, f.history.Seconds, nil
}

// probe adds a row of what m has learned.
func (c Swin) probe(ctx context.Context, m *swingnn.Model, g *ddps.LayeredGraph, train []ddps.Path, seed uint64,
	row SwinRow, to *study.Table[SwinRow], w run.Progress) error {
	w.Begin("swingnn: samples", 0, c.Probe*(2*c.Sample.Steps-1))
	list, err := m.Sample(ctx, 0, c.Probe, seed, c.Sample, func(done, _ int) { w.Set(done, "") })
	w.End()
	if ctx.Err() != nil {
		return nil // it is measured when training continues
	}
	if err != nil {
		return err
	}
	tally := baselines.NewTally(g, train)
	for _, edges := range list {
		tally.Add(edges)
	}
	n := tally.Counts()
	row.Samples = c.Probe
	row.Valid, row.Low, row.High = n.ValidRate()
	row.Novel, _, _ = n.NovelShare()
	return to.Add(row)
}

// repeated lists each path as often as it occurs in the data.
func repeated(d *datasets.Data) (paths []ddps.Path) {
	for i, p := range d.Paths {
		for range d.Count(i) {
			paths = append(paths, p)
		}
	}
	return paths
}

// same reports whether x is of the same checkpoint.
func (r SwinRow) same(x SwinRow) bool {
	return x.Step == r.Step && x.Seed == r.Seed && x.Steps == r.Steps
}

// MainTraining returns the rows of the longest training, of the least seed that has it.
func MainTraining(rows []SwinRow) []SwinRow {
	var main SwinRow
	for _, r := range rows {
		if r.Steps > main.Steps || r.Steps == main.Steps && r.Seed < main.Seed {
			main = r
		}
	}
	return slices.DeleteFunc(slices.Clone(rows), func(r SwinRow) bool {
		return r.Steps != main.Steps || r.Seed != main.Seed
	})
}

// ReadSwin reads the rows of a SwinGNN's main training from their file. The error names the file, and the line that is
// wrong.
func ReadSwin(path string) ([]SwinRow, error) {
	rows, err := study.ReadTable[SwinRow](path)
	return MainTraining(rows), err
}
