package ddps

import (
	"fmt"
	"slices"
	"sort"
)

// LayeredGraph is a layered graph (paper, Definition 1): a directed graph whose vertices are split into
// L > 1 non-empty layers, with edges only from one layer to the next, a single vertex in the first layer,
// and no walk from it that gets stuck.
//
// Vertices are numbered 0…V−1 layer by layer and layers 0…L−1, so that v¹ is vertex 0. Edges are numbered
// 0…E−1 in the order of their tails, and within a tail in the order they were given: edge number
// lo+d, with lo from Edges(v), is the d-th out-edge of v. Every flat array "by edge" of the project uses this
// numbering. A LayeredGraph never changes once made and may be shared by goroutines.
type LayeredGraph struct {
	layer []int // [L+1] layer l holds the vertices layer[l]…layer[l+1]−1
	first []int // [V+1] out-edges of v are first[v]…first[v+1]−1
	head  []int // [E]
	tail  []int // [E]
	maxD  int
	meta  Meta
}

// New makes a layered graph of len(sizes) layers, sizes[l] vertices in layer l, and out-edges from v to each
// of heads[v]. It checks every condition of the paper's Definition 1, and that no edge occurs twice and some
// path exists; the error is a *GraphError that names the broken condition, the layer and the vertex.
// heads is copied. O(V + E log D).
func New(sizes []int, heads [][]int) (*LayeredGraph, error) {
	if len(sizes) < 2 {
		return nil, &GraphError{Condition: TooFewLayers, Layer: -1, Vertex: -1,
			Detail: fmt.Sprintf("%d layers, at least 2 needed", len(sizes))}
	}
	g := &LayeredGraph{layer: make([]int, 1, len(sizes)+1)}
	for l, n := range sizes {
		if n <= 0 {
			return nil, &GraphError{Condition: EmptyLayer, Layer: l, Vertex: -1, Detail: fmt.Sprintf("size %d", n)}
		}
		g.layer = append(g.layer, g.layer[l]+n)
	}
	if sizes[0] != 1 {
		return nil, &GraphError{Condition: FirstLayer, Layer: 0, Vertex: -1,
			Detail: fmt.Sprintf("%d vertices, must be one", sizes[0])}
	}
	if V := g.layer[len(sizes)]; len(heads) != V {
		return nil, &GraphError{Condition: WrongLength, Layer: -1, Vertex: -1,
			Detail: fmt.Sprintf("%d successor lists for %d vertices", len(heads), V)}
	}
	if err := g.addEdges(heads); err != nil {
		return nil, err
	}
	return g, g.checkFlow()
}

// addEdges fills the edge arrays and checks that every edge goes one layer on and occurs once.
func (g *LayeredGraph) addEdges(heads [][]int) error {
	E := 0
	for _, list := range heads {
		E += len(list)
	}
	g.first, g.head, g.tail = make([]int, 1, len(heads)+1), make([]int, 0, E), make([]int, 0, E)
	L := len(g.layer) - 1
	for l := range L {
		for v := g.layer[l]; v < g.layer[l+1]; v++ {
			for _, w := range heads[v] {
				if l == L-1 || w < g.layer[l+1] || w >= g.layer[l+2] {
					return &GraphError{Condition: EdgeLayers, Layer: l, Vertex: v,
						Detail: fmt.Sprintf("edge to vertex %d, which is not in the next layer", w)}
				}
				g.head = append(g.head, w)
				g.tail = append(g.tail, v)
			}
			g.first = append(g.first, len(g.head))
			g.maxD = max(g.maxD, len(heads[v]))
			if w, twice := repeated(heads[v]); twice {
				return &GraphError{Condition: ParallelEdge, Layer: l, Vertex: v,
					Detail: fmt.Sprintf("edge to vertex %d given twice", w)}
			}
		}
	}
	return nil
}

// repeated returns a number that occurs in s more than once.
func repeated(s []int) (int, bool) {
	var room [16]int // most rows fit
	t := append(room[:0], s...)
	slices.Sort(t)
	for i := 1; i < len(t); i++ {
		if t[i] == t[i-1] {
			return t[i], true
		}
	}
	return 0, false
}

// checkFlow checks Definition 1 (4), no dead end that an edge leads to, and that a path exists.
func (g *LayeredGraph) checkFlow() error {
	entered := make([]bool, g.NumVertices())
	for _, w := range g.head {
		entered[w] = true
	}
	for v := range g.layer[g.NumLayers()-1] {
		if g.Degree(v) == 0 && entered[v] {
			return &GraphError{Condition: DeadEnd, Layer: g.LayerOf(v), Vertex: v,
				Detail: "in-edges but no out-edge"}
		}
	}
	if g.Degree(0) == 0 {
		return &GraphError{Condition: NoPath, Layer: 0, Vertex: 0, Detail: "the first vertex has no out-edge"}
	}
	return nil
}

// NumLayers returns L.
func (g *LayeredGraph) NumLayers() int { return len(g.layer) - 1 }

// NumVertices returns V.
func (g *LayeredGraph) NumVertices() int { return len(g.first) - 1 }

// NumEdges returns E = |ℰ|.
func (g *LayeredGraph) NumEdges() int { return len(g.head) }

// MaxDegree returns D = max_v D_v.
func (g *LayeredGraph) MaxDegree() int { return g.maxD }

// Layer returns the vertices lo…hi−1 of layer l in 0…L−1.
func (g *LayeredGraph) Layer(l int) (lo, hi int) { return g.layer[l], g.layer[l+1] }

// LayerOf returns the layer of v, in 0…L−1. O(log L).
func (g *LayeredGraph) LayerOf(v int) int {
	return sort.Search(g.NumLayers(), func(l int) bool { return g.layer[l+1] > v })
}

// From returns the heads of v's out-edges in their order. The slice is the graph's own: do not write to it.
func (g *LayeredGraph) From(v int) []int { return g.head[g.first[v]:g.first[v+1]] }

// Degree returns the out-degree D_v.
func (g *LayeredGraph) Degree(v int) int { return g.first[v+1] - g.first[v] }

// Edges returns the numbers lo…hi−1 of v's out-edges.
func (g *LayeredGraph) Edges(v int) (lo, hi int) { return g.first[v], g.first[v+1] }

// Head returns the vertex that edge e goes to.
func (g *LayeredGraph) Head(e int) int { return g.head[e] }

// Tail returns the vertex that edge e comes from.
func (g *LayeredGraph) Tail(e int) int { return g.tail[e] }

// EdgeBetween returns the number of the edge from v to w, and whether there is one. O(log D_v) where v's out-edges are
// in the order of their heads and one leads to w, else O(D_v).
func (g *LayeredGraph) EdgeBetween(v, w int) (e int, ok bool) {
	if v < 0 || v >= g.NumVertices() {
		return 0, false
	}
	if i, ok := slices.BinarySearch(g.From(v), w); ok {
		return g.first[v] + i, true
	}
	for e := g.first[v]; e < g.first[v+1]; e++ {
		if g.head[e] == w {
			return e, true
		}
	}
	return 0, false
}

// Equal reports whether g and h have the same vertices and edges, in the same order and under the same names, IDs and
// places; coordinates and attributes may differ. What is made for one is then right for the other. O(1) for a graph and
// itself, else O(V + E).
func (g *LayeredGraph) Equal(h *LayeredGraph) bool {
	if g == h {
		return true
	}
	same := g != nil && h != nil && len(g.head) == len(h.head) && slices.Equal(g.layer, h.layer) &&
		slices.Equal(g.first, h.first) && slices.Equal(g.head, h.head) && slices.Equal(g.meta.Names, h.meta.Names) &&
		slices.Equal(g.meta.Place, h.meta.Place)
	for v := 0; same && v < g.NumVertices(); v++ {
		same = g.ID(v) == h.ID(v)
	}
	return same
}

// Reachable returns for every vertex whether some path visits it. By condition (4) that is whether v¹ reaches
// it. O(V + E).
func (g *LayeredGraph) Reachable() []bool {
	seen := make([]bool, g.NumVertices())
	seen[0] = true
	for e, v := range g.tail {
		if seen[v] {
			seen[g.head[e]] = true
		}
	}
	return seen
}

// Prune returns the graph of the vertices that lie on some path. Order, names and all else that Meta holds
// are kept; Meta().ID of the result gives each vertex's number in g (or g's own ID of it, where g has them),
// so that a path on the pruned graph can be told in the names of the first. Pruning twice changes nothing: a graph that
// has IDs, and no vertex off all paths, is returned as it is.
func (g *LayeredGraph) Prune() *LayeredGraph {
	keep := g.Reachable()
	number := make([]int, g.NumVertices())
	kept, E := make([]int, 0, len(keep)), 0
	for v, k := range keep {
		if number[v] = len(kept); k {
			kept = append(kept, v)
			E += g.Degree(v)
		}
	}
	if len(kept) == len(keep) && g.meta.ID != nil {
		return g
	}
	p := &LayeredGraph{layer: make([]int, 1, len(g.layer)), first: make([]int, 1, len(kept)+1),
		head: make([]int, 0, E), tail: make([]int, 0, E), meta: g.meta.pick(kept)}
	for l := range g.NumLayers() {
		lo, hi := g.Layer(l)
		n := p.layer[l]
		for v := lo; v < hi; v++ {
			if !keep[v] {
				continue
			}
			n++
			for _, w := range g.From(v) {
				p.head, p.tail = append(p.head, number[w]), append(p.tail, number[v])
			}
			p.first = append(p.first, len(p.head))
			p.maxD = max(p.maxD, g.Degree(v))
		}
		p.layer = append(p.layer, n)
	}
	return p
}
