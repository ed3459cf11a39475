package mixture

import (
	"github.com/ddps-go/ddps/ddps"
	"github.com/ddps-go/ddps/ddps/chain"
)

// came says how a path came to where it is: from which other place, −1 for none, and whether it waited since.
type came struct {
	from   int
	waited bool
}

// Turns returns the product graph of g, whose vertices have places, on which second-order chains of moves live: its
// states know the place that a path was in before the one where it is, over however long a wait, and whether it
// waited. It panics if g has no places. O(edges of the product graph).
func Turns(g *ddps.LayeredGraph) *chain.Product {
	l, _, err := turnStates(g, 0)
	if err != nil || l == nil {
		panic("mixture: the turns of a layered graph are a product graph of it")
	}
	return l
}

// turnStates is Turns, and what the states know. It is an error if there are more than limit edges (0: no limit).
func turnStates(g *ddps.LayeredGraph, limit int) (*chain.Product, []came, error) {
	place := g.Meta().Place
	if place == nil {
		panic("mixture: turns: the graph has no places")
	}
	return chain.Unfold(g, came{-1, false}, func(q came, e int) (came, bool) {
		u, v := place[g.Tail(e)], place[g.Head(e)]
		if u == v && u >= 0 {
			return came{q.from, true}, true
		}
		return came{u, false}, true
	}, limit)
}

// turnKinds returns of each edge of the product graph that Turns makes, a move by v to w of a path that came from u,
// the numbers of its potentials, n where there is none, and how many there are: one for the three places, in whatever
// layer, and one for its layer where w is u, a turn back, or where it is one more wait.
func turnKinds(l *chain.Product, states []came) (kinds [][2]int32, n int) {
	kinds, place := make([][2]int32, len(l.Edge)), l.Base.Meta().Place
	n = 2 * l.Graph.NumLayers()
	number := map[[3]int]int32{}
	for layer := range l.Graph.NumLayers() {
		lo, hi := l.Graph.Layer(layer)
		for s := lo; s < hi; s++ {
			first, end := l.Graph.Edges(s)
			for e := first; e < end; e++ {
				u, v, w := states[s].from, place[l.Vertex[s]], place[l.Base.Head(l.Edge[e])]
				kinds[e] = [2]int32{-1, -1}
				if again := w == v && states[s].waited; again || w == u && u >= 0 {
					if kinds[e][1] = int32(2 * layer); again {
						kinds[e][1]++
					}
				}
				if min(u, v, w) < 0 {
					continue
				}
				i, seen := number[[3]int{u, v, w}]
				if !seen {
					i = int32(n)
					number[[3]int{u, v, w}] = i
					n++
				}
				kinds[e][0] = i
			}
		}
	}
	for e := range kinds {
		for i, t := range kinds[e] {
			if t < 0 {
				kinds[e][i] = int32(n)
			}
		}
	}
	return kinds, n
}
