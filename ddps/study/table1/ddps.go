package table1

import (
	"context"
	"fmt"

	"github.com/ddps-go/ddps/ddps/baselines"
	"github.com/ddps-go/ddps/ddps/run"
)

// ddpsMethod is the paper's method, trained in a run directory.
type ddpsMethod struct {
	Config run.Config
	method string
}

func newDDPS(t *Study, n size, name, network string) *ddpsMethod {
	cfg := ddpsConfig(n, t.Seed)
	cfg.Model.Network = network
	if t.Train > 0 {
		cfg.Train.Steps = t.Train
	}
	return &ddpsMethod{Config: cfg, method: name}
}

func (r *ddpsMethod) name() string  { return r.method }
func (r *ddpsMethod) settings() any { return r }

func (r *ddpsMethod) train(ctx context.Context, dir, _ string, d *splitData, w run.Progress) (*learned, error) {
	on, err := ddpsRun(dir, r.Config, d.all)
	if err != nil {
		return nil, err
	}
	m, seconds, err := trainDDPS(ctx, on, r.name(), w)
	if err != nil {
		return nil, err
	}
	l := &learned{examples: r.Config.Train.Steps * r.Config.Train.Batch, seconds: seconds, part: 8192}
	l.chosen = fmt.Sprintf("κ %g", m.Config.Kappa)
	if m.Net == nil {
		l.examples = len(d.train.Paths)
	}
	if m.Net != nil {
		for _, p := range m.Net.Params() {
			l.weights += len(p.Data)
		}
	}
	l.draw = func(ctx context.Context, first, n int, progress func(done, total int)) ([][]baselines.Edge, error) {
		s := m.Sampler()
		s.Progress = progress
		paths, err := s.Sample(ctx, n, d.seed^sampleSeed+uint64(first))
		if err != nil {
			return nil, err
		}
		graphs, err := baselines.PathGraphs(d.graph, paths)
		return edgesOf(graphs), err
	}
	return l, nil
}
