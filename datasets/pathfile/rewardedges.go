package pathfile

import (
	"fmt"

	"github.com/ddps-go/ddps/internal/names"
)

// moves returns the edges by which paths go from v to what a file calls to, in layer l, from 0: that between them, and
// the first of each way that leads there over several slots.
func (x *rewardReader) moves(v, l int, to string) (edges []int) {
	if w, ok := x.names.lookup(l, to); ok {
		if e, ok := x.g.EdgeBetween(v, w); ok {
			edges = append(edges, e)
		}
	}
	if x.heading == nil || x.heading[v] != "" {
		return edges
	}
	lo, hi := x.g.Edges(v)
	for e := lo; e < hi; e++ {
		if place := x.heading[x.g.Head(e)]; place != "" && names.Normal(place) == names.Normal(to) {
			edges = append(edges, e)
		}
	}
	return edges
}

// add adds a reward to an edge in the layers lo…hi, from 1. The error says what is not there.
func (x *rewardReader) add(layer string, lo, hi int, from, to string, u float64) error {
	found := false
	for l := lo; l <= hi; l++ {
		v, ok := x.names.lookup(l-1, from)
		if !ok {
			continue
		}
		for _, e := range x.moves(v, l, to) {
			if x.given[e] {
				x.again++
			}
			x.u[e] += u
			found, x.given[e] = true, true
		}
	}
	if found {
		return nil
	}
	var why error
	if lo == hi {
		if _, why = x.names.find(lo-1, from); why == nil {
			_, why = x.names.find(lo, to)
		}
	} else if !x.names.known(from) {
		_, why = x.names.find(0, from)
	} else if !x.names.known(to) {
		_, why = x.names.find(0, to)
	}
	err := fmt.Errorf("there is no edge from %q to %q in layer %s, or no path takes it", names.Normal(from),
		names.Normal(to), layer)
	if why != nil {
		err = fmt.Errorf("%w: %w", err, why)
	}
	return err
}
