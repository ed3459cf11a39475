package where

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/ddps-go/ddps/ddps"
	"github.com/ddps-go/ddps/ddps/guide"
)

// places returns the paths that meet a term about where a path goes.
func (c *compiler) places(n Node) (guide.Set, error) {
	switch t := n.(type) {
	case Stops:
		stops := make([]guide.Stop, len(t))
		for i, s := range t {
			var err error
			if stops[i], err = c.stop(s); err != nil {
				return guide.None, err
			}
		}
		if slices.ContainsFunc(stops, empty) {
			return guide.None, nil
		}
		return c.read(guide.Sequence(c.g, stops...))
	case Visits:
		s, err := c.stop(t.Stop)
		if err != nil {
			return guide.None, err
		}
		return c.counted(t.Op, t.Count, empty(s), func(lo, hi int) (guide.Automaton, error) {
			return guide.Visits(c.g, s, lo, hi)
		})
	case Before:
		a, b, err := c.pair(Stop{Places: t.A}, Stop{Places: t.B})
		if err != nil || empty(a) || empty(b) {
			return guide.None, err
		}
		return c.read(guide.Before(c.g, a, b))
	case Near:
		a, b, err := c.pair(t.A, t.B)
		if err != nil || empty(a) || empty(b) {
			return guide.None, err
		}
		return c.read(guide.Near(c.g, a, b, t.K))
	case Stay:
		return c.stay(t)
	case Start:
		return c.start(t)
	case End:
		return c.end(t)
	case Returns:
		s, err := c.read(guide.Returns(c.g, c.where()))
		if errors.Is(err, guide.ErrTooLarge) {
			err = fmt.Errorf("%w; there is one for each place where a path may start, fewer with start or length beside it", err)
		}
		return s, err
	case Length:
		return c.counted("", 0, false, func(int, int) (guide.Automaton, error) {
			return guide.Visits(c.g, c.real(c.no), t.Lo, t.Hi)
		})
	}
	return guide.None, fmt.Errorf("where: a term of type %T", n)
}

// empty reports whether no path meets a stop.
func empty(s guide.Stop) bool { return len(s.Vertices)+len(s.Edges) == 0 }

// counted returns the paths whose count is as op says; none where no count is. never says that all counts are 0.
func (c *compiler) counted(op string, n int, never bool, automaton func(lo, hi int) (guide.Automaton, error)) (
	guide.Set, error) {
	lo, hi := between(op, n, c.g.NumLayers())
	switch {
	case lo > hi || never && lo > 0:
		return guide.None, nil
	case never:
		return guide.Every, nil
	}
	return c.read(automaton(lo, hi))
}

// real is the stop of all vertices but for those that no names, such as the places of a path.
func (c *compiler) real(no []bool) (s guide.Stop) {
	first := 0
	if c.pads == nil && c.g.Meta().Place == nil { // letters of DNA alone make up a sequence, where they are no places
		if l, ok := c.g.Letters(ddps.Bases); ok {
			first = l
		}
	}
	for v := range c.g.NumVertices() {
		if (no == nil || !no[v]) && c.g.LayerOf(v) >= first {
			s.Vertices = append(s.Vertices, v)
		}
	}
	return s
}

// pair finds two stops.
func (c *compiler) pair(s, t Stop) (a, b guide.Stop, err error) {
	if a, err = c.stop(s); err == nil {
		b, err = c.stop(t)
	}
	return a, b, err
}

// stay returns the paths whose longest run at the places is as t says. A run of n layers takes n − 1 slots.
func (c *compiler) stay(t Stay) (guide.Set, error) {
	s, err := c.stop(Stop{Places: t.Places})
	if err != nil {
		return guide.None, err
	}
	op, n := t.Op, t.Count
	if t.Clock {
		times, ok := c.g.Clock()
		if !ok {
			return guide.None, &Error{c.text, t.At,
				"the graph's layers have no times (attributes slot and from): compare with a number of layers, as in stay(…) >= 3"}
		}
		slots := float64(t.Count) / float64(times.Slot)
		switch n = int(math.Floor(slots)) + 1; {
		case op == ">=" || op == "<":
			n = int(math.Ceil(slots)) + 1
		case op == "=" && slots != math.Trunc(slots):
			return guide.None, nil
		}
	}
	return c.counted(op, n, empty(s), func(lo, hi int) (guide.Automaton, error) { return guide.Stay(c.g, s, lo, hi) })
}

// start returns the paths whose first place is one of the places: in the second layer where v¹ is a source.
func (c *compiler) start(t Start) (guide.Set, error) {
	first := 0
	if c.pads != nil && c.pads[0] {
		first = 1
	}
	before := len(c.absent)
	s, err := c.stop(Stop{Places: t.Places, Window: Window{Lo: first + 1, Hi: first + 1, At: t.Places[0].At}})
	c.explain(before, ": paths begin at "+c.some(first))
	if err != nil || empty(s) {
		return guide.None, err
	}
	return c.read(guide.Sequence(c.g, s))
}

// some names the first vertices of a layer.
func (c *compiler) some(l int) string {
	lo, hi := c.g.Layer(l)
	const most = 5
	var list []string
	for v := lo; v < min(hi, lo+most); v++ {
		list = append(list, strconv.Quote(c.g.Name(v)))
	}
	if hi > lo+most {
		list = append(list, "…")
	}
	return strings.Join(list, ", ")
}

// end returns the paths whose last place is one of the places: in the last layer, or before what fills the path up.
func (c *compiler) end(t End) (guide.Set, error) {
	L := c.g.NumLayers()
	last, _ := c.g.Layer(L - 1)
	padded := c.pads != nil && slices.Contains(c.pads[last:], true)
	w := Window{Lo: L, Hi: L, At: t.Places[0].At}
	if padded {
		w = Window{}
	}
	before := len(c.absent)
	s, err := c.stop(Stop{Places: t.Places, Window: w})
	c.explain(before, ": paths end at "+c.some(L-1))
	if err != nil || empty(s) {
		return guide.None, err
	}
	if !padded {
		return c.read(guide.Sequence(c.g, s))
	}
	any := guide.Pattern{Op: guide.Repeat, Max: -1, Of: []guide.Pattern{{Vertices: c.real(c.pads).Vertices}}}
	p := guide.Pattern{Op: guide.Concat, Of: []guide.Pattern{any, {Vertices: s.Vertices}}}
	return c.match(p, guide.Where{Whole: true, Skip: c.pads})
}

// stop finds the vertices or edges of a stop.
func (c *compiler) stop(s Stop) (out guide.Stop, err error) {
	lo, hi, err := c.layers(s.Window)
	if err != nil {
		return out, err
	}
	if s.Edge == nil {
		for _, p := range s.Places {
			v, err := c.vertices(p, lo, hi)
			if err != nil {
				return out, err
			}
			out.Vertices = append(out.Vertices, v...)
		}
		return out, nil
	}
	from, err := c.vertices(s.Edge[0], lo, hi)
	if err != nil {
		return out, err
	}
	to, err := c.vertices(s.Edge[1], 0, c.g.NumLayers()-1)
	if err != nil {
		return out, err
	}
	for _, v := range from {
		lo, hi := c.g.Edges(v)
		for e := lo; e < hi; e++ {
			if slices.Contains(to, c.g.Head(e)) || c.leads(c.g.Head(e), s.Edge[1]) {
				out.Edges = append(out.Edges, e)
			}
		}
	}
	if len(out.Edges) == 0 && len(from) > 0 {
		within := ""
		if !s.Window.any() {
			within = fmt.Sprintf(" from %v on", s.Window)
		}
		c.lacks(s.At, fmt.Sprintf("there is no edge from %v to %v%s", s.Edge[0], s.Edge[1], within))
	}
	return out, nil
}

// leads reports whether vertex v is the first on the way to a place.
func (c *compiler) leads(v int, p Place) bool {
	if c.heading == nil || c.heading[v] == "" {
		return false
	}
	return slices.ContainsFunc(c.is(p), func(w int) bool { return c.g.Name(w) == c.heading[v] })
}
