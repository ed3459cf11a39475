package experiment

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
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
	cfg := ConfigOf(network)
	if t.Preset == PresetPaper {
		cfg = cfg.Sized(PresetPaper)
	}
	cfg.Hold, cfg.HoldSeed, cfg.InitSeed, cfg.Train.Seed = table1Hold, t.Seed, t.Seed, t.Seed
	return &table1DDPS{Config: cfg, method: name}
}

func (r *table1DDPS) name() string  { return r.method }
func (r *table1DDPS) settings() any { return r }

func (r *table1DDPS) train(ctx context.Context, dir string, d *table1Data, w Watch) (*learnt, error) {
	dir = filepath.Join(dir, "run")
	cfg := r.Config.On(d.graph)
	run, err := find(dir, cfg, d.all)
	if err == nil && run == nil {
		run, err = Create(dir, cfg, d.all)
	}
	if err != nil {
		return nil, err
	}
	var h history
	progress := filepath.Join(dir, progressFile)
	if err := readJSON(progress, &h); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	var m *d3pm.Model
	if exists(filepath.Join(dir, modelFile)) {
		m, err = run.Model()
	} else {
		began := time.Now()
		m, err = run.trainWatched(ctx, r.name(), w, d3pm.Hooks{Step: func(s d3pm.StepInfo) { h.Step = s.Step }})
		h.Seconds += time.Since(began).Seconds()
		err = errors.Join(err, writeJSON(progress, h))
	}
	if err != nil {
		return nil, err
	}
	l := &learnt{seconds: h.Seconds, examples: h.Step * cfg.Train.Batch, part: 8192, chosen: fmt.Sprintf("κ %g", m.Config.Kappa)}
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
