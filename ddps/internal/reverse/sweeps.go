package reverse

import (
	"slices"

	"github.com/gomlx/gomlx/pkg/core/dtypes"
	"github.com/gomlx/gomlx/pkg/core/graph"
	"github.com/gomlx/gomlx/pkg/core/shapes"
)

// The bounds within which messages need no logarithms, as on the host.
const least, most = 0x1p-960, 0x1p960

// back sweeps from the last layer to the first: row sets each layer's rows, [D, W, B], from the messages of its heads,
// [D, W, B], and returns them with the layer's own messages, [W, B]. Those of the last layer are start. It returns the
// rows and the messages of all layers, [D, V, B] and [V, B].
func (s *Step) back(start float64, row func(l int, next *graph.Node) (rows, messages *graph.Node)) (rows,
	messages *graph.Node) {
	L := len(s.Layer)
	var all, own []*graph.Node
	m := graph.Scalar(s.g, dtypes.Float64, start)
	for l := L - 2; l >= 0; l-- {
		W := s.Layer[l+1] - s.Layer[l]
		next := m // of the last layer: a number
		if l < L-2 {
			next = s.gather(m, s.heads(l), s.D, W, s.B)
		} else {
			next = graph.BroadcastToDims(next, s.D, W, s.B)
		}
		var r *graph.Node
		r, m = row(l, next)
		all, own = append(all, r), append(own, m)
	}
	slices.Reverse(all)
	slices.Reverse(own)
	return graph.Concatenate(all, 1), graph.Concatenate(own, 0)
}

// Posterior is the exact denoiser of the chain p, [D, V, 1] padded: chain.Denoiser's Posterior, but for its way out of
// the range of a float64, which flags the sample.
func (s *Step) Posterior(p *graph.Node) (pi *graph.Node) {
	p = graph.BroadcastToDims(p, s.D, s.V, s.B)
	boost := graph.InsertAxes(graph.OnePlus(graph.Mul(s.ratio, s.degree)), 0)
	weight := s.where(s.Same, boost, s.float(1))
	pi, _ = s.back(1, func(l int, next *graph.Node) (rows, messages *graph.Node) {
		prior := s.layer(p, l)
		q := graph.Mul(graph.Mul(prior, next), s.layer(weight, l))
		sum := graph.ReduceSum(q, 0)
		none := graph.Equal(sum, s.float(0))
		inv := graph.Div(s.float(1), s.where(none, s.float(1), sum))
		rows = s.where(graph.BroadcastToDims(graph.InsertAxes(none, 0), q.Shape().Dimensions...), prior,
			graph.Mul(q, graph.InsertAxes(inv, 0)))
		top := graph.ReduceMax(sum, 0)
		in := graph.LogicalAnd(graph.GreaterOrEqual(top, s.float(least)), graph.LessOrEqual(top, s.float(most)))
		s.flag(graph.LogicalNot(in))
		return rows, graph.Div(sum, graph.InsertAxes(top, 0))
	})
	return pi
}

// Ones is π where there is nothing that a network corrects: 1 at every edge.
func (s *Step) Ones() *graph.Node { return graph.ConvertDType(s.mask, dtypes.Float64) }

// Correct multiplies each row of π by exp(out), out [D, V, B] in float32, and normalises it. What is not a number flags
// the sample.
func (s *Step) Correct(pi, out *graph.Node) *graph.Node {
	z := graph.ConvertDType(out, dtypes.Float64)
	never := graph.Infinity(s.g, dtypes.Float64, -1)
	z = graph.Where(graph.GreaterThan(pi, s.float(0)), z, never)
	single := graph.Reshape(graph.Const(s.g, s.degree1()), 1, s.V, 1)
	z = s.where(graph.BroadcastToDims(single, s.D, s.V, s.B), s.float(0), z) // a row of one edge has no logit
	e := graph.Mul(pi, graph.Exp(graph.Sub(z, graph.ReduceAndKeep(z, graph.ReduceMax, 0))))
	sum := graph.ReduceSum(e, 0)
	good := graph.LogicalOr(graph.GreaterThan(sum, s.float(0)), graph.LogicalNot(s.rows))
	s.flag(graph.Equal(graph.ReduceMin(graph.ConvertDType(good, dtypes.Int32), 0), s.int(0)))
	return graph.Div(e, graph.InsertAxes(sum, 0))
}

// degree1 says which vertices have fewer than two choices.
func (t *Table) degree1() (few []bool) {
	for _, d := range t.degree {
		few = append(few, d < 2)
	}
	return few
}

// Reach returns the probabilities, [V, B], that a path of the chain π visits the vertices.
func (s *Step) Reach(pi *graph.Node) *graph.Node {
	p := graph.Ones(s.g, shapes.Make(dtypes.Float64, 1, s.B))
	all := []*graph.Node{p}
	for l := range len(s.Layer) - 2 {
		p = s.into(graph.Mul(s.layer(pi, l), graph.InsertAxes(p, 0)), l)
		all = append(all, p)
	}
	return graph.Concatenate(all, 0)
}

// into returns the sums of flow, [D, W, B] of layer l, over the edges into each vertex of the next, [W', B].
func (s *Step) into(flow *graph.Node, l int) *graph.Node {
	none := graph.Zeros(s.g, shapes.Make(dtypes.Float64, 1, s.B))
	flow = graph.Concatenate([]*graph.Node{graph.Reshape(flow, -1, s.B), none}, 0)
	index, most := s.enter(l)
	return graph.ReduceSum(s.gather(flow, index, most, len(index)/most, s.B), 0)
}

// Gradient returns the gradient of R̄ by the logits (package guide's NewGradient), [D, V, B], for the rewards u, [D, V,
// B] padded:
//
//	∂R̄/∂z_v(e) = p_v π_v(e)(u_v(e) + W_{head(e)} − W_v).
func (s *Step) Gradient(pi, u *graph.Node) *graph.Node {
	gain, w := s.back(0, func(l int, next *graph.Node) (rows, messages *graph.Node) {
		gain := graph.Add(s.layer(u, l), next)
		return gain, graph.ReduceSum(graph.Mul(s.layer(pi, l), gain), 0)
	})
	p := graph.InsertAxes(s.Reach(pi), 0)
	return graph.Mul(graph.Mul(p, pi), graph.Sub(gain, graph.InsertAxes(w, 0)))
}
