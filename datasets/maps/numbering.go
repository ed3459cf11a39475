package maps

import (
	"cmp"
	"slices"
	"strconv"
)

// numbering gives the nodes of a map their ids and order, by what the file calls
// them: whole numbers are ids and are in ascending order; where one name is
// none, all nodes keep their name and the order of the file.
type numbering struct {
	nodes []Node
	index map[string]int // name → position in the file, then in nodes
}

func newNumbering() *numbering { return &numbering{index: map[string]int{}} }

// add takes a node at lon, lat in degrees and returns its position in the file;
// known says that its name was there before.
func (n *numbering) add(name string, lon, lat float64) (i int, known bool) {
	if i, known = n.index[name]; known {
		return i, true
	}
	i = len(n.nodes)
	n.index[name] = i
	n.nodes = append(n.nodes, Node{ID: int64(i), Name: name, Lon: lon, Lat: lat})
	return i, false
}

// settle gives the nodes their final ids and order, and edges, which hold
// positions in the file, the final indices.
func (n *numbering) settle(edges []Edge) {
	ids := make([]int64, len(n.nodes))
	for i, node := range n.nodes {
		id, err := strconv.ParseInt(node.Name, 10, 64)
		if err != nil || strconv.FormatInt(id, 10) != node.Name {
			return
		}
		ids[i] = id
	}
	order := make([]int, len(ids))
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(a, b int) int { return cmp.Compare(ids[a], ids[b]) })
	sorted, to := make([]Node, len(order)), make([]int, len(order))
	for k, i := range order {
		sorted[k], to[i] = n.nodes[i], k
		sorted[k].ID, sorted[k].Name = ids[i], ""
	}
	n.nodes = sorted
	for i, e := range edges {
		edges[i].From, edges[i].To = to[e.From], to[e.To]
	}
}

// world makes the world of the nodes and of edges by position in the file, of
// which missing had an end that is no node.
func (n *numbering) world(edges []Edge, directed, unplaced bool, missing int) (*World, error) {
	n.settle(edges)
	w, err := newWorld(n.nodes, edges, directed, unplaced)
	if err == nil {
		w.Skipped.Missing = missing
	}
	return w, err
}
