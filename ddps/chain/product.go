package chain

import (
	"fmt"
	"slices"

	"github.com/ddps-go/ddps/ddps"
)

// Product is a layered graph of states over a base graph: each state projects to a vertex of the base and says more
// of how it was come to (the edge before it, what an automaton has seen), and each edge over the base's edge between
// such vertices. Of a state's out-edges no two project to the same edge, so that at most one path projects to each path
// of the base: distributions on the product graph are distributions of the base's paths with more memory than a
// first-order chain. It never changes and may be shared by goroutines.
type Product struct {
	Base  *ddps.LayeredGraph
	Graph *ddps.LayeredGraph // as many layers
	// by edge of Graph: the edge of Base that it projects to, ascending among a state's out-edges
	Edge   []int
	Vertex []int // by vertex of Graph: the vertex of Base, −1 for one without any edges
}

// NewProduct makes the product graph of g over base from the base edge of each edge of g. The error names the state
// whose edges do not fit the base, project to different vertices, or are not in ascending order. O(V + E).
func NewProduct(base, g *ddps.LayeredGraph, edge []int) (*Product, error) {
	if g.NumLayers() != base.NumLayers() || len(edge) != g.NumEdges() {
		return nil, fmt.Errorf("chain: product graph: %d layers over %d, %d base edges for %d edges",
			g.NumLayers(), base.NumLayers(), len(edge), g.NumEdges())
	}
	l := &Product{Base: base, Graph: g, Edge: edge, Vertex: slices.Repeat([]int{-1}, g.NumVertices())}
	for s := range g.NumVertices() {
		lo, hi := g.Edges(s)
		for k := lo; k < hi; k++ {
			e := edge[k]
			if e < 0 || e >= base.NumEdges() {
				return nil, fmt.Errorf("chain: product graph: state %d: edge %d, the base has %d", s, e, base.NumEdges())
			}
			if k > lo && e <= edge[k-1] {
				return nil, fmt.Errorf("chain: product graph: state %d: base edges must ascend, %d follows %d", s, e, edge[k-1])
			}
			if err := l.stand(s, base.Tail(e)); err != nil {
				return nil, err
			}
			if err := l.stand(g.Head(k), base.Head(e)); err != nil {
				return nil, err
			}
		}
	}
	return l, nil
}

// stand notes that state s projects to v.
func (l *Product) stand(s, v int) error {
	if l.Vertex[s] == v {
		return nil
	}
	if l.Vertex[s] >= 0 {
		return fmt.Errorf("chain: product graph: state %d projects to vertices %s and %s", s, l.Base.Name(l.Vertex[s]),
			l.Base.Name(v))
	}
	if l.Base.LayerOf(v) != l.Graph.LayerOf(s) {
		return fmt.Errorf("chain: product graph: state %d projects to vertex %s of another layer", s, l.Base.Name(v))
	}
	l.Vertex[s] = v
	return nil
}

// Identity returns g over itself: the states of first-order chains. O(V + E).
func Identity(g *ddps.LayeredGraph) *Product {
	return &Product{Base: g, Graph: g, Edge: upTo(g.NumEdges()), Vertex: upTo(g.NumVertices())}
}

// Line returns the line graph of g: state 0 is v¹ and state 1+e a walk that came along edge e, in layers as the heads
// of their edges; an edge is a pair of consecutive edges. The states of second-order chains. O(V + Σ_v in(v)·D_v).
func Line(g *ddps.LayeredGraph) *Product {
	E := g.NumEdges()
	l := &Product{Base: g, Vertex: make([]int, 1+E)}
	states, heads := upTo(1 + E)[1:], make([][]int, 1+E)
	sizes := make([]int, g.NumLayers())
	for s := range heads {
		v := 0
		if s > 0 {
			v = g.Head(s - 1)
		}
		l.Vertex[s] = v
		sizes[g.LayerOf(v)]++
		lo, hi := g.Edges(v)
		heads[s] = states[lo:hi]
	}
	var err error
	if l.Graph, err = ddps.New(sizes, heads); err != nil {
		panic("chain: the line graph of a layered graph is one: " + err.Error())
	}
	l.Edge = make([]int, l.Graph.NumEdges())
	for k := range l.Edge {
		l.Edge[k] = l.Graph.Head(k) - 1
	}
	return l
}

// upTo returns 0…n−1.
func upTo(n int) []int {
	s := make([]int, n)
	for i := range s {
		s[i] = i
	}
	return s
}

// Pull sets out, by edge of the product graph, to the numbers x of the base edges under them.
func (l *Product) Pull(x, out []float64) {
	for k, e := range l.Edge {
		out[k] = x[e]
	}
}

// above returns the edge over base edge e out of state s, and whether there is one. O(log D).
func (l *Product) above(s, e int) (k int, ok bool) {
	lo, hi := l.Graph.Edges(s)
	i, ok := slices.BinarySearch(l.Edge[lo:hi], e)
	return lo + i, ok
}

// Edges appends to dst the product graph's edges over path p of the base, and reports whether all are there. The
// error is a
// *ddps.PathError if p is no path of the base.
func (l *Product) Edges(dst []int, p ddps.Path) (edges []int, ok bool, err error) {
	n := len(dst)
	if dst, err = l.Base.PathEdges(dst, p); err != nil {
		return dst, false, err
	}
	s := 0
	for i, e := range dst[n:] {
		k, ok := l.above(s, e)
		if !ok {
			return dst[:n+i], false, nil
		}
		dst[n+i], s = k, l.Graph.Head(k)
	}
	return dst, true, nil
}
