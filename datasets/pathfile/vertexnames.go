package pathfile

import (
	"fmt"
	"slices"
	"strings"

	"github.com/ddps-go/ddps/ddps"
	"github.com/ddps-go/ddps/internal/names"
)

// vertexNames finds the vertices of a graph by what files call them: their name (ddps.LayeredGraph.Name) as it is, or
// without space around it, or in another form of Unicode.
type vertexNames struct {
	g      *ddps.LayeredGraph
	layer  []map[string]int // [layer] name → vertex
	normal []map[string]int // [layer] names.Normal of the name → vertex, −1 where two share it
	on     []bool           // [V] on some path
	other  int              // names found in another form of Unicode
	like   string           // one of them
}

func newVertexNames(g *ddps.LayeredGraph) *vertexNames {
	return &vertexNames{g: g, layer: make([]map[string]int, g.NumLayers()), on: g.Reachable()}
}

// find returns the vertex of layer l, from 0, that a file calls name. The error says why there is none: of what is
// called so in other layers, where, and else which name is like it.
func (x *vertexNames) find(l int, name string) (int, error) {
	v, found := x.lookup(l, name)
	if !found || !x.on[v] {
		return 0, x.why(l, name)
	}
	return v, nil
}

// lookup is find, for vertices that are on no path, too.
func (x *vertexNames) lookup(l int, name string) (v int, found bool) {
	if x.layer[l] == nil {
		lo, hi := x.g.Layer(l)
		x.layer[l] = make(map[string]int, hi-lo)
		for v := lo; v < hi; v++ {
			x.layer[l][x.g.Name(v)] = v
		}
	}
	if v, found = x.layer[l][name]; found {
		return v, true
	}
	normal := names.Normal(name)
	if v, found = x.layer[l][normal]; !found {
		if x.normal == nil {
			x.normal = make([]map[string]int, x.g.NumLayers())
		}
		if x.normal[l] == nil {
			x.normal[l] = normalised(x.layer[l])
		}
		if v, found = x.normal[l][normal]; !found || v < 0 {
			return 0, false
		}
	}
	if called := x.g.Name(v); strings.TrimSpace(name) != strings.TrimSpace(called) {
		x.other++
		x.like = called
	}
	return v, true
}

// normalised returns a table of names by their normal form, −1 where two share it.
func normalised(list map[string]int) map[string]int {
	out := make(map[string]int, len(list))
	for name, v := range list {
		n := names.Normal(name)
		if _, twice := out[n]; twice {
			v = -1
		}
		out[n] = v
	}
	return out
}

// why returns the error for a name that layer l has not.
func (x *vertexNames) why(l int, name string) error {
	first, last := -1, -1
	for k := range x.g.NumLayers() {
		if v, found := x.lookup(k, name); found && x.on[v] {
			if last = k; first < 0 {
				first = k
			}
		}
	}
	where := "in the graph"
	if x.g.Meta().Place != nil {
		where = "on the map"
	}
	name = names.Normal(name)
	switch {
	case first > l:
		return fmt.Errorf("%q is %s, but not reachable before step %d", name, where, first+1)
	case first >= 0 && last < l:
		return fmt.Errorf("no vertex %q in layer %d: its last is layer %d", name, l+1, last+1)
	case first >= 0:
		return fmt.Errorf("no vertex %q in layer %d, but in layers before and after", name, l+1)
	}
	if _, found := x.lookup(l, name); found {
		return fmt.Errorf("%q is in layer %d, but on no path", name, l+1)
	}
	near := names.Meant(name, x.names(l))
	if near == "" {
		for k := 0; k < x.g.NumLayers() && near == ""; k++ {
			near = names.Meant(name, x.names(k))
		}
	}
	return fmt.Errorf("no vertex %q in layer %d%s", name, l+1, near)
}

// names lists the names of a layer, by vertex.
func (x *vertexNames) names(l int) (list []string) {
	lo, hi := x.g.Layer(l)
	for v := lo; v < hi; v++ {
		list = append(list, x.g.Name(v))
	}
	return list
}

// known reports whether a name is that of a vertex in any layer.
func (x *vertexNames) known(name string) bool {
	for l := range x.g.NumLayers() {
		if _, found := x.lookup(l, name); found {
			return true
		}
	}
	return false
}

// notes returns what was found out, in words: names in another form of Unicode, and, where any was looked up, names of
// the graph that a file may mistake for others.
func (x *vertexNames) notes() []string {
	list := names.UnicodeNote(x.other, x.like)
	if slices.ContainsFunc(x.layer, func(m map[string]int) bool { return m != nil }) {
		list = append(list, NameNotes(x.g)...)
	}
	return list
}

// NameNotes returns the warnings on names of vertices that files may mistake for others: with blanks around them or
// control characters, or such that differ only by case, blanks or form of Unicode.
func NameNotes(g *ddps.LayeredGraph) []string {
	list := g.Meta().Names
	return append(names.OddNote(list), names.AlikeNote(list, "vertices")...)
}
