package chain

import "github.com/ddps-go/ddps/ddps"

// Size returns how many states and edges the product graph has on which a mixture of these settings is, counted without
// making it: exactly where every vertex of g leads on to the last layer, else at most so many. Order 2 needs places.
// O(V + E + waits times the places before them).
func (c MixtureConfig) Size(g *ddps.LayeredGraph) (states, edges int) {
	if c.Order != 2 {
		return g.NumVertices(), g.NumEdges()
	}
	return turnsSize(g)
}

// turnsSize is the size of Turns(g). A state is a vertex with the other place before it, −1 for none, and whether the
// path has waited since: one that has not for each other place in the layer before, and one that has for each place
// before the same place there.
func turnsSize(g *ddps.LayeredGraph) (states, edges int) {
	place := g.Meta().Place
	from := make([][]int, g.NumVertices()) // other places before, −1 for none
	count := make([]int, g.NumVertices())
	from[0], count[0] = []int{-1}, 1
	for l := range g.NumLayers() {
		lo, hi := g.Layer(l)
		moved, waited := map[[2]int]bool{}, map[[2]int]bool{} // pairs of a head and a place
		for v := lo; v < hi; v++ {
			states += count[v]
			edges += count[v] * g.Degree(v)
			if count[v] == 0 {
				continue
			}
			for _, w := range g.From(v) {
				if place[v] != place[w] || place[v] < 0 {
					note(from, count, moved, waited, w, place[v])
					continue
				}
				for _, u := range from[v] {
					note(from, count, waited, moved, w, u)
				}
			}
			from[v] = nil
		}
	}
	return states, edges
}

// note counts a state of w that was come to from u, if it is new among those of its kind.
func note(from [][]int, count []int, seen, other map[[2]int]bool, w, u int) {
	if seen[[2]int{w, u}] {
		return
	}
	seen[[2]int{w, u}] = true
	count[w]++
	if !other[[2]int{w, u}] {
		from[w] = append(from[w], u)
	}
}

// Memory estimates how many bytes a fit of these settings to n distinct paths takes, the mixture that it makes
// included, from the sizes of the arrays.
func (c MixtureConfig) Memory(g *ddps.LayeredGraph, n int) int64 {
	states, edges := c.Size(g)
	S, E, V, K := int64(states), int64(edges), int64(g.NumVertices()), int64(c.Classes)
	if c.Simple() {
		return 8 * E
	}
	width := (K + sweepLanes - 1) / sweepLanes * sweepLanes
	visits := int64(n) * int64(g.NumLayers())
	turns, lift := int64(0), int64(0)
	if c.Order == 2 {
		turns = min(E, int64(turnsMost(g)))
		lift = 24*E + 64*S // edges and states, and
		lift += 8 * E      // what they know
	}
	sweeps := 8*width*(2*S+V) + 2*turns*width
	tables := 16*E + 16*V*width + 8*min(mixtureParts*V*width, visits*width)
	params := V*K + turns
	return lift + sweeps + tables + 4*visits + 8*params*(20+16) + 8*E*K
}

// turnsMost returns how many potentials of turns there are at most, from the pairs of places that have an edge in some
// layer.
func turnsMost(g *ddps.LayeredGraph) int {
	place, next := g.Meta().Place, map[[2]int]bool{}
	in, out := map[int]int{}, map[int]int{}
	for e := range g.NumEdges() {
		pair := [2]int{place[g.Tail(e)], place[g.Head(e)]}
		if min(pair[0], pair[1]) < 0 || next[pair] {
			continue
		}
		next[pair] = true
		out[pair[0]]++
		in[pair[1]]++
	}
	n := 2 * g.NumLayers()
	for p, k := range in {
		n += k * out[p]
	}
	return n
}
