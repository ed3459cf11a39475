package plots

import "github.com/ddps-go/ddps/ddps"

// arrival says at which place one arrives who is on the way.
type arrival struct {
	g       *ddps.LayeredGraph
	pads    []bool // nil: none
	transit []bool // by vertex: it is on the way; nil: none
}

func newArrival(g *ddps.LayeredGraph) arrival {
	a := arrival{g, nil, g.Transit()}
	if g.Walks() {
		a.pads = g.Pads()
	}
	return a
}

// none reports whether v is no place: padding, or on the way.
func (a arrival) none(v int) bool {
	return a.pads != nil && a.pads[v] || a.transit != nil && a.transit[v]
}

// at returns v, or, where that is on the way, the place that is reached next, −1 where there is none.
func (a arrival) at(v int) int {
	for {
		if a.pads != nil && a.pads[v] {
			return -1
		}
		if !a.none(v) {
			return v
		}
		lo, hi := a.g.Edges(v)
		if lo == hi { // the path ends on the way
			return -1
		}
		v = a.g.Head(lo)
	}
}
