package chain

import "github.com/ddps-go/ddps/ddps"

// came tells how a path came to where it is: from which other place, −1 for none, and whether it waited since.
type came struct {
	from   int
	waited bool
}

// Turns returns the lift of g, whose vertices have places, on which second-order chains of moves live: its states know
// the place that a path was in before the one where it is, over however long a wait, and whether it waited. It panics if g
// has no places. O(edges of the lift).
func Turns(g *ddps.LayeredGraph) *Lift {
	l, _, err := turnStates(g, 0)
	if err != nil || l == nil {
		panic("chain: the turns of a layered graph are a lift of it")
	}
	return l
}

// turnStates is Turns, and what the states know. It is an error if there are more than limit edges (0: no limit).
func turnStates(g *ddps.LayeredGraph, limit int) (*Lift, []came, error) {
	place := g.Meta().Place
	if place == nil {
		panic("chain: turns: the graph has no places")
	}
	return Unfold(g, came{-1, false}, func(q came, e int) (came, bool) {
		u, v := place[g.Tail(e)], place[g.Head(e)]
		if u == v && u >= 0 {
			return came{q.from, true}, true
		}
		return came{u, false}, true
	}, limit)
}

// turnKinds returns of each edge of the lift that Turns makes, a move by v to w of a path that came from u, the numbers of its
// potentials, −1 where there is none, and how many there are: one for the three places, in whatever layer, and one for
// its layer where w is u, a turn back, or where it is one more wait.
func turnKinds(l *Lift, states []came) (kinds [][2]int, n int) {
	kinds, place := make([][2]int, len(l.Edge)), l.Base.Meta().Place
	n = 2 * l.Graph.NumLayers()
	number := map[[3]int]int{}
	for k := range kinds {
		kinds[k] = [2]int{-1, -1}
		s := l.Graph.Tail(k)
		u, v, w := states[s].from, place[l.Vertex[s]], place[l.Base.Head(l.Edge[k])]
		if again := w == v && states[s].waited; again || w == u && u >= 0 {
			if kinds[k][1] = 2 * l.Graph.LayerOf(s); again {
				kinds[k][1]++
			}
		}
		if min(u, v, w) < 0 {
			continue
		}
		t := [3]int{u, v, w}
		i, seen := number[t]
		if !seen {
			i = n
			number[t] = i
			n++
		}
		kinds[k][0] = i
	}
	return kinds, n
}

// turnsOf returns the potentials of edge e of the lift.
func (f *mixtureFit) turnsOf(e int) [2]int {
	if f.turn == nil {
		return [2]int{-1, -1}
	}
	return f.turn[e]
}

// count numbers the turns, of a lift whose states know this, and counts those of the paths.
func (f *mixtureFit) count(paths []ddps.Path, states []came) {
	var n int
	f.turn, n = turnKinds(f.base.Lift, states)
	f.turns = make([]float64, n)
	var edges []int
	for i, p := range paths {
		edges, _, _ = f.base.Lift.Edges(edges[:0], p) // the lift has all paths
		for _, k := range edges {
			for _, t := range f.turn[k] {
				if t >= 0 {
					f.turns[t] += f.weights[i]
				}
			}
		}
	}
}
