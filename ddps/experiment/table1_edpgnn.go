package experiment

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"

	"github.com/ddps-go/ddps/ddps/baselines"
	"github.com/ddps-go/ddps/ddps/baselines/edpgnn"
)

// table1EDPGNN is EDP-GNN.
type table1EDPGNN struct {
	Network edpgnn.Config
	Train   baselines.TrainConfig
	Sample  edpgnn.SampleConfig
	Grid    edpgnn.Grid
	backend string
}

// rq1Train is how many paths of RQ1 are trained on.
const rq1Train = 1080

func newEDPGNN(t *Table1) *table1EDPGNN {
	r := &table1EDPGNN{Network: edpgnn.Default(), Train: edpgnn.DefaultTrain(rq1Train), Sample: edpgnn.DefaultSample(), Grid: edpgnn.DefaultGrid(), backend: t.Backend}
	if t.Preset == PresetCPU {
		r.Network = edpgnn.Small()
		r.Train.Steps, r.Train.Batch, r.Train.EvalEvery, r.Train.Checkpoint = 5000, 8, 500, 250
		r.Train.Optim.LR, r.Train.LRDecay = 3e-3, 0.93
		r.Sample.Steps, r.Sample.Batch, r.Grid.N = 200, 32, 32
	}
	switch t.Preset {
	case PresetPaper:
		r.Sample.Batch = 512
	case PresetQuick:
		r.Network = edpgnn.Small()
		r.Train.Steps, r.Train.Batch, r.Train.EvalEvery, r.Train.Checkpoint = 1000, 8, 250, 250
		r.Train.Optim.LR, r.Train.LRDecay = 3e-3, 0.998
		r.Sample.Steps, r.Sample.Batch, r.Grid.N = 20, 16, 16
	}
	if t.Train > 0 {
		r.Train.Steps = t.Train
	}
	r.Train.Seed = t.Seed
	return r
}

func (r *table1EDPGNN) name() string  { return MethodEDPGNN }
func (r *table1EDPGNN) settings() any { return r }

func (r *table1EDPGNN) train(ctx context.Context, dir, own string, d *table1Data, w Watch) (*learnt, error) {
	train, err := baselines.PathGraphs(d.graph, repeated(d.train))
	if err != nil {
		return nil, err
	}
	held, err := baselines.PathGraphs(d.graph, repeated(d.held))
	if err != nil {
		return nil, err
	}
	m, err := edpgnn.New(d.graph.NumVertices(), r.Network, d.seed)
	if err != nil {
		return nil, err
	}
	m.SetBackend(r.backend)
	fit := &rivalFit{dir: dir, kind: edpgnn.Kind, net: m, watch: w, key: []any{m.N, r.Network, r.Train, d.seed, train, held},
		trainer: func() (*baselines.Trainer, error) { return m.Trainer(train, held, r.Train) }}
	if err := fit.run(ctx); err != nil {
		return nil, err
	}
	c, err := r.search(ctx, own, m, held, w)
	if err != nil {
		return nil, err
	}
	return &learnt{weights: m.NumWeights(), examples: r.Train.Steps * r.Train.Batch, seconds: fit.history.Seconds,
		chosen: fmt.Sprintf("step %g, noise %g", c.Step, c.Noise), part: c.Batch,
		draw: func(ctx context.Context, first, n int, progress func(done, total int)) ([][]baselines.Edge, error) {
			graphs, err := m.Sample(ctx, first, n, d.seed^sampleSeed, nil, c, progress)
			return edgesOf(graphs), err
		}}, nil
}

// search returns the dynamics' settings that the paths held out chose, of a file if it has been done.
func (r *table1EDPGNN) search(ctx context.Context, dir string, m *edpgnn.Model, held []baselines.Graph, w Watch) (edpgnn.SampleConfig, error) {
	path := filepath.Join(dir, "search.json")
	var found struct {
		Chosen edpgnn.SampleConfig
		Trials []edpgnn.Trial
	}
	if err := readJSON(path, &found); err == nil || !errors.Is(err, fs.ErrNotExist) {
		return found.Chosen, err
	}
	begun := false
	var err error
	found.Chosen, found.Trials, err = m.Search(ctx, held, r.Grid, r.Train.Seed^sampleSeed, nil, r.Sample, func(done, total int) {
		if !begun {
			w.Begin(r.name()+": step and noise of the dynamics", 0, total)
			begun = true
		}
		w.Set(done, "")
	})
	if begun {
		w.End()
	}
	if err != nil {
		return found.Chosen, err
	}
	return found.Chosen, writeJSON(path, found)
}
