package gru

import (
	"fmt"

	"github.com/ddps-go/ddps/ddps"
)

// layout is a layered graph as the network reads it.
type layout struct {
	g      *ddps.LayeredGraph
	places int
	place  []int32 // [V] in 0…places−1
	head   []int32 // [E] the place of its head
	single []bool  // [V] exactly one path leads on from it
	real   []bool  // [P] a place of the graph's meta data, at which no walk has ended
	ends   bool    // some walks end before the last layer
}

// newLayout numbers the places of g: those of its meta data in ascending order, then one of its own for each vertex
// that has none. O(V log V + E).
func newLayout(g *ddps.LayeredGraph) *layout {
	V := g.NumVertices()
	y := &layout{g: g, place: make([]int32, V), head: make([]int32, g.NumEdges()), single: make([]bool, V)}
	given := g.Meta().Place
	if given == nil {
		given = make([]int, V)
		for v := range given {
			given[v] = -1
		}
	}
	y.number(given)
	y.real = make([]bool, y.places)
	no := g.NoPlaces()
	for v, p := range given {
		y.real[y.place[v]] = p >= 0
	}
	for v, on := range no {
		if on {
			y.real[y.place[v]] = false
		}
	}
	for e := range y.head {
		y.head[e] = y.place[g.Head(e)]
	}
	last, _ := g.Layer(g.NumLayers() - 1)
	for v := V - 1; v >= 0; v-- {
		y.single[v] = v >= last || g.Degree(v) == 1 && y.single[g.From(v)[0]]
		y.ends = y.ends || v < last && y.single[v] && !y.real[y.place[v]]
	}
	return y
}

// number sets place from the places given, −1 for none.
func (y *layout) number(given []int) {
	at := map[int]int32{}
	for _, p := range given {
		if p >= 0 {
			at[p] = 0
		}
	}
	y.places = rank(at)
	for v, p := range given {
		if p >= 0 {
			y.place[v] = at[p]
			continue
		}
		y.place[v] = int32(y.places)
		y.places++
	}
}

// steps is the greatest number of steps that a path has.
func (y *layout) steps() int { return y.g.NumLayers() - 1 }

// walk is a path as the network reads it: its vertices up to the one from which a single path leads on, and which edge
// it takes from each, counted within the row.
type walk struct{ vertices, slots []int32 }

// walk returns p's. The error is a *ddps.PathError.
func (y *layout) walk(p ddps.Path) (walk, error) {
	var w walk
	if err := y.g.Check(p); err != nil {
		return w, err
	}
	for l := 0; !y.single[p[l]]; l++ {
		lo, _ := y.g.Edges(p[l])
		e, _ := y.g.EdgeBetween(p[l], p[l+1])
		w.vertices, w.slots = append(w.vertices, int32(p[l])), append(w.slots, int32(e-lo))
	}
	return w, nil
}

// walks returns those of paths; the error names the path, counted from 1.
func (y *layout) walks(paths []ddps.Path) ([]walk, error) {
	list := make([]walk, len(paths))
	for i, p := range paths {
		w, err := y.walk(p)
		if err != nil {
			return nil, fmt.Errorf("path %d: %w", i+1, err)
		}
		list[i] = w
	}
	return list, nil
}

// start returns the place in which w starts, after the first vertex, or −1 at the first step.
func (y *layout) start(w walk, t int) int32 {
	if t == 0 {
		return -1
	}
	return y.place[w.vertices[1]]
}
