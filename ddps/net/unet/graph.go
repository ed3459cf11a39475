package unet

import (
	"github.com/ddps-go/ddps/ddps/internal/engine"
	"github.com/gomlx/gomlx/pkg/core/dtypes"
	"github.com/gomlx/gomlx/pkg/core/graph"
	"github.com/gomlx/gomlx/pkg/core/shapes"
)

// graphNodes builds a UNet as a graph. Maps are [vertex, batch, channel], so that a step along the vertices is a
// slice of whole blocks of memory; they end with the last vertex that counts (region). It uses slices, concatenations
// and matrix products alone, whose gradients (with package dotgrad) every backend has.
type graphNodes struct {
	u    *Network
	p    []*graph.Node // the parameters
	tau  *graph.Node   // [batch, 2C]
	next int           // block of the walk
}

// normEps keeps the norm's root away from 0.
const normEps = 1e-5

// forward builds out, [vertex, batch, D], from the one-hot PALMs x, [vertex, batch, D] (0 in rows without a choice)
// and the features of time, [batch, Time].
func (n *graphNodes) forward(x, time *graph.Node) *graph.Node {
	p := n.p
	n.tau = engine.Silu(engine.Affine(engine.Silu(engine.Affine(time, p[1], p[2])), p[3], p[4]))
	h := graph.DotGeneral(x, []int{2}, []int{0}, p[0], []int{1}, []int{0})
	h = walk(n.u, n.to(h, n.u.P), n)
	V := min(n.u.V, h.Shape().Dimensions[0])
	h = engine.Silu(n.norm(n.to(h, V)))
	w, b := n.to(p[len(p)-2], V), n.to(p[len(p)-1], V)
	h = graph.DotGeneral(h, []int{2}, []int{0}, w, []int{2}, []int{0})
	return n.to(graph.Add(h, graph.InsertAxes(b, 1)), n.u.V)
}

func (n *graphNodes) block(x *graph.Node, b resBlock) *graph.Node {
	p, r := n.p[b.at:], &b.region
	n.next = b.index + 1
	inside := x
	if r.zero != nil {
		inside = n.to(x, length(r.zero, false))
	}
	y := n.conv(engine.Silu(n.norm(inside)), p[0], p[1], length(r.between, true))
	film := graph.InsertAxes(engine.Affine(n.tau, p[2], p[3]), 0) // [1, batch, 2·to]
	scale := graph.Slice(film, graph.AxisRange(), graph.AxisRange(), graph.AxisRange(0, b.to))
	shift := graph.Slice(film, graph.AxisRange(), graph.AxisRange(), graph.AxisRange(b.to, 2*b.to))
	y = graph.Add(graph.Mul(n.norm(y), graph.AddScalar(scale, 1)), shift)
	out := length(r.out, true)
	y, x = n.conv(engine.Silu(y), p[4], p[5], out), n.to(x, out)
	if b.from != b.to {
		x = graph.DotGeneral(x, []int{2}, nil, p[6], []int{1}, nil)
	}
	return graph.Add(x, y)
}

// conv is y_v = W·(x_{v−r}, …, x_{v+r}) + b, r = (Kernel−1)/2, with zeros beyond the ends, as Σ_k (x·W_kᵀ)_{v+k−r}:
// products are taken before they are shifted, so that no map, nor its gradient, is laid out Kernel times together. W
// is transposed whole, not slice by slice, or XLA transposes the larger factor of its gradient Kernel times. y has that
// many vertices, those of x beyond its last are 0.
func (n *graphNodes) conv(x, w, b *graph.Node, vertices int) *graph.Node {
	K, V, from := n.u.cfg.Kernel, x.Shape().Dimensions[0], x.Shape().Dimensions[2]
	w = graph.TransposeAllAxes(graph.Reshape(w, w.Shape().Dimensions[0], K, from), 1, 2, 0)
	d := x.Shape().Dimensions
	y := graph.BroadcastToDims(graph.ExpandLeftToRank(b, 3), vertices, d[1], b.Shape().Dimensions[0])
	for k := range K {
		by := k - K/2
		lo, hi := max(0, by), min(V, vertices+by) // what is seen
		if lo >= hi {
			continue
		}
		product := graph.DotGeneral(x, []int{2}, nil, graph.Squeeze(graph.Slice(w, graph.AxisElem(k)), 0), []int{0}, nil)
		y = graph.Add(y, n.pad(graph.Slice(product, graph.AxisRange(lo, hi)), lo-by, vertices-hi+by))
	}
	return y
}

// norm divides each vertex's channels by their root mean square.
func (n *graphNodes) norm(x *graph.Node) *graph.Node {
	if !n.u.cfg.Norm {
		return x
	}
	square := graph.ReduceAndKeep(graph.Square(x), graph.ReduceMean, -1)
	return graph.Mul(x, graph.Reciprocal(graph.Sqrt(graph.AddScalar(square, normEps))))
}

func (n *graphNodes) down(x *graph.Node) *graph.Node {
	d := x.Shape().Dimensions
	return n.inside(graph.ReduceMean(graph.Reshape(x, d[0]/2, 2, d[1], d[2]), 1))
}

func (n *graphNodes) up(x *graph.Node) *graph.Node {
	d := x.Shape().Dimensions
	return n.inside(graph.Reshape(graph.BroadcastToDims(graph.InsertAxes(x, 1), d[0], 2, d[1], d[2]), 2*d[0], d[1], d[2]))
}

func (n *graphNodes) join(x, skip *graph.Node) *graph.Node {
	return graph.Concatenate([]*graph.Node{x, n.inside(skip)}, 2)
}

// inside returns the vertices of x that the next block reads.
func (n *graphNodes) inside(x *graph.Node) *graph.Node {
	return n.to(x, length(n.u.blocks[n.next].region.in, true))
}

// to returns x with so many vertices: cut off, or with zeros added.
func (n *graphNodes) to(x *graph.Node, vertices int) *graph.Node {
	switch has := x.Shape().Dimensions[0]; {
	case has > vertices:
		return graph.Slice(x, graph.AxisRange(0, vertices))
	case has < vertices:
		return n.pad(x, 0, vertices-has)
	}
	return x
}

// pad adds zero vertices before and after.
func (n *graphNodes) pad(x *graph.Node, before, after int) *graph.Node {
	d := x.Shape().Dimensions
	zeros := func(v int) *graph.Node { return graph.Zeros(x.Graph(), shapes.Make(dtypes.Float32, v, d[1], d[2])) }
	parts := []*graph.Node{x}
	if before > 0 {
		parts = []*graph.Node{zeros(before), x}
	}
	if after > 0 {
		parts = append(parts, zeros(after))
	}
	if len(parts) == 1 {
		return x
	}
	return graph.Concatenate(parts, 0)
}
