package stack

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"

	"github.com/ddps-go/ddps/ddps"
	"github.com/ddps-go/ddps/ddps/chain"
	"github.com/ddps-go/ddps/ddps/internal/real"
	"github.com/ddps-go/ddps/ddps/markov"
)

// Rejection draws from a stack given a condition without any error: it draws from the stack until a path meets the
// condition, of weights w with probability w over the greatest weight of a path. A tractable part is conditioned
// exactly, and taken with the probability that it meets the condition, so that only the draws of the other parts are
// lost. It never changes and may be shared by goroutines.
type Rejection struct {
	stack  *Stack
	c      Condition
	top    float64        // log of the greatest weight
	weight []float64      // of the stack's parts
	given  []Distribution // tractable parts given c; nil where draws are tested
	accept []float64      // P(c), or E w/max w, of those
}

// MaxTries is how many draws Rejection makes for one path before it gives up.
const MaxTries = 1 << 20

// Rejection returns what draws from the stack given c without error. The error is chain.ErrImpossible where the stack
// is tractable and no path meets c, or ctx's.
func (s *Stack) Rejection(ctx context.Context, c Condition) (*Rejection, error) {
	if err := c.check(s.Graph()); err != nil {
		return nil, err
	}
	x := &Rejection{stack: s, c: c, top: c.greatest()}
	hope := false
	for _, p := range s.Parts {
		given, accept := Distribution(nil), 1.0
		if d, ok := p.Distribution.(Tractable); ok && p.Weight > 0 {
			t, log, err := d.Given(ctx, c)
			switch {
			case errors.Is(err, chain.ErrImpossible):
				given, accept = d, 0
			case err == nil:
				given, accept = t, math.Exp(log-x.top)
			case !errors.Is(err, markov.ErrTooLarge):
				return nil, fmt.Errorf("stack: %s: %w", p.Name, err)
			}
		}
		hope = hope || p.Weight > 0 && accept > 0
		x.weight, x.given, x.accept = append(x.weight, p.Weight), append(x.given, given), append(x.accept, accept)
	}
	if !hope {
		return nil, fmt.Errorf("stack: %w", chain.ErrImpossible)
	}
	return x, nil
}

// greatest returns the logarithm of the greatest weight of a path.
func (c Condition) greatest() float64 {
	if c.LogW == nil {
		return 0
	}
	g := c.Product.Graph
	best := make([]float64, g.NumVertices())
	for s := range best[1:] {
		best[s+1] = math.Inf(-1)
	}
	for s := range best {
		lo, hi := g.Edges(s)
		for k := lo; k < hi; k++ {
			best[g.Head(k)] = max(best[g.Head(k)], best[s]+c.LogW[k])
		}
	}
	top := math.Inf(-1)
	for s := range best {
		if lo, hi := g.Edges(s); lo == hi {
			top = max(top, best[s])
		}
	}
	return top
}

// try is a draw of a path, by its number in the list.
type try struct {
	of   int
	rng  *rand.Rand
	path ddps.Path
}

// Tries returns how many draws a path takes on average, logp being the logarithm of the condition's probability under
// the stack, or of the expectation of its weight.
func (x *Rejection) Tries(logp float64) float64 { return math.Exp(x.top - logp) }

// Batch returns how many paths are best drawn at a time: few, as each may take many draws.
func (x *Rejection) Batch() int { return 64 }

// Sample draws len(paths) paths: paths[i] depends on the seed and on first + i alone. The error says that none of
// MaxTries draws met the condition.
func (x *Rejection) Sample(ctx context.Context, paths []ddps.Path, seed uint64, first int) error {
	left := make([]int, len(paths))
	for i := range left {
		left[i], paths[i] = i, nil
	}
	taken, drawn := 0, 0
	for from := 0; len(left) > 0; {
		if from == MaxTries {
			return fmt.Errorf("stack: none of %d draws met the condition: it is too rare for rejection", MaxTries)
		}
		n := min(x.round(len(left), taken, drawn), MaxTries-from)
		if err := x.tries(ctx, paths, left, seed, first, from, n); err != nil {
			return err
		}
		from, drawn = from+n, drawn+n*len(left)
		rest := left[:0]
		for _, i := range left {
			if paths[i] == nil {
				rest = append(rest, i)
			}
		}
		taken += len(left) - len(rest)
		left = rest
	}
	return nil
}

// round returns how many draws of each of the paths left are made at a time: about as many as one needs, at most
// 2¹⁶ in all.
func (x *Rejection) round(left, taken, drawn int) int {
	n := max(1, 512/left)
	if drawn > 0 {
		n = max(n, drawn/max(1, taken))
	}
	return min(n, max(1, 1<<16/left))
}

// tries makes draws from…from+n−1 of each of the paths left, and sets those paths of which one is accepted to the first
// that is.
func (x *Rejection) tries(ctx context.Context, paths []ddps.Path, left []int, seed uint64, first, from, n int) error {
	list := make([]try, 0, n*len(left))
	of, numbers := make([][]int, len(x.weight)), make([][]int, len(x.weight)) // of parts: tries, their numbers
	for _, i := range left {
		for j := from; j < from+n; j++ {
			number := (first+i)*MaxTries + j
			t := try{of: i, rng: ddps.Rand(^seed, uint64(number))}
			k := chain.Pick(x.weight, t.rng.Float64())
			if x.given[k] == nil || t.rng.Float64() < x.accept[k] {
				of[k], numbers[k] = append(of[k], len(list)), append(numbers[k], number)
				list = append(list, t)
			}
		}
	}
	for k := range x.weight {
		d := x.given[k]
		if d == nil {
			d = x.stack.Parts[k].Distribution
		}
		some := make([]ddps.Path, len(of[k]))
		if err := drawAt(ctx, d, some, seed, numbers[k]); err != nil {
			return err
		}
		for m, p := range some {
			t := &list[of[k][m]]
			if x.given[k] == nil {
				w, err := x.c.logWeight(p)
				if err != nil {
					return err
				}
				if real.Log(1-t.rng.Float64()) > w-x.top {
					continue
				}
			}
			t.path = p
		}
	}
	for _, t := range list { // in the order of the draws
		if t.path != nil && paths[t.of] == nil {
			paths[t.of] = t.path
		}
	}
	return nil
}
