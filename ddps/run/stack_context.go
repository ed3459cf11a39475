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
