package run

import (
	"context"
	"encoding/json"
	"fmt"
	"math"
	"time"

	"github.com/ddps-go/ddps/ddps"
	"github.com/ddps-go/ddps/ddps/chain"
	"github.com/ddps-go/ddps/ddps/markov"
	"github.com/ddps-go/ddps/ddps/model"
	"github.com/ddps-go/ddps/ddps/net/gru"
	"github.com/ddps-go/ddps/ddps/stack"
)

// chosenContext is the settings of a context model, and what else was tried.
type chosenContext struct {
	Config markov.Config
	Tried  []markov.Trial
}

// fitContext fits context models. With a budget in which a search would not end it takes the default
// settings, with or without the start.
func (f *stackFit) fitContext(before json.RawMessage) (*partFit, error) {
	var c chosenContext
	p := &partFit{again: func(ctx context.Context, all chain.Sample) (stack.Distribution, error) {
		return fitContextModel(ctx, f, all, c.Config)
	}}
	var err error
	switch {
	case before != nil:
		if err = json.Unmarshal(before, &c); err != nil {
			return nil, err
		}
	case f.hurried():
		f.cut = append(f.cut, "the context model has default settings")
		if c, err = f.startOrNot(); err != nil {
			return nil, err
		}
	default:
		c.Config, c.Tried, err = markov.Tune(f.ctx, f.g, sampleOf(f.train), sampleOf(f.held), func(done, most int) {
			f.tell(model.PartContext, done, most, "settings tried")
		})
		if err != nil {
			return nil, err
		}
	}
	f.context, p.settings = c.Config, c
	f.info.Settings = c.Config.String()
	for i, t := range c.Tried {
		if i == 0 {
			f.info.Settings += "; tried"
		}
		f.info.Settings += fmt.Sprintf(" (%s: %.4f)", t.Config, t.NLL)
	}
	if began := f.now(); before == nil {
		p.distribution, err = fitContextModel(f.ctx, f, sampleOf(f.train), c.Config)
		f.reserve += f.now().Sub(began)
	}
	return p, err
}

// startOrNot chooses whether a context model of default settings keeps the start, where there are several.
func (f *stackFit) startOrNot() (c chosenContext, err error) {
	c.Config = markov.Default()
	if f.g.Degree(0) < 2 {
		return c, nil
	}
	for _, start := range []bool{false, true} {
		t := markov.Trial{Config: markov.Default()}
		t.Config.Start = start
		d, err := fitContextModel(f.ctx, f, sampleOf(f.train), t.Config)
		if err != nil {
			return c, err
		}
		if t.NLL, err = meanNLL(d, sampleOf(f.held)); err != nil {
			return c, err
		}
		if c.Tried = append(c.Tried, t); t.NLL < c.Tried[0].NLL {
			c.Config = t.Config
		}
	}
	return c, nil
}

func fitContextModel(ctx context.Context, f *stackFit, s chain.Sample, cfg markov.Config) (stack.Distribution, error) {
	m, err := markov.FitContext(ctx, f.g, s, cfg)
	if err != nil {
		return nil, err
	}
	return stack.Context(m, model.ContextEdges), nil
}

func (f *stackFit) gruSettings(c chosenGRU) {
	f.info.Settings = fmt.Sprintf("%d networks of %d units, %d weights, start read: %v", len(c.Shares), c.Setting.Hidden,
		c.Weights, c.Setting.Start)
	if c.Never {
		f.info.Settings += ", no place twice"
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
		p.Trainings, p.Epoch,
		p.Epochs, p.PathsPerSecond, p.Left.Round(time.Second))
	if !math.IsNaN(p.NLL) {
		detail += fmt.Sprintf(", validation NLL %.4f", p.NLL)
	}
	done := parts * (float64(p.Training-1) + min(1, p.Epoch/p.Epochs)) / float64(max(1, p.Trainings))
	f.tell(name, min(parts, int(done)), parts, detail)
}

// Rates of a fitted stack are calibrated by so many draws of each part, where its GRU has such a weight.
const (
	rateDraws  = 20_000
	rateWeight = 0.05
)

// StackRates are the rates of the walks that a stack was fitted to, and of its samples before and after they were
// calibrated.
type StackRates struct {
	Length  [3]float64 `json:"length"` // mean number of places
	Return  [3]float64 `json:"returns"`
	Revisit [3]float64 `json:"revisits"`
}

// calibrate tilts the rows of the stack's GRU, so that the stack has the lengths, returns and revisits of the walks.
// Without a GRU of some weight it changes nothing.
func (f *stackFit) calibrate(s *stack.Stack) (*StackRates, error) {
	at := -1
	for k, p := range s.Parts {
		if p.Name == model.PartGRU && p.Weight >= rateWeight {
			at = k
		}
	}
	if at < 0 || f.g.Meta().Place == nil {
		return nil, nil
	}
	m := stack.Inner(s.Parts[at].Distribution).(*gru.GRU)
	all, err := stack.Join(sampleOf(f.train), sampleOf(f.held))
	if err != nil {
		return nil, err
	}
	c := gru.Calibration{Weight: s.Parts[at].Weight, Seed: f.Config.InitSeed, Draws: f.rateDraws(m)}
	if c.Target, err = m.Rates(all.Paths, all.Weights); err != nil {
		return nil, err
	}
	for _, w := range all.Weights {
		if f.Config.ValidationBy == ByPath { // repeats are no walks of their own
			w = 1
		}
		c.Walks += w
	}
	for k, p := range s.Parts {
		if k == at || p.Weight == 0 {
			continue
		}
		r, err := f.sampledRates(m, p.Distribution, c.Draws)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", p.Name, err)
		}
		c.Others.Add(r, p.Weight/(1-c.Weight))
	}
	tilt, err := m.Calibrate(f.ctx, c)
	if err != nil {
		return nil, err
	}
	tilted := m.Tilted(tilt)
	s.Parts[at].Distribution = model.GRUPart(tilted)
	return f.rates(c, m, tilted)
}

// rateDraws returns how many draws of m are made: fewer where they would take more than a twentieth of what is left of
// the budget.
func (f *stackFit) rateDraws(m *gru.GRU) int {
	if f.Config.Budget == 0 {
		return rateDraws
	}
	const some = 256
	began := f.now()
	if m.Sample(f.ctx, make([]ddps.Path, some), f.Config.InitSeed, 0) != nil {
		return some // the calibration itself reports it
	}
	each := max(1, f.now().Sub(began)/some)
	return max(some, min(rateDraws, int(f.left()/20/each)))
}

// sampledRates returns the rates of draws of a part.
func (f *stackFit) sampledRates(m *gru.GRU, d stack.Distribution, n int) (gru.Rates, error) {
	paths := make([]ddps.Path, n)
	if err := d.Sample(f.ctx, paths, f.Config.InitSeed, 0); err != nil {
		return gru.Rates{}, err
	}
	return m.Rates(paths, nil)
}

// rates returns those of the walks and of the stack before and after.
func (f *stackFit) rates(c gru.Calibration, before, after *gru.GRU) (*StackRates, error) {
	var of [3]gru.Rates
	of[0].Add(c.Target, 1)
	for i, m := range []*gru.GRU{before, after} {
		r, err := f.sampledRates(m, m, c.Draws)
		if err != nil {
			return nil, err
		}
		of[i+1].Add(r, c.Weight)
		of[i+1].Add(c.Others, 1-c.Weight)
	}
	s := &StackRates{}
	for i, r := range of {
		s.Length[i], s.Return[i], s.Revisit[i] = r.Mean(), r.Return, r.Revisit
	}
	return s, nil
}
