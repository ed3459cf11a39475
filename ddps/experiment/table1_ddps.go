package experiment

import (
	"context"
	"fmt"

	"github.com/ddps-go/ddps/ddps/baselines"
)

// table1DDPS is the paper's method, trained in a run folder.
type table1DDPS struct {
	Config Config
	method string
}

func newDDPS(t *Table1, name, network string) *table1DDPS {
	cfg := rivalConfig(t.Preset, t.Seed)
	cfg.Model.Network = network
	if t.Train > 0 {
		cfg.Train.Steps = t.Train
	}
	return &table1DDPS{Config: cfg, method: name}
}

func (r *table1DDPS) name() string  { return r.method }
func (r *table1DDPS) settings() any { return r }

func (r *table1DDPS) train(ctx context.Context, dir, _ string, d *table1Data, w Watch) (*learnt, error) {
	run, err := rivalRun(dir, r.Config, d.all)
	if err != nil {
		return nil, err
	}
	m, seconds, err := trainRival(ctx, run, r.name(), w)
	if err != nil {
		return nil, err
	}
	l := &learnt{examples: r.Config.Train.Steps * r.Config.Train.Batch, seconds: seconds, part: 8192}
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
