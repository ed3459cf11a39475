package guide

import (
	"fmt"
	"math"

	"github.com/ddps-go/ddps/ddps"
)

// Band is a range of path rewards: Min ≤ R ≤ Max, either of which may be infinite.
//
// States count R in units of Step, so that their number, and the cost, grows with the range of rewards over Step.
// Step 0 takes the greatest of 1, 0.1, …, 10⁻⁶ of which all rewards are whole multiples: whole rewards are counted
// exactly. Where there is none, it is a 1,000th of the difference between the best and the worst path. Rewards are
// then rounded to the nearest multiple, and the band is narrowed at both finite ends by the most that rounding can
// shift a path, (L−1)·Step/2: every path drawn lies in the band as it was given, and paths within (L−1)·Step of an
// end may be left out.
type Band struct{ Min, Max, Step float64 }

// Levels is the number of steps between the worst and the best path of a Band without a natural step.
const Levels = 1000

// Within conditions on the reward of the path under u, by edge, lying in the band. It is an error if no path has
// such a reward, if the band or u is not as said, or if the product with the graph has more than MaxEdges edges.
func Within(g *ddps.LayeredGraph, u []float64, b Band) (Condition, error) {
	name := fmt.Sprintf("%v <= reward <= %v", b.Min, b.Max)
	switch {
	case b.Min == b.Max:
		name = fmt.Sprintf("reward = %v", b.Min)
	case math.IsInf(b.Max, 1):
		name = fmt.Sprintf("reward >= %v", b.Min)
	case math.IsInf(b.Min, -1):
		name = fmt.Sprintf("reward <= %v", b.Max)
	}
	return b.on(g, u, name)
}

// on makes the condition of that name.
func (b Band) on(g *ddps.LayeredGraph, u []float64, name string) (Condition, error) {
	if err := g.CheckReward(u); err != nil {
		return nil, err
	}
	a, err := b.automaton(g, u)
	if err != nil {
		return nil, fmt.Errorf("guide: %s: %w", name, err)
	}
	return New(g, name, a)
}

// AtLeast conditions on the reward of the path under u, by edge, being k or more; see Band for rewards that are
// no whole numbers.
func AtLeast(g *ddps.LayeredGraph, u []float64, k float64) (Condition, error) {
	return Within(g, u, Band{Min: k, Max: math.Inf(1)})
}

// Exactly conditions on the reward of the path under u, by edge, being k. It is an error if the rewards are not
// whole multiples of 10⁻⁶: ask for a Band then.
func Exactly(g *ddps.LayeredGraph, u []float64, k float64) (Condition, error) {
	return Within(g, u, Band{Min: k, Max: k})
}

// Budget conditions on the cost of the path, by edge, being c or less; see Band for costs that are no whole
// numbers: no path drawn costs more.
func Budget(g *ddps.LayeredGraph, cost []float64, c float64) (Condition, error) {
	return Band{Min: math.Inf(-1), Max: c}.on(g, cost, fmt.Sprintf("cost <= %v", c))
}

// done is the state in which the band is met whatever comes; all others are the reward so far, in steps.
const done = math.MinInt

// automaton counts the reward of a path.
func (b Band) automaton(g *ddps.LayeredGraph, u []float64) (Automaton, error) {
	if !(b.Min <= b.Max) || math.IsInf(b.Min, 1) || math.IsInf(b.Max, -1) || !(b.Step >= 0) || math.IsInf(b.Step, 1) {
		return Automaton{}, fmt.Errorf("%v to %v in steps of %v is no band", b.Min, b.Max, b.Step)
	}
	n, step, slack, err := b.count(g, u)
	if err != nil {
		return Automaton{}, err
	}
	lo, hi := math.Ceil((b.Min+slack)/step-1e-6), math.Floor((b.Max-slack)/step+1e-6)
	if b.Min == b.Max && slack > 0 {
		return Automaton{}, fmt.Errorf("the rewards are not whole multiples of %v: ask for a band instead", step)
	}
	worst, best := extremes(g, n)
	return Automaton{Next: func(q, e int) (int, float64) {
		if q == done {
			return done, 1
		}
		q += n[e]
		least, most := float64(q+worst[g.Head(e)]), float64(q+best[g.Head(e)])
		switch {
		case most < lo || least > hi:
			return 0, 0
		case least >= lo && most <= hi:
			return done, 1
		}
		return q, 1
	}}, nil
}

// count returns the rewards in whole steps, the step, and by how much rounding may shift the reward of a path.
func (b Band) count(g *ddps.LayeredGraph, u []float64) (n []int, step, slack float64, err error) {
	if step = b.Step; step == 0 {
		for step = 1; step >= 1e-6 && !multiples(u, step); step /= 10 {
		}
		if step < 1e-6 {
			minus := make([]float64, len(u))
			for e, r := range u {
				minus[e] = -r
			}
			step = (g.Best(u) + g.Best(minus)) / Levels
		}
	}
	if !multiples(u, step) {
		slack = float64(g.NumLayers()-1) * step / 2
	}
	n = make([]int, len(u))
	for e, r := range u {
		x := math.RoundToEven(r / step)
		if math.Abs(x)*float64(g.NumLayers()) > 1<<53 {
			return nil, 0, 0, fmt.Errorf("a reward of %v is too many steps of %v", r, step)
		}
		n[e] = int(x)
	}
	return n, step, slack, nil
}

// multiples tells whether all of u are whole multiples of step, up to rounding.
func multiples(u []float64, step float64) bool {
	for _, r := range u {
		if x := r / step; math.Abs(x-math.RoundToEven(x)) > 1e-9*max(1, math.Abs(x)) {
			return false
		}
	}
	return true
}

// extremes returns the least and the greatest sum of n over the walks from each vertex to the last layer. Vertices
// from which none leads there, to which no edge leads either, have 0.
func extremes(g *ddps.LayeredGraph, n []int) (worst, best []int) {
	worst, best = make([]int, g.NumVertices()), make([]int, g.NumVertices())
	for v := g.NumVertices() - 1; v >= 0; v-- {
		lo, hi := g.Edges(v)
		for e := lo; e < hi; e++ {
			least, most := n[e]+worst[g.Head(e)], n[e]+best[g.Head(e)]
			if e == lo {
				worst[v], best[v] = least, most
			}
			worst[v], best[v] = min(worst[v], least), max(best[v], most)
		}
	}
	return worst, best
}
