package model

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"

	"github.com/ddps-go/ddps/ddps"
	"github.com/ddps-go/ddps/ddps/chain"
	"github.com/ddps-go/ddps/ddps/d3pm"
	"github.com/ddps-go/ddps/ddps/guide"
	"github.com/ddps-go/ddps/ddps/mixture"
	"github.com/ddps-go/ddps/ddps/stack"
)

// NewStack makes the model that is the stack s, fitted to the same paths as c and on its graph. Its parts without a
// weight are left out, but for proposals. Samples are drawn from the stack itself; reverse steps, where a gradient
// guide or Sampler.Steps needs them, draw x̃_0 from the stack given x_t, and the rows, which a guide reads, are those
// of its tractable parts (stack.Denoiser).
func NewStack(c *chain.Chain, s *stack.Stack, cfg Config) (*Model, error) {
	if err := cfg.check(c.Graph); err != nil {
		return nil, err
	}
	if !cfg.Stacked() {
		return nil, errors.New("model: the settings name no parts of a stack")
	}
	own := &stack.Stack{NLL: s.NLL}
	for _, p := range s.Parts {
		if p.Weight > 0 || p.Proposal {
			own.Parts = append(own.Parts, p)
		}
	}
	if len(own.Parts) == 0 || !own.Graph().Equal(c.Graph) {
		return nil, errors.New("model: the stack has no part, or is of another graph than the chain")
	}
	m := &Model{Graph: c.Graph, Chain: &chain.Chain{Graph: c.Graph, P: slices.Clone(c.P)}, Schedule: d3pm.Cosine(cfg.T),
		Config: cfg, Stack: own}
	m.Mixture = mixture.Of(m.Chain.Distribution())
	d := stack.NewDenoiser(own, m.Schedule.Abar, m.Chain.Distribution())
	m.exact, m.whole = d, &whole{Denoiser: d}
	return m, nil
}

// whole is a stack as what samples are drawn from.
type whole struct {
	*stack.Denoiser
	mu   sync.Mutex
	last conditioned
}

// conditioned is a stack given a condition.
type conditioned struct {
	given *stack.Conditioned
	lift  *chain.Product // that it was conditioned on
	logw  []float64
	how   stack.Options
}

// LogProbs implements d3pm.PathModel.
func (w *whole) LogProbs(paths []ddps.Path, out []float64) error {
	return w.Stack().LogProb(paths, out)
}

// Draws implements d3pm.PathModel.
func (w *whole) Draws(ctx context.Context, l *chain.Product, logw []float64) (d3pm.Draws, error) {
	if l == nil {
		return w.Stack(), nil
	}
	return w.conditioned(ctx, l, logw, stack.Options{})
}

// conditioned returns the stack given a condition, the last one again where it is the same. Those of several goroutines
// do not wait for each other.
func (w *whole) conditioned(ctx context.Context, l *chain.Product, logw []float64, o stack.Options) (
	*stack.Conditioned, error) {
	w.mu.Lock()
	last := w.last
	w.mu.Unlock()
	if last.given != nil && last.lift == l && slices.Equal(last.logw, logw) && last.how == o {
		return last.given, nil
	}
	given, err := w.Stack().Given(ctx, stack.Condition{Product: l, LogW: logw}, o)
	if err != nil {
		return nil, err
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	w.last = conditioned{given, l, slices.Clone(logw), o}
	return given, nil
}

// Given returns the model's stack given a condition, with its probability and how that was found, as
// stack.Stack.Given; options 0 are those by which samples are drawn. The error is
// chain.ErrImpossible, wrapped, where no path meets it; it says so if the model is no stack.
func (m *Model) Given(ctx context.Context, c guide.Condition, o stack.Options) (*stack.Conditioned, error) {
	if m.Stack == nil {
		return nil, errors.New("model: given: the model is no stack")
	}
	p := c.Product()
	if p == nil {
		return nil, fmt.Errorf("model: given: %s: %w", c, chain.ErrImpossible)
	}
	return m.whole.conditioned(ctx, p.Product, p.LogW, o)
}

// Left says which parts of a stack have no exact posterior given x_t; "" for none, or where the model is no stack.
func (m *Model) Left() string {
	if m.Stack == nil {
		return ""
	}
	return m.whole.Left()
}

// RejectionSampler returns a sampler as Sampler does, of a model that is a stack, whose samples given a Condition have
// no error: they are drawn by rejection (stack.Rejection), about 1/P draws of the stack for each sample. The error says
// so if the model is no stack.
func (m *Model) RejectionSampler() (*d3pm.Sampler, error) {
	if m.Stack == nil {
		return nil, errors.New("model: rejection: the model is no stack")
	}
	s := m.Sampler()
	s.Denoiser, s.Engine = rejecting{m}, nil
	return s, nil
}

// rejecting is a model whose stack is conditioned by rejection.
type rejecting struct{ *Model }

// Known implements what d3pm.Sampler draws from.
func (r rejecting) Known() d3pm.PathBase { return rejectingStack{r.whole} }

type rejectingStack struct{ *whole }

// Draws implements d3pm.PathModel.
func (r rejectingStack) Draws(ctx context.Context, l *chain.Product, logw []float64) (d3pm.Draws, error) {
	if l == nil {
		return r.Stack(), nil
	}
	return r.Stack().Rejection(ctx, stack.Condition{Product: l, LogW: logw})
}
