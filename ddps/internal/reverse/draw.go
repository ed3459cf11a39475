package reverse

import (
	"github.com/gomlx/gomlx/pkg/core/dtypes"
	"github.com/gomlx/gomlx/pkg/core/graph"
	"github.com/gomlx/gomlx/pkg/core/shapes"
)

// pick is chain.Pick: where the running sum of dist, [D, …] over its first axis, passes u, [1, …] or of dist's rank
// less one; int32.
func (s *Step) pick(dist, u *graph.Node) *graph.Node {
	dims := dist.Shape().Dimensions[1:]
	left, zero := graph.BroadcastToDims(u, dims...), s.float(0)
	at := graph.Zeros(s.g, shapes.Make(dtypes.Int32, dims...))
	open := graph.Equal(at, s.int(0))
	for d := range s.D {
		q := graph.Squeeze(graph.Slice(dist, graph.AxisElem(d)), 0)
		here := graph.LogicalAnd(open, graph.GreaterThan(q, zero))
		at = graph.Where(here, s.int(d), at)
		left = graph.Where(here, graph.Sub(left, q), left)
		open = graph.LogicalAnd(open, graph.GreaterOrEqual(left, zero))
	}
	return at
}

// path draws x̃_0, a path of the chain π, and returns which vertices are on it, [V, B] bool, and the choice of the
// vertex on it in each vertex's layer, [V, B] int32. Like the host it takes a random number for each choice.
func (s *Step) path(pi *graph.Node) (on, choice *graph.Node) {
	L := len(s.Layer)
	flat := graph.Reshape(pi, s.D*s.V*s.B)
	sample := graph.Iota(s.g, shapes.Make(dtypes.Int32, s.B), 0)
	place := graph.Mul(graph.Iota(s.g, shapes.Make(dtypes.Int32, s.D, s.B), 0), s.int(s.V*s.B))
	first := graph.Mul(sample, s.int(s.Draws()))
	head, many := graph.Const(s.g, s.head), graph.Const(s.g, s.many())
	v := graph.Zeros(s.g, shapes.Make(dtypes.Int32, s.B))
	var vs, choices []*graph.Node
	for range L - 1 {
		row := s.take(flat, graph.Add(place, graph.InsertAxes(graph.Add(graph.Mul(v, s.int(s.B)), sample), 0)))
		c := s.pick(row, s.take(s.draws, graph.Add(first, s.Used)))
		vs, choices = append(vs, v), append(choices, c)
		s.Used = graph.Add(s.Used, s.take(many, v))
		v = s.take(head, graph.Add(graph.Mul(c, s.int(s.V)), v))
	}
	each := func(list []*graph.Node) *graph.Node {
		return s.gather(graph.Stack(list, 0), s.layerOf, s.V, s.B)
	}
	return graph.Equal(each(vs), graph.Iota(s.g, shapes.Make(dtypes.Int32, s.V, s.B), 0)), each(choices)
}

// many is 1 for vertices with a choice, else 0.
func (t *Table) many() (n []int32) {
	for _, d := range t.degree {
		n = append(n, int32(min(d-1, 1)))
	}
	return n
}

// Draw draws x_s row by row from dist and returns it, [V, B], other vertices as they are. Row r takes the r-th number
// after those of Used.
func (s *Step) Draw(dist *graph.Node) *graph.Node {
	first := graph.Mul(graph.Iota(s.g, shapes.Make(dtypes.Int32, 1, s.B), 1), s.int(s.Draws()))
	row := graph.Max(s.consts(s.Row, s.V, 1), s.int(0))
	index := graph.Add(graph.Add(first, graph.InsertAxes(s.Used, 0)), row)
	return graph.Where(s.rows, s.pick(dist, s.take(s.draws, index)), s.X)
}
