package run

import (
	"context"
	"fmt"
	"slices"

	"github.com/ddps-go/ddps/datasets"
	"github.com/ddps-go/ddps/ddps/chain"
	"github.com/ddps-go/ddps/ddps/mixture"
	"github.com/ddps-go/ddps/ddps/model"
)

// KappaInfo says which pseudo-count a run's chain has: of chain.KappaGrid the one with which the chain gives the
// validation paths the least −log p, in nats per path.
type KappaInfo struct {
	Step  int     `json:"step"` // 0: before training
	Kappa float64 `json:"kappa"`
	Nats  float64 `json:"held_chain_nats"`
}

// MixtureInfo says how a run's mixture was chosen: by the least NLL of the validation paths, in nats per path.
type MixtureInfo struct {
	Step    int     `json:"step"`   // 0: before training
	Ridge   float64 `json:"ridge"`  // ρ
	Smooth  float64 `json:"smooth"` // τ
	Nats    float64 `json:"held_mixture_nats"`
	Chain   bool    `json:"chain,omitempty"` // the chain was better still, and the model is that
	Rounds  int     `json:"rounds,omitempty"`
	Settled bool    `json:"settled"` // the fit ended before its rounds ran out
}

// choices are what the validation paths chose; nil where they chose nothing.
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

// tuneKappa chooses the pseudo-count on the validation paths, repetitions counted.
func tuneKappa(train, held *datasets.Data) (*KappaInfo, error) {
	grid := chain.KappaGrid()
	kappa, nats, err := chain.TuneKappa(train.Graph, chain.Sample{Paths: train.Paths, Weights: Counts(train)},
		chain.Sample{Paths: held.Paths, Weights: Counts(held)}, grid)
	if err != nil {
		return nil, fmt.Errorf("run: choice of kappa: %w", err)
	}
	return &KappaInfo{Kappa: kappa, Nats: slices.Min(nats)}, nil
}

// heldNats returns the mean −log p of validation paths, repetitions counted.
func heldNats(mix *mixture.Mixture, held *datasets.Data) (float64, error) {
	sum := 0.0
	for i, p := range held.Paths {
		lp, err := mix.LogProb(p)
		if err != nil {
			return 0, err
		}
		sum -= float64(held.Count(i)) * lp
	}
	return sum / float64(held.Total()), nil
}

// newModel is NewModel on a mixture of these settings, and returns what was chosen. It ends with ctx's error, and tells
// tell, unless it is nil, of the rounds of the mixture's fits.
func (r *Run) newModel(ctx context.Context, mixture mixture.Config, tell func(round, rounds int)) (*model.Model,
	choices, error) {
	cfg := r.Config.Model
	cfg.Mixture, cfg.Stack.Parts = mixture, "" // a stack's own fit is stack
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
	f := &mixtureSearch{ctx: ctx, chain: c, train: train, held: held, cfg: cfg.Mixture, seed: r.Config.InitSeed,
		tell: tell}
	mix, err := f.mixture(r.Config.TuneMixture)
	if err != nil {
		return nil, chosen, err
	}
	cfg.Mixture, chosen.mixture = f.cfg, f.info
	if n := f.unsettled; n > 0 {
		r.warn(fmt.Sprintf("the fit of the mixture had not settled after %d rounds: more may serve it better "+
			"(model.mixture.rounds)", n))
	}
	m, err := model.NewOn(c, mix, cfg, r.Config.InitSeed)
	return m, chosen, err
}
