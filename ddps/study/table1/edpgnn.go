package table1

import (
	"context"

	"github.com/ddps-go/ddps/ddps/baselines"
	"github.com/ddps-go/ddps/ddps/baselines/edpgnn"
	"github.com/ddps-go/ddps/ddps/run"
)

// edpgnnMethod is EDP-GNN.
type edpgnnMethod struct{ edpSettings }

// rq1Train is how many paths of RQ1 are trained on.
const rq1Train = 1080

func newEDPGNN(t *Study, n size) *edpgnnMethod {
	r := &edpgnnMethod{edpSettings{Network: edpgnn.Default(), Train: edpgnn.DefaultTrain(rq1Train),
		Sample: edpgnn.DefaultSample(), Grid: edpgnn.DefaultGrid(), backend: t.Backend}}
	if n == sizeSmall {
		r.Network = edpgnn.Small()
		r.Train.Steps, r.Train.Batch, r.Train.EvalEvery, r.Train.Checkpoint = 5000, 8, 500, 250
		r.Train.Optim.LR, r.Train.LRDecay = 3e-3, 0.93
		r.Sample.Steps, r.Sample.Batch, r.Grid.N = 200, 32, 32
	}
	switch n {
	case sizePaper:
		r.Sample.Batch = 512
	case sizeExample:
		r.Network = edpgnn.Small()
		r.Train.Steps, r.Train.Batch, r.Train.EvalEvery, r.Train.Checkpoint = 1000, 8, 250, 250
		r.Train.Optim.LR, r.Train.LRDecay = 3e-3, 0.998
		r.Sample.Steps, r.Sample.Batch, r.Grid.N = 20, 16, 16
	}
	if t.Train > 0 {
		r.Train = r.Train.WithSteps(t.Train)
	}
	r.Train.Seed = t.Seed
	return r
}

func (r *edpgnnMethod) name() string  { return MethodEDPGNN }
func (r *edpgnnMethod) settings() any { return r }

func (r *edpgnnMethod) train(ctx context.Context, dir, own string, d *splitData, w run.Progress) (*learned, error) {
	train, err := baselines.PathGraphs(d.graph, repeated(d.train))
	if err != nil {
		return nil, err
	}
	held, err := baselines.PathGraphs(d.graph, repeated(d.held))
	if err != nil {
		return nil, err
	}
	f, err := r.fit(ctx, dir, own, edpData{n: d.graph.NumVertices(), train: train, held: held, by: held, seed: d.seed}, w)
	if err != nil {
		return nil, err
	}
	return &learned{weights: f.model.NumWeights(), examples: r.Train.Steps * r.Train.Batch, seconds: f.history.Seconds,
		chosen: f.chosen(),
		part:   f.sample.Batch,
		draw: func(ctx context.Context, first, n int, progress func(done, total int)) ([][]baselines.Edge, error) {
			graphs, err := f.model.Sample(ctx, first, n, d.seed^sampleSeed, nil, f.sample, progress)
			return edgesOf(graphs), err
		}}, nil
}
