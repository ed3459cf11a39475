package stack

import (
	"fmt"

	"github.com/ddps-go/ddps/ddps/chain"
	"github.com/ddps-go/ddps/ddps/markov"
	"github.com/ddps-go/ddps/ddps/mixture"
)

// Inner returns what Chain, Context, Mixture or Steps made d of: a *chain.Distribution, *markov.Model,
// *mixture.Mixture, or Steps' first argument; of DiscountVisited's, Inner of what that was made of. It is d itself for
// any other.
func Inner(d Distribution) any {
	switch d := d.(type) {
	case *visited:
		return Inner(d.Stepper)
	case product:
		return d.d
	case contexts:
		return d.Model
	case mix:
		if d.of != nil {
			return d.of
		}
	case stepper:
		return d.Distribution
	}
	return d
}

// reverseEdges is the most edges of a product graph on which reverse steps are taken.
const reverseEdges = 1 << 20

// tractableOf returns d if it is tractable, or what DiscountVisited made d of if that is; exact reports which. nil:
// neither is.
func tractableOf(d Distribution) (t Tractable, exact bool) {
	if v, ok := d.(*visited); ok {
		t, _ = v.Stepper.(Tractable)
		return t, false
	}
	t, exact = d.(Tractable)
	return t, exact
}

// chains returns d, or what DiscountVisited made it of, as a mixture of chains on a product graph of at most
// reverseEdges edges. The error says that there is none: d is not tractable, or too large.
func chains(d Distribution) (*mixture.Mixture, error) {
	var m *mixture.Mixture
	switch d := Inner(d).(type) {
	case *chain.Distribution:
		m = mixture.Of(d)
	case *mixture.Mixture:
		m = d
	case *markov.Model:
		l, err := d.Chain(reverseEdges)
		if err != nil {
			return nil, err
		}
		m = mixture.Of(l)
	default:
		return nil, errIntractable
	}
	if len(m.Product.Edge) > reverseEdges {
		return nil, markov.ErrTooLarge
	}
	return m, nil
}

// ContextModel returns the model that Context made d of. The error says that d is none.
func ContextModel(d Distribution) (*markov.Model, error) {
	m, ok := Inner(d).(*markov.Model)
	if !ok {
		return nil, fmt.Errorf("stack: a %T is no context model", d)
	}
	return m, nil
}
