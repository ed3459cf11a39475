package guide

import (
	"fmt"
	"math"

	"github.com/ddps-go/ddps/ddps"
)

// MaxReward conditions on the path having the greatest reward R_max that any path of g has under u, by edge:
// the weight is 1 on tight edges (ddps.LayeredGraph.Tight) and 0 elsewhere. It needs no λ. log m is the
// logarithm of P(R = R_max). The error is CheckReward's.
func MaxReward(g *ddps.LayeredGraph, u []float64) (Condition, error) {
	if err := g.CheckReward(u); err != nil {
		return nil, err
	}
	w := make([]float64, len(u))
	for e, tight := range g.Tight(u) {
		if tight {
			w[e] = 1
		}
	}
	return New(g, "the greatest reward", byEdge(w))
}

// least is the least weight that Boltzmann gives an edge.
const least = 1e-300

// Boltzmann weighs every path by exp(β·R), R its reward under u, by edge; β may be negative, and 0 leaves the
// law as it is. log m is the logarithm of E[exp(βR)]. Weights are held relative to the best way on from each
// vertex, so that exp does not overflow; where it would underflow they are 1e-300, so that no path is forbidden. It is an error if β or βR of some path is not finite, or u as CheckReward
// says.
func Boltzmann(g *ddps.LayeredGraph, u []float64, beta float64) (Condition, error) {
	if math.IsNaN(beta) || math.IsInf(beta, 0) {
		return nil, fmt.Errorf("guide: β is %v, must be a finite number", beta)
	}
	if err := g.CheckReward(u); err != nil {
		return nil, err
	}
	scaled := make([]float64, len(u))
	for e, r := range u {
		if scaled[e] = beta * r; math.IsInf(scaled[e], 0) {
			return nil, fmt.Errorf("guide: β·reward of edge %s → %s overflows", g.Name(g.Tail(e)), g.Name(g.Head(e)))
		}
	}
	best := g.BestFrom(scaled)
	for v, b := range best {
		if math.IsInf(b, 1) || math.IsInf(b, -1) && g.Degree(v) > 0 {
			return nil, fmt.Errorf("guide: β·reward of the paths from vertex %s on overflows", g.Name(v))
		}
	}
	w := make([]float64, len(u))
	for e := range w { // exp(βu + best(head) − best(tail)): at most 1, and 1 along a best path
		if b := best[g.Tail(e)]; !math.IsInf(b, -1) && !math.IsInf(best[g.Head(e)], -1) {
			w[e] = max(math.Exp(scaled[e]+best[g.Head(e)]-b), least)
		}
	}
	a := byEdge(w)
	a.Shift = best[0]
	return New(g, fmt.Sprintf("boltzmann(%v)", beta), a)
}
