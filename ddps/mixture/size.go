package mixture

import (
	"slices"

	"github.com/ddps-go/ddps/ddps"
)

// Size returns how many states and edges the product graph has on which a mixture of these settings is, counted without
// making it: exactly where every vertex of g leads on to the last layer, else at most so many. Order 2 needs places.
// O(V + E·D).
func (c Config) Size(g *ddps.LayeredGraph) (states, edges int) {
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
	moved, waited := make([][]int, g.NumVertices()), make([][]int, g.NumVertices()) // places before
	moved[0] = []int{-1}
	for v := range g.NumVertices() {
		n := len(moved[v]) + len(waited[v])
		states += n
		edges += n * g.Degree(v)
		if n == 0 {
			continue
		}
		for _, w := range g.From(v) {
			if place[v] != place[w] || place[v] < 0 {
				moved[w] = with(moved[w], place[v])
				continue
			}
			for _, u := range moved[v] {
				waited[w] = with(waited[w], u)
			}
			for _, u := range waited[v] {
				waited[w] = with(waited[w], u)
			}
		}
		moved[v], waited[v] = nil, nil
	}
	return states, edges
}

// with returns the set with x.
func with(set []int, x int) []int {
	if slices.Contains(set, x) {
		return set
	}
	return append(set, x)
}

// Memory estimates how many bytes a fit of these settings to n distinct paths takes, the mixture that it makes
// included, from the sizes of the arrays, and half as much again for what the collector has not freed.
func (c Config) Memory(g *ddps.LayeredGraph, n int) int64 {
	states, edges := c.Size(g)
	S, E, V, K := int64(states), int64(edges), int64(g.NumVertices()), int64(c.Classes)
	if c.Simple() {
		return 8 * E * 3 / 2
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
	tables := 16*E + 16*V*width + 8*min(maxParts*V*width, visits*width)
	params := V*K + turns
	history := 8 * params * (20 + 16) // of L-BFGS, and what it and the search work with
	return (lift + sweeps + tables + 4*visits + history + 8*E*K) * 3 / 2
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
