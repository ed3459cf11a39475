package stack

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"slices"
	"time"

	"github.com/ddps-go/ddps/ddps"
	"github.com/ddps-go/ddps/ddps/chain"
)

// Fitter fits a part of a stack.
type Fitter struct {
	Name     string
	Proposal bool // as Part.Proposal: fitted again without a weight, too
	// Fit fits the part to train, with its settings chosen on validation, and returns what fits it again to all paths
	// with the same settings; nil: it has been fitted to all of them.
	Fit func(ctx context.Context, train, validation chain.Sample) (Distribution, Refit, error)
}

// Refit fits a part to a sample, its settings being known.
type Refit func(ctx context.Context, all chain.Sample) (Distribution, error)

// ErrLeftOut is the error of a Fitter, wrapped, whose part is left out of the stack.
var ErrLeftOut = errors.New("left out")

// ErrStop is the error of a Fitter or Refit, wrapped, with which the fit of the whole stack ends: that of a file, say.
var ErrStop = errors.New("the fit of the stack cannot go on")

// least is the weight below which a part is left out.
const least = 1e-3

// Fit fits all parts to train, takes the weights that make validation most likely, and fits again, to all paths, the
// parts that have a weight; others stay in the list with weight 0 and no distribution fitted again. With refit false
// the parts stay as they were fitted to train. done, unless it is nil, gets each part as soon as it is fitted. A
// part whose Fitter returns an error is left out, and one whose Refit does stays as it was fitted to train:
// Stack.Failed says why. The errors returned are ctx's, ErrStop, those of the samples, and of a stack without any part.
func Fit(ctx context.Context, list []Fitter, train, validation chain.Sample, refit bool, done func(Part)) (*Stack,
	error) {
	if len(list) == 0 {
		return nil, errors.New("stack: no parts")
	}
	held, total, err := ddps.Weights(len(validation.Paths), validation.Weights)
	if err != nil {
		return nil, fmt.Errorf("stack: validation: %w", err)
	}
	s := &Stack{}
	var again []Refit
	var logp [][]float64
	var reasons []error
	for _, f := range list {
		p, began, own := Part{Name: f.Name, Proposal: f.Proposal}, time.Now(), make([]float64, len(held))
		var refit Refit
		if p.Distribution, refit, err = f.Fit(ctx, train, validation); err == nil {
			err = p.Distribution.LogProb(validation.Paths, own)
		}
		if err == nil && slices.ContainsFunc(own, func(x float64) bool { return math.IsNaN(x) || math.IsInf(x, 1) }) {
			err = errors.New("the log-probability of a validation path is no number")
		}
		if err != nil {
			if ends(ctx, err) {
				return nil, fmt.Errorf("stack: %s: %w", f.Name, err)
			}
			s.fail(f.Name, err)
			reasons = append(reasons, fmt.Errorf("%s: %w", f.Name, err))
			continue
		}
		for i, w := range held {
			if w > 0 {
				p.NLL -= w / total * own[i]
			}
		}
		if p.Seconds = time.Since(began).Seconds(); done != nil {
			done(p)
		}
		s.Parts, again, logp = append(s.Parts, p), append(again, refit), append(logp, own)
	}
	if len(s.Parts) == 0 {
		return nil, fmt.Errorf("stack: every part was left out: %w", errors.Join(reasons...))
	}
	if err := s.weigh(logp, held); err != nil {
		return nil, err
	}
	if refit {
		all, err := Join(train, validation)
		if err != nil {
			return nil, err
		}
		return s, s.refit(ctx, again, all)
	}
	return s, nil
}

// ends reports whether the fit of a stack ends with a part's error.
func ends(ctx context.Context, err error) bool { return ctx.Err() != nil || errors.Is(err, ErrStop) }

// fail notes the error of a part.
func (s *Stack) fail(name string, err error) {
	if s.Failed == nil {
		s.Failed = map[string]error{}
	}
	s.Failed[name] = err
}

// rounding is how far apart two sums of a validation NLL may be, as a share of it, that differ by rounding.
const rounding = 1e-12

// weigh sets the weights, without the parts that hardly have one. EM ends before its limit: the best part is taken
// alone where its NLL is lower than that of the mixture.
func (s *Stack) weigh(logp [][]float64, held []float64) error {
	weight, _, err := Weights(logp, held)
	if err != nil {
		return err
	}
	var rows [][]float64
	var kept []int
	for k, w := range weight {
		if w >= least {
			rows, kept = append(rows, logp[k]), append(kept, k)
		}
	}
	weight, nll, err := Weights(rows, held)
	if err != nil { // only the parts left out gave some path a probability
		rows, kept = logp, nil
		for k := range logp {
			kept = append(kept, k)
		}
		weight, nll, _ = Weights(rows, held)
	}
	s.NLL = nll
	for i, k := range kept {
		s.Parts[k].Weight = weight[i]
	}
	best := 0
	for k, p := range s.Parts {
		if p.NLL < s.Parts[best].NLL {
			best = k
		}
	}
	if alone := s.Parts[best].NLL; alone < nll-rounding*math.Abs(nll) {
		for k := range s.Parts {
			s.Parts[k].Weight = 0
		}
		s.Parts[best].Weight, s.NLL = 1, alone
	}
	return nil
}

func (s *Stack) refit(ctx context.Context, again []Refit, all chain.Sample) error {
	for k, fit := range again {
		if p := &s.Parts[k]; fit != nil && (p.Weight > 0 || p.Proposal) {
			began := time.Now()
			d, err := fit(ctx, all)
			switch {
			case err == nil:
				p.Distribution = d
			case ends(ctx, err):
				return fmt.Errorf("stack: %s: %w", p.Name, err)
			default:
				s.fail(p.Name, err)
			}
			p.Seconds += time.Since(began).Seconds()
		}
	}
	return nil
}

// Join returns the paths of both samples, each once with the sum of its weights, in their order.
func Join(a, b chain.Sample) (all chain.Sample, err error) {
	at, key := map[string]int{}, []byte(nil)
	for _, s := range []chain.Sample{a, b} {
		w, _, err := ddps.Weights(len(s.Paths), s.Weights)
		if err != nil {
			return all, fmt.Errorf("stack: %w", err)
		}
		for i, p := range s.Paths {
			key = key[:0]
			for _, v := range p {
				key = binary.AppendUvarint(key, uint64(v))
			}
			k, seen := at[string(key)]
			if !seen {
				k = len(all.Paths)
				at[string(key)] = k
				all.Paths, all.Weights = append(all.Paths, p), append(all.Weights, 0)
			}
			all.Weights[k] += w[i]
		}
	}
	return all, nil
}
