package stack

import (
	"context"
	"errors"
	"fmt"
	"math"

	"github.com/ddps-go/ddps/ddps"
	"github.com/ddps-go/ddps/ddps/chain"
	"github.com/ddps-go/ddps/ddps/internal/real"
	"github.com/ddps-go/ddps/ddps/markov"
)

// DefaultDraws is how many draws a part that does not condition exactly is estimated from where Options do not say.
const DefaultDraws = 2048

// Options say how the parts of a stack that do not condition exactly are conditioned.
type Options struct {
	Draws int    // that a condition's probability is estimated from; 0: DefaultDraws
	Seed  uint64 // of these draws
	// share of effective draws below which there is a warning; below twice that particles go step by step; 0: 0.3
	Least float64
}

// Estimate is what is known of a part of a stack given a condition.
type Estimate struct {
	Name    string
	Weight  float64 // of the part in the conditioned stack
	LogProb float64 // log of the condition's probability, or of the expectation of its weight
	StdErr  float64 // of the probability, relative to it; 0 where it is exact
	Draws   int     // that it is estimated from; 0 where it is exact
	ESS     float64 // effective share of the draws, in 0…1; 1 where it is exact
	Free    bool    // these are the part's own, of which some meet the condition; ESS is of what paths are drawn by
	Own     bool    // paths are drawn by more of the part's own draws
	Steps   bool    // they are drawn by particles that go step by step
	Note    string  // why a tractable part is not conditioned exactly; "" where it is, or is not tractable
	Warning string  // what is not to be relied on, and its remedy; "" for nothing
}

// Conditioned is a stack given a condition. It never changes and may be shared by goroutines.
type Conditioned struct {
	Estimates []Estimate // of the parts that have a weight, in the stack's order
	LogP      float64    // log of the condition's probability under the stack
	StdErr    float64    // of that probability, relative to it

	stack  *Stack
	c      Condition
	weight []float64      // of Estimates
	exact  []Distribution // of Estimates: the part given the condition; nil where it is not tractable
	part   []Distribution // of Estimates
	number []int          // of Estimates, among the stack's parts
	own, q mix            // the tractable parts and defensive ones, and these given the condition
	ahead  *lookahead     // of q's heaviest part; nil where none is needed
	looked *lookahead     // the same while parts are estimated, once one was tried
}

// looker is a tractable distribution that looks ahead step by step.
type looker interface {
	look(ctx context.Context, c Condition) (*lookahead, error)
}

// Given conditions the stack: its tractable parts exactly, the others by draws of these and of their nearest chains or,
// where few of these are effective, by their own draws or by particles.
// A part that goes step by step (Stepper) needs no tractable one beside it; for another, the tractable parts must give
// a probability above 0 to all paths that matter. The error, wrapped, is chain.ErrImpossible where no path meets c, and
// ErrNoEstimate where no draw meets it or there is nothing to draw from; then it is ErrTooLarge too where the product
// graphs are too large.
func (s *Stack) Given(ctx context.Context, c Condition, o Options) (*Conditioned, error) {
	if err := c.check(s.Graph()); err != nil {
		return nil, err
	}
	if o.Draws == 0 {
		o.Draws = DefaultDraws
	}
	if o.Least == 0 {
		o.Least = .3
	}
	if o.Draws < 2 || !(o.Least > 0 && o.Least <= 1) {
		return nil, fmt.Errorf("stack: %d draws, least share %v: must be at least 2, and in 0…1", o.Draws, o.Least)
	}
	x := &Conditioned{stack: s, c: c}
	logs, total, err := x.exactly(ctx)
	if err != nil {
		return nil, err
	}
	for k := range x.own.weight {
		x.own.weight[k] /= total
	}
	x.q.weight = make([]float64, len(logs))
	qlog := softmax(logs, x.q.weight) - real.Log(total) // log of c's probability under own
	seed, estimated := o.Seed, uint64(0)
	for i := range x.Estimates {
		if x.exact[i] == nil {
			o.Seed = seed ^ estimated<<32 // the parts' errors are independent
			if err := x.estimate(ctx, i, qlog, o); err != nil {
				return nil, err
			}
			estimated++
		}
	}
	x.looked = nil
	if x.weigh(); !(x.LogP > math.Inf(-1)) {
		return nil, fmt.Errorf("stack: %w: none of %d draws of each part meets it, which is very rare, or impossible",
			ErrNoEstimate, o.Draws)
	}
	return x, nil
}

// exactly conditions the tractable parts. It returns log ω_k P_k(c) of those of q, and the weight of own. Where none
// that has a weight is small enough, the proposals are q. For a part of DiscountVisited q has what that was made of.
func (x *Conditioned) exactly(ctx context.Context) (logs []float64, total float64, err error) {
	tractable, large := false, []error(nil)
	for i, p := range x.stack.Parts {
		if p.Weight == 0 {
			continue
		}
		e, given := Estimate{Name: p.Name, ESS: 1}, Distribution(nil)
		inner, exact := tractableOf(p.Distribution)
		if d := inner; d != nil {
			t, log, err := d.Given(ctx, x.c)
			switch {
			case errors.Is(err, chain.ErrImpossible):
				tractable = true
				continue
			case errors.Is(err, markov.ErrTooLarge):
				e.Note, large = err.Error(), append(large, err)
			case err != nil:
				return nil, 0, fmt.Errorf("stack: %s: %w", p.Name, err)
			default:
				if tractable, e.LogProb = true, log; exact {
					given = t
				}
				logs, total = x.propose(logs, total, d, t, p.Weight, log)
			}
		}
		x.Estimates, x.part, x.exact = append(x.Estimates, e), append(x.part, p.Distribution), append(x.exact, given)
		x.weight, x.number = append(x.weight, p.Weight), append(x.number, i)
	}
	for _, p := range x.stack.Parts {
		if d, ok := p.Distribution.(Tractable); ok && !tractable && p.Proposal {
			d = wide(d)
			t, log, err := d.Given(ctx, x.c)
			switch {
			case errors.Is(err, markov.ErrTooLarge): // nearest chains may be all that there is
				large = append(large, err)
			case err != nil:
				return nil, 0, fmt.Errorf("stack: %s: %w", p.Name, err)
			default:
				logs, total = x.propose(logs, total, d, t, 1, log)
			}
		}
	}
	if logs, total, err = x.defend(ctx, logs, total); err != nil {
		return nil, 0, err
	}
	switch {
	case len(logs) > 0:
		return logs, total, nil
	case tractable:
		return nil, 0, fmt.Errorf("stack: %w", chain.ErrImpossible)
	}
	why := fmt.Errorf("stack: %w: no part can be conditioned exactly: add a chain or a context model", ErrNoEstimate)
	for _, err := range large {
		why = fmt.Errorf("%w; %w", why, err)
	}
	return nil, 0, why
}

// propose adds a tractable distribution and what it is given the condition to own and q.
func (x *Conditioned) propose(logs []float64, total float64, d, given Tractable, weight, log float64) ([]float64,
	float64) {
	x.own.parts, x.own.weight = append(x.own.parts, d), append(x.own.weight, weight)
	x.q.parts = append(x.q.parts, given)
	return append(logs, real.Log(weight)+log), total + weight
}

// weigh sets the parts' weights given the condition, and its probability.
func (x *Conditioned) weigh() {
	logs := make([]float64, len(x.weight))
	for i, w := range x.weight {
		logs[i] = real.Log(w) + x.Estimates[i].LogProb
	}
	x.LogP = softmax(logs, x.weight)
	for i, w := range x.weight {
		if x.Estimates[i].Weight = w; w > 0 { // else none of its draws meets the condition
			x.StdErr = math.Hypot(x.StdErr, w*x.Estimates[i].StdErr)
		}
	}
}

// Graph returns the graph whose paths are meant.
func (x *Conditioned) Graph() *ddps.LayeredGraph { return x.stack.Graph() }

// LogProb writes log p of each path given the condition to out, −Inf where it is not met; it is as exact as the
// condition's probability.
func (x *Conditioned) LogProb(paths []ddps.Path, out []float64) error {
	if err := x.stack.LogProb(paths, out); err != nil {
		return err
	}
	for i, p := range paths {
		w, err := x.c.logWeight(p)
		if err != nil {
			return fmt.Errorf("path %d: %w", i+1, err)
		}
		out[i] += w - x.LogP
	}
	return nil
}

// Sample draws len(paths) paths: paths[i] depends on the seed and on first + i alone.
func (x *Conditioned) Sample(ctx context.Context, paths []ddps.Path, seed uint64, first int) error {
	of := choices(len(paths), seed, first, x.weight)
	for k := range x.weight {
		var numbers []int
		for i, c := range of {
			if c == k {
				numbers = append(numbers, first+i)
			}
		}
		some := make([]ddps.Path, len(numbers))
		draw := func() error { return x.resampled(ctx, k, some, seed, numbers) }
		if x.exact[k] != nil {
			draw = func() error { return drawAt(ctx, x.exact[k], some, seed, numbers) }
		}
		if err := draw(); err != nil {
			return err
		}
		for n, i := range numbers {
			paths[i-first] = some[n]
		}
	}
	return nil
}
