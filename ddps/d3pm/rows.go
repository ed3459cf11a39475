package d3pm

import (
	"math/rand/v2"

	"github.com/ddps-go/ddps/ddps"
)

// Rows returns the vertices that a path visits and that have more than one out-edge: the rows of a PALM that carry
// anything.
func Rows(g *ddps.LayeredGraph) []int32 {
	var rows []int32
	for v, on := range g.Reachable() {
		if on && g.Degree(v) > 1 {
			rows = append(rows, int32(v))
		}
	}
	return rows
}

// newRands returns the random streams of items lo…hi−1.
func newRands(seed uint64, lo, hi int) []*rand.Rand {
	rngs := make([]*rand.Rand, hi-lo)
	for i := range rngs {
		rngs[i] = ddps.Rand(seed, uint64(lo+i))
	}
	return rngs
}
