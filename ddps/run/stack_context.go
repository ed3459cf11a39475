package run

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/ddps-go/ddps/ddps/chain"
	"github.com/ddps-go/ddps/ddps/markov"
	"github.com/ddps-go/ddps/ddps/model"
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
	var m *markov.Model // what a fit goes on from
	p := &partFit{again: func(ctx context.Context, all chain.Sample) (stack.Distribution, error) {
		return refitContextModel(ctx, m, all)
	}}
	var err error
	switch {
	case before != nil:
		if err = json.Unmarshal(before, &c); err != nil {
			return nil, err
		}
		d, _ := f.load(model.PartContext)
		m, _ = stack.Inner(d).(*markov.Model)
	case f.hurried():
		f.cut = append(f.cut, "the context model has default settings")
		if m, c, err = f.startOrNot(); err != nil {
			return nil, err
		}
		p.distribution = stack.Context(m, model.ContextEdges)
	default:
		m, c.Tried, err = markov.Tune(f.ctx, f.g, sampleOf(f.train), sampleOf(f.held), func(done, most int) {
			f.tell(model.PartContext, done, most, "settings tried")
		})
		if err != nil {
			return nil, err
		}
		c.Config = m.Config()
	}
	f.context, p.settings = c.Config, c
	f.info.Settings = c.Config.String()
	for i, t := range c.Tried {
		if i == 0 {
			f.info.Settings += "; tried"
		}
		f.info.Settings += fmt.Sprintf(" (%s: %.4f)", t.Config, t.NLL)
	}
	if began := f.now(); before == nil && p.distribution == nil {
		if m, err = m.Refit(f.ctx, sampleOf(f.train)); err != nil {
			return nil, err
		}
		p.distribution = stack.Context(m, model.ContextEdges)
		f.reserve += f.now().Sub(began)
	}
	return p, nil
}

// startOrNot chooses whether a context model of default settings keeps the start, where there are several.
func (f *stackFit) startOrNot() (best *markov.Model, c chosenContext, err error) {
	for _, start := range []bool{false, true} {
		if start && f.g.Degree(0) < 2 {
			break
		}
		t, began := markov.Trial{Config: markov.Default()}, f.now()
		t.Config.Start = start
		m, err := markov.FitContext(f.ctx, f.g, sampleOf(f.train), t.Config)
		if err != nil {
			return nil, c, err
		}
		if t.NLL, err = meanNLL(m, sampleOf(f.held)); err != nil {
			return nil, c, err
		}
		if f.reserve = f.now().Sub(began); best == nil || t.NLL < c.Tried[0].NLL {
			best, c.Config = m, t.Config
		}
		c.Tried = append(c.Tried, t)
	}
	return best, c, nil
}

// refitContextModel fits a model of m's settings to a sample.
func refitContextModel(ctx context.Context, m *markov.Model, s chain.Sample) (stack.Distribution, error) {
	next, err := m.Refit(ctx, s)
	if err != nil {
		return nil, err
	}
	return stack.Context(next, model.ContextEdges), nil
}
