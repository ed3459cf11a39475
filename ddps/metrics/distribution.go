package metrics

import (
	"errors"
	"fmt"
	"math"
)

// The kinds of bad data, for errors.Is.
var (
	ErrEmpty   = errors.New("nothing to measure")                    // no support, no samples, no draws
	ErrLength  = errors.New("lengths differ")                        // p and q, or weights and values
	ErrValue   = errors.New("not a finite number in range")          // NaN, ±Inf, or a negative probability
	ErrMass    = errors.New("total mass is not right")               // a distribution off 1, or weights that sum to 0
	ErrOutside = errors.New("outside the support of the histograms") // a sample that an enumeration lacks
)

// massTolerance is how far from 1 a distribution may sum: enough for float32 softmaxes, too little for a lost element.
const massTolerance = 1e-5

// DistributionError says what is wrong with a distribution, a sample or a configuration.
type DistributionError struct {
	Kind  error   // one of ErrEmpty, ErrLength, ErrValue, ErrMass, ErrOutside
	What  string  // the argument: "p", "q", "weights", …
	Index int     // the offending element, −1 if none in particular
	Value float64 // the offending number, or the total for ErrMass, or the length for ErrLength
}

// Error names the argument, the element and the number.
func (e *DistributionError) Error() string {
	at := ""
	if e.Index >= 0 {
		at = fmt.Sprintf("[%d]", e.Index)
	}
	return fmt.Sprintf("metrics: %s%s: %v (%v)", e.What, at, e.Kind, e.Value)
}

// Unwrap returns the kind.
func (e *DistributionError) Unwrap() error { return e.Kind }

// within puts where something is before what err says.
func within(where string, err error) error {
	if e, ok := err.(*DistributionError); ok {
		in := *e
		in.What = where + ": " + e.What
		return &in
	}
	return fmt.Errorf("metrics: %s: %w", where, err)
}

// Check returns nil if p is a distribution: at least one element, each finite and ≥ 0, their sum within 1e-5 of 1.
// name stands for p in the error. O(len(p)).
func Check(name string, p []float64) error {
	sum, err := total(name, p)
	if err != nil {
		return err
	}
	if math.Abs(sum-1) > massTolerance {
		return &DistributionError{ErrMass, name, -1, sum}
	}
	return nil
}

// Normalize returns w divided by its sum, a new slice. The error is ErrEmpty, ErrValue (NaN, infinite or
// negative weights, or a sum that overflows) or ErrMass (all weights 0).
func Normalize(w []float64) ([]float64, error) {
	sum, err := total("weights", w)
	if err != nil {
		return nil, err
	}
	if sum == 0 {
		return nil, &DistributionError{ErrMass, "weights", -1, sum}
	}
	if math.IsInf(sum, 0) {
		return nil, &DistributionError{ErrValue, "sum of weights", -1, sum}
	}
	p := make([]float64, len(w))
	for i, x := range w {
		p[i] = x / sum
	}
	return p, nil
}

// total returns the sum of w, an error if w is empty or has an entry that is no weight.
func total(name string, w []float64) (float64, error) {
	if len(w) == 0 {
		return 0, &DistributionError{ErrEmpty, name, -1, 0}
	}
	sum := 0.0
	for i, x := range w {
		if math.IsNaN(x) || math.IsInf(x, 0) || x < 0 {
			return 0, &DistributionError{ErrValue, name, i, x}
		}
		sum += x
	}
	return sum, nil
}

// checkPair checks two distributions over one support.
func checkPair(p, q []float64) error {
	if err := Check("p", p); err != nil {
		return err
	}
	if err := Check("q", q); err != nil {
		return err
	}
	if len(p) != len(q) {
		return &DistributionError{ErrLength, "q", -1, float64(len(q))}
	}
	return nil
}
