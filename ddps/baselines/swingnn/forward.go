package swingnn

import (
	"math"

	"github.com/gomlx/gomlx/pkg/core/graph"
)

// nodes builds a Model as a graph. Tokens are [batch, token, channel], row after row of their grid. Matrix products,
// reshapes, transpositions, concatenations and slices alone, whose gradients (with package dotgrad) every backend has.
type nodes struct {
	n              *Model
	p              []*graph.Node // the parameters
	x, self, level *graph.Node   // inputs
	emb            *graph.Node   // [batch, Noise]
}

// normEps keeps a layer normalisation's root away from 0.
const normEps = 1e-5

// forward builds F, [batch, N, N], symmetric, 0 on the diagonal and in the padding.
func (f *nodes) forward() *graph.Node {
	p, cfg := &f.n.plan, f.n.cfg
	f.emb = silu(f.linear(silu(f.linear(f.level, p.time1)), p.time2))
	B, h := f.x.Shape().Dimensions[0], f.n.N/cfg.Patch
	x := graph.Reshape(graph.Stack([]*graph.Node{f.self, f.x}, -1), B, h, cfg.Patch, h, cfg.Patch, 2)
	x = graph.Reshape(graph.TransposeAllAxes(x, 0, 1, 3, 2, 4, 5), B, h*h, cfg.Patch*cfg.Patch*2)
	x = f.norm(f.linear(x, p.patch), p.patchNorm)
	if cfg.Position {
		x = graph.Add(x, graph.InsertAxes(f.p[p.position], 0))
	}
	x = f.film(x, p.patchFilm)
	var skips []*graph.Node
	for _, s := range p.down {
		x = f.blocks(x, s)
		if s.down != nil {
			x = f.merge(x, s)
			skips = append(skips, x)
		}
	}
	for _, s := range p.up {
		if s.up != nil {
			last := len(skips) - 1
			x = f.breakup(graph.Concatenate([]*graph.Node{x, skips[last]}, -1), s)
			skips = skips[:last]
		}
		x = f.blocks(x, s)
	}
	return f.readOut(f.norm(x, p.norm))
}

// readOut spreads each token over its square, [Dim] at each place, mixes the channels and takes one number at each
// place. All three are linear, and are multiplied into one before they meet the tokens.
func (f *nodes) readOut(x *graph.Node) *graph.Node {
	p, cfg, N := &f.n.plan, f.n.cfg, f.n.N
	B, h := x.Shape().Dimensions[0], N/cfg.Patch
	v := graph.Dot(f.p[p.out.w], f.p[p.mix.w]) // [1, Dim]
	w := graph.Reshape(graph.DotGeneral(v, []int{1}, nil, f.p[p.spread], []int{0}, nil), cfg.Patch*cfg.Patch, cfg.Dim)
	b := graph.Add(graph.Add(graph.Dot(v, f.p[p.spreadBias]), graph.Dot(f.p[p.out.w], f.p[p.mix.b])), f.p[p.out.b])
	y := graph.Add(graph.DotGeneral(x, []int{2}, nil, w, []int{1}, nil), graph.Reshape(b, 1, 1, 1))
	y = graph.TransposeAllAxes(graph.Reshape(y, B, h, h, cfg.Patch, cfg.Patch), 0, 1, 3, 2, 4)
	y = graph.Reshape(y, B, N, N)
	y = graph.MulScalar(graph.Add(y, graph.TransposeAllAxes(y, 0, 2, 1)), 0.5)
	return graph.Mul(y, graph.InsertAxes(f.mask(), 0))
}

// mask is 1 where two different vertices meet, [N, N].
func (f *nodes) mask() *graph.Node {
	n := f.n
	m := make([]float32, n.N*n.N)
	for i := range n.V {
		for j := range n.V {
			if i != j {
				m[i*n.N+j] = 1
			}
		}
	}
	return graph.Reshape(graph.Const(f.x.Graph(), m), n.N, n.N)
}

// blocks builds a stage's blocks, each
//
//	x ← silu(x·(1 + s) + b), (s, b) = W·embedding;  x ← x + attention(norm(x));  x ← x + W₂·gelu(W₁·norm(x))
func (f *nodes) blocks(x *graph.Node, s stage) *graph.Node {
	for i := range s.blocks {
		b := &s.blocks[i]
		x = f.film(x, b.film)
		x = graph.Add(x, f.attend(f.norm(x, b.norm1), b))
		x = graph.Add(x, f.linear(gelu(f.linear(f.norm(x, b.norm2), b.fc1)), b.fc2))
	}
	return x
}

// merge concatenates 2 by 2 tokens and reduces their channels from four times to twice as many.
func (f *nodes) merge(x *graph.Node, s stage) *graph.Node {
	B, h, C := x.Shape().Dimensions[0], s.grid/2, s.dim
	x = graph.TransposeAllAxes(graph.Reshape(x, B, h, 2, h, 2, C), 0, 1, 3, 2, 4, 5)
	return f.linear(f.norm(graph.Reshape(x, B, h*h, 4*C), s.down.norm), s.down.reduce)
}

// breakup is merge the other way round.
func (f *nodes) breakup(x *graph.Node, s stage) *graph.Node {
	B, h, C := x.Shape().Dimensions[0], s.grid/2, s.dim
	x = f.norm(f.linear(x, s.up.pre), s.up.norm)
	x = graph.TransposeAllAxes(graph.Reshape(x, B, h, h, 2, 2, C), 0, 1, 3, 2, 4, 5)
	return f.linear(f.norm(graph.Reshape(x, B, 4*h*h, C), s.up.out), s.up.post)
}

// film scales and shifts the channels of x by the noise level, and takes silu.
func (f *nodes) film(x *graph.Node, l linear) *graph.Node {
	C := x.Shape().Dimensions[2]
	y := graph.InsertAxes(f.linear(f.emb, l), 1)
	scale := graph.Slice(y, graph.AxisRange(), graph.AxisRange(), graph.AxisRange(0, C))
	shift := graph.Slice(y, graph.AxisRange(), graph.AxisRange(), graph.AxisRange(C, 2*C))
	return silu(graph.Add(graph.Mul(x, graph.AddScalar(scale, 1)), shift))
}

func (f *nodes) linear(x *graph.Node, l linear) *graph.Node {
	y := graph.DotGeneral(x, []int{x.Rank() - 1}, nil, f.p[l.w], []int{1}, nil)
	if l.b < 0 {
		return y
	}
	return graph.Add(y, graph.ExpandLeftToRank(f.p[l.b], y.Rank()))
}

func (f *nodes) norm(x *graph.Node, l norm) *graph.Node {
	x = graph.Sub(x, graph.ReduceAndKeep(x, graph.ReduceMean, -1))
	variance := graph.ReduceAndKeep(graph.Square(x), graph.ReduceMean, -1)
	x = graph.Div(x, graph.Sqrt(graph.AddScalar(variance, normEps)))
	r := x.Rank()
	return graph.Add(graph.Mul(x, graph.ExpandLeftToRank(f.p[l.w], r)), graph.ExpandLeftToRank(f.p[l.b], r))
}

func silu(x *graph.Node) *graph.Node { return graph.Mul(x, graph.Sigmoid(x)) }

// gelu is x·Φ(x), with the standard normal distribution function.
func gelu(x *graph.Node) *graph.Node {
	return graph.Mul(x, graph.MulScalar(graph.AddScalar(graph.Erf(graph.MulScalar(x, 1/math.Sqrt2)), 1), 0.5))
}
