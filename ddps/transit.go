package ddps

import (
	"regexp"
	"strconv"
	"strings"
)

// Transit returns by vertex whether it is on the way between two places (AttrTransit); nil where none is. A path that
// is at such a vertex goes on to its only head. O(V).
func (g *LayeredGraph) Transit() []bool {
	first, err := strconv.Atoi(g.meta.Attr[AttrTransit])
	if err != nil || g.meta.Place == nil {
		return nil
	}
	pads := g.Pads()
	list, some := make([]bool, g.NumVertices()), false
	for v, place := range g.meta.Place {
		list[v] = place >= first && (pads == nil || !pads[v])
		some = some || list[v]
	}
	if !some {
		return nil
	}
	return list
}

// NoPlaces returns by vertex whether it is no place of a walk: padding (Pads), or on the way between two places
// (Transit); nil where all vertices are places. O(V).
func (g *LayeredGraph) NoPlaces() []bool {
	pads, transit := g.Pads(), g.Transit()
	switch {
	case pads == nil:
		return transit
	case transit == nil:
		return pads
	}
	for v, on := range transit {
		pads[v] = pads[v] || on
	}
	return pads
}

// step is what the name of a vertex on the way ends in.
var step = regexp.MustCompile(` \d+/\d+$`)

// Headings are, by vertex on the way (LayeredGraph.Transit), the names of the places that they lead to; "" for other
// vertices, and nil where none is on the way.
type Headings []string

// Along appends to p the vertices on the way to a place that is called name, and the place, as far as the layers reach;
// ok is false, and p as it was, where no way from the end of p leads there.
func (h Headings) Along(g *LayeredGraph, p Path, name string) (longer Path, ok bool) {
	if h == nil || len(p) == 0 || name == "" {
		return p, false
	}
	lo, hi := g.Edges(p[len(p)-1])
	for e := lo; e < hi; e++ {
		v := g.Head(e)
		if h[v] != name {
			continue
		}
		for p = append(p, v); len(p) < g.NumLayers() && h[v] != ""; p = append(p, v) {
			only, _ := g.Edges(v)
			v = g.Head(only)
		}
		return p, true
	}
	return p, false
}

// Headings returns by vertex on the way (Transit) the name of the place that it leads to, which may lie beyond the last
// layer; "" for other vertices, and nil where none is on the way. O(V + E).
func (g *LayeredGraph) Headings() Headings {
	transit := g.Transit()
	if transit == nil {
		return nil
	}
	from, to := make([]string, len(transit)), make([]string, len(transit)) // where the move began, and leads
	for v := range transit {
		if !transit[v] {
			from[v] = g.Name(v)
		} else if from[v] != "" {
			to[v] = step.ReplaceAllString(strings.TrimPrefix(g.Name(v), from[v]+">"), "")
		}
		lo, hi := g.Edges(v)
		for e := lo; e < hi; e++ {
			if h := g.Head(e); transit[h] {
				from[h] = from[v]
			}
		}
	}
	return to
}

// FirstPlace returns the layer, from 0, of the first place of paths: 1 behind a source, else 0.
func (g *LayeredGraph) FirstPlace() int {
	if pads := g.Pads(); pads != nil && pads[0] {
		return 1
	}
	return 0
}

// A Walk is a path as its places: padding is left out, and what is on the way between two places.
type Walk struct {
	Names  []string // a path that ends on the way has the place that it leads to last
	Layers []int    // of each place, from 0; NumLayers for one that lies beyond the last layer
}

// WalkNamer returns a function that gives the walks of paths of g, as Walks says that they are written; on a graph
// whose paths are no walks, all vertices are places. It may be called from one goroutine at a time, and what it returns
// is valid until the next call.
func (g *LayeredGraph) WalkNamer() func(Path) Walk {
	no, to, L := g.NoPlaces(), g.Headings(), g.NumLayers()
	if !g.Walks() {
		no, to = nil, nil
	}
	var w Walk
	return func(p Path) Walk {
		w.Names, w.Layers = w.Names[:0], w.Layers[:0]
		for l, v := range p {
			if no == nil || !no[v] {
				w.Names, w.Layers = append(w.Names, g.Name(v)), append(w.Layers, l)
			}
		}
		if len(p) == L && to != nil && to[p[L-1]] != "" {
			w.Names, w.Layers = append(w.Names, to[p[L-1]]), append(w.Layers, L)
		}
		return w
	}
}
