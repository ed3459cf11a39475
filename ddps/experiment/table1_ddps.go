package experiment

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"path/filepath"
	"time"

	"github.com/ddps-go/ddps/ddps/baselines"
	"github.com/ddps-go/ddps/ddps/d3pm"
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

func (r *table1DDPS) train(ctx context.Context, dir, own string, d *table1Data, w Watch) (*learnt, error) {
	folder := ddpsFolder(dir, r.Config)
	run, err := find(folder, r.Config, d.all)
	if err == nil && run == nil {
		run, err = Create(folder, r.Config, d.all)
	}
	if err != nil {
		return nil, err
	}
	var m *d3pm.Model
	l := &learnt{examples: r.Config.Train.Steps * r.Config.Train.Batch, part: 8192}
	file := filepath.Join(own, "training.json")
	if exists(filepath.Join(folder, modelFile)) {
		m, err = run.Model()
		if readJSON(file, &l.seconds) != nil {
			l.seconds = math.NaN()
		}
	} else {
		l.seconds, m, err = r.learn(ctx, run, file, w)
	}
	if err != nil {
		return nil, err
	}
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

// learn trains the run's model and adds to the seconds in a file that it took.
func (r *table1DDPS) learn(ctx context.Context, run *Run, file string, w Watch) (seconds float64, m *d3pm.Model, err error) {
	if err := readJSON(file, &seconds); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return 0, nil, err
	}
	began := time.Now()
	m, err = run.trainWatched(ctx, r.name(), w, d3pm.Hooks{})
	seconds += time.Since(began).Seconds()
	return seconds, m, errors.Join(err, writeJSON(file, seconds))
}
