package maps

import (
	"fmt"
	"maps"
	"strconv"

	"github.com/ddps-go/ddps/ddps"
)

// ExpandOptions says how a world is unrolled in time.
type ExpandOptions struct {
	// Start is the map's number (Node.ID) of the node where every path begins.
	Start int64
	// Depth is the number of layers of places, at least 2: a path makes Depth-1
	// moves.
	Depth int
	// NoWait leaves out the edge from a place to itself. Every place can be
	// waited at otherwise.
	NoWait bool
	// Dummies puts a source layer and a layer of two dummies before the layers of
	// places, of which the first dummy is used: source → dummy → start.
	Dummies bool
	// All keeps copies of places that the start does not reach at that time; they
	// have no edges in or out. Otherwise layers hold what is reached only.
	All bool
	// Nodes, if above 0, first cuts the world to the Nodes places nearest to the
	// start by street distance (World.Near).
	Nodes int
	// Labels puts what people call places (World.Labels) into the graph (ddps.AttrLabels).
	Labels bool
	// Memory is how many bytes the graph may take while it is made and written, 0 for any number.
	Memory int64
}

// maxCopies bounds depth × places: a slip of the finger must not take all memory.
const maxCopies = 1 << 27

// Expand unrolls a world in time (the paper §5, after Černý et al. 2024): layer
// by layer copies of the places, with an edge (l, a) → (l+1, b) if a is reached
// there and b is a neighbour of a, or a itself. With Dummies and All the graph
// has Depth+2 layers and 3+N·Depth vertices for N places; plain, Depth layers of
// what is reached.
//
// Meta of the result: Names are the map's node numbers or names, XY degrees (EPSG:4326; none
// of a world without coordinates),
// Place the index in the world's Nodes (after the cut to Nodes); source and
// dummies, named so, have Place -1 and lie at the start. Attr is the world's,
// with start, start_lon, start_lat and depth. A path's places are the vertices
// with Place ≥ 0.
//
// Errors: a depth below 2, or one that makes more than 2²⁷ copies of places, a start that is not on the map, fewer than
// Nodes places within reach, a place on the way where the walk would be stuck (NoWait in a dead end of a directed map).
// O(Depth·E).
func Expand(w *World, o ExpandOptions) (*ddps.LayeredGraph, error) {
	if o.Depth < 2 {
		return nil, fmt.Errorf("datasets: expand: depth %d, expected at least 2 layers of places", o.Depth)
	}
	start, ok := w.Find(o.Start)
	if !ok {
		return nil, fmt.Errorf("datasets: expand: start %d is not on the map of %d nodes", o.Start, len(w.Nodes))
	}
	if o.Nodes > 0 {
		near, err := w.Near(start, o.Nodes)
		if err != nil {
			return nil, err
		}
		w = near
		start, _ = w.Find(o.Start)
	}
	if float64(o.Depth)*float64(len(w.Nodes)) > maxCopies {
		return nil, fmt.Errorf("datasets: expand: %d layers of %d places, more than %d copies: take less depth or fewer "+
			"places",
			o.Depth, len(w.Nodes), maxCopies)
	}
	x := expansion{w: w, o: o, reached: make([][]bool, o.Depth)}
	if err := x.reach(start); err != nil {
		return nil, err
	}
	if err := x.fits(); err != nil {
		return nil, err
	}
	x.layout(start)
	g, err := ddps.New(x.sizes, x.heads)
	if err != nil {
		return nil, fmt.Errorf("datasets: expand: %w", err)
	}
	m := x.meta
	m.Attr = maps.Clone(w.Attr)
	if m.Attr == nil {
		m.Attr = map[string]string{}
	}
	if o.Labels {
		label(&m, w.Labels())
	}
	n := w.Nodes[start]
	m.Attr["start"], m.Attr["depth"] = n.Label(), strconv.Itoa(o.Depth)
	if w.Unplaced {
		m.XY = nil
	} else {
		m.Attr["start_lon"], m.Attr["start_lat"] = fmt.Sprintf("%.7f", n.Lon), fmt.Sprintf("%.7f", n.Lat)
	}
	return g.WithMeta(m)
}

// expansion is the work of one Expand.
type expansion struct {
	w       *World
	o       ExpandOptions
	reached [][]bool // [depth, place]
	sizes   []int
	heads   [][]int
	meta    ddps.Meta
}

// moves returns the places that may follow place i, ascending.
func (x *expansion) moves(i int) []int {
	heads := x.w.Heads(i)
	if x.o.NoWait {
		return heads
	}
	out := make([]int, 0, len(heads)+1)
	waited := false
	for _, b := range heads {
		if !waited && b > i {
			out, waited = append(out, i), true
		}
		out = append(out, b)
	}
	if !waited {
		out = append(out, i)
	}
	return out
}

// reach fills the table of what is reached when.
func (x *expansion) reach(start int) error {
	for l := range x.reached {
		x.reached[l] = make([]bool, len(x.w.Nodes))
	}
	x.reached[0][start] = true
	for l := 1; l < x.o.Depth; l++ {
		for i, here := range x.reached[l-1] {
			if !here {
				continue
			}
			next := x.moves(i)
			if len(next) == 0 {
				return fmt.Errorf("datasets: expand: node %s, after %d moves: no way on and no waiting", x.w.Nodes[i].Label(), l-1)
			}
			for _, b := range next {
				x.reached[l][b] = true
			}
		}
	}
	return nil
}

// Bytes of a copy of a place and of an edge between two, as the graph is made and written.
const copyBytes, edgeBytes = 350, 40

// fits returns an error if the graph would take more memory than there is, which says what depth fits.
func (x *expansion) fits() error {
	bytes, deepest := 0.0, 2
	for l, layer := range x.reached {
		bytes += 9 * float64(len(layer))
		for i, here := range layer {
			if here || x.o.All {
				bytes += copyBytes + edgeBytes*float64(len(x.w.Heads(i))+1)
			}
		}
		if bytes < float64(x.o.Memory)/2 {
			deepest = l + 1
		}
	}
	if x.o.Memory <= 0 || bytes <= float64(x.o.Memory) {
		return nil
	}
	return fmt.Errorf("datasets: expand: %d layers of %d places take about %.1f GiB of memory, of which there are "+
		"%.1f: a depth of %d fits",
		x.o.Depth, len(x.w.Nodes), bytes/(1<<30), float64(x.o.Memory)/(1<<30), deepest)
}

// layout numbers the vertices and lists their edges and meta data.
func (x *expansion) layout(start int) {
	number := make([][]int, x.o.Depth)
	V := 0
	if x.o.Dummies {
		V = 3
		x.sizes = []int{1, 2}
		s := x.w.Nodes[start]
		x.meta.Names, x.meta.Place = []string{"source", "dummy1", "dummy2"}, []int{-1, -1, -1}
		x.meta.XY = [][2]float64{{s.Lon, s.Lat}, {s.Lon, s.Lat}, {s.Lon, s.Lat}}
	}
	for l := range number {
		number[l] = make([]int, len(x.w.Nodes))
		first := V
		for i, n := range x.w.Nodes {
			if number[l][i] = V; !x.reached[l][i] && !x.o.All {
				continue
			}
			V++
			x.meta.Names = append(x.meta.Names, n.Label())
			x.meta.XY = append(x.meta.XY, [2]float64{n.Lon, n.Lat})
			x.meta.Place = append(x.meta.Place, i)
		}
		x.sizes = append(x.sizes, V-first)
	}
	x.heads = make([][]int, V)
	if x.o.Dummies {
		x.heads[0], x.heads[1] = []int{1}, []int{number[0][start]}
	}
	for l := range x.o.Depth - 1 {
		for i, here := range x.reached[l] {
			if !here {
				continue
			}
			for _, b := range x.moves(i) {
				v := number[l][i]
				x.heads[v] = append(x.heads[v], number[l+1][b])
			}
		}
	}
}
