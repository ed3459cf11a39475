package guide

import (
	"errors"
	"fmt"

	"github.com/ddps-go/ddps/ddps"
)

// Motif conditions on the path visiting, one step after the other, a vertex of list[0], one of list[1] and so on, from
// a layer on, 0…L−1, or anywhere where layer is −1. The vertices of a place may be of many layers. There are at most as
// many states at a vertex as ways to have begun the motif, few for a word. It is an error if no path meets it,
// or if the places do not fit into the layers.
func Motif(g *ddps.LayeredGraph, list [][]int, layer int) (Condition, error) {
	a, name, err := motif(g, list, layer)
	if err != nil {
		return nil, err
	}
	return New(g, "a "+name, a)
}

// NoMotif conditions on the path not meeting a motif; see Motif.
func NoMotif(g *ddps.LayeredGraph, list [][]int, layer int) (Condition, error) {
	a, name, err := motif(g, list, layer)
	if err != nil {
		return nil, err
	}
	d := NewDiagrams(g)
	s, err := d.Read(a)
	if err == nil {
		s, err = d.Not(s)
	}
	return d.condition("no "+name, s, err)
}

func motif(g *ddps.LayeredGraph, list [][]int, layer int) (a Automaton, name string, err error) {
	p := Pattern{Op: Concat}
	for _, vertices := range list {
		p.Of = append(p.Of, Pattern{Op: One, Vertices: vertices})
	}
	if len(list) == 0 {
		return a, "", errors.New("guide: a motif of 0 places")
	}
	if layer >= 0 && layer+len(list) > g.NumLayers() || layer < -1 {
		return a, "", fmt.Errorf("guide: a motif of %d places from layer %d on: there are %d layers", len(list),
			layer+1, g.NumLayers())
	}
	name = fmt.Sprintf("motif of %d places", len(list))
	if layer >= 0 {
		name += fmt.Sprintf(" from layer %d on", layer+1)
	}
	a, err = Match(g, p, Where{Layer: layer})
	return a, name, err
}
