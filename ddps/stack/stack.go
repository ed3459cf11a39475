package stack

import (
	"context"
	"fmt"
	"math"
	"strings"
	"sync"

	"github.com/ddps-go/ddps/ddps"
	"github.com/ddps-go/ddps/ddps/chain"
)

// Part is a part of a stack.
type Part struct {
	Name         string
	Distribution Distribution
	Weight       float64 // ω ≥ 0; all sum to 1
	NLL          float64 // mean −log p of the validation paths before the refit, by weight; NaN where it is not known
	Seconds      float64 // that its fits took
	Proposal     bool    // conditions where no part of a weight does so exactly; its own may be 0
}

// Stack is a mixture of distributions over the paths of one graph. It never changes and may be shared by goroutines.
type Stack struct {
	Parts []Part
	NLL   float64 // of the mixture, as Part.NLL
	// by name of a part that Fit left out, or that it could not fit again: the error
	Failed map[string]error

	mu     sync.Mutex
	chains map[int]*chain.Distribution // nearest to parts, by their number
}

// New makes a stack of parts. The error names the part that is of another graph than the first, or whose weight is
// negative or not finite; it is one, too, if the weights do not sum to 1 within 1e-9.
func New(parts []Part) (*Stack, error) {
	sum := 0.0
	for _, p := range parts {
		if !p.Distribution.Graph().Equal(parts[0].Distribution.Graph()) {
			return nil, fmt.Errorf("stack: %s is of another graph than %s", p.Name, parts[0].Name)
		}
		if !(p.Weight >= 0) || math.IsInf(p.Weight, 0) {
			return nil, fmt.Errorf("stack: %s: weight %v", p.Name, p.Weight)
		}
		sum += p.Weight
	}
	if !(math.Abs(sum-1) <= 1e-9) {
		return nil, fmt.Errorf("stack: the weights of %d parts sum to %v", len(parts), sum)
	}
	return &Stack{Parts: parts, NLL: math.NaN()}, nil
}

// Graph returns the graph whose paths the stack is of.
func (s *Stack) Graph() *ddps.LayeredGraph { return s.Parts[0].Distribution.Graph() }

func (s *Stack) weights() []float64 {
	w := make([]float64, len(s.Parts))
	for k, p := range s.Parts {
		w[k] = p.Weight
	}
	return w
}

// LogProb writes log p of each path to out, of the same length. The error is that of a part.
func (s *Stack) LogProb(paths []ddps.Path, out []float64) error {
	if len(out) != len(paths) {
		return fmt.Errorf("stack: %d paths, but room for %d log-probabilities", len(paths), len(out))
	}
	rows := make([][]float64, len(s.Parts))
	for k, p := range s.Parts {
		if p.Weight == 0 {
			continue
		}
		rows[k] = make([]float64, len(paths))
		if err := p.Distribution.LogProb(paths, rows[k]); err != nil {
			return fmt.Errorf("stack: %s: %w", p.Name, err)
		}
	}
	logMix(rows, s.weights(), out)
	return nil
}

// Sample draws len(paths) paths: paths[i] depends on the seed and on first + i alone. When ctx ends it returns ctx's
// error, and paths holds no whole sample.
func (s *Stack) Sample(ctx context.Context, paths []ddps.Path, seed uint64, first int) error {
	return sampleMix(ctx, paths, seed, first, s.weights(), func(k int) Distribution { return s.Parts[k].Distribution })
}

// String is a table of the parts: name, validation NLL, weight, seconds.
func (s *Stack) String() string {
	var b strings.Builder
	for _, p := range s.Parts {
		fmt.Fprintf(&b, "%-40s NLL %8.4f  weight %.3f  %6.1f s\n", p.Name, p.NLL, p.Weight, p.Seconds)
	}
	fmt.Fprintf(&b, "%-40s NLL %8.4f\n", "stack", s.NLL)
	return b.String()
}
