package maps

import (
	"cmp"
	"slices"
)

// Simplify joins the pieces of a street between two crossings or dead ends into one edge, as OSMnx does
// (simplify_graph, Boeing 2017): a node with exactly two neighbours, through which every way leads on, goes, and the
// lengths of its two edges add up, their times too if both have one. A move then is a block, not a point of a street's
// shape. Nodes whose number is in keep stay, and one node of a ring without a crossing. Streets that become parallel
// are dropped but for the shortest, streets that become loops too; both are counted. O(nodes + edges).
func (w *World) Simplify(keep ...int64) (*World, error) {
	nb := w.neighbours()
	stays := make([]bool, len(w.Nodes))
	for i, n := range w.Nodes {
		stays[i] = len(nb[i]) != 2 || w.Directed && !w.leadsOn(i, nb[i]) || slices.Contains(keep, n.ID)
	}
	w.breakRings(nb, stays)

	number, nodes := make([]int, len(w.Nodes)), []Node(nil)
	for i, n := range w.Nodes {
		if stays[i] {
			number[i] = len(nodes)
			nodes = append(nodes, n)
		}
	}
	piece := map[[2]int]Edge{}
	for _, e := range w.Edges {
		piece[[2]int{e.From, e.To}] = e
		if !w.Directed {
			piece[[2]int{e.To, e.From}] = e
		}
	}
	var edges []Edge
	for i := range w.Nodes {
		if !stays[i] {
			continue
		}
		for _, next := range w.out[i] {
			e, end := follow(i, next, nb, stays, piece)
			if w.Directed || i <= end {
				e.From, e.To = number[i], number[end]
				edges = append(edges, e)
			}
		}
	}
	return w.derive(nodes, edges)
}

// follow walks from node i by way of next to the first node that stays, end, and joins the pieces.
func follow(i, next int, nb [][]int, stays []bool, piece map[[2]int]Edge) (e Edge, end int) {
	e = piece[[2]int{i, next}]
	for from := i; !stays[next]; {
		on := nb[next][0]
		if on == from {
			on = nb[next][1]
		}
		from, next = next, on
		e = e.join(piece[[2]int{from, next}])
	}
	return e, next
}

// join returns e with p behind it: of both lengths, of both times where both have one, of the first name.
func (e Edge) join(p Edge) Edge {
	e.Length, e.Street = e.Length+p.Length, cmp.Or(e.Street, p.Street)
	if e.Time += p.Time; e.Time == p.Time || p.Time == 0 {
		e.Time = 0
	}
	return e
}

// leadsOn reports whether a node of a directed world with the neighbours nb is passed through the same way, or both
// ways, from either to the other.
func (w *World) leadsOn(i int, nb []int) bool {
	way := func(from, to int) bool { return slices.Contains(w.out[from], to) }
	a, b := nb[0], nb[1]
	return way(a, i) == way(i, b) && way(b, i) == way(i, a)
}

// breakRings makes one node stay of each ring on which none does: the first.
func (w *World) breakRings(nb [][]int, stays []bool) {
	seen := make([]bool, len(stays))
	reach := func(i int) { // what pieces of street without a node that stays lead to
		for queue := []int{i}; len(queue) > 0; {
			j := queue[len(queue)-1]
			queue = queue[:len(queue)-1]
			if seen[j] {
				continue
			}
			seen[j] = true
			if !stays[j] || j == i {
				queue = append(queue, nb[j]...)
			}
		}
	}
	for i := range stays {
		if stays[i] {
			reach(i)
			seen[i] = true
		}
	}
	for i := range stays {
		if !seen[i] {
			stays[i] = true
			reach(i)
		}
	}
}
