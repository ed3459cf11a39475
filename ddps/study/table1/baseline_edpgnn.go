package table1

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"

	"github.com/ddps-go/ddps/ddps/baselines"
	"github.com/ddps-go/ddps/ddps/baselines/edpgnn"
	"github.com/ddps-go/ddps/ddps/run"
)

// edpSettings are all that an EDP-GNN in a study is made by, besides data and seed.
type edpSettings struct {
	Network edpgnn.Config
	Train   baselines.TrainConfig
	Sample  edpgnn.SampleConfig
	Grid    edpgnn.Grid
	backend string
}

// edpData is what it learns from.
type edpData struct {
	n           int // most vertices
	train, held []baselines.Graph
	by          []baselines.Graph // that choose the dynamics
	seed        uint64
}

// edpFitted is an EDP-GNN that has been trained, with the dynamics' settings that were chosen.
type edpFitted struct {
	model   *edpgnn.Model
	sample  edpgnn.SampleConfig
	history history
}

// chosen names what was chosen.
func (f *edpFitted) chosen() string {
	return fmt.Sprintf("step %g, noise %g", f.sample.Step, f.sample.Noise)
}

// fit trains the network, from where it was stopped, or reads it from dir; what it chose is kept in own.
func (r *edpSettings) fit(ctx context.Context, dir, own string, d edpData, w run.Progress) (*edpFitted, error) {
	m, err := edpgnn.New(d.n, r.Network, d.seed)
	if err != nil {
		return nil, err
	}
	m.SetBackend(r.backend)
	fit := &fit{dir: dir, kind: edpgnn.Kind, net: m, progress: w, key: []any{m.N, r.Network, r.Train, d.seed, d.train,
		d.held},
		trainer: func() (*baselines.Trainer, error) { return m.Trainer(d.train, d.held, r.Train) }}
	if err := fit.run(ctx); err != nil {
		return nil, err
	}
	c, err := r.search(ctx, own, m, d, w)
	if err != nil {
		return nil, err
	}
	return &edpFitted{m, c, fit.history}, nil
}

// search returns the dynamics' settings that the graphs chose, of a file if it has been done.
func (r *edpSettings) search(ctx context.Context, dir string, m *edpgnn.Model, d edpData, w run.Progress) (
	edpgnn.SampleConfig, error) {
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
	found.Chosen, found.Trials, err = m.Search(ctx, d.by, r.Grid, r.Train.Seed^sampleSeed, nil, r.Sample,
		func(done, total int) {
			if !begun {
				w.Begin(MethodEDPGNN+": step and noise of the dynamics", 0, total)
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
