package study

import (
	"context"
	"crypto/sha256"
	"fmt"
	"path/filepath"

	"github.com/ddps-go/ddps/datasets"
	"github.com/ddps-go/ddps/ddps/compare"
	"github.com/ddps-go/ddps/ddps/model"
	"github.com/ddps-go/ddps/ddps/run"
)

// prepare makes the data and the model.
func (s *Guidance) prepare(ctx context.Context, dir string, w run.Progress) (*guidance, error) {
	at := &guidance{Guidance: s, free: map[string]*freeSamples{}, us: map[[2]int][]float64{}}
	at.do = at.measure
	if err := at.open(ctx, dir, w); err != nil {
		return nil, err
	}
	hash := sha256.New()
	if err := at.model.Save(hash); err != nil {
		return nil, err
	}
	at.key, at.name = fmt.Sprintf("%x", hash.Sum(nil)[:4]), at.model.Config.Kind()
	if s.Graph != "toy" && at.model.Distribution() != nil {
		return at, nil
	}
	data, err := s.data()
	if err != nil {
		return nil, err
	}
	if s.Graph == "toy" {
		at.dist, err = compare.DataTarget(data.Graph, data.Prune())
	} else {
		at.made, err = newMadeBy(data)
	}
	return at, err
}

// open finds or makes the model.
func (s *guidance) open(ctx context.Context, dir string, w run.Progress) error {
	if s.From != "" {
		return s.openRun()
	}
	if s.ships() {
		m, err := run.Shipped(s.Graph)
		if err != nil {
			return err
		}
		of, err := run.ShippedConfig(s.Graph)
		if err != nil {
			return err
		}
		cfg := m.Config
		if cfg.Network == s.Network {
			s.model, s.trained = m, "shipped, "+effort(of)
			return nil
		}
		cfg.Network, s.trained = s.Network, "what the shipped network corrects" // alone
		s.model, err = model.NewOn(m.Chain, m.Mixture, cfg, 0)
		return err
	}
	data, err := s.data()
	if err != nil {
		return err
	}
	cfg := s.config(data)
	s.trained = effort(cfg)
	r, err := run.FindOrCreate(s.directory(dir), cfg, data)
	if err == nil {
		s.model, err = r.Trained(ctx, s.Part(), w)
	}
	return err
}

// openRun opens the model of the run directory From.
func (s *guidance) openRun() error {
	r, err := run.Open(s.From)
	if err != nil {
		return err
	}
	is, err := OnGraph(r, s.Graph)
	switch {
	case err != nil:
		return err
	case !is:
		return fmt.Errorf("study: %s is a run on another graph than %s", s.From, s.Graph)
	case r.Config.Model.Stacked():
		return fmt.Errorf("study: %s holds a stack, which has no reverse process of its own to guide: give a run of chains, "+
			"a mixture or a network", s.From)
	}
	s.trained = fmt.Sprintf("%s, on %d distinct paths", effort(r.Config), len(r.Data.Paths))
	s.model, err = r.Model()
	return err
}

// OnGraph reports whether a run is on a graph of Graphs, vertices on no path left out. The error names a graph that
// there is not.
func OnGraph(r *run.Run, graph string) (bool, error) {
	if graph != "ridge" { // no model of which ships
		m, err := run.Shipped(graph)
		if err != nil {
			return false, err
		}
		return model.Fingerprint(r.Data.Graph.Prune()) == model.Fingerprint(m.Graph), nil
	}
	g, err := datasets.RidgeGraph()
	if err != nil {
		return false, err
	}
	return model.Fingerprint(r.Data.Graph.Prune()) == model.Fingerprint(g.Prune()), nil
}

// ships reports whether the model is, or is part of, one that ships.
func (s *Guidance) ships() bool {
	if s.From != "" || s.Seed != 0 {
		return false
	}
	m, err := run.Shipped(s.Graph)
	return err == nil && (m.Config.Network == s.Network || s.Network == model.NetworkNone)
}

// data makes the data that a model of the study's own learns from, and that the true distribution is of.
func (s *Guidance) data() (*datasets.Data, error) {
	made := map[string]func(int, uint64) (*datasets.Data, error){"heights": datasets.Heights,
		"ridge": datasets.Ridge}[s.Graph]
	if s.Seed == 0 || s.From != "" || made == nil {
		return run.MakeData(s.Graph, s.Preset)
	}
	return made(MapPaths(s.Graph, s.Preset), s.Seed)
}

// MapPaths returns how many paths of Heights or Ridge the data of a size hold; 0 for another graph.
func MapPaths(graph, preset string) int {
	paper := map[string]int{"heights": datasets.HeightsPaths, "ridge": datasets.RidgePaths}[graph]
	if paper > 0 && preset != run.PresetPaper {
		return run.QuickPaths
	}
	return paper
}

// Part names the study: "toy, mlp, seed 3", of seed 0 without it.
func (s *Guidance) Part() string { return s.part(s.Network) }

func (s *Guidance) part(model string) string {
	name := s.Graph + ", " + model
	if s.Seed != 0 {
		name += fmt.Sprintf(", seed %d", s.Seed)
	}
	return name
}

// directory is the run directory of a model of the study's own.
func (s *Guidance) directory(dir string) string {
	name := s.Graph + "-" + s.Network
	if s.Seed != 0 {
		name += fmt.Sprintf("-%d", s.Seed)
	}
	return filepath.Join(dir, name)
}

// config returns the settings of a model of the study's own, on data: those of the one that ships where one of its kind
// does.
func (s *Guidance) config(data *datasets.Data) run.Config {
	cfg := guidanceConfig(s.Network, s.Preset).On(data.Graph).Sized(s.Preset)
	if of, err := run.ShippedConfig(s.Graph); err == nil && of.Model.Network == s.Network {
		cfg = of
	}
	cfg.HoldSeed, cfg.InitSeed, cfg.Train.Seed = s.Seed, s.Seed, s.Seed
	if s.Train > 0 {
		cfg.Train.Steps, cfg.Model.Mixture.Rounds = s.Train, min(s.Train, cfg.Model.Mixture.Rounds)
	}
	if s.draft {
		cfg.TuneMixture, cfg.Train.Batch, cfg.Train.EvalSize, cfg.Train.BoundPaths, cfg.Train.BoundEvery = false, 1, 1, 0, 0
	}
	return cfg
}

// effort says what training a model of these settings took.
func effort(c run.Config) string {
	if c.Model.Network == model.NetworkNone {
		return "a fit"
	}
	return fmt.Sprintf("%d steps of %d paths", c.Train.Steps, c.Train.Batch)
}

// guidanceConfig returns the settings that a network of a study starts from. At quick a U-Net has half the channels and
// sees a fraction of the paths: the whole one takes minutes with XLA and most of an hour without.
func guidanceConfig(network, preset string) run.Config {
	cfg := run.ConfigOf(network)
	if network == model.NetworkUNet {
		cfg.Hold, cfg.TuneKappa, cfg.Model.Kappa = 0, false, 0 // on Toy, where the data are all paths
		if preset != run.PresetPaper {
			t := &cfg.Train
			cfg.Model.UNet.Channels, t.Batch, t.Steps, t.EvalSize, t.Optim.EMA = 32, 32, 600, 512, 0.99
		}
	}
	return cfg
}
