package d3pm

import "github.com/gomlx/gomlx/pkg/core/graph"

// pairNodes builds a Pair as a graph, layer by layer with the vertices of a layer as one axis: the sweeps along edges
// are products with matrices of probabilities, [batch, vertex, vertex of the next layer], 0 where there is no edge. So
// what has a gradient is products and sums alone, on every backend.
type pairNodes struct {
	p     *Pair
	param map[string]*graph.Node
	gamma *graph.Node   // γ_t [batch, 1, H]
	pi, q []*graph.Node // by layer: π_v(w) and q_vw, [batch, W_l, W_{l+1}]
}

// newPairNodes takes the parameters, in Params order, and pairDevice's features, π and q.
func newPairNodes(p *Pair, params []*graph.Node, feature, pi, q *graph.Node) *pairNodes {
	n := &pairNodes{p: p, param: map[string]*graph.Node{}}
	for i, x := range p.params {
		n.param[x.Name] = params[i]
	}
	n.gamma = graph.InsertAxes(graph.OnePlus(graph.Dot(feature, n.param["gamma"])), 1)
	for l := range p.graph.NumLayers() - 1 {
		n.pi, n.q = append(n.pi, n.dense(pi, l)), append(n.q, n.dense(q, l))
	}
	return n
}

// dense returns the matrices between layers l and l+1 of numbers by edge, [edge+1, batch], whose last row is zero.
func (n *pairNodes) dense(x *graph.Node, l int) *graph.Node {
	g := &n.p.graph
	lo, hi := g.Layer(l)
	next, end := g.Layer(l + 1)
	W, to := hi-lo, end-next
	index := make([]int32, W*to)
	for i := range index {
		index[i] = int32(g.E)
	}
	for v := lo; v < hi; v++ {
		first, last := g.out(v)
		for e := first; e < last; e++ {
			index[(v-lo)*to+int(g.head[e])-next] = int32(e)
		}
	}
	y := graph.Gather(x, graph.Reshape(graph.Const(x.Graph(), index), W*to, 1))
	return graph.Reshape(graph.Transpose(y, 0, 1), -1, W, to)
}

// vectors returns a or b of layer l's vertices, [W, H].
func (n *pairNodes) vectors(name string, l int) *graph.Node {
	lo, hi := n.p.graph.Layer(l)
	rows := n.param[name]
	x := graph.Gather(rows, graph.Reshape(graph.Const(rows.Graph(), n.p.row[lo:hi]), hi-lo, 1))
	if back := n.param[name+".back"]; back != nil { // b's; r times the rows of a
		like := graph.Gather(n.param["a"], graph.Reshape(graph.Const(rows.Graph(), n.p.row[lo:hi]), hi-lo, 1))
		x = graph.Add(x, graph.Mul(like, graph.Slice(back, graph.AxisElem(l))))
	}
	if scale := n.param[name+".layer"]; scale != nil {
		x = graph.Mul(x, graph.OnePlus(graph.Slice(scale, graph.AxisElem(l))))
	}
	return x
}

// outputs returns for each layer but the last what leaves the vertices that on tells of: on[l] is one-hot,
// [batch, W_l]; the output is ⟨A_v, U_w⟩ + T_w, [batch, W_{l+1}], for all w, of which those without an edge say nothing.
func (n *pairNodes) outputs(on []*graph.Node) []*graph.Node {
	A, out := n.before(), make([]*graph.Node, len(on))
	n.after(func(l int, U, T *graph.Node) {
		if l > 0 {
			from := graph.Einsum("nv,nvh->nh", on[l-1], A[l-1])
			out[l-1] = graph.Add(graph.Einsum("nh,nwh->nw", from, U), T)
		}
	})
	return out
}

// before sweeps A_w = a_w + Σ_v q_vw A_v, [batch, W, H] by layer.
func (n *pairNodes) before() (A []*graph.Node) {
	batch := n.gamma.Shape().Dimensions[0]
	for l := range n.p.graph.NumLayers() {
		a := graph.InsertAxes(n.vectors("a", l), 0)
		if l == 0 {
			d := a.Shape().Dimensions
			A = append(A, graph.BroadcastToDims(a, batch, d[1], d[2]))
		} else {
			A = append(A, graph.Add(graph.Einsum("nvw,nvh->nwh", n.q[l-1], A[l-1]), a))
		}
	}
	return A
}

// after sweeps U_v = γ ⊙ b_v + Σ_w π_v(w) U_w, [batch, W, H], and T_v = ⟨a_v, γ ⊙ S_v⟩ + Σ_w π_v(w) T_w, [batch, W], from
// the last layer to the first, and hands each layer's to see.
func (n *pairNodes) after(see func(l int, U, T *graph.Node)) {
	last := n.p.graph.NumLayers() - 1
	var U, T *graph.Node
	for l := last; l >= 0; l-- {
		gb := graph.Mul(n.gamma, graph.InsertAxes(n.vectors("b", l), 0))
		if l == last {
			U, T = gb, graph.ReduceSum(graph.ZerosLike(gb), 2)
		} else {
			S := graph.Einsum("nvw,nwh->nvh", n.pi[l], U)
			T = graph.Add(graph.Einsum("nvh,vh->nv", S, n.vectors("a", l)), graph.Einsum("nvw,nw->nv", n.pi[l], T))
			U = graph.Add(gb, S)
		}
		see(l, U, T)
	}
}
