package guide

import (
	"fmt"
	"math"

	"github.com/ddps-go/ddps/ddps"
)

// MaxReward conditions on the path having the greatest reward R_max that any path of g has under u, by edge. It needs
// no λ. log m is the logarithm of P(R = R_max). Sums are exact, as of a Band. The error is CheckReward's.
func MaxReward(g *ddps.LayeredGraph, u []float64) (Condition, error) {
	d := NewDiagrams(g)
	s, err := d.Max(u)
	if err != nil {
		return nil, err
	}
	return d.condition("the greatest reward", s, nil)
}

// Max returns the paths of the greatest total of u, by edge: those along edges that lie on such a path. O(E).
func (d *Diagrams) Max(u []float64) (Set, error) {
	if err := d.g.CheckReward(u); err != nil {
		return None, err
	}
	x := newDecimals(d.g, u)
	_, best := extremes(d.g, x.n)
	prefix := make([]int64, d.g.NumVertices()) // the greatest sum of a walk from v¹
	for v := range prefix {
		prefix[v] = -2 * maxUnits
	}
	prefix[0] = 0
	logw := make([]float64, len(u))
	for e := range logw {
		v, w := d.g.Tail(e), d.g.Head(e)
		prefix[w] = max(prefix[w], prefix[v]+x.n[e])
		if prefix[v]+x.n[e]+best[w] < best[0]-x.tol {
			logw[e] = math.Inf(-1)
		}
	}
	return d.weigh(logw), nil
}

// Boltzmann weighs every path by exp(β·R), R its reward under u, by edge; β may be negative, and 0 leaves the
// distribution as it is. log m is the logarithm of E[exp(βR)]. Weights are held as logarithms, and taken relative to
// the best path of the product with whatever other conditions there are, so that they neither overflow nor vanish. It
// is an error if β or βR of some path is not finite, or u as CheckReward says.
func Boltzmann(g *ddps.LayeredGraph, u []float64, beta float64) (Condition, error) {
	d := NewDiagrams(g)
	s, err := d.Boltzmann(u, beta)
	if err != nil {
		return nil, err
	}
	return d.condition(fmt.Sprintf("boltzmann(%v)", beta), s, nil)
}

// Boltzmann returns all paths, each with weight exp(β·total of u, by edge).
func (d *Diagrams) Boltzmann(u []float64, beta float64) (Set, error) {
	g := d.g
	if math.IsNaN(beta) || math.IsInf(beta, 0) {
		return None, fmt.Errorf("guide: β is %v, must be a finite number", beta)
	}
	if err := g.CheckReward(u); err != nil {
		return None, err
	}
	scaled, minus := make([]float64, len(u)), make([]float64, len(u))
	for e, r := range u {
		if scaled[e] = beta * r; math.IsInf(scaled[e], 0) {
			return None, fmt.Errorf("guide: β·reward of edge %s → %s overflows", g.Name(g.Tail(e)), g.Name(g.Head(e)))
		}
		minus[e] = -scaled[e]
	}
	for _, logw := range [][]float64{scaled, minus} {
		for v, b := range g.BestFrom(logw) {
			if math.IsInf(b, 1) || math.IsInf(b, -1) && g.Degree(v) > 0 {
				return None, fmt.Errorf("guide: β·reward of the paths from vertex %s on overflows", g.Name(v))
			}
		}
	}
	return d.weigh(scaled), nil
}
