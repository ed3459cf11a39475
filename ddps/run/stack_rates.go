package run

import (
	"fmt"
	"slices"

	"gonum.org/v1/gonum/floats"

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
	at := slices.IndexFunc(s.Parts, func(p stack.Part) bool { return p.Name == model.PartGRU && p.Weight >= rateWeight })
	if at < 0 || f.g.Meta().Place == nil {
		return nil, nil
	}
	m := stack.Inner(s.Parts[at].Distribution).(*gru.GRU)
	all, err := stack.Join(sampleOf(f.train), sampleOf(f.held))
	if err != nil {
		return nil, err
	}
	c := gru.Calibration{Weight: s.Parts[at].Weight, Seed: f.Config.InitSeed}
	if c.Draws, err = f.rateDraws(m); err == nil {
		c.Target, err = m.Rates(all.Paths, all.Weights)
	}
	if err != nil {
		return nil, err
	}
	if c.Walks = float64(len(all.Paths)); f.Config.ValidationBy != ByPath { // else repeats are no walks of their own
		c.Walks = floats.Sum(all.Weights)
	}
	for k, p := range s.Parts {
		if k != at && p.Weight > 0 {
			r, err := f.sampledRates(m, p.Distribution, c.Draws)
			if err != nil {
				return nil, fmt.Errorf("%s: %w", p.Name, err)
			}
			c.Others.Add(r, p.Weight/(1-c.Weight))
		}
	}
	tilt, err := m.Calibrate(f.ctx, c)
	if err != nil {
		return nil, err
	}
	s.Parts[at].Distribution = model.GRUPart(m.Tilted(tilt))
	return f.rates(c, m, m.Tilted(tilt))
}

// rateDraws returns how many draws of m are made: they take a twentieth of what is left of a budget at most.
func (f *stackFit) rateDraws(m *gru.GRU) (int, error) {
	const some = 256
	began := f.now()
	if err := m.Sample(f.ctx, make([]ddps.Path, some), 0, 0); err != nil || f.Config.Budget == 0 {
		return rateDraws, err
	}
	return max(some, min(rateDraws, int(f.left()/20/max(1, f.now().Sub(began)/some)))), nil
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
	of, s := [3]gru.Rates{c.Target}, &StackRates{}
	for i, m := range []*gru.GRU{before, after} {
		r, err := f.sampledRates(m, m, c.Draws)
		if err != nil {
			return nil, err
		}
		of[i+1].Add(r, c.Weight)
		of[i+1].Add(c.Others, 1-c.Weight)
	}
	for i, r := range of {
		s.Length[i], s.Return[i], s.Revisit[i] = r.Mean(), r.Return, r.Revisit
	}
	return s, nil
}
