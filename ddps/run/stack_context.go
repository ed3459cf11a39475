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
	Config  markov.Config
	Tried   []markov.Trial
	Visited stack.VisitedFit `json:",omitzero"`
}

// contextShare and smallShare divide a budget into what the search for a context model and the fit of a small one take.
const contextShare, smallShare = 5, 20

// fitContext fits context models. With a budget the search ends when its share is over.
func (f *stackFit) fitContext(before json.RawMessage) (*partFit, error) {
	c, m := chosenContext{}, (*markov.Model)(nil) // m is what a fit goes on from
	p := &partFit{again: func(ctx context.Context, all chain.Sample) (stack.Distribution, error) {
		next, err := m.Refit(ctx, all, f.within(2*contextShare))
		if err != nil {
			return nil, err
		}
		return model.ContextPart(next, c.Visited.Factor)
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
	if began := f.now(); before == nil {
		if m, err = m.Refit(f.ctx, sampleOf(f.train), f.within(2*contextShare)); err != nil {
			return nil, err
		}
		plain := stack.Context(m, model.ContextEdges)
		if p.distribution, c.Visited, err = stack.FitVisited(plain, sampleOf(f.train), sampleOf(f.held)); err != nil {
			return nil, err
		}
		f.reserve += f.now().Sub(began)
	}
	f.context, p.settings = c.Config, c
	f.info.Settings = c.String()
	return p, nil
}

// String is what the log says of the settings.
func (c *chosenContext) String() string {
	text := c.Config.String()
	if v := c.Visited; v.Factor > 0 {
		text += fmt.Sprintf(", visited places × %.2g (%.4f, else %.4f)", v.Factor, v.NLL, v.Plain)
	}
	before := "; tried"
	for _, t := range c.Tried {
		text, before = text+fmt.Sprintf("%s (%s: %.4f)", before, t.Config, t.NLL), ""
	}
	return text
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
