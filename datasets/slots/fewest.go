package slots

import (
	"cmp"
	"container/heap"
	"math"
	"slices"
)

// fewest returns by node the fewest slots from any of some nodes, far where there is no way (Dijkstra, O(arcs·log)).
func (p *Plan) fewest(starts []int, arcs [][]arc) []int {
	dist := make([]int, len(arcs))
	for i := range dist {
		dist[i] = far
	}
	q := frontier{}
	for _, s := range starts {
		dist[s] = 0
		q = append(q, reached{s, 0})
	}
	for len(q) > 0 {
		at := heap.Pop(&q).(reached)
		if at.slots > dist[at.node] {
			continue
		}
		for _, a := range arcs[at.node] {
			if n := at.slots + a.slots; n < dist[a.head] {
				dist[a.head] = n
				heap.Push(&q, reached{a.head, n})
			}
		}
	}
	return dist
}

// reached is a node and the slots to it.
type reached struct{ node, slots int }

// frontier is the priority queue of Dijkstra's algorithm.
type frontier []reached

func (q frontier) Len() int           { return len(q) }
func (q frontier) Less(i, j int) bool { return q[i].slots < q[j].slots }
func (q frontier) Swap(i, j int)      { q[i], q[j] = q[j], q[i] }
func (q *frontier) Push(x any)        { *q = append(*q, x.(reached)) }
func (q *frontier) Pop() any {
	last := (*q)[len(*q)-1]
	*q = (*q)[:len(*q)-1]
	return last
}

// reversed returns arcs from head to tail.
func reversed(arcs [][]arc) [][]arc {
	out := make([][]arc, len(arcs))
	for i, list := range arcs {
		for _, a := range list {
			out[a.head] = append(out[a.head], arc{a.number, i, a.slots})
		}
	}
	return out
}

// sortArcs sorts the arcs of each node by head.
func sortArcs(arcs [][]arc) {
	for _, list := range arcs {
		slices.SortFunc(list, func(a, b arc) int { return cmp.Compare(a.head, b.head) })
	}
}

// byDistance returns the nodes at a finite distance, the nearest first, ties by number.
func byDistance(dist []float64) (order []int) {
	for i, d := range dist {
		if !math.IsInf(d, 1) {
			order = append(order, i)
		}
	}
	slices.SortFunc(order, func(a, b int) int { return cmp.Or(cmp.Compare(dist[a], dist[b]), cmp.Compare(a, b)) })
	return order
}
