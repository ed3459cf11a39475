package query

import (
	"cmp"
	"context"
	"errors"
	"maps"
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"

	"github.com/ddps-go/ddps/ddps"
	"github.com/ddps-go/ddps/ddps/chain"
	"github.com/ddps-go/ddps/ddps/guide"
	"github.com/ddps-go/ddps/ddps/metrics"
	"github.com/ddps-go/ddps/ddps/model"
	"github.com/ddps-go/ddps/ddps/stack"
)

// blend is a stack, or one given a condition: its tractable parts exactly, the others as weighted draws.
type blend struct {
	g     *ddps.LayeredGraph
	exact Conditioned // whose weights are those in the stack
	drawn []drawn
}

// drawn are draws of a part.
type drawn struct {
	paths  []ddps.Path
	weight []float64 // their sum is the part's weight
	runs   int       // independent runs of the same number of draws each
	stdErr float64   // of the part's weight given the condition, without the others', relative to it
}

// Streams of the draws that stand for parts that are not tractable.
const allStream, givenStream = 0x616c6c, 0x676976656e

// add adds a tractable part.
func (b *blend) add(weight float64, list []*chain.Distribution, of []float64) {
	for k, d := range list {
		if of[k] > 0 {
			b.exact.Classes, b.exact.Weight = append(b.exact.Classes, d), append(b.exact.Weight, weight*of[k])
		}
	}
}

// plainStack returns the stack without a condition.
func plainStack(ctx context.Context, s *stack.Stack, o stack.Options) (*blend, error) {
	b := &blend{g: s.Graph()}
	for k, p := range s.Parts {
		if p.Weight == 0 {
			continue
		}
		if list, of := s.Chains(k); list != nil {
			b.add(p.Weight, list, of)
			continue
		}
		n := cmp.Or(o.Draws, stack.DefaultDraws)
		x := drawn{paths: make([]ddps.Path, n), weight: slices.Repeat([]float64{p.Weight / float64(n)}, n), runs: n}
		if err := p.Distribution.Sample(ctx, x.paths, o.Seed^allStream, k*n); err != nil {
			return nil, err
		}
		b.drawn = append(b.drawn, x)
	}
	return b, nil
}

// givenStack returns the stack given a condition.
func givenStack(ctx context.Context, x *stack.Conditioned, o stack.Options) (*blend, error) {
	b := &blend{g: x.Graph()}
	for i, e := range x.Estimates {
		if e.Weight == 0 {
			continue
		}
		if list, of := x.Chains(i); list != nil {
			b.add(e.Weight, list, of)
			continue
		}
		var d drawn
		var err error
		d.paths, d.weight, d.runs, err = x.Weighted(ctx, i, cmp.Or(o.Draws, stack.DefaultDraws),
			o.Seed^givenStream+uint64(i)<<32)
		if err != nil {
			return nil, err
		}
		floats.Scale(e.Weight, d.weight)
		d.stdErr = e.StdErr
		b.drawn = append(b.drawn, d)
	}
	return b, nil
}

// visits returns, by vertex, the probability that a path visits it.
func (b *blend) visits() []float64 {
	sum := make([]float64, b.g.NumVertices())
	if len(b.exact.Classes) > 0 {
		copy(sum, b.exact.Reach())
	}
	for _, d := range b.drawn {
		for i, p := range d.paths {
			for _, v := range p {
				sum[v] += d.weight[i]
			}
		}
	}
	return sum
}

// uses returns, by edge, the probability that a path takes it.
func (b *blend) uses() []float64 {
	sum := make([]float64, b.g.NumEdges())
	if len(b.exact.Classes) > 0 {
		copy(sum, b.exact.Marginals())
	}
	for _, d := range b.drawn {
		for i, p := range d.paths {
			for l := range len(p) - 1 {
				e, _ := b.g.EdgeBetween(p[l], p[l+1])
				sum[e] += d.weight[i]
			}
		}
	}
	return sum
}

// mean returns the expectation of a total by edge, uses being the edges' probabilities, and its standard error, 0 where
// it is exact.
func (b *blend) mean(u, uses []float64) (mean, se float64) {
	mean = floats.Dot(u, uses)
	variance := 0.0
	for _, d := range b.drawn {
		total, of, part := make([]float64, len(d.paths)), 0.0, floats.Sum(d.weight)
		for i, p := range d.paths {
			total[i] = b.g.Total(u, p)
			of += d.weight[i] / part * total[i]
		}
		within, runs := 0.0, float64(d.runs)
		for r, n := 0, len(d.paths)/d.runs; r < len(d.paths); r += n {
			off := 0.0
			for i := r; i < r+n; i++ {
				off += d.weight[i] * (total[i] - of)
			}
			within += off * off
		}
		between := part * (of - mean) * d.stdErr
		variance += within*runs/(runs-1) + between*between
	}
	return mean, math.Sqrt(variance)
}

// best returns the k paths of the greatest logp, best first, of those that each part is most likely to take, and how
// many are certain to stand where they do.
func (b *blend) best(ctx context.Context, k int, logp func([]ddps.Path, []float64) error) ([]chain.Scored, int, error) {
	if len(b.drawn) == 0 {
		return b.exact.KBest(ctx, k)
	}
	var list []chain.Scored
	seen := map[string]bool{}
	take := func(p ddps.Path) {
		if key := metrics.Key(p); !seen[key] {
			seen[key] = true
			list = append(list, chain.Scored{Path: p})
		}
	}
	for _, d := range b.exact.Classes {
		if err := ctx.Err(); err != nil {
			return nil, 0, err
		}
		for _, s := range d.KBest(max(listed, 4*k)) {
			take(s.Path)
		}
	}
	for _, d := range b.drawn {
		for i, p := range d.paths {
			if d.weight[i] > 0 {
				take(p)
			}
		}
	}
	paths, logs := make([]ddps.Path, len(list)), make([]float64, len(list))
	for i, s := range list {
		paths[i] = s.Path
	}
	if err := logp(paths, logs); err != nil {
		return nil, 0, err
	}
	for i, x := range logs {
		list[i].LogProb = x
	}
	slices.SortStableFunc(list, func(a, b chain.Scored) int { return cmp.Compare(b.LogProb, a.LogProb) })
	return list[:min(k, len(list))], 0, nil
}

// listed is how many of the tractable parts' best paths are looked at beside draws of the others.
const listed = 256

// ofStack sets the probability under a stack, and what its paths are like given the condition and without it.
func (e *Explanation) ofStack(ctx context.Context, m *model.Model, c guide.Condition, cfg ExplainConfig) error {
	x, err := m.Given(ctx, c, cfg.stack())
	if errors.Is(err, chain.ErrImpossible) {
		return nil
	}
	if err != nil {
		return err
	}
	e.LogModel, e.Model, e.Parts = x.LogP, math.Exp(x.LogP), x.Estimates
	e.StdErr = e.Model * x.StdErr
	given, err := givenStack(ctx, x, cfg.stack())
	if err != nil {
		return err
	}
	all, err := plainStack(ctx, m.Stack, cfg.stack())
	if err != nil {
		return err
	}
	list, sure, err := given.best(ctx, max(1, cfg.Best), x.LogProb)
	if err != nil {
		return err
	}
	for i, s := range list {
		var logp [1]float64
		if err := m.Stack.LogProb([]ddps.Path{s.Path}, logp[:]); err != nil {
			return err
		}
		e.Best = append(e.Best, MostLikely{s.Path, logp[0], i < sure})
	}
	if len(e.Best) > 0 {
		e.Models = &e.Best[0]
	}
	for _, b := range []*blend{given, all} {
		for _, d := range b.drawn {
			e.Draws = max(e.Draws, len(d.paths))
		}
	}
	e.Visits, e.AllVisit, e.Uses, e.AllUses = given.visits(), all.visits(), given.uses(), all.uses()
	for _, name := range slices.Sorted(maps.Keys(cfg.Env.Totals)) {
		if u := cfg.Env.Totals[name]; u != nil {
			t := Expected{Name: name}
			t.All, t.AllErr = all.mean(u, e.AllUses)
			t.Given, t.GivenErr = given.mean(u, e.Uses)
			e.Totals = append(e.Totals, t)
		}
	}
	return nil
}
