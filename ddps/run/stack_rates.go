package run

import (
	"fmt"

	"github.com/ddps-go/ddps/ddps"
	"github.com/ddps-go/ddps/ddps/model"
	"github.com/ddps-go/ddps/ddps/net/gru"
	"github.com/ddps-go/ddps/ddps/stack"
)

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
