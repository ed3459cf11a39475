package fast

import (
	"math/rand/v2"

	"github.com/ddps-go/ddps/ddps"
	"github.com/ddps-go/ddps/ddps/internal/vec"
	"github.com/ddps-go/ddps/internal/pcg"
)

// laneGroup is up to eight samples: their x_t, by vertex, and random streams. Lanes without a sample hold choices of
// earlier ones.
type laneGroup struct {
	n    int
	x    []vec.Choice
	rngs []*rand.Rand
	own  []*pcg.Source // of rngs; nil: not known
}

// start sets the groups of the samples paths[lo…hi−1] to x_T.
func (w *worker) start(lo, hi int) []laneGroup {
	groups := w.groups[:(hi-lo+vec.Width-1)/vec.Width]
	for i := range groups {
		g := &groups[i]
		first := lo + i*vec.Width
		g.n = min(vec.Width, hi-first)
		g.rngs, g.own = g.rngs[:0], g.own[:0]
		for k := range g.n {
			own := pcg.Of(w.Seed, uint64(w.First+first+k))
			g.rngs, g.own = append(g.rngs, rand.New(own)), append(g.own, own)
		}
		g.uniform(w.Graph, w.palm)
	}
	return groups
}

// uniform sets the samples to x_T; palm is scratch for one.
func (g *laneGroup) uniform(graph *ddps.LayeredGraph, palm ddps.PALM) {
	for k, rng := range g.rngs {
		graph.Uniform(palm, rng)
		for v, c := range palm {
			g.x[v][k] = int64(c)
		}
	}
}

// number draws a number in [0, 1) for sample k.
func (g *laneGroup) number(k int) float64 {
	if g.own != nil {
		return g.own[k].Float64()
	}
	return g.rngs[k].Float64()
}
