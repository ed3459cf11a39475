package reverse

import (
	"github.com/gomlx/gomlx/pkg/core/dtypes"
	"github.com/gomlx/gomlx/pkg/core/graph"
	"github.com/gomlx/gomlx/pkg/core/shapes"
)

// Numbers are what a step t → s takes from the schedule.
type Numbers struct{ At, As, A, Ratio, Last float64 }

// NewNumbers makes those of ᾱ_t and ᾱ_s; last says that s = 0.
func NewNumbers(at, as float64, last bool) Numbers {
	n := Numbers{At: at, As: as, A: at / as, Ratio: at / (1 - at)}
	if last {
		n.Last = 1
	}
	return n
}

// Flat returns the numbers as Begin takes them.
func (n Numbers) Flat() []float64 { return []float64{n.At, n.As, n.A, n.Ratio, n.Last} }

// Step builds one reverse step of a batch of B samples.
type Step struct {
	*Table
	B       int
	X       *graph.Node // [V, B] x_t, the choice of each vertex; int32
	Same    *graph.Node // [D, V, B] whether it is x_t's; bool
	Used    *graph.Node // [B] random numbers that paths have taken; int32
	Bad     *graph.Node // [B] 1 where the sample left what the arithmetic can hold, else 0
	g       *graph.Graph
	draws   *graph.Node // [B·Draws]
	mask    *graph.Node // [D, V, B] whether there is an edge; bool
	rows    *graph.Node // [V, B] whether the vertex is a row; bool
	degree  *graph.Node // [V, 1]
	last    *graph.Node // [D, V, B] whether s = 0; bool
	at, as  *graph.Node // scalars
	atQ, aQ *graph.Node // [D, V, B] q(x_t | x_0 = e), q(x_t | x_s = e)
	ratio   *graph.Node // scalar ᾱ_t/(1−ᾱ_t)
}

// Begin starts a step from x, [V, B] int32, with each sample's random numbers, draws, [B, Draws] in [0, 1), and the
// numbers of the schedule, [5].
func Begin(t *Table, x, draws, numbers *graph.Node) *Step {
	s := &Step{Table: t, B: x.Shape().Dimensions[1], X: x, g: x.Graph()}
	s.draws = graph.Reshape(draws, s.B*t.Draws())
	number := func(i int) *graph.Node { return graph.Reshape(graph.Slice(numbers, graph.AxisElem(i))) }
	s.at, s.as, s.ratio = number(0), number(1), number(3)
	s.last = graph.BroadcastToDims(graph.GreaterThan(number(4), s.float(0.5)), t.D, t.V, s.B)
	none := s.consts(t.Edge, t.D, t.V, 1)
	s.mask = graph.BroadcastToDims(graph.LessThan(none, s.int(t.E)), t.D, t.V, s.B)
	s.rows = graph.BroadcastToDims(graph.GreaterOrEqual(s.consts(t.Row, t.V, 1), s.int(0)), t.V, s.B)
	s.degree = graph.Reshape(graph.Const(s.g, t.degree), t.V, 1)
	choice := graph.Iota(s.g, shapes.Make(dtypes.Int32, t.D, t.V, s.B), 0)
	s.Same = graph.Equal(choice, graph.InsertAxes(x, 0))
	s.atQ, s.aQ = s.rates(s.at, s.Same), s.rates(number(2), s.Same)
	s.Used = graph.Zeros(s.g, shapes.Make(dtypes.Int32, s.B))
	s.Bad = s.Used
	return s
}

// rates returns q = a·1[same] + (1−a)/D_v, in the shape of same: [D, V, B] or [V, B].
func (s *Step) rates(a, same *graph.Node) *graph.Node {
	move := graph.Div(graph.OneMinus(a), s.degree)
	if same.Rank() == 3 {
		move = graph.InsertAxes(move, 0)
	}
	return s.where(same, graph.Add(move, a), move)
}

func (s *Step) float(x float64) *graph.Node { return graph.Scalar(s.g, dtypes.Float64, x) }

func (s *Step) int(x int) *graph.Node { return graph.Scalar(s.g, dtypes.Int32, x) }

// consts are numbers known beforehand.
func (s *Step) consts(x []int32, dims ...int) *graph.Node {
	return graph.Reshape(graph.Const(s.g, x), dims...)
}

// where is a where the condition holds, else b, each spread to the condition's shape.
func (s *Step) where(condition, a, b *graph.Node) *graph.Node {
	spread := func(x *graph.Node) *graph.Node {
		if x.IsScalar() {
			return x
		}
		return graph.BroadcastToDims(x, condition.Shape().Dimensions...)
	}
	return graph.Where(condition, spread(a), spread(b))
}

// real is x where there is an edge, else 0.
func (s *Step) real(x *graph.Node) *graph.Node { return graph.Where(s.mask, x, s.float(0)) }

// layer returns the vertices of layer l of x, [D, V, …].
func (s *Step) layer(x *graph.Node, l int) *graph.Node {
	return graph.Slice(x, graph.AxisRange(), graph.AxisRange(s.Layer[l], s.Layer[l+1]))
}

// gather returns rows of x, [n, …], by an index known beforehand, in the shape dims.
func (s *Step) gather(x *graph.Node, index []int32, dims ...int) *graph.Node {
	return graph.Reshape(graph.Gather(x, s.consts(index, len(index), 1)), dims...)
}

// take returns the numbers of x, [n], at index, of any shape.
func (s *Step) take(x, index *graph.Node) *graph.Node {
	return graph.Reshape(graph.Gather(x, graph.Reshape(index, -1, 1)), index.Shape().Dimensions...)
}

// flag marks the samples for which bad, [B], holds.
func (s *Step) flag(bad *graph.Node) {
	s.Bad = graph.Max(s.Bad, graph.ConvertDType(bad, dtypes.Int32))
}

// Chosen is x_t as one-hot rows, [D, V, B] in float32, 0 in vertices without a choice.
func (s *Step) Chosen() *graph.Node {
	rows := graph.BroadcastToDims(graph.InsertAxes(s.rows, 0), s.D, s.V, s.B)
	return graph.ConvertDType(graph.LogicalAnd(s.Same, rows), dtypes.Float32)
}

// ByEdge returns x, [D, V, B], by edge: [E, B].
func (s *Step) ByEdge(x *graph.Node) *graph.Node {
	return s.gather(graph.Reshape(x, s.D*s.V, s.B), s.Place, s.E, s.B)
}

// ByPlace returns x, [n, B], whose first E rows are edges, by place: [D, V, B], with any of them where there is no
// edge.
func (s *Step) ByPlace(x *graph.Node) *graph.Node {
	return s.gather(x, s.Edge, s.D, s.V, s.B)
}
