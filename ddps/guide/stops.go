package guide

import (
	"fmt"
	"strings"

	"github.com/ddps-go/ddps/ddps"
)

// Stop is a set of vertices and edges, by number. A path meets it by a visit to any of the vertices or by taking any
// of the edges. A vertex belongs to one layer: what goes by one name in several layers is several vertices.
type Stop struct{ Vertices, Edges []int }

// Layer returns the part of s in layer l, 0…L−1, of g: vertices in it, edges out of it.
func (s Stop) Layer(g *ddps.LayeredGraph, l int) Stop {
	var in Stop
	for _, v := range s.Vertices {
		if g.LayerOf(v) == l {
			in.Vertices = append(in.Vertices, v)
		}
	}
	for _, e := range s.Edges {
		if g.LayerOf(g.Tail(e)) == l {
			in.Edges = append(in.Edges, e)
		}
	}
	return in
}

// String names the numbers, of which it shows a few.
func (s Stop) String() string {
	var words []string
	for _, v := range s.Vertices {
		words = append(words, fmt.Sprintf("vertex %d", v))
	}
	for _, e := range s.Edges {
		words = append(words, fmt.Sprintf("edge %d", e))
	}
	if n := len(words); n > 4 {
		words = append(words[:3], fmt.Sprintf("%d more", n-3))
	}
	return strings.Join(words, ", ")
}

// hits returns by edge whether a walk meets s by taking it, and whether it meets s at v¹ already. It is an error
// if s is empty or names what g does not have.
func (s Stop) hits(g *ddps.LayeredGraph) (hit []bool, start bool, err error) {
	if len(s.Vertices)+len(s.Edges) == 0 {
		return nil, false, fmt.Errorf("guide: an empty set of vertices and edges")
	}
	in := make([]bool, g.NumVertices())
	for _, v := range s.Vertices {
		if v < 0 || v >= len(in) {
			return nil, false, fmt.Errorf("guide: there is no vertex %d, only 0…%d", v, len(in)-1)
		}
		in[v] = true
	}
	hit = make([]bool, g.NumEdges())
	for e := range hit {
		hit[e] = in[g.Head(e)]
	}
	for _, e := range s.Edges {
		if e < 0 || e >= len(hit) {
			return nil, false, fmt.Errorf("guide: there is no edge %d, only 0…%d", e, len(hit)-1)
		}
		hit[e] = true
	}
	return hit, in[0], nil
}

// Avoid conditions on the path meeting none of s.
func Avoid(g *ddps.LayeredGraph, s Stop) (Condition, error) {
	d := NewDiagrams(g)
	set, err := d.sequence(s)
	if err != nil {
		return nil, err
	}
	set, err = d.Not(set)
	return d.condition("avoid "+s.String(), set, err)
}

// EndIn conditions on the path ending in one of the vertices, which lie in the last layer; it is an error if any
// does not.
func EndIn(g *ddps.LayeredGraph, vertices ...int) (Condition, error) {
	last, end := g.Layer(g.NumLayers() - 1)
	for _, v := range vertices {
		if v < last || v >= end {
			return nil, fmt.Errorf("guide: a path cannot end in vertex %d: it is not in the last layer", v)
		}
	}
	s := Stop{Vertices: vertices}
	a, err := Sequence(g, s)
	if err != nil {
		return nil, err
	}
	return New(g, "end in "+s.String(), a)
}

// MustVisit conditions on the path visiting each of the vertices.
func MustVisit(g *ddps.LayeredGraph, vertices ...int) (Condition, error) {
	stops := make([]Stop, len(vertices))
	for i, v := range vertices {
		stops[i].Vertices = []int{v}
	}
	return Through(g, stops...)
}

// Through conditions on the path meeting each of the stops, in any order. States are sets of stops met that still
// matter; there are at most as many as the paths make, and 2 to the number of stops.
func Through(g *ddps.LayeredGraph, stops ...Stop) (Condition, error) {
	if len(stops) == 0 {
		return nil, fmt.Errorf("guide: no stops")
	}
	d, all, name := NewDiagrams(g), Every, make([]string, len(stops))
	for i, s := range stops {
		one, err := d.sequence(s)
		if err != nil {
			return nil, err
		}
		name[i] = s.String()
		if all, err = d.And(all, one); err != nil {
			return nil, fmt.Errorf("guide: visit %s: %w", strings.Join(name[:i+1], " and "), err)
		}
	}
	return d.condition("visit "+strings.Join(name, " and "), all, nil)
}

// InOrder conditions on the path meeting the stops one after the other, each at a later step than the one before: see
// Sequence.
func InOrder(g *ddps.LayeredGraph, stops ...Stop) (Condition, error) {
	a, err := Sequence(g, stops...)
	if err != nil {
		return nil, err
	}
	name := make([]string, len(stops))
	for i, s := range stops {
		name[i] = s.String()
	}
	return New(g, "visit "+strings.Join(name, " then "), a)
}

// sequence is the set of Sequence.
func (d *Diagrams) sequence(stops ...Stop) (Set, error) {
	a, err := Sequence(d.g, stops...)
	if err != nil {
		return None, err
	}
	return d.Read(a)
}

// Sequence reads a path for the stops one after the other, each at a later step than the one before: v¹ is met at step
// 0, the l-th edge and its head at step l. A state is how many have been met.
func Sequence(g *ddps.LayeredGraph, stops ...Stop) (Automaton, error) {
	if len(stops) == 0 {
		return Automaton{}, fmt.Errorf("guide: no stops")
	}
	start, hits := 0, make([][]bool, len(stops))
	for i, s := range stops {
		hit, now, err := s.hits(g)
		if err != nil {
			return Automaton{}, err
		}
		if i == 0 && now {
			start = 1
		}
		hits[i] = hit
	}
	return Automaton{Start: start, Next: func(q, e int) (int, float64) {
		if q < len(stops) && hits[q][e] { // the earliest step is as good as any
			q++
		}
		return q, alive
	}, Accept: func(q int) float64 { return met(q == len(stops)) }}, nil
}
