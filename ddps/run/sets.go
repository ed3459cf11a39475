package run

import (
	"context"
	"fmt"

	"github.com/ddps-go/ddps/ddps"
	"github.com/ddps-go/ddps/ddps/d3pm"
	"github.com/ddps-go/ddps/ddps/model"
	"github.com/ddps-go/ddps/ddps/query"
)

// SetsConfig says which samples of a model to draw, to be looked at side by side: its own distribution, Algorithm 2 at
// each λ, and exact conditions.
type SetsConfig struct {
	Samples int                 // of each set, at least 1
	Steps   int                 // reverse steps S; 0: as d3pm.Sampler.Steps
	Reward  []float64           // by edge; nil: neither Algorithm 2 nor the greatest reward
	Cost    []float64           // by edge, what Where calls cost; nil for none
	Lambdas []float64           // guidance scales of Algorithm 2
	Where   []string            // conditions in the text form of package where
	Alias   map[string][]string // other names of places, for Where
	Seed    uint64              // of every set
}

// Set is a sample of a model, drawn by a guide.
type Set struct {
	Guide   query.Guide
	Paths   []ddps.Path
	LogProb float64 // logarithm of the probability of the exact condition under the model; 0 for none; NaN where not known
}

// guides lists the guides of all sets in order.
func (c SetsConfig) guides() []query.Guide {
	list := []query.Guide{{Name: query.NoGuide}}
	if c.Reward != nil {
		for _, l := range c.Lambdas {
			list = append(list, query.Guide{Name: query.Algorithm2, Lambda: l})
		}
		list = append(list, query.Guide{Name: query.MaxReward})
	}
	for _, text := range c.Where {
		list = append(list, query.Guide{Name: query.NoGuide, Where: text, Cost: c.Cost, Alias: c.Alias})
	}
	return list
}

// Draw draws the sets: unguided, Algorithm 2 at each λ, the greatest reward, each condition. All that can be wrong with
// a condition is an error before anything is drawn; of its text it is a *where.Error. w, which may be nil, is called
// with samples × steps. It stops early with ctx's error.
func (c SetsConfig) Draw(ctx context.Context, m *model.Model, w Progress) ([]Set, error) {
	if c.Samples < 1 {
		return nil, fmt.Errorf("run: sets: %d samples, must be at least 1", c.Samples)
	}
	if w == nil {
		w = NoProgress{}
	}
	var sets []Set
	var samplers []*d3pm.Sampler
	for _, g := range c.guides() {
		s := m.Sampler()
		s.Steps = c.Steps
		if err := g.Apply(s, c.Reward); err != nil {
			return nil, err
		}
		if err := s.Check(); err != nil {
			return nil, err
		}
		logp, err := g.ConditionLogProb(m, s.Condition)
		if err != nil {
			return nil, err
		}
		sets, samplers = append(sets, Set{Guide: g, LogProb: logp}), append(samplers, s)
	}
	total, before := 0, 0
	for _, s := range samplers {
		total += c.Samples * max(1, s.Taken())
	}
	w.Begin(fmt.Sprintf("%d samples of %d paths", len(sets), c.Samples), 0, total)
	defer w.End()
	for i, s := range samplers {
		s.Progress = func(done, _ int) { w.Set(before+done, sets[i].Guide.Title("")) }
		var err error
		if sets[i].Paths, err = s.Sample(ctx, c.Samples, c.Seed); err != nil {
			return nil, err
		}
		before += c.Samples * max(1, s.Taken())
	}
	return sets, nil
}
