package maps

import (
	"cmp"
	"container/heap"
	"fmt"
	"math"
	"slices"

	"github.com/ddps-go/ddps/datasets/internal/earth"
)

// Distances returns the length in metres of the shortest way from the node with
// index start to every node, +Inf where there is none (Dijkstra, O(E log E)).
func (w *World) Distances(start int) ([]float64, error) {
	if start < 0 || start >= len(w.Nodes) {
		return nil, fmt.Errorf("datasets: start %d is not on the map of %d nodes", start, len(w.Nodes))
	}
	dist := make([]float64, len(w.Nodes))
	for i := range dist {
		dist[i] = math.Inf(1)
	}
	dist[start] = 0
	streets := w.streets()
	for q := (frontier{{start, 0}}); len(q) > 0; {
		at := heap.Pop(&q).(reached)
		if at.dist > dist[at.node] {
			continue
		}
		for _, s := range streets[at.node] {
			if d := at.dist + s.dist; d < dist[s.node] {
				dist[s.node] = d
				heap.Push(&q, reached{s.node, d})
			}
		}
	}
	return dist, nil
}

// streets lists for every node the edges out of it: head and length.
func (w *World) streets() [][]reached {
	out := make([][]reached, len(w.Nodes))
	for _, e := range w.Edges {
		out[e.From] = append(out[e.From], reached{e.To, e.Length})
		if !w.Directed {
			out[e.To] = append(out[e.To], reached{e.From, e.Length})
		}
	}
	return out
}

// Near returns the n nodes nearest to the node with index start by street
// distance, ties by index, with the edges between them. The order of the nodes
// is that of w, so that start's new index is found by its ID.
//
// It is an error if start is not on the map or fewer than n nodes are reached.
func (w *World) Near(start, n int) (*World, error) {
	dist, err := w.Distances(start)
	if err != nil {
		return nil, err
	}
	order := make([]int, 0, len(dist))
	for i, d := range dist {
		if !math.IsInf(d, 1) {
			order = append(order, i)
		}
	}
	if n < 1 || n > len(order) {
		return nil, fmt.Errorf("datasets: %d nodes around node %s: %d are within reach", n, w.Nodes[start].Label(),
			len(order))
	}
	slices.SortFunc(order, func(a, b int) int { return cmp.Or(cmp.Compare(dist[a], dist[b]), cmp.Compare(a, b)) })
	keep := order[:n]
	slices.Sort(keep)
	return w.induced(keep)
}

// induced returns the world of the nodes in keep, ascending indices.
func (w *World) induced(keep []int) (*World, error) {
	to := make(map[int]int, len(keep))
	nodes := make([]Node, len(keep))
	for k, i := range keep {
		to[i], nodes[k] = k, w.Nodes[i]
	}
	var edges []Edge
	for _, e := range w.Edges {
		a, ok := to[e.From]
		b, ok2 := to[e.To]
		if ok && ok2 {
			e.From, e.To = a, b
			edges = append(edges, e)
		}
	}
	return w.derive(nodes, edges)
}

// reached is a node and its distance in metres.
type reached struct {
	node int
	dist float64
}

// frontier is the priority queue of Dijkstra's algorithm.
type frontier []reached

func (q frontier) Len() int           { return len(q) }
func (q frontier) Less(i, j int) bool { return q[i].dist < q[j].dist }
func (q frontier) Swap(i, j int)      { q[i], q[j] = q[j], q[i] }
func (q *frontier) Push(x any)        { *q = append(*q, x.(reached)) }
func (q *frontier) Pop() any {
	last := (*q)[len(*q)-1]
	*q = (*q)[:len(*q)-1]
	return last
}

// Distance returns the great-circle distance of two nodes in metres.
func Distance(a, b Node) float64 { return earth.Distance(a.Lon, a.Lat, b.Lon, b.Lat) }
