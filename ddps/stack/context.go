package stack

import (
	"context"
	"errors"
	"math"

	"github.com/ddps-go/ddps/ddps/markov"
)

// ErrTooLarge says that a context model's product graph with a condition has too many edges.
var ErrTooLarge = markov.ErrTooLarge

// ErrNoEstimate says that a stack's probability of a condition cannot be estimated.
var ErrNoEstimate = errors.New("no estimate of the condition's probability")

// Context returns the distribution of a context model. Its products with conditions have at most limit edges (0:
// context.MaxEdges); Given fails where one would have more.
func Context(m *markov.Model, limit int) Tractable { return contexts{m, limit} }

type contexts struct {
	*markov.Model
	limit int
}

// wide returns a proposal, without its own limit: where the other parts' product graphs are too large, it is all there
// is.
func wide(d Tractable) Tractable {
	if m, ok := d.(contexts); ok {
		m.limit = 0
		return m
	}
	return d
}

// Start makes a context model a Stepper.
func (m contexts) Start(count int) States { return m.Model.Start(count) }

func (m contexts) given(ctx context.Context, c Condition) (*markov.Given, error) {
	if err := c.check(m.Graph()); err != nil {
		return nil, err
	}
	return m.Model.Given(ctx, c.Product, c.LogW, m.limit)
}

func (m contexts) Given(ctx context.Context, c Condition) (Tractable, float64, error) {
	g, err := m.given(ctx, c)
	if err != nil {
		return nil, math.Inf(-1), err
	}
	return product{g.Chain}, g.LogProb, nil
}

func (m contexts) look(ctx context.Context, c Condition) (*lookahead, error) {
	g, err := m.given(ctx, c)
	if err != nil {
		return nil, err
	}
	return newLookahead(g.Chain, g.P, g.LogProb), nil
}
