package run

import (
	"context"
	"encoding/json"
	"fmt"
	"math"
	"time"

	"github.com/ddps-go/ddps/ddps/chain"
	"github.com/ddps-go/ddps/ddps/mixture"
	"github.com/ddps-go/ddps/ddps/model"
	"github.com/ddps-go/ddps/ddps/net/gru"
	"github.com/ddps-go/ddps/ddps/stack"
	"github.com/ddps-go/ddps/internal/ram"
)

// hurried reports whether the search of a context model's settings takes more than a fifth of the budget: it fits one.
func (f *stackFit) hurried() bool {
	if f.Config.Budget == 0 {
		return false
	}
	t, err := contextTime(f.train)
	return err != nil || t > f.Config.Budget/5 // the fit itself reports the error
}

// When a mixture is worth its fit: a few rounds show how far it is from the best part before it.
const (
	probeRounds = 12
	probeNats   = 0.5
)

// fitMixture searches for a mixture of chains, unless a few rounds show that it is far behind the other parts.
func (f *stackFit) fitMixture(before json.RawMessage) (*partFit, error) {
	var fit mixture.Fitted
	cfg := f.Config.On(f.g).Model.Mixture
	p := &partFit{again: func(ctx context.Context, all chain.Sample) (stack.Distribution, error) {
		return f.refitMixture(ctx, all, cfg, &fit)
	}}
	if before != nil {
		err := json.Unmarshal(before, &fit)
		f.mixtureSettings(&fit)
		return p, err
	}
	if cfg.Simple() {
		_, _, err := f.leftOut("one first-order chain, which the context models contain")
		return nil, err
	}
	if err := f.fitMemory(cfg, ram.Machine()); err != nil {
		_, _, err = f.leftOut("%v", err)
		return nil, err
	}
	kappa := f.Config.Model.Kappa
	if f.Config.TuneKappa {
		chosen, err := tuneKappa(f.train, f.held)
		if err != nil {
			return nil, err
		}
		kappa = chosen.Kappa
	}
	c, err := FitChain(f.train, kappa)
	if err != nil {
		return nil, err
	}
	s := &mixtureSearch{ctx: f.ctx, chain: c, train: f.train, held: f.held, cfg: cfg, seed: f.Config.InitSeed,
		tell: func(done, total int) { f.tell(model.PartMixture, min(done, total), total, "") }}
	if err := s.prepare(); err != nil {
		return nil, fmt.Errorf("run: %w", err)
	}
	began := time.Now()
	probe, err := s.fit(mixture.Trial{Ridge: searchRidge, Smooth: searchSmooth, Rounds: probeRounds})
	if err != nil {
		return nil, err
	}
	if f.best > 0 && probe.Validation > f.best+probeNats {
		_, _, err = f.leftOut("after %d rounds its validation NLL was %.3f, more than %v above the best part's %.3f",
			probe.Rounds,
			probe.Validation, probeNats, f.best)
		return nil, err
	}
	best, err := f.searchMixture(s, probe, time.Since(began)/time.Duration(probe.Rounds+1))
	if err != nil {
		return nil, err
	}
	fit = *best
	f.mixtureSettings(&fit)
	p.settings, p.distribution = fit, stack.Mixture(s.fitter.Mixture(best))
	return p, nil
}

func (f *stackFit) mixtureSettings(fit *mixture.Fitted) {
	settled := "settled"
	if !fit.Settled {
		settled = "not settled"
	}
	f.info.Settings = fmt.Sprintf("%d classes, ρ %.4g, τ %.4g, %s", f.Config.Model.Mixture.Classes, fit.Ridge, fit.Smooth,
		settled)
}

// searchMixture returns the best mixture. Where a budget is too short for a search by rounds that take so long, it is
// one fit of as many rounds as two fifths of what is left allow.
func (f *stackFit) searchMixture(s *mixtureSearch, probe *mixture.Fitted, round time.Duration) (*mixture.Fitted,
	error) {
	share := int(2 * f.left() / 5 / max(1, round))
	if f.Config.Budget == 0 || share > 700 {
		s.done = 0
		return s.best(f.best)
	}
	return s.fit(mixture.Trial{Ridge: searchRidge, Smooth: searchSmooth, Rounds: min(s.cfg.Rounds, max(1, share)),
		From: probe})
}

// refitRounds is how many rounds a mixture is fitted on, to all paths, from where it was.
const refitRounds = 20

func (f *stackFit) refitMixture(ctx context.Context, all chain.Sample, cfg mixture.Config, fit *mixture.Fitted) (
	stack.Distribution,
	error) {
	c, err := chain.Fit(f.g, all.Paths, all.Weights, f.Config.Model.Kappa)
	if err != nil {
		return nil, err
	}
	m, err := mixture.NewFitter(c, all, chain.Sample{}, cfg)
	if err != nil {
		return nil, err
	}
	again, err := m.Fit(mixture.Trial{Ridge: fit.Ridge, Smooth: fit.Smooth, Rounds: refitRounds, From: fit,
		Seed: f.Config.InitSeed,
		Each: func(round int) error {
			f.tell(model.PartMixture+" on all walks", round, refitRounds, "")
			return ctx.Err()
		}})
	if err != nil {
		return nil, err
	}
	return stack.Mixture(m.Mixture(again)), nil
}

// chosenGRU is how a GRU is trained again.
type chosenGRU struct {
	Setting gru.Setting
	Shares  []float64
	Tried   []gru.Trial
	Weights int
}

// gruReserve is the share of a budget that is kept for what is fitted again after the GRU.
const gruReserve = 0.04

// fitGRU trains a GRU; of a budget it takes what is left but for the refits.
func (f *stackFit) fitGRU(before json.RawMessage) (*partFit, error) {
	var c chosenGRU
	cfg := gru.Config{Progress: func(p gru.Progress) { f.gruProgress(p) }}
	training, validation := gru.Sample(sampleOf(f.train)), gru.Sample(sampleOf(f.held))
	p := &partFit{}
	p.again = func(ctx context.Context, all chain.Sample) (stack.Distribution, error) {
		if f.Config.Budget > 0 {
			cfg.Budget = f.left()
		}
		m, err := gru.Refit(ctx, f.g, gru.Sample(all), c.Setting, c.Shares, cfg, f.Config.InitSeed)
		if m == nil && err == nil {
			f.warn("the budget ended before the GRU was trained on all walks: it is that of the training walks")
			return p.distribution, nil
		}
		if err != nil {
			return nil, err
		}
		return model.GRUPart(m), nil
	}
	if before != nil {
		err := json.Unmarshal(before, &c)
		f.gruSettings(c)
		p.distribution, _ = f.load(model.PartGRU)
		return p, err
	}
	if f.Config.Budget > 0 {
		share := 1 - 2*gruReserve
		if f.Config.Refit {
			share = (1 - gruReserve - f.refits()) / 2.1
		}
		cfg.Budget = max(time.Second, time.Duration(share*float64(f.left())))
	}
	m, report, err := gru.Fit(f.ctx, f.g, training, validation, cfg, f.Config.InitSeed)
	if err != nil {
		return nil, err
	}
	c = chosenGRU{report.Chosen, report.Shares, report.Tried, report.Weights}
	f.gruSettings(c)
	p.settings, p.distribution = c, model.GRUPart(m)
	return p, nil
}

// refits is the share of what is left of a budget that the other parts take to be fitted again: about a tenth of what
// they took.
func (f *stackFit) refits() float64 {
	return min(0.3, 0.12*time.Since(f.start).Seconds()/f.left().Seconds())
}

func (f *stackFit) gruSettings(c chosenGRU) {
	f.info.Settings = fmt.Sprintf("%d networks of %d units, %d weights, start read: %v", len(c.Shares), c.Setting.Hidden,
		c.Weights,
		c.Setting.Start)
	for _, t := range c.Tried {
		what := "trained"
		if t.Race {
			what = "race"
		}
		f.info.Settings += fmt.Sprintf("; %s, start read: %v: %.4f after %.1f epochs (%s)", what, t.Start, t.NLL, t.Best,
			t.End)
	}
}

func (f *stackFit) gruProgress(p gru.Progress) {
	const parts = 1000
	name := model.PartGRU
	if f.refitting {
		name += " on all walks"
	}
	detail := fmt.Sprintf("training %d of %d, epoch %.1f of %.1f, %.0f paths/s, at most %v left of it", p.Training,
		p.Trainings, p.Epoch,
		p.Epochs, p.PathsPerSecond, p.Left.Round(time.Second))
	if !math.IsNaN(p.NLL) {
		detail += fmt.Sprintf(", validation NLL %.4f", p.NLL)
	}
	done := parts * (float64(p.Training-1) + min(1, p.Epoch/p.Epochs)) / float64(max(1, p.Trainings))
	f.tell(name, min(parts, int(done)), parts, detail)
}
