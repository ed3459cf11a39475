package ddps

import (
	"fmt"
	"math"
)

// Reward assigns a number to every edge: u[v][d] is the reward of the d-th out-edge of v (the paper's
// reward assignment PALM [u]; its rewards are 0 or 1, ours any finite number). The reward of a path is the
// sum over its edges. Functions here take the flat form by edge, which Flatten makes.
type Reward [][]float64

// Flatten returns u by edge number. The error names the vertex whose row has the wrong length or an entry
// that is NaN or infinite.
func (g *LayeredGraph) Flatten(u Reward) ([]float64, error) {
	if len(u) != g.NumVertices() {
		return nil, fmt.Errorf("ddps: reward: %d rows for %d vertices", len(u), g.NumVertices())
	}
	flat := make([]float64, 0, g.NumEdges())
	for v, row := range u {
		if len(row) != g.Degree(v) {
			return nil, fmt.Errorf("ddps: reward: vertex %d: %d numbers for %d out-edges", v, len(row), g.Degree(v))
		}
		flat = append(flat, row...)
	}
	return flat, g.CheckReward(flat)
}

// CheckReward returns an error that names the edge if u is not one finite number per edge, or says so if those of
// a path add up to more than a float64 holds.
func (g *LayeredGraph) CheckReward(u []float64) error {
	if len(u) != g.NumEdges() {
		return fmt.Errorf("ddps: reward: %d numbers for %d edges", len(u), g.NumEdges())
	}
	for e, r := range u {
		if math.IsNaN(r) || math.IsInf(r, 0) {
			return fmt.Errorf("ddps: reward: edge %s → %s: %v is not a finite number",
				g.Name(g.tail[e]), g.Name(g.head[e]), r)
		}
	}
	minus := make([]float64, len(u))
	for e, r := range u {
		minus[e] = -r
	}
	for _, total := range []float64{g.Best(u), -g.Best(minus)} { // the greatest and the least
		if math.IsInf(total, 0) {
			return fmt.Errorf("ddps: reward: those of a path add up to %v", total)
		}
	}
	return nil
}

// Total returns the reward of p under u, by edge. It panics if p is no path.
func (g *LayeredGraph) Total(u []float64, p Path) float64 {
	sum := 0.0
	for l := range len(p) - 1 {
		e, ok := g.EdgeBetween(p[l], p[l+1])
		if !ok {
			panic("ddps: Total of something that is not a path")
		}
		sum += u[e]
	}
	return sum
}

// BestFrom returns for every vertex the greatest reward of a walk from it to the last layer; −Inf where no
// walk gets there. O(V + E).
func (g *LayeredGraph) BestFrom(u []float64) []float64 {
	best := make([]float64, g.NumVertices())
	last, _ := g.Layer(g.NumLayers() - 1)
	for v := last - 1; v >= 0; v-- {
		best[v] = math.Inf(-1)
		for e := g.first[v]; e < g.first[v+1]; e++ {
			best[v] = max(best[v], u[e]+best[g.head[e]])
		}
	}
	return best
}

// Best returns R_max, the greatest reward of any path under u. O(V + E).
func (g *LayeredGraph) Best(u []float64) float64 { return g.BestFrom(u)[0] }

// Tight returns for every edge whether it lies on a path of the greatest reward: best prefix + u + best suffix
// = R_max within 1e-9·max(1, |R_max|). Every path along tight edges is such a path, up to that tolerance an
// edge. O(V + E).
func (g *LayeredGraph) Tight(u []float64) []bool {
	suffix := g.BestFrom(u)
	prefix := make([]float64, g.NumVertices())
	for v := range prefix {
		prefix[v] = math.Inf(-1)
	}
	prefix[0] = 0
	rmax := suffix[0]
	slack := 1e-9 * max(1, math.Abs(rmax))
	tight := make([]bool, g.NumEdges())
	for e, v := range g.tail {
		w := g.head[e]
		prefix[w] = max(prefix[w], prefix[v]+u[e])
		tight[e] = prefix[v]+u[e]+suffix[w] >= rmax-slack
	}
	return tight
}
