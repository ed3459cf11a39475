package plots

import (
	"math"
	"strconv"

	"github.com/ddps-go/ddps/ddps"
)

// arrival says at which place one arrives who is on the way.
type arrival struct {
	g       *ddps.LayeredGraph
	pads    []bool // nil: none
	transit int    // vertices of this place and above are on the way
}

func newArrival(g *ddps.LayeredGraph) arrival {
	a := arrival{g, nil, math.MaxInt}
	if g.Walks() {
		a.pads = g.Pads()
	}
	if n, err := strconv.Atoi(g.Meta().Attr[ddps.AttrTransit]); err == nil {
		a.transit = n
	}
	return a
}

// none reports whether v is no place: padding, or on the way.
func (a arrival) none(v int) bool {
	place := a.g.Meta().Place
	return a.pads != nil && a.pads[v] || place != nil && place[v] >= a.transit
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
