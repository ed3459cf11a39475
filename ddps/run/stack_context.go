package run

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

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

// contextShare and smallShare divide a budget into what the search for a context model and the fit of a small one take.
const contextShare, smallShare = 5, 20

// fitContext fits context models. With a budget the search ends when its share is over.
func (f *stackFit) fitContext(before json.RawMessage) (*partFit, error) {
	c, m := chosenContext{}, (*markov.Model)(nil) // m is what a fit goes on from
	p := &partFit{again: func(ctx context.Context, all chain.Sample) (stack.Distribution, error) {
		next, err := m.Refit(ctx, all, f.within(2*contextShare))
		return stack.Context(next, model.ContextEdges), err
	}}
	var err error
	if before == nil {
		m, err = f.searchContext(&c)
	} else if err = json.Unmarshal(before, &c); err == nil {
		d, _ := f.load(model.PartContext)
		m, err = stack.ContextModel(d)
	}
	if err != nil {
		return nil, err
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
		if m, err = m.Refit(f.ctx, sampleOf(f.train), f.within(2*contextShare)); err != nil {
			return nil, err
		}
		p.distribution = stack.Context(m, model.ContextEdges)
		f.reserve += f.now().Sub(began)
	}
	return p, nil
}

// searchContext returns the best model of the search for settings.
func (f *stackFit) searchContext(c *chosenContext) (m *markov.Model, err error) {
	late := f.within(contextShare)
	m, c.Tried, err = markov.Tune(f.ctx, f.g, sampleOf(f.train), sampleOf(f.held), func(done, most int) {
		f.tell(model.PartContext, done, most, "settings tried")
	}, late)
	if err != nil {
		return nil, err
	}
	if c.Config = m.Config(); late != nil && late() {
		f.cut = append(f.cut, fmt.Sprintf("the search for the context model's settings ended after %d", len(c.Tried)))
	}
	return m, nil
}

// within returns what reports whether a share of the budget, from now on, is over; nil without a budget.
func (f *stackFit) within(share time.Duration) func() bool {
	if f.Config.Budget == 0 {
		return nil
	}
	return f.after(f.Config.Budget / share)
}
