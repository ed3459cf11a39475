package gru

import "slices"

// The relations of an edge to the walk so far, each with an output of its own that is added to that of the place of the
// edge's head (Shape.Relations).
const (
	seen     = iota // the walk has visited its place
	stays           // it is the place at hand
	home            // it is the place where the walk started
	turns           // back to the place before, after a move ahead
	retraces        // back along the way that the walk came, after a move back
	closes          // the walk ends where it started
	relations
)

// trail is what a walk has visited. Vertices without a place, a source or an end, do not count.
type trail struct {
	visited []uint64 // places, by bit
	way     []int32  // the places from the start to the place at hand, without those that the walk has gone back from
	start   int32    // the first place; −1: none yet
	moved   bool     // to another place than the first
	back    bool     // the last move went back along the way
	came    bool     // it has come back to a place which it had left
	length  int32    // places, stays included
}

// begin empties t for a walk on words·64 places at most.
func (t *trail) begin(words int) {
	if len(t.visited) != words {
		t.visited = make([]uint64, words)
	}
	clear(t.visited)
	*t = trail{visited: t.visited, way: t.way[:0], start: -1}
}

// step takes the walk to vertex v.
func (t *trail) step(y *layout, v int32) {
	p := y.place[v]
	if !y.real[p] {
		return
	}
	n, old := len(t.way), t.has(p)
	t.came = t.came || old && p != t.way[n-1]
	t.visited[p/64] |= 1 << (p % 64)
	t.length++
	switch {
	case n == 0:
		t.start = p
		t.way = append(t.way, p)
	case p == t.way[n-1]:
	case n > 1 && p == t.way[n-2]:
		t.way, t.back = t.way[:n-1], true
	default:
		t.way, t.back, t.moved = append(t.way, p), false, true
	}
}

// has reports whether the walk has visited place p.
func (t *trail) has(p int32) bool { return t.visited[p/64]>>(p%64)&1 == 1 }

// relate returns the relations of an edge to vertex w, of place p, by bit.
func (t *trail) relate(y *layout, w int, p int32) (r uint8) {
	n := len(t.way)
	if !y.real[p] {
		if y.single[w] && t.moved && t.way[n-1] == t.start {
			r = 1 << closes
		}
		return r
	}
	if n == 0 || !t.has(p) {
		return 0
	}
	r = 1 << seen
	if p == t.start {
		r |= 1 << home
	}
	switch {
	case p == t.way[n-1]:
		r |= 1 << stays
	case n > 1 && p == t.way[n-2] && t.back:
		r |= 1 << retraces
	case n > 1 && p == t.way[n-2]:
		r |= 1 << turns
	}
	return r
}

// row sets r to the relations of v's edges; they stay 0 for a network without relations.
func (t *trail) row(n *network, v int, r []uint8) {
	if n.outputs == n.places {
		clear(r)
		return
	}
	lo, _ := n.g.Edges(v)
	for d, w := range n.g.From(v) {
		r[d] = t.relate(n.layout, w, n.head[lo+d])
	}
}

// words is how many words of bits the places take.
func (y *layout) words() int { return (y.places + 63) / 64 }

// clone returns a copy.
func (t *trail) clone() trail {
	c := *t
	c.visited, c.way = slices.Clone(t.visited), slices.Clone(t.way)
	return c
}
