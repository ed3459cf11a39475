package ddps

import (
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"unicode"
	"unicode/utf8"
)

// Meta is what a graph's vertices are called and where they lie. Each slice is nil or has one entry a vertex.
type Meta struct {
	Names []string     // unique within a layer, not empty; text as in Attr
	XY    [][2]float64 // coordinates; Attr["crs"] says which ("EPSG:4326": longitude, latitude in degrees)
	Place []int        // the place in the world of which the vertex is a copy in its layer, ≥ 0, −1 for none
	ID    []int        // the vertex's number in the graph this one was pruned from, ≥ 0, no two the same
	// of the whole graph: name, place, source, licence, attribution, crs, start, …; in UTF-8 without control characters
	// but tab and newline
	Attr map[string]string
}

// pick returns the meta data of the vertices kept, with their numbers as ID where there were none.
func (m Meta) pick(kept []int) Meta {
	out := Meta{Attr: maps.Clone(m.Attr), ID: pickSlice(m.ID, kept)}
	if m.ID == nil {
		out.ID = slices.Clone(kept)
	}
	out.Names, out.XY, out.Place = pickSlice(m.Names, kept), pickSlice(m.XY, kept), pickSlice(m.Place, kept)
	return out
}

func pickSlice[T any](s []T, kept []int) []T {
	if s == nil {
		return nil
	}
	out := make([]T, len(kept))
	for i, v := range kept {
		out[i] = s[v]
	}
	return out
}

// Meta returns the graph's meta data. The slices and the map are the graph's own: do not write to them.
func (g *LayeredGraph) Meta() Meta { return g.meta }

// WithMeta returns the same graph with meta data m. The error names the field and the vertex that is wrong.
func (g *LayeredGraph) WithMeta(m Meta) (*LayeredGraph, error) {
	V := g.NumVertices()
	for _, f := range []struct {
		name string
		n    int
		set  bool
	}{{"names", len(m.Names), m.Names != nil}, {"coordinates", len(m.XY), m.XY != nil},
		{"places", len(m.Place), m.Place != nil}, {"ids", len(m.ID), m.ID != nil}} {
		if f.set && f.n != V {
			return nil, fmt.Errorf("ddps: %s: %d entries for %d vertices", f.name, f.n, V)
		}
	}
	if err := g.checkNames(m.Names); err != nil {
		return nil, err
	}
	for k, x := range m.Attr {
		if err := errors.Join(CheckText(k), CheckText(x)); err != nil {
			return nil, fmt.Errorf("ddps: attributes: %q: %w", k, err)
		}
	}
	for v, p := range m.XY {
		if math.IsNaN(p[0]+p[1]) || math.IsInf(p[0], 0) || math.IsInf(p[1], 0) {
			return nil, fmt.Errorf("ddps: coordinates: vertex %d: %v is not finite", v, p)
		}
	}
	for v, p := range m.Place {
		if p < -1 {
			return nil, fmt.Errorf("ddps: places: vertex %d: %d is below −1", v, p)
		}
	}
	seen := make(map[int]int, len(m.ID))
	for v, id := range m.ID {
		if w, twice := seen[id]; twice || id < 0 {
			if !twice {
				return nil, fmt.Errorf("ddps: ids: vertex %d: %d is below 0", v, id)
			}
			return nil, fmt.Errorf("ddps: ids: vertices %d and %d both have %d", w, v, id)
		}
		seen[id] = v
	}
	h := *g
	h.meta = m
	return &h, nil
}

func (g *LayeredGraph) checkNames(names []string) error {
	if names == nil {
		return nil
	}
	for l := range g.NumLayers() {
		seen := map[string]int{}
		lo, hi := g.Layer(l)
		for v := lo; v < hi; v++ {
			if names[v] == "" {
				return fmt.Errorf("ddps: names: layer %d, vertex %d: empty", l+1, v)
			}
			if w, dup := seen[names[v]]; dup {
				return fmt.Errorf("ddps: names: layer %d: vertices %d and %d are both called %q", l+1, w, v, names[v])
			}
			if err := CheckText(names[v]); err != nil {
				return fmt.Errorf("ddps: names: layer %d, vertex %d: %w", l+1, v, err)
			}
			seen[names[v]] = v
		}
	}
	return nil
}

// CheckText returns an error for what a name or an attribute (Meta) cannot be, since not all formats of graphs and
// paths can hold it: JSON and XML would put another character in its place, CSV would drop a carriage return.
func CheckText(s string) error {
	if !utf8.ValidString(s) {
		return fmt.Errorf("%q is not UTF-8", s)
	}
	for _, r := range s {
		if unicode.IsControl(r) && r != '\t' && r != '\n' || r == '\ufffe' || r == '\uffff' {
			return fmt.Errorf("%q has the control character %U", s, r)
		}
	}
	return nil
}

// ID returns the vertex's number in the graph this one was pruned from, v itself where it was not.
func (g *LayeredGraph) ID(v int) int {
	if g.meta.ID == nil {
		return v
	}
	return g.meta.ID[v]
}

// Name returns what vertex v is called: its name, or else its ID in decimal.
func (g *LayeredGraph) Name(v int) string {
	if g.meta.Names == nil {
		return strconv.Itoa(g.ID(v))
	}
	return g.meta.Names[v]
}

// VertexByName returns the vertex of layer l, 0…L−1, whose Name is name. O(size of the layer).
func (g *LayeredGraph) VertexByName(l int, name string) (v int, ok bool) {
	if l < 0 || l >= g.NumLayers() {
		return 0, false
	}
	lo, hi := g.Layer(l)
	for v := lo; v < hi; v++ {
		if g.Name(v) == name {
			return v, true
		}
	}
	return 0, false
}

// Example returns the graph of the paper's Figure 1, layers A | B C D | E F G | H I J. The figure's
// highlighted path A, C, G, H uses three edges that its grey ones lack; this is the union of both, out-edges
// in alphabetical order of their heads.
func Example() *LayeredGraph {
	g, err := New([]int{1, 3, 3, 3}, [][]int{{1, 2, 3}, {4, 5}, {4, 6}, {5, 6}, {7, 8}, {8}, {7, 9}, {}, {}, {}})
	if err == nil {
		g, err = g.WithMeta(Meta{Names: []string{"A", "B", "C", "D", "E", "F", "G", "H", "I", "J"}})
	}
	if err != nil {
		panic("ddps: Example: " + err.Error())
	}
	return g
}
