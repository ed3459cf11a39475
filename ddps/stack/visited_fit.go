package stack

import (
	"fmt"
	"math"

	"github.com/ddps-go/ddps/ddps"
	"github.com/ddps-go/ddps/ddps/chain"
)

// rareRevisits is how many steps to visited places a model expects at least where its steps to them are discounted.
const rareRevisits = 20

// VisitedFit says how FitVisited discounts steps to visited places.
type VisitedFit struct {
	Factor     float64 // of DiscountVisited; 0: d is kept
	Plain, NLL float64 // with a factor, the mean −log p of the validation paths without it and with it
}

// FitVisited returns d, or d with a discount of visited places. Of no revisit in the paths of both samples, where d
// expects n (by ExpectedRevisits on the validation paths, which d has not seen, for as many as both have), the factor
// is 1/(1 + n), by Laplace's rule; it is taken where n is 20 or more, if it lowers the validation NLL. It keeps d where
// the graph's vertices have no places, or d does not go step by step.
func FitVisited(d Distribution, train, validation chain.Sample) (Distribution, VisitedFit, error) {
	g, none := d.Graph(), VisitedFit{}
	s, ok := d.(Stepper)
	if !ok || g.Meta().Place == nil || Revisits(g, train.Paths) || Revisits(g, validation.Paths) {
		return d, none, nil
	}
	_, trained, err := ddps.Weights(len(train.Paths), train.Weights)
	if err != nil {
		return nil, none, fmt.Errorf("stack: training: %w", err)
	}
	weights, held, err := ddps.Weights(len(validation.Paths), validation.Weights)
	if err != nil {
		return nil, none, fmt.Errorf("stack: validation: %w", err)
	}
	expected := ExpectedRevisits(s, validation.Paths, weights) * (trained + held) / held
	if expected < rareRevisits {
		return d, none, nil
	}
	fit := VisitedFit{Factor: 1 / (1 + expected)}
	less, err := DiscountVisited(s, fit.Factor)
	if err != nil {
		return nil, none, err
	}
	if fit.Plain, err = meanNLL(d, validation); err == nil {
		fit.NLL, err = meanNLL(less, validation)
	}
	if err != nil {
		return nil, none, err
	}
	if !(fit.NLL < fit.Plain) {
		return d, none, nil
	}
	return less, fit, nil
}

// meanNLL returns the mean −log p of a sample.
func meanNLL(d Distribution, s chain.Sample) (float64, error) {
	w, total, err := ddps.Weights(len(s.Paths), s.Weights)
	if err != nil {
		return math.NaN(), fmt.Errorf("stack: validation: %w", err)
	}
	logp, sum := make([]float64, len(w)), 0.0
	err = d.LogProb(s.Paths, logp)
	for i, x := range logp {
		sum -= w[i] * x
	}
	return sum / total, err
}
