package d3pm

import "github.com/ddps-go/ddps/ddps"

// pairWidth is how many numbers of a vector are worked on together.
const pairWidth = 8

// pairVec is a piece of a vector. A vector of H numbers takes n = ⌈H/8⌉ of them, the rest of the last one zero.
type pairVec [pairWidth]float32

// pairGraph is a graph as the sweeps walk it: by tail, edges in the graph's order, and by head, where the i-th
// entering edge of the whole graph is edge[i].
type pairGraph struct {
	*ddps.LayeredGraph
	n              int     // pairVecs a vector
	V, E, last     int     // last: first vertex of the last layer
	first, enter   []int32 // [V+1] edges that leave v: first[v]…first[v+1]−1; that enter it alike
	head, tail     []int32 // [E] by tail, by head
	headAt, tailAt []int32 // [E] where their vectors start, n·head and n·tail
	edge           []int32 // [E] by head
	rows           []int32 // Rows(g)
}

func newPairGraph(g *ddps.LayeredGraph, n int) pairGraph {
	V, E := g.NumVertices(), g.NumEdges()
	last, _ := g.Layer(g.NumLayers() - 1)
	ints := func(n int) []int32 { return make([]int32, n) }
	p := pairGraph{LayeredGraph: g, n: n, V: V, E: E, last: last, first: ints(V + 1), enter: ints(V + 1),
		head: ints(E), tail: ints(E), headAt: ints(E), tailAt: ints(E), edge: ints(E), rows: Rows(g)}
	for v := range V {
		_, hi := g.Edges(v)
		p.first[v+1] = int32(hi)
	}
	for e := range E {
		w := g.Head(e)
		p.head[e], p.headAt[e] = int32(w), int32(w*n)
		p.enter[w+1]++
	}
	for w := range V {
		p.enter[w+1] += p.enter[w]
	}
	next := append([]int32(nil), p.enter...)
	for e := range E {
		w, v := g.Head(e), g.Tail(e)
		i := next[w]
		p.tail[i], p.tailAt[i], p.edge[i] = int32(v), int32(v*n), int32(e)
		next[w]++
	}
	return p
}

// of returns the vector of vertex v.
func (g *pairGraph) of(x []pairVec, v int) []pairVec { return x[v*g.n : (v+1)*g.n] }

// out returns the range of v's out-edges.
func (g *pairGraph) out(v int) (lo, hi int) { return int(g.first[v]), int(g.first[v+1]) }

// in returns the range of the edges that enter w.
func (g *pairGraph) in(w int) (lo, hi int) { return int(g.enter[w]), int(g.enter[w+1]) }
