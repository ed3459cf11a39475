package edpgnn

import (
	"math"

	"github.com/gomlx/gomlx/pkg/core/graph"

	"github.com/ddps-go/ddps/ddps/internal/engine"
)

// nodes builds the network as a graph. It reads the parameters in the order that Model.init made them.
type nodes struct {
	m      *Model
	params []*graph.Node
	next   int
	level  *graph.Node   // [batch, level] one-hot
	vertex *graph.Node   // [batch, n, 1] 1 for a vertex that is there, else 0
	pair   *graph.Node   // [1, batch, n, n] 1 for a pair of such, else 0
	square *graph.Node   // [n, n] 1 off the diagonal, else 0
	train  bool          // normalise by the batch, not by running statistics
	stats  []*graph.Node // the batch's: mean and variance of each normalisation, [width]
}

// newNodes begins a network on the parameters, the one-hot levels [batch, level], the vertices that are there [batch,
// n], and square [n, n].
func newNodes(m *Model, params []*graph.Node, level, there, square *graph.Node) *nodes {
	vertex := graph.InsertAxes(there, 2)
	pair := graph.Mul(vertex, graph.InsertAxes(there, 1))
	return &nodes{m: m, params: params, level: level, vertex: vertex, pair: graph.InsertAxes(pair, 0), square: square}
}

// param returns the next parameter.
func (b *nodes) param() *graph.Node {
	b.next++
	return b.params[b.next-1]
}

// score builds s(x; σ), [batch, n, n], from x of that shape.
func (b *nodes) score(x *graph.Node) *graph.Node {
	x = graph.InsertAxes(x, 0)
	a := graph.Mul(graph.Concatenate([]*graph.Node{x, graph.OneMinus(x)}, 0), b.pair)
	all := []*graph.Node{a}
	var h *graph.Node
	for range b.m.layers() {
		h = b.gin(a, h)
		a = b.edges(a, h)
		all = append(all, a)
	}
	y := b.first(graph.Concatenate(all, 0), b.param())
	y = graph.Mul(b.rest(graph.Add(y, column(b.param(), 4)), false), b.pair)
	return graph.Mul(graph.Reshape(y, y.Shape().Dimensions[1:]...), graph.InsertAxes(b.square, 0))
}

// gin builds a layer's features of the vertices, [batch, n, Hidden], from a, [channel, batch, n, n], and those of the
// layer before, nil for none.
func (b *nodes) gin(a, h *graph.Node) *graph.Node {
	x := b.scaled(graph.TransposeAllAxes(graph.ReduceSum(a, 3), 1, 2, 0)) // degrees
	if h != nil {
		x = graph.Concatenate([]*graph.Node{h, x}, 2)
	}
	x = graph.Mul(x, b.vertex)
	eps := b.param()
	sum := b.read(x)
	for k := range b.m.cfg.Rounds {
		self := graph.Mul(x, graph.InsertAxes(graph.AddScalar(graph.Slice(eps, graph.AxisElem(k)), 1), 0, 0))
		y := graph.DotGeneral(a, []int{3}, []int{1}, x, []int{1}, []int{0}) // [batch, channel, n, features]
		y = b.scaled(graph.Add(y, graph.InsertAxes(self, 1)))
		y = graph.DotGeneral(y, []int{1, 3}, nil, b.param(), []int{1, 2}, nil)
		y = positive(graph.Add(y, graph.ExpandLeftToRank(b.param(), 3)))
		x = graph.Mul(graph.Tanh(engine.Affine(y, b.param(), b.param())), b.vertex)
		sum = graph.Add(sum, b.read(x))
	}
	return sum
}

// scaled divides sums over neighbours by √N if the settings say so.
func (b *nodes) scaled(x *graph.Node) *graph.Node {
	if !b.m.cfg.Scaled {
		return x
	}
	return graph.MulScalar(x, 1/math.Sqrt(float64(b.m.N)))
}

// read builds a readout of the features x.
func (b *nodes) read(x *graph.Node) *graph.Node {
	y := engine.Affine(x, b.param(), b.param())
	up := positive(y)
	y = graph.Add(up, graph.MulScalar(graph.Sub(y, up), slope))
	return engine.Affine(y, b.param(), b.param())
}

// edges builds the next channels, [channel, batch, n, n]. The first layer of the MLP on (A_ij, X_i, X_j) is a sum over
// the three, of which the latter two are worked out once a vertex.
func (b *nodes) edges(a, h *graph.Node) *graph.Node {
	y := b.first(a, b.param())
	from := graph.DotGeneral(b.param(), []int{1}, nil, h, []int{2}, nil) // [width, batch, n]
	to := graph.DotGeneral(b.param(), []int{1}, nil, h, []int{2}, nil)
	y = graph.Add(graph.Add(y, graph.InsertAxes(from, 3)), graph.InsertAxes(to, 2))
	y = b.rest(graph.Add(y, column(b.param(), 4)), true)
	y = graph.Add(y, graph.Transpose(y, 2, 3))
	return graph.Mul(y, b.pair)
}

// first contracts the channels of a with w: [width, batch, n, n].
func (b *nodes) first(a, w *graph.Node) *graph.Node {
	return graph.DotGeneral(w, []int{1}, nil, a, []int{0}, nil)
}

// rest builds what follows an MLP's first layer, y.
func (b *nodes) rest(y *graph.Node, norm bool) *graph.Node {
	for k := range 2 {
		if k == 1 {
			y = graph.Add(b.first(y, b.param()), column(b.param(), 4))
		}
		if norm {
			y = b.normalise(y)
		}
		y = elu(b.conditioned(y))
	}
	return graph.Add(b.first(y, b.param()), column(b.param(), 4))
}

// normEps keeps a batch normalisation's root away from 0.
const normEps = 1e-5

// normalise is batch normalisation (Ioffe and Szegedy 2015) over all pairs of all graphs at all levels, those that are
// masked and the diagonal too, as in the authors' program.
func (b *nodes) normalise(y *graph.Node) *graph.Node {
	gain, bias, mean, variance := b.param(), b.param(), b.param(), b.param()
	if b.train {
		mean = graph.ReduceMean(y, 1, 2, 3)
		variance = graph.ReduceMean(graph.Square(graph.Sub(y, column(mean, 4))), 1, 2, 3)
		b.stats = append(b.stats, mean, variance)
	}
	scale := graph.Div(gain, graph.Sqrt(graph.AddScalar(variance, normEps)))
	return graph.Add(graph.Mul(graph.Sub(y, column(mean, 4)), column(scale, 4)), column(bias, 4))
}

// conditioned applies the level's gain and bias, [width, level].
func (b *nodes) conditioned(y *graph.Node) *graph.Node {
	of := func(p *graph.Node) *graph.Node {
		return graph.InsertAxes(graph.DotGeneral(p, []int{1}, nil, b.level, []int{1}, nil), 2, 2)
	}
	gain := of(b.param())
	return graph.Add(graph.Mul(y, gain), of(b.param()))
}

// column gives b, [width], so many axes in all, all but the first of them of length 1.
func column(b *graph.Node, rank int) *graph.Node {
	for b.Rank() < rank {
		b = graph.InsertAxes(b, b.Rank())
	}
	return b
}

// positive is max(x, 0), with slope 0 at 0.
func positive(x *graph.Node) *graph.Node {
	zero := graph.ZerosLike(x)
	return graph.Where(graph.GreaterThan(x, zero), x, zero)
}

// elu is x where that is above 0, else eˣ − 1.
func elu(x *graph.Node) *graph.Node {
	up := positive(x)
	return graph.Add(up, graph.AddScalar(graph.Exp(graph.Sub(x, up)), -1))
}
