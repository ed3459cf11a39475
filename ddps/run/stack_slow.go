package run

import (
	"context"
	"encoding/json"
	"errors"
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
	began := f.now()
	if f.Config.Budget > 0 {
		s.late = f.after(f.left() / 10)
	}
	probe, err := s.fit(mixture.Trial{Ridge: searchRidge, Smooth: searchSmooth, Rounds: probeRounds})
	if errors.Is(err, errLate) {
		f.cut = append(f.cut, "the mixture is left out")
		_, _, err = f.leftOut("%d rounds of its fit take more than a tenth of what is left of the budget", probeRounds)
		return nil, err
	}
	if err != nil {
		return nil, err
	}
	if f.best > 0 && probe.Validation > f.best+probeNats {
		_, _, err = f.leftOut("after %d rounds its validation NLL was %.3f, more than %v above the best part's %.3f",
			probe.Rounds, probe.Validation, probeNats, f.best)
		return nil, err
	}
	round := f.now().Sub(began) / time.Duration(probe.Rounds+1)
	best, err := f.searchMixture(s, probe, round)
	if err != nil {
		return nil, err
	}
	fit = *best
	f.reserve += refitRounds * round
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

// searchMixture returns the best mixture. Of a budget it takes two fifths of what is left at most: where those are too
// short for a search by rounds that take so long, it is one fit of as many rounds as they allow.
func (f *stackFit) searchMixture(s *mixtureSearch, probe *mixture.Fitted, round time.Duration) (*mixture.Fitted,
	error) {
	share := int(2 * f.left() / 5 / max(1, round))
	s.late = nil
	if f.Config.Budget > 0 {
		s.late = f.after(2 * f.left() / 5)
	}
	if f.Config.Budget == 0 || share > 700 {
		s.done = 0
		return s.best(f.best)
	}
	f.cut = append(f.cut, "the mixture had no search")
	s.late = nil
	return s.fit(mixture.Trial{Ridge: searchRidge, Smooth: searchSmooth, Rounds: min(s.cfg.Rounds, max(1, share)),
		From: probe})
}

// refitRounds is how many rounds a mixture is fitted on, to all paths, from where it was.
const refitRounds = 20

func (f *stackFit) refitMixture(ctx context.Context, all chain.Sample, cfg mixture.Config, fit *mixture.Fitted) (
	stack.Distribution, error) {
	c, err := chain.Fit(f.g, all.Paths, all.Weights, f.Config.Model.Kappa)
	if err != nil {
		return nil, err
	}
	m, err := mixture.NewFitter(c, all, chain.Sample{}, cfg)
	if err != nil {
		return nil, err
	}
	again, err := m.Fit(mixture.Trial{Ridge: fit.Ridge, Smooth: fit.Smooth, Rounds: refitRounds, From: fit,
		Seed: f.Config.InitSeed, Each: func(round int) error {
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
	Setting     gru.Setting
	Shares      []float64
	Tried       []gru.Trial
	Weights     int
	Never       bool    `json:",omitempty"` // passes no place twice (gru.GRU.NeverTwice)
	Twice, Once float64 `json:",omitzero"`  // where Never is set, the validation NLL without and with it
}

// fitGRU trains a GRU; of a budget it takes what is left but for the refits.
func (f *stackFit) fitGRU(before json.RawMessage) (*partFit, error) {
	if f.g.MaxDegree() < 2 {
		_, _, err := f.leftOut("no path has a choice")
		return nil, err
	}
	var c chosenGRU
	cfg := gru.Config{Now: f.clock, Reserve: f.Config.Refit, Progress: func(p gru.Progress) { f.gruProgress(p) }}
	training, validation := gru.Sample(sampleOf(f.train)), gru.Sample(sampleOf(f.held))
	p := &partFit{}
	p.again = func(ctx context.Context, all chain.Sample) (stack.Distribution, error) {
		if f.Config.Budget > 0 {
			cfg.Budget = f.left()
		}
		trained, _ := stack.Inner(p.distribution).(*gru.GRU)
		m, err := gru.Refit(ctx, f.g, gru.Sample(all), c.Setting, c.Shares, trained, cfg, f.Config.InitSeed)
		if m == nil && err == nil {
			f.warn("the budget ended before the GRU was trained on all walks: it is that of the training walks")
			return p.distribution, nil
		}
		if err != nil {
			return nil, err
		}
		return c.part(m), nil
	}
	if before != nil {
		err := json.Unmarshal(before, &c)
		f.gruSettings(c)
		p.distribution, _ = f.load(model.PartGRU)
		return p, err
	}
	if f.Config.Budget > 0 {
		cfg.Budget = max(time.Second, f.left()-f.reserve)
	}
	m, report, err := gru.Fit(f.ctx, f.g, training, validation, cfg, f.Config.InitSeed)
	if err != nil {
		return nil, err
	}
	if report.Schedule < 1 {
		f.cut = append(f.cut, fmt.Sprintf("the GRU's schedule is %.0f%% of its length", 100*report.Schedule))
	}
	if report.Brief < 1 {
		f.warn(fmt.Sprintf("the GRU was trained for %.0f%% of the usual epochs, and none that reads the start, as places "+
			"have very many next ones; a long budget lifts that limit", 100*report.Brief))
	}
	c = chosenGRU{Setting: report.Chosen, Shares: report.Shares, Tried: report.Tried, Weights: report.Weights}
	never, err := meanNLL(model.GRUPart(m.NeverTwice()), sampleOf(f.held))
	if err != nil {
		return nil, err
	}
	if c.Never = never < report.NLL; c.Never {
		c.Twice, c.Once = report.NLL, never
	}
	f.gruSettings(c)
	p.settings, p.distribution = c, c.part(m)
	return p, nil
}

// part returns a GRU as it was chosen.
func (c *chosenGRU) part(m *gru.GRU) stack.Stepper {
	if c.Never {
		m = m.NeverTwice()
	}
	return model.GRUPart(m)
}

func (f *stackFit) gruSettings(c chosenGRU) {
	f.info.Settings = fmt.Sprintf("%d networks of %d units, %d weights, start read: %v", len(c.Shares), c.Setting.Hidden,
		c.Weights, c.Setting.Start)
	if c.Never {
		f.info.Settings += fmt.Sprintf(", no place twice (%.4f, else %.4f)", c.Once, c.Twice)
	}
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
		p.Trainings, p.Epoch, p.Epochs, p.PathsPerSecond, p.Left.Round(time.Second))
	if !math.IsNaN(p.NLL) {
		detail += fmt.Sprintf(", validation NLL %.4f", p.NLL)
	}
	done := parts * (float64(p.Training-1) + min(1, p.Epoch/p.Epochs)) / float64(max(1, p.Trainings))
	f.tell(name, min(parts, int(done)), parts, detail)
}
