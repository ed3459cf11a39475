package vec

import "slices"

// Groups is the order in which Occupy goes through a product graph: by vertex of the base, and there by the edge of the
// base that edges project to, so that what the edges of a vertex's states have in common is read and written once. Each
// state is reached in the order of the states before it, and so is each edge of the base: sums have the bits of a pass
// over the states.
type Groups struct {
	// of each layer but the last the number of its groups (−1: the end), and of each of those its states and segments,
	// after their number; a segment is an edge of the base, a state that edges over it lead to, and the tails of those
	// by their number in the group
	code  []int32
	order []int32 // edges of the product graph as the segments have them
	rates []Lane  // scratch, by state of a group
}

// NewGroups makes the groups of a product graph over base; a Groups is for one goroutine. Where a state is reached from
// states of several vertices by turns, each state is a group.
func NewGroups(product, base *Graph) *Groups {
	tail := make([]int32, len(base.Head))
	for v := range base.NumVertices() {
		for e := base.First[v]; e < base.First[v+1]; e++ {
			tail[e] = int32(v)
		}
	}
	g := &Groups{}
	if !g.fill(product, func(s int32) int32 { return tail[product.Edge[product.First[s]]] }) {
		g.fill(product, func(s int32) int32 { return s })
	}
	return g
}

// fill makes the groups, of the states with the same vertex, and reports whether each state is reached in order.
func (g *Groups) fill(product *Graph, vertex func(s int32) int32) bool {
	g.code, g.order = nil, nil
	most, last, ordered := 0, make([]int32, product.NumVertices()), true
	for l := range len(product.Layer) - 2 {
		var groups [][]int32
		number := map[int32]int{}
		for s := product.Layer[l]; s < product.Layer[l+1]; s++ {
			if product.First[s] == product.First[s+1] {
				continue
			}
			v := vertex(s)
			i, met := number[v]
			if !met {
				i, number[v], groups = len(groups), len(groups), append(groups, nil)
			}
			groups[i] = append(groups[i], s)
		}
		g.code = append(g.code, int32(len(groups)))
		for _, states := range groups {
			most = max(most, len(states))
			ordered = g.group(product, states, last) && ordered
		}
	}
	g.code, g.rates = append(g.code, -1), make([]Lane, most)
	return ordered
}

// group adds the states. last is by state the greatest of those that it was come to from.
func (g *Groups) group(product *Graph, states, last []int32) (ordered bool) {
	type edge struct{ base, k, from int32 }
	var edges []edge
	for i, s := range states {
		for k := product.First[s]; k < product.First[s+1]; k++ {
			edges = append(edges, edge{product.Edge[k], k, int32(i)})
		}
	}
	slices.SortStableFunc(edges, func(a, b edge) int { return int(a.base - b.base) })
	g.code = append(append(g.code, int32(len(states))), states...)
	count := len(g.code)
	g.code = append(g.code, 0)
	n := 0 // where the number of the segment's edges is
	ordered = true
	for i, e := range edges {
		to := product.Head[e.k]
		if i == 0 || e.base != edges[i-1].base || to != product.Head[edges[i-1].k] {
			g.code[count]++
			g.code = append(g.code, e.base, to, 0)
			n = len(g.code) - 1
		}
		g.code[n]++
		g.code, g.order = append(g.code, e.from), append(g.order, e.k)
		ordered = ordered && last[to] <= states[e.from]
		last[to] = states[e.from]
	}
	return ordered
}

// Order returns p, by edge of the product graph, in the order in which Occupy reads it.
func (g *Groups) Order(p []float64) []float64 {
	q := make([]float64, len(p))
	for i, k := range g.order {
		q[i] = p[k]
	}
	return q
}

// Occupy adds to out, by edge of the graph, the probabilities that a path of class c of Weigh's takes it, times total,
// the path's weight. p is the class's, as Order has it; m and tops are Weigh's; reach is scratch, by state.
func Occupy(g *Groups, p []float64, b, m, tops []Lane, c int, reach, out []Lane, total Lane) {
	clear(reach)
	reach[0] = total
	a := Args{Groups: first(g.code), P: first(p), B: first(b), M: &m[c], Tops: &tops[c], Reach: first(reach),
		Out: first(out), Rates: first(g.rates)}
	occupy(&a)
}
