package experiment

import (
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/ddps-go/ddps/datasets"
	"github.com/ddps-go/ddps/ddps/chain"
	"github.com/ddps-go/ddps/ddps/d3pm"
)

// KappaInfo tells which pseudo-count a run's chain has: of chain.KappaGrid the one with which the chain gives the
// paths held out the least −log p, in nats a path.
type KappaInfo struct {
	Step  int     `json:"step"` // 0: before training
	Kappa float64 `json:"kappa"`
	Nats  float64 `json:"held_chain_nats"`
}

// MixtureInfo tells how a run's mixture was chosen: by the least −log p of the paths held out, in nats a path.
type MixtureInfo struct {
	Step   int     `json:"step"`   // 0: before training
	Ridge  float64 `json:"ridge"`  // ρ
	Smooth float64 `json:"smooth"` // τ
	Nats   float64 `json:"held_mixture_nats"`
	Chain  bool    `json:"chain,omitempty"` // the chain was better still, and the model is that
}

// choices are what the paths held out chose; nil where they chose nothing.
type choices struct {
	kappa   *KappaInfo
	mixture *MixtureInfo
}

// log writes them to a log.
func (c choices) log(write func(line any)) {
	if c.kappa != nil {
		write(c.kappa)
	}
	if c.mixture != nil {
		write(c.mixture)
	}
}

// tuneKappa chooses the pseudo-count on the paths held out, repetitions counted.
func tuneKappa(train, held *datasets.Data) (*KappaInfo, error) {
	grid := chain.KappaGrid()
	kappa, nats, err := chain.TuneKappa(train.Graph, chain.Sample{Paths: train.Paths, Weights: Counts(train)},
		chain.Sample{Paths: held.Paths, Weights: Counts(held)}, grid)
	if err != nil {
		return nil, fmt.Errorf("experiment: choice of kappa: %w", err)
	}
	return &KappaInfo{Kappa: kappa, Nats: slices.Min(nats)}, nil
}

// The pulls that paths held out choose from: first τ at the middle ρ, then ρ at the best τ. Few walks want little of
// them, or a mixture cannot leave the law that is uniform over all paths; many walks on a large map want more.
func mixturePulls() (ridge, smooth []float64) { return []float64{10, 1, 100}, []float64{1, 10, 100} }

// pullsOn is mixturePulls on the chain's graph: without places τ has nothing to pull.
func (f *mixtureFits) pullsOn() (ridge, smooth []float64) {
	if ridge, smooth = mixturePulls(); f.chain.Graph.Meta().Place == nil {
		smooth = smooth[:1]
	}
	return ridge, smooth
}

// mixtureFits is one choice and fit of a mixture.
type mixtureFits struct {
	ctx         context.Context
	chain       *chain.Chain
	train, held *datasets.Data // held may be nil
	seed        uint64
	tell        func(round, rounds int) // may be nil
	done, total int                     // rounds
}

// fit fits a mixture.
func (f *mixtureFits) fit(cfg chain.MixtureConfig) (*chain.Mixture, error) {
	mix, err := chain.FitMixture(f.chain, f.train.Paths, Counts(f.train), cfg, f.seed, func(round int) error {
		f.told(f.done + round)
		return f.ctx.Err()
	})
	f.done += cfg.Rounds
	return mix, err
}

func (f *mixtureFits) told(done int) {
	if f.tell != nil {
		f.tell(done, f.total)
	}
}

// best fits the mixtures of all pulls and returns the one that gives the paths held out the least −log p, or the chain.
func (f *mixtureFits) best(cfg chain.MixtureConfig) (*chain.Mixture, chain.MixtureConfig, *MixtureInfo, error) {
	ridges, smooths := f.pullsOn()
	f.total = (len(ridges) + len(smooths) - 1) * cfg.Rounds
	var best *chain.Mixture
	info := &MixtureInfo{Nats: math.Inf(1)}
	try := func(ridge, smooth float64) error {
		cfg.Ridge, cfg.Smooth = ridge, smooth
		mix, err := f.fit(cfg)
		if err != nil {
			return err
		}
		nats, err := heldNats(mix, f.held)
		if err == nil && nats < info.Nats {
			best, info.Ridge, info.Smooth, info.Nats = mix, ridge, smooth, nats
		}
		return err
	}
	for _, smooth := range smooths {
		if err := try(ridges[0], smooth); err != nil {
			return nil, cfg, nil, err
		}
	}
	for _, ridge := range ridges[1:] {
		if err := try(ridge, info.Smooth); err != nil {
			return nil, cfg, nil, err
		}
	}
	f.told(f.total)
	nats, err := heldNats(f.chain.Law().Single(), f.held)
	if err != nil {
		return nil, cfg, nil, err
	}
	cfg.Ridge, cfg.Smooth = info.Ridge, info.Smooth
	if info.Chain = best == nil || nats <= info.Nats; info.Chain {
		best, cfg.Order, cfg.Classes = f.chain.Law().Single(), 1, 1
	}
	return best, cfg, info, nil
}

// heldNats returns the mean −log p of paths held out, repetitions counted.
func heldNats(mix *chain.Mixture, held *datasets.Data) (float64, error) {
	sum := 0.0
	for i, p := range held.Paths {
		lp, err := mix.LogProb(p)
		if err != nil {
			return 0, err
		}
		sum -= float64(held.Counts[i]) * lp
	}
	return sum / float64(held.Total()), nil
}

// newModel is NewModel on a mixture of these settings, and tells of what was chosen. It ends with ctx's error, and tells
// tell, unless it is nil, of the rounds of the mixture's fits.
func (r *Run) newModel(ctx context.Context, mixture chain.MixtureConfig, tell func(round, rounds int)) (*d3pm.Model, choices, error) {
	cfg := r.Config.Model
	cfg.Mixture = mixture
	train, held := r.Split()
	var chosen choices
	var err error
	if r.Config.TuneKappa && held != nil {
		if chosen.kappa, err = tuneKappa(train, held); err != nil {
			return nil, chosen, err
		}
		cfg.Kappa = chosen.kappa.Kappa
	}
	c, err := FitChain(train, cfg.Kappa)
	if err != nil {
		return nil, chosen, err
	}
	f := &mixtureFits{ctx: ctx, chain: c, train: train, held: held, seed: r.Config.InitSeed, tell: tell, total: cfg.Mixture.Rounds}
	var mix *chain.Mixture
	if r.Config.TuneMixture && held != nil && !cfg.Mixture.Simple() {
		mix, cfg.Mixture, chosen.mixture, err = f.best(cfg.Mixture)
	} else if mix, err = f.fit(cfg.Mixture); err == nil && !cfg.Mixture.Simple() {
		f.told(f.total)
	}
	if err != nil {
		return nil, chosen, err
	}
	m, err := d3pm.NewModelOn(c, mix, cfg, r.Config.InitSeed)
	return m, chosen, err
}
