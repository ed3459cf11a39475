package guide

import (
	"fmt"
	"math/bits"
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

// ahead tells by vertex whether some walk from it takes an edge that hits.
func ahead(g *ddps.LayeredGraph, hit []bool) []bool {
	some := make([]bool, g.NumVertices())
	for e := len(hit) - 1; e >= 0; e-- {
		if hit[e] || some[g.Head(e)] {
			some[g.Tail(e)] = true
		}
	}
	return some
}

// Avoid conditions on the path meeting none of s.
func Avoid(g *ddps.LayeredGraph, s Stop) (Condition, error) {
	hit, start, err := s.hits(g)
	if err != nil {
		return nil, err
	}
	return New(g, "avoid "+s.String(), Automaton{Next: func(_, e int) (int, float64) {
		if hit[e] || start {
			return 0, 0
		}
		return 0, 1
	}})
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
	hit, _, err := s.hits(g)
	if err != nil {
		return nil, err
	}
	return New(g, "end in "+s.String(), Automaton{Next: func(_, e int) (int, float64) {
		if g.Head(e) >= last && !hit[e] {
			return 0, 0
		}
		return 0, 1
	}})
}

// MustVisit conditions on the path visiting each of the vertices.
func MustVisit(g *ddps.LayeredGraph, vertices ...int) (Condition, error) {
	stops := make([]Stop, len(vertices))
	for i, v := range vertices {
		stops[i].Vertices = []int{v}
	}
	return Through(g, stops...)
}

// maxStops is the most that Through takes: it remembers those met in the bits of a state.
const maxStops = 62

// Through conditions on the path meeting each of the stops, in any order. States are sets of stops met; there are
// at most as many as the paths make, and 2 to the number of stops.
func Through(g *ddps.LayeredGraph, stops ...Stop) (Condition, error) {
	if len(stops) == 0 || len(stops) > maxStops {
		return nil, fmt.Errorf("guide: %d stops, must be 1 to %d", len(stops), maxStops)
	}
	start, all := 0, 1<<len(stops)-1
	met, later, name := make([]int, g.NumEdges()), make([]int, g.NumVertices()), make([]string, len(stops))
	for i, s := range stops {
		hit, now, err := s.hits(g)
		if err != nil {
			return nil, err
		}
		if now {
			start |= 1 << i
		}
		for e, yes := range hit {
			if yes {
				met[e] |= 1 << i
			}
		}
		for v, yes := range ahead(g, hit) {
			if yes {
				later[v] |= 1 << i
			}
		}
		name[i] = s.String()
	}
	return New(g, "visit "+strings.Join(name, " and "), Automaton{Start: start, Next: func(q, e int) (int, float64) {
		if q |= met[e]; q|later[g.Head(e)] != all {
			return 0, 0 // a stop was missed
		}
		return q, 1
	}, Accept: func(q int) float64 {
		if bits.OnesCount(uint(q)) < len(stops) {
			return 0
		}
		return 1
	}})
}

// InOrder conditions on the path meeting the stops one after the other, each at a later step than the one before:
// v¹ is met at step 0, the l-th edge and its head at step l.
func InOrder(g *ddps.LayeredGraph, stops ...Stop) (Condition, error) {
	if len(stops) == 0 {
		return nil, fmt.Errorf("guide: no stops")
	}
	start, hits, name := 0, make([][]bool, len(stops)), make([]string, len(stops))
	for i, s := range stops {
		hit, now, err := s.hits(g)
		if err != nil {
			return nil, err
		}
		if i == 0 && now {
			start = 1
		}
		hits[i], name[i] = hit, s.String()
	}
	return New(g, "visit "+strings.Join(name, " then "), Automaton{Start: start, Next: func(q, e int) (int, float64) {
		if q < len(stops) && hits[q][e] { // the earliest step is as good as any
			q++
		}
		return q, 1
	}, Accept: func(q int) float64 {
		if q < len(stops) {
			return 0
		}
		return 1
	}})
}
