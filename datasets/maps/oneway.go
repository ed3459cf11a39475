package maps

import (
	"fmt"
	"strings"
)

// oneWay counts what a column or property oneway says.
type oneWay struct {
	forth, back, both int  // along the row or line, against it, both
	given             bool // some value is no empty one
}

// take reads a value: whether the way may be used along and against its order. "" is both.
func (o *oneWay) take(text string) (forth, back bool, err error) {
	o.given = o.given || text != ""
	switch strings.ToLower(strings.TrimSpace(text)) {
	case "yes", "y", "true", "t", "1", "1.0", "forward", "ft":
		o.forth++
		return true, false, nil
	case "-1", "-1.0", "reverse", "backward", "tf":
		o.back++
		return false, true, nil
	case "", "no", "n", "false", "f", "0", "0.0", "both", "b", "reversible", "alternating", "none", "nan", "null":
		o.both++
		return true, true, nil
	}
	return false, false, fmt.Errorf("oneway %q is none of yes, no and -1 (true, false, reverse, 1, 0)", text)
}

// directed reports whether a world is directed: by its options, or by what was read.
func (o *oneWay) directed(d Direction) bool {
	return d == Directed || d == AsFile && o.forth+o.back > 0
}

// note says what was read of what, as column "oneway"; "" for nothing.
func (o *oneWay) note(what string, d Direction) []string {
	if o.forth+o.back == 0 {
		return nil
	}
	text := fmt.Sprintf("one way by %s: %d of %d", what, o.forth+o.back, o.forth+o.back+o.both)
	if d == Undirected {
		return []string{text + ", which --undirected drops"}
	}
	return []string{text + " (--undirected drops that)"}
}

// way is an edge and where it may be used.
type way struct {
	Edge
	forth, back bool
}

// edgesOf returns the edges of ways in the directions that they may be used, or once in a world that is undirected. The
// way back of one is left out where another way is that.
func edgesOf(list []way, directed bool) (edges []Edge) {
	type ends struct{ from, to int }
	own := map[ends]bool{}
	for _, w := range list {
		if directed && !w.forth {
			w.From, w.To = w.To, w.From
		}
		own[ends{w.From, w.To}] = true
		edges = append(edges, w.Edge)
	}
	for _, w := range list {
		if directed && w.forth && w.back && !own[ends{w.To, w.From}] {
			w.From, w.To = w.To, w.From
			edges = append(edges, w.Edge)
		}
	}
	return edges
}
