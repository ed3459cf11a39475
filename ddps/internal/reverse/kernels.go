package reverse

import (
	"github.com/gomlx/gomlx/pkg/core/dtypes"
	"github.com/gomlx/gomlx/pkg/core/graph"
	"github.com/gomlx/gomlx/pkg/core/shapes"
)

// The kernels return the distributions of x_s row by row, [D, V, B], as d3pm's of the same name; rows without a choice
// mean nothing.

// Austin is p(x_s) ∝ Σ_i q(x_s, x_t | x_0 = i) π(i).
func (s *Step) Austin(pi *graph.Node) *graph.Node {
	move := graph.InsertAxes(graph.Div(graph.OneMinus(s.as), s.degree), 0)
	dist := s.real(graph.Mul(s.aQ, graph.Add(graph.Mul(s.as, pi), move)))
	return graph.Div(dist, graph.InsertAxes(graph.ReduceSum(dist, 0), 0))
}

// Eq2 is p(x_s) = Σ_i q(x_s | x_t, x_0 = i) π(i).
func (s *Step) Eq2(pi *graph.Node) *graph.Node {
	r := graph.Div(pi, s.atQ)
	sum := graph.ReduceSum(r, 0)
	move := graph.Mul(graph.Div(graph.OneMinus(s.as), s.degree), sum)
	return s.real(graph.Mul(s.aQ, graph.Add(graph.Mul(s.as, r), graph.InsertAxes(move, 0))))
}

// Occupancy is p_v·Eq2 + (1−p_v)·q(x_t | x_s), and π in the last step.
func (s *Step) Occupancy(pi *graph.Node) *graph.Node {
	p := graph.InsertAxes(graph.Min(s.Reach(pi), s.float(1)), 0)
	dist := graph.Add(graph.Mul(p, s.Eq2(pi)), graph.Mul(graph.OneMinus(p), s.aQ))
	return s.real(graph.Where(s.last, pi, dist))
}

// Joint draws x̃_0, a path of the chain π, and gives q(x_s | x_t, x̃_0) to its rows, q(x_t | x_s) to others, and π in
// the last step, which draws no path.
func (s *Step) Joint(pi *graph.Node) *graph.Node {
	on, x0 := s.path(pi)
	s.Used = graph.Where(graph.Squeeze(graph.Slice(s.last, graph.AxisElem(0), graph.AxisElem(0)), 0, 1), s.int(0), s.Used)
	same := graph.Equal(graph.Iota(s.g, shapes.Make(dtypes.Int32, s.D, s.V, s.B), 0), graph.InsertAxes(x0, 0))
	from := graph.InsertAxes(s.rates(s.at, graph.Equal(s.X, x0)), 0) // q(x_t | x̃_0)
	path := graph.Mul(s.aQ, graph.Div(s.rates(s.as, same), from))
	on = graph.BroadcastToDims(graph.InsertAxes(on, 0), s.D, s.V, s.B)
	return s.real(graph.Where(s.last, pi, graph.Where(on, path, s.aQ)))
}

// Annealed is the logarithm of Algorithm2's distribution up to a constant: ᾱ_t·z + (1−ᾱ_t)·(mean of z over the row), z
// = log π; edges of probability 0 keep it and do not count in the mean.
func (s *Step) Annealed(pi *graph.Node) *graph.Node {
	some := graph.GreaterThan(pi, s.float(0))
	z := graph.Log(graph.Where(some, pi, s.float(1)))
	n := graph.ReduceSum(graph.ConvertDType(some, dtypes.Float64), 0)
	mean := graph.Div(graph.Mul(graph.OneMinus(s.at), graph.ReduceSum(z, 0)), n)
	dist := graph.Add(graph.Mul(s.at, z), graph.InsertAxes(mean, 0))
	return graph.Where(some, dist, graph.Infinity(s.g, dtypes.Float64, -1))
}

// limit keeps −Inf + λ·g from being NaN.
const limit = 1e300

// Guide multiplies dist, its logarithm where logs is set, by exp(λ g), lambda [B] and grad [D, V, B], nil for none, and
// normalises it.
func (s *Step) Guide(dist *graph.Node, logs bool, grad, lambda *graph.Node) *graph.Node {
	never := graph.Infinity(s.g, dtypes.Float64, -1)
	if !logs {
		some := graph.GreaterThan(dist, s.float(0))
		dist = graph.Where(some, graph.Log(graph.Where(some, dist, s.float(1))), never)
	}
	if grad != nil {
		push := graph.Mul(graph.InsertAxes(lambda, 0, 0), grad)
		dist = graph.Add(dist, graph.Min(graph.Max(push, s.float(-limit)), s.float(limit)))
	}
	e := graph.Exp(graph.Sub(dist, graph.ReduceAndKeep(dist, graph.ReduceMax, 0)))
	e = s.real(e)
	return graph.Div(e, graph.InsertAxes(graph.ReduceSum(e, 0), 0))
}
