package chain

import "github.com/ddps-go/ddps/ddps"

// turns returns of each edge of the line graph, two moves from place u by v to w, the numbers of its potentials, −1 where
// there is none, and how many there are: one for the three places, in whatever layer, and one for its layer where w is u, be it
// a turn back or a second wait.
func turns(l *Lift) (kinds [][2]int, n int) {
	kinds, place := make([][2]int, len(l.Edge)), l.Base.Meta().Place
	n = 2 * l.Graph.NumLayers()
	number := map[[3]int]int{}
	for k := range kinds {
		kinds[k] = [2]int{-1, -1}
		s := l.Graph.Tail(k)
		if s == 0 { // state 1+e came along e
			continue
		}
		t := [3]int{place[l.Base.Tail(s-1)], place[l.Vertex[s]], place[l.Base.Head(l.Edge[k])]}
		if min(t[0], t[1], t[2]) < 0 {
			continue
		}
		i, seen := number[t]
		if !seen {
			i = n
			number[t] = i
			n++
		}
		if kinds[k][0] = i; t[0] == t[2] {
			kinds[k][1] = 2 * l.Graph.LayerOf(s)
			if t[1] == t[0] {
				kinds[k][1]++
			}
		}
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

// count numbers the turns, and counts those of the paths.
func (f *mixtureFit) count(paths []ddps.Path) {
	var n int
	f.turn, n = turns(f.base.Lift)
	f.turns = make([]float64, n)
	var edges []int
	for i, p := range paths {
		edges, _, _ = f.base.Lift.Edges(edges[:0], p) // the line graph has all paths
		for _, k := range edges {
			for _, t := range f.turn[k] {
				if t >= 0 {
					f.turns[t] += f.weights[i]
				}
			}
		}
	}
}
