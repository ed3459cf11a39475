package maps

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"

	"github.com/ddps-go/ddps/datasets/internal/earth"
	"github.com/ddps-go/ddps/ddps"
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

// NewWorld builds a world from nodes and edges. X and Y of the nodes are
// computed (a plane that touches the Earth at the mean of the nodes: right to a
// thousandth over a city); an edge whose Length is 0 gets the distance of its
// ends on the sphere. Loops and repeated edges are dropped and counted.
//
// Errors name the node or edge: no node, a repeated id or name, a coordinate out
// of range, an end that is no node, a negative or non-finite length.
func NewWorld(nodes []Node, edges []Edge, directed bool) (*World, error) {
	edges = slices.Clone(edges)
	for i := range edges {
		if math.IsNaN(edges[i].Length) {
			return nil, fmt.Errorf("datasets: world: edge %d: length NaN", i)
		}
		if edges[i].Length == 0 {
			edges[i].Length = math.NaN()
		}
	}
	return newWorld(nodes, edges, directed, false)
}

// newWorld is NewWorld, for nodes without coordinates too, and with NaN for lengths
// that are not given rather than 0.
func newWorld(nodes []Node, edges []Edge, directed, unplaced bool) (*World, error) {
	if len(nodes) == 0 {
		return nil, fmt.Errorf("datasets: world: no node")
	}
	nodes = slices.Clone(nodes)
	var lon0, lat0 float64
	lons := make([]float64, len(nodes))
	for i, n := range nodes {
		if err := ddps.CheckText(n.Name); err != nil {
			return nil, fmt.Errorf("datasets: world: node %d: name %w", i, err)
		}
		if !(math.Abs(n.Lon) <= 180 && math.Abs(n.Lat) <= 90) {
			return nil, fmt.Errorf("datasets: world: node %d (id %s): lon %v, lat %v are not degrees", i, n.Label(), n.Lon,
				n.Lat)
		}
		lons[i] = n.Lon
		lat0 += n.Lat / float64(len(nodes))
	}
	lons = ddps.UnwrapLongitudes(lons)
	for _, lon := range lons {
		lon0 += lon / float64(len(nodes))
	}
	for i := range nodes {
		nodes[i].X, nodes[i].Y = earth.Project(lons[i], nodes[i].Lat, lon0, lat0)
	}
	for i, e := range edges {
		if min(e.From, e.To) < 0 || max(e.From, e.To) >= len(nodes) {
			return nil, fmt.Errorf("datasets: world: edge %d: ends %d, %d are not both in 0…%d", i, e.From, e.To, len(nodes)-1)
		}
		if e.Length < 0 || math.IsInf(e.Length, 0) {
			return nil, fmt.Errorf("datasets: world: edge %d: length %v", i, e.Length)
		}
		if !(e.Time >= 0) || math.IsInf(e.Time, 0) {
			return nil, fmt.Errorf("datasets: world: edge %d: time %v", i, e.Time)
		}
	}
	w := &World{Nodes: nodes, Directed: directed, Unplaced: unplaced, Attr: map[string]string{"crs": "EPSG:4326"}}
	if unplaced {
		w.Attr = map[string]string{}
	}
	w.setEdges(edges)
	return w, w.index()
}

// setEdges stores edges without loops and repetitions, sorted by their ends.
func (w *World) setEdges(edges []Edge) {
	kept := make([]Edge, 0, len(edges))
	for _, e := range edges {
		if e.From == e.To {
			w.Skipped.Loops++
			continue
		}
		if !w.Directed && e.From > e.To {
			e.From, e.To = e.To, e.From
		}
		if math.IsNaN(e.Length) {
			if e.Length = 1; !w.Unplaced {
				e.Length = Distance(w.Nodes[e.From], w.Nodes[e.To])
			}
		}
		kept = append(kept, e)
	}
	slices.SortFunc(kept, func(a, b Edge) int {
		return cmp.Or(cmp.Compare(a.From, b.From), cmp.Compare(a.To, b.To), cmp.Compare(a.Length, b.Length),
			cmp.Compare(a.Street, b.Street))
	})
	w.Edges = merged(kept)
	w.Skipped.Duplicates += len(kept) - len(w.Edges)
}

// merged returns sorted edges, each pair of ends once: of its first edge, with the least time of all and the first
// street that has a name.
func merged(list []Edge) (out []Edge) {
	out = list[:0]
	for _, e := range list {
		k := len(out) - 1
		if k < 0 || out[k].From != e.From || out[k].To != e.To {
			out = append(out, e)
			continue
		}
		if e.Time > 0 && !(out[k].Time > 0 && out[k].Time <= e.Time) {
			out[k].Time = e.Time
		}
		out[k].Street = cmp.Or(out[k].Street, e.Street)
	}
	return out
}

// index fills the adjacency and the tables of ids and names.
func (w *World) index() error {
	w.idx, w.by = make(map[int64]int, len(w.Nodes)), map[string]int{}
	for i, n := range w.Nodes {
		if j, ok := w.idx[n.ID]; ok {
			return fmt.Errorf("datasets: world: nodes %d and %d share the id %d", j, i, n.ID)
		}
		w.idx[n.ID] = i
		if n.Name == "" {
			continue
		}
		if j, ok := w.by[n.Name]; ok {
			return fmt.Errorf("datasets: world: nodes %d and %d are both called %q", j, i, n.Name)
		}
		w.by[n.Name] = i
	}
	w.out = make([][]int, len(w.Nodes))
	for _, e := range w.Edges {
		w.out[e.From] = append(w.out[e.From], e.To)
		if !w.Directed {
			w.out[e.To] = append(w.out[e.To], e.From)
		}
	}
	for _, heads := range w.out {
		slices.Sort(heads)
	}
	return nil
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
