package markov

import (
	"errors"
	"fmt"

	"github.com/ddps-go/ddps/ddps"
)

// places is a graph as a context model sees it.
type places struct {
	g     *ddps.LayeredGraph
	place []int32 // [V] 0…n−1
	n     int
	layer []int32 // [V]
	over  []bool  // [V] neither the vertex nor any after it has a choice: nothing need be remembered
}

// newPlaces numbers the places of a graph: those of Meta.Place; vertices of none are tied by name, as the END of each
// layer, where they have names.
func newPlaces(g *ddps.LayeredGraph) (*places, error) {
	meta := g.Meta()
	if meta.Place == nil && meta.Names == nil {
		return nil, errors.New("markov: the graph's vertices have neither places nor names: nothing ties its layers")
	}
	V := g.NumVertices()
	p := &places{g: g, place: make([]int32, V), layer: make([]int32, V), over: make([]bool, V)}
	number := map[string]int32{}
	for v := range V {
		key := fmt.Sprintf("vertex %d", v)
		switch {
		case meta.Place != nil && meta.Place[v] >= 0:
			key = fmt.Sprintf("place %d", meta.Place[v])
		case meta.Names != nil:
			key = "name " + meta.Names[v]
		}
		n, ok := number[key]
		if !ok {
			n = int32(len(number))
			number[key] = n
		}
		p.place[v] = n
	}
	p.n = len(number)
	for v := V - 1; v >= 0; v-- {
		p.layer[v] = int32(g.LayerOf(v))
		p.over[v] = g.Degree(v) <= 1
		for _, w := range g.From(v) {
			p.over[v] = p.over[v] && p.over[w]
		}
	}
	return p, nil
}
