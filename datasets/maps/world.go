package maps

import (
	"maps"
	"slices"
	"strconv"
)

// Node is a place of a world: an intersection, or a point of a street.
type Node struct {
	// ID is the map's own number, unique within a world. Nodes that a merge made
	// carry the smallest number of their members, nodes that a split made are
	// negative.
	ID int64
	// Name is what the map calls the node where that is no whole number, else "";
	// see Label.
	Name string
	// Title is what people call the node where the map says so, such as the name of a stop; need not be unique.
	Title string
	// Lon, Lat are degrees, WGS 84: -180…180 and -90…90.
	Lon, Lat float64
	// X, Y are metres east and north of the middle of the world that was read.
	X, Y float64
}

// Label returns what the map calls the node: its Name, or else its ID in decimal.
func (n Node) Label() string {
	if n.Name != "" {
		return n.Name
	}
	return strconv.FormatInt(n.ID, 10)
}

// Edge is a piece of street between the nodes with indices From and To.
type Edge struct {
	From, To int
	// Length is in metres, along the street, above or equal to 0 (in a world without
	// coordinates in whatever the file has, 1 where it has none). A 0 of a file stays 0.
	Length float64
	// Time is how many seconds a move along the edge takes, above 0; 0 where the map does not say so.
	Time float64
	// Street is the name of the street, "" where the map has none.
	Street string
}

// Skipped counts what a reader or a transformation left out of a world.
type Skipped struct {
	// Missing counts pieces of street of which an end is not in the file, as at
	// the border of an extract.
	Missing int
	// Loops counts edges from a node to itself, Duplicates edges that were there
	// already (the shortest is kept).
	Loops, Duplicates int
}

// World is a street map as a graph. It is undirected unless Directed is set: one Edge then stands for both ways and
// has From < To. There are neither loops nor parallel edges (of several the shortest is kept, with the least time of
// all): waiting is added by Expand. Treat a World as read-only; every transformation returns a new one.
type World struct {
	Nodes    []Node
	Edges    []Edge
	Directed bool
	// Unplaced says that the nodes have no coordinates: Lon, Lat, X and Y are 0, and
	// what needs them (Merge, Split, Nearest) is refused or means nothing.
	Unplaced bool
	// Measured says that an Unplaced world has lengths of its own: Split then cuts by them.
	Measured bool
	Skipped  Skipped
	// Notes is what a reader found out or left out besides, a line each: columns not used, names that differ by case.
	Notes []string
	// Attr says where the map is from: crs, and what the caller adds (place,
	// source, licence, attribution). Graphs made from the world inherit it.
	Attr map[string]string

	out [][]int // heads of the edges out of a node, ascending
	idx map[int64]int
	by  map[string]int // label → index, of nodes with a Name
}

// Heads returns the nodes one edge away from node i, ascending, i itself not
// among them. The slice is the world's own. It panics if i is out of range.
func (w *World) Heads(i int) []int { return w.out[i] }

// Find returns the index of the node with the map's number id.
func (w *World) Find(id int64) (i int, ok bool) {
	i, ok = w.idx[id]
	return i, ok
}

// Nearest returns the index of the node closest to a place in degrees.
func (w *World) Nearest(lon, lat float64) int {
	at, best := Node{Lon: lon, Lat: lat}, 0
	for i, n := range w.Nodes {
		if Distance(at, n) < Distance(at, w.Nodes[best]) {
			best = i
		}
	}
	return best
}

// derive returns a world of new nodes and edges with w's provenance. The nodes'
// X and Y are kept, lengths too, and the counts go on from w's.
func (w *World) derive(nodes []Node, edges []Edge) (*World, error) {
	d := &World{Nodes: nodes, Directed: w.Directed, Unplaced: w.Unplaced, Measured: w.Measured, Skipped: w.Skipped,
		Notes: w.Notes, Attr: maps.Clone(w.Attr)}
	d.setEdges(edges)
	return d, d.index()
}

// BothWays returns the world as a directed one: an undirected edge is then one each way, alike.
func (w *World) BothWays() (*World, error) {
	d, edges := *w, slices.Clone(w.Edges)
	for _, e := range w.Edges {
		if e.From, e.To = e.To, e.From; !w.Directed {
			edges = append(edges, e)
		}
	}
	d.Directed = true
	return d.derive(slices.Clone(w.Nodes), edges)
}
