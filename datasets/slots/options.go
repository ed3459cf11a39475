package slots

import (
	"fmt"
	"math"
	"slices"

	"github.com/ddps-go/ddps/datasets/maps"
	"github.com/ddps-go/ddps/ddps"
)

// Start is where walks may begin.
type Start struct {
	Node   int     // index in the map's Nodes
	Weight float64 // of the walks that begin there, above 0; all 0: alike
}

// Options says how a map is unrolled.
type Options struct {
	Starts []Start // one at least, no node twice
	Ends   []int   // nodes where walks may end, by index; nil: anywhere, also on the way
	// Absorb ends a walk where it first comes to one of the ends after a move or a wait; END (ddps.End) fills it up.
	// Without it a walk is at an end in the last layer, and may pass ends before.
	Absorb bool
	// Early lets a walk end at an end (anywhere without Ends, but not on the way) before the last layer, or go on;
	// END fills it up. It does not go with Absorb.
	Early  bool
	Depth  int  // layers of places, at least 2
	NoWait bool // a walk may not stay where it is
	Nodes  int  // if above 0, only so many nodes nearest to the starts by street are there
	// Slot is the seconds from layer to layer. 0: a move takes one layer, whatever its length.
	Slot int
	// Speed is in metres per second, for moves without a time of their own.
	Speed float64
	// Times are seconds by edge of the map, NaN for none, before those that the map has (maps.Edge.Time).
	Times []float64
	// From is the time of day of the first layer of places, H:MM or H:MM:SS; "" is 0:00. It goes with Slot.
	From string
	// Dummies and All are those of maps.ExpandOptions; they go with one start and neither ends nor slots.
	Dummies, All bool
	// Labels puts what people call places (maps.World.Labels) into the graph (ddps.AttrLabels).
	Labels bool
	// Memory is how many bytes the graph may take while it is made and written, 0 for any number.
	Memory int64
	// Note, unless it is nil, is called with what is rounded, left out and pruned, a line each.
	Note func(text string)
}

// maxCopies bounds layers × places: a slip of the finger must not take all memory.
const maxCopies = 1 << 27

// plain reports whether the graph is that of maps.Expand.
func (o *Options) plain() bool { return len(o.Starts) == 1 && o.Ends == nil && o.Slot == 0 && !o.Early }

// check returns what is wrong with the options.
func (o *Options) check(w *maps.World) error {
	seen, weighted := map[int]bool{}, 0
	for _, s := range o.Starts {
		switch {
		case s.Node < 0 || s.Node >= len(w.Nodes):
			return fmt.Errorf("start %d is not on the map of %d nodes", s.Node, len(w.Nodes))
		case seen[s.Node]:
			return fmt.Errorf("start %s is given twice", w.Nodes[s.Node].Label())
		case !(s.Weight >= 0) || math.IsInf(s.Weight, 0):
			return fmt.Errorf("start %s: weight %v is not a number of 0 or more", w.Nodes[s.Node].Label(), s.Weight)
		}
		if seen[s.Node] = true; s.Weight > 0 {
			weighted++
		}
	}
	for i, e := range o.Ends {
		if e < 0 || e >= len(w.Nodes) || slices.Contains(o.Ends[:i], e) {
			return fmt.Errorf("end %d is not on the map of %d nodes, or given twice", e, len(w.Nodes))
		}
	}
	switch {
	case len(o.Starts) == 0:
		return fmt.Errorf("no start")
	case weighted > 0 && weighted < len(o.Starts):
		return fmt.Errorf("some starts have a weight above 0 and some have none")
	case o.Absorb && o.Early:
		return fmt.Errorf("a walk ends where it first comes to an end, or may go on: not both")
	case o.Ends != nil && len(o.Ends) == 0, o.Absorb && o.Ends == nil:
		return fmt.Errorf("no end, where walks are to end at one")
	case o.Depth < 2:
		return fmt.Errorf("depth %d, expected at least 2 layers of places", o.Depth)
	case o.Slot < 0 || float64(o.Slot)*float64(o.Depth) > 1e7:
		return fmt.Errorf("%d layers of %d s: expected at most 10⁷ s in all", o.Depth, o.Slot)
	case o.Nodes < 0:
		return fmt.Errorf("%d nodes", o.Nodes)
	case o.Memory < 0:
		return fmt.Errorf("%d bytes of memory", o.Memory)
	case !o.plain() && (o.Dummies || o.All):
		return fmt.Errorf("dummies and copies of what is not reached go with one start and neither ends nor slots")
	}
	return o.checkTimes(w)
}

// checkTimes returns what is wrong with what times are made of.
func (o *Options) checkTimes(w *maps.World) error {
	if o.Slot == 0 {
		if o.From != "" || o.Speed != 0 || o.Times != nil {
			return fmt.Errorf("a time of day, a speed and travel times go with slots")
		}
		return nil
	}
	if _, ok := ddps.ParseClock(o.From); o.From != "" && !ok {
		return fmt.Errorf("from %q is not H:MM or H:MM:SS", o.From)
	}
	if o.Times != nil && len(o.Times) != len(w.Edges) {
		return fmt.Errorf("%d travel times of %d edges", len(o.Times), len(w.Edges))
	}
	if !(o.Speed >= 0) || math.IsInf(o.Speed, 0) {
		return fmt.Errorf("speed %v m/s is not a number above 0", o.Speed)
	}
	for e := range w.Edges {
		t := o.seconds(w, e)
		if !(t >= 0) || math.IsInf(t, 0) {
			a, b := w.Nodes[w.Edges[e].From].Label(), w.Nodes[w.Edges[e].To].Label()
			if o.Speed == 0 {
				return fmt.Errorf("the move from %s to %s has no travel time, and there is no speed", a, b)
			}
			return fmt.Errorf("the move from %s to %s takes %v s", a, b, t)
		}
	}
	if o.Speed > 0 && w.Unplaced && !w.Measured {
		return fmt.Errorf("the map has neither coordinates nor lengths: a speed says nothing, give travel times")
	}
	return nil
}

// seconds returns how long the move along an edge takes; NaN if nothing says so.
func (o *Options) seconds(w *maps.World, e int) float64 {
	if o.Times != nil && !math.IsNaN(o.Times[e]) {
		return o.Times[e]
	}
	switch t := w.Edges[e].Time; {
	case t > 0:
		return t
	case o.Speed == 0:
		return math.NaN()
	}
	return w.Edges[e].Length / o.Speed
}
