package guide

import (
	"fmt"

	"github.com/ddps-go/ddps/ddps"
)

// Returns reads whether a path ends at the place where it starts: the places of its first and of its last vertex that
// has one are the same. place is by vertex, −1 for none, such as a source and padding. A state is the place of the
// start and whether the walk is there.
func Returns(g *ddps.LayeredGraph, place []int) (Automaton, error) {
	if len(place) != g.NumVertices() {
		return Automaton{}, fmt.Errorf("guide: places of %d vertices, for %d", len(place), g.NumVertices())
	}
	// 0: no place yet; else 2·(1 + the first place), and 1 more where the last is another
	step := func(q, at int) int {
		switch {
		case at < 0:
			return q
		case q == 0:
			return 2 * (1 + at)
		case q/2 == 1+at:
			return q / 2 * 2
		}
		return q | 1
	}
	return Automaton{Start: step(0, place[0]),
		Next:   func(q, e int) (int, float64) { return step(q, place[g.Head(e)]), alive },
		Accept: func(q int) float64 { return met(q > 0 && q%2 == 0) }}, nil
}
