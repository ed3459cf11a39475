package maps

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"github.com/ddps-go/ddps/datasets/internal/earth"
	"github.com/ddps-go/ddps/ddps"
)

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
