package ddps

import "slices"

// The names of vertices that are no places of a path: what a path begins with where there are several starts, and
// what fills it up after its end. Where a place is called END, the attribute AttrEnd names the padding instead.
const (
	Source  = "source"     // of v¹
	End     = "END"        // in any later layer
	AttrEnd = "end_vertex" // of Meta.Attr
)

// Attributes of graphs whose layers are moments (Meta.Attr): that of layer l is
// AttrFrom + (l − AttrFromLayer)·AttrSlot.
const (
	AttrSlot      = "slot"       // seconds from layer to layer
	AttrFrom      = "from"       // H:MM or H:MM:SS; 0:00 where it is left out
	AttrFromLayer = "from_layer" // the layer, from 0, of that time; 0 where it is left out
	AttrTransit   = "transit"    // vertices of this place (Meta.Place) or above, but for END, are on the way
)

// Attributes that tell what a graph was made of.
const (
	AttrEdges  = "edges"  // of recorded walks: seen, given or all
	AttrStarts = "starts" // of a map: where walks begin, with tabs between
)

// EndName returns what padding is to be called where places are called names: End, or else End with underscores.
func EndName(names []string) string {
	name := End
	for slices.Contains(names, name) {
		name += "_"
	}
	return name
}

// Pads returns by vertex whether it is no place of a path: v¹ if it is called Source, and padding (End); nil where all
// vertices are places. O(V).
func (g *LayeredGraph) Pads() []bool {
	end := End
	if name := g.meta.Attr[AttrEnd]; name != "" {
		end = name
	}
	list, some := make([]bool, g.NumVertices()), false
	for v := range list {
		list[v] = v == 0 && g.Name(v) == Source || v > 0 && g.Name(v) == end
		some = some || list[v]
	}
	if !some {
		return nil
	}
	return list
}

// Walks reports whether paths of g are written as walks, without what pads them and what is on the way between two
// places: g has padding (End) or vertices on the way (Transit), or is one of recorded sequences (the attribute edges)
// or of walks with several starts (starts), behind a source that is no place.
func (g *LayeredGraph) Walks() bool {
	if g.Transit() != nil {
		return true
	}
	pads := g.Pads()
	if pads == nil {
		return false
	}
	return slices.Contains(pads[1:], true) || g.meta.Attr[AttrEdges] != "" || g.meta.Attr[AttrStarts] != ""
}
