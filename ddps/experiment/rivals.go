package experiment

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/ddps-go/ddps/ddps/baselines"
	"github.com/ddps-go/ddps/ddps/baselines/edpgnn"
	"github.com/ddps-go/ddps/ddps/d3pm"
)

// The methods of table 1.
const (
	MethodEDPGNN    = "EDP-GNN"
	MethodSwinGNN   = "SwinGNN"
	MethodDDPS      = "DDPS"
	MethodDDPSChain = "DDPS, no network" // the diffusion of the fitted chain
)

// Table1Methods lists the methods in the table's order.
func Table1Methods() []string {
	return []string{MethodEDPGNN, MethodSwinGNN, MethodDDPS, MethodDDPSChain}
}

// sampleSeed sets the streams of samples apart from those of training.
const sampleSeed = 0x3f84d5b5b5470917

// rivals returns the study's methods with the preset's settings. The error names the preset or method that is none.
func (t *Table1) rivals() (list []rival, err error) {
	if !slices.Contains(Table1Presets(), t.Preset) {
		return nil, fmt.Errorf("experiment: table 1 has no preset %q, but %s", t.Preset, strings.Join(Table1Presets(), ", "))
	}
	names := t.Methods
	if names == nil {
		names = Table1Methods()
	}
	for _, name := range names {
		switch name {
		case MethodEDPGNN:
			list = append(list, newEDPGNN(t))
		case MethodDDPS:
			list = append(list, newDDPS(t, name, d3pm.NetworkMLP))
		case MethodDDPSChain:
			list = append(list, newDDPS(t, name, d3pm.NetworkNone))
		default:
			return nil, fmt.Errorf("experiment: table 1 has no method %q, but %s", name, strings.Join(Table1Methods(), "; "))
		}
	}
	return list, nil
}

// rivalEDPGNN is EDP-GNN.
type rivalEDPGNN struct {
	Network edpgnn.Config
	Train   baselines.TrainConfig
	Sample  edpgnn.SampleConfig
	Grid    edpgnn.Grid
	backend string
}

// rq1Train is how many paths of RQ1 are trained on.
const rq1Train = 1080

func newEDPGNN(t *Table1) *rivalEDPGNN {
	r := &rivalEDPGNN{Network: edpgnn.Default(), Train: edpgnn.DefaultTrain(rq1Train), Sample: edpgnn.DefaultSample(), Grid: edpgnn.DefaultGrid(), backend: t.Backend}
	if t.Preset == PresetCPU {
		r.Network = edpgnn.Small()
		r.Train.Steps, r.Train.EvalEvery, r.Train.Checkpoint = 2000, 250, 100
		r.Sample.Steps, r.Grid.N = 100, 64
	}
	r.Train.Seed = t.Seed
	return r
}

func (r *rivalEDPGNN) name() string  { return MethodEDPGNN }
func (r *rivalEDPGNN) settings() any { return r }

func (r *rivalEDPGNN) train(ctx context.Context, dir string, d *rivalData, w Watch) (*learnt, error) {
	train, err := baselines.PathGraphs(d.graph, d.train)
	if err != nil {
		return nil, err
	}
	held, err := baselines.PathGraphs(d.graph, d.held)
	if err != nil {
		return nil, err
	}
	m, err := edpgnn.New(d.graph.NumVertices(), r.Network, d.seed)
	if err != nil {
		return nil, err
	}
	m.SetBackend(r.backend)
	trainer, err := m.Trainer(train, held, r.Train)
	if err != nil {
		return nil, err
	}
	net := &rivalNet{name: r.name(), trainer: trainer, save: m.Save, load: func(f io.Reader) error {
		if m, err = edpgnn.Load(f); err == nil {
			m.SetBackend(r.backend)
		}
		return err
	}}
	h, err := net.run(ctx, dir, w)
	if err != nil {
		return nil, err
	}
	c, err := r.search(ctx, dir, m, held, w)
	if err != nil {
		return nil, err
	}
	return &learnt{weights: m.NumWeights(), examples: r.Train.Steps * r.Train.Batch, seconds: h.Seconds,
		chosen: fmt.Sprintf("step %g, noise %g", c.Step, c.Noise), part: c.Batch,
		draw: func(ctx context.Context, first, n int, progress func(done, total int)) ([][]baselines.Edge, error) {
			graphs, err := m.Sample(ctx, first, n, d.seed^sampleSeed, nil, c, progress)
			return edgesOf(graphs), err
		}}, nil
}

// search returns the dynamics' settings that the paths held out chose, of a file if it has been done.
func (r *rivalEDPGNN) search(ctx context.Context, dir string, m *edpgnn.Model, held []baselines.Graph, w Watch) (edpgnn.SampleConfig, error) {
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

// rivalDDPS is the paper's method, trained in a run folder.
type rivalDDPS struct {
	Config Config
	method string
}

func newDDPS(t *Table1, name, network string) *rivalDDPS {
	cfg := ConfigOf(network)
	if t.Preset == PresetPaper {
		cfg = cfg.Sized(PresetPaper)
	}
	cfg.Hold, cfg.HoldSeed, cfg.InitSeed, cfg.Train.Seed = table1Hold, t.Seed, t.Seed, t.Seed
	return &rivalDDPS{Config: cfg, method: name}
}

func (r *rivalDDPS) name() string  { return r.method }
func (r *rivalDDPS) settings() any { return r }

func (r *rivalDDPS) train(ctx context.Context, dir string, d *rivalData, w Watch) (*learnt, error) {
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

// edgesOf returns the graphs' edges.
func edgesOf(graphs []baselines.Graph) [][]baselines.Edge {
	edges := make([][]baselines.Edge, len(graphs))
	for i, g := range graphs {
		edges[i] = g.Edges
	}
	return edges
}
