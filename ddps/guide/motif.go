package guide

import (
	"fmt"

	"github.com/ddps-go/ddps/ddps"
)

// maxMotif is the most places of a motif: those begun are the bits of a state.
const maxMotif = 62

// motifFound is the state in which the motif has been met.
const motifFound = -1

// motif reads a path for places that follow each other, by the Shift-And method (Baeza-Yates and Gonnet 1992): bit j of
// a state tells that the last j+1 vertices fit the first j+1 places.
type motif struct {
	g    *ddps.LayeredGraph
	fits []int // [V] bit j: the vertex fits place j
	at   []int // [V] bit 0: the motif may begin there
	last int   // the bit of the last place
	name string
}

func newMotif(g *ddps.LayeredGraph, places [][]int, layer int) (*motif, error) {
	if len(places) == 0 || len(places) > maxMotif {
		return nil, fmt.Errorf("guide: a motif of %d places, must be 1 to %d", len(places), maxMotif)
	}
	if layer >= 0 && layer+len(places) > g.NumLayers() || layer < -1 {
		return nil, fmt.Errorf("guide: a motif of %d places from layer %d on: there are %d layers", len(places), layer+1, g.NumLayers())
	}
	m := &motif{g: g, fits: make([]int, g.NumVertices()), at: make([]int, g.NumVertices()), last: 1 << (len(places) - 1)}
	for j, p := range places {
		for _, v := range p {
			if v < 0 || v >= len(m.fits) {
				return nil, fmt.Errorf("guide: a motif: there is no vertex %d, only 0…%d", v, len(m.fits)-1)
			}
			m.fits[v] |= 1 << j
		}
	}
	for v := range m.at {
		if layer < 0 || g.LayerOf(v) == layer {
			m.at[v] = 1
		}
	}
	m.name = fmt.Sprintf("a motif of %d places", len(places))
	if layer >= 0 {
		m.name += fmt.Sprintf(" from layer %d on", layer+1)
	}
	return m, nil
}

// step returns the state at v after state q.
func (m *motif) step(q, v int) int {
	if q == motifFound {
		return q
	}
	if q = (q<<1 | m.at[v]) & m.fits[v]; q&m.last != 0 {
		return motifFound
	}
	return q
}

// Motif conditions on the path visiting, one step after the other, a vertex of places[0], one of places[1] and so on, from
// a layer on, 0…L−1, or anywhere where layer is −1. The vertices of a place may be of many layers. There are at most as
// many states at a vertex as ways to have begun the motif, few for a word. It is an error if no path meets it, if there
// are more than 62 places, or if they do not fit into the layers.
func Motif(g *ddps.LayeredGraph, places [][]int, layer int) (Condition, error) {
	m, err := newMotif(g, places, layer)
	if err != nil {
		return nil, err
	}
	return New(g, m.name, Automaton{Start: m.step(0, 0), Next: func(q, e int) (int, float64) {
		return m.step(q, g.Head(e)), 1
	}, Accept: func(q int) float64 {
		if q != motifFound {
			return 0
		}
		return 1
	}})
}

// NoMotif conditions on the path not meeting a motif; see Motif.
func NoMotif(g *ddps.LayeredGraph, places [][]int, layer int) (Condition, error) {
	m, err := newMotif(g, places, layer)
	if err != nil {
		return nil, err
	}
	return New(g, "no "+m.name[2:], Automaton{Start: m.step(0, 0), Next: func(q, e int) (int, float64) {
		if q = m.step(q, g.Head(e)); q == motifFound {
			return 0, 0
		}
		return q, 1
	}})
}
