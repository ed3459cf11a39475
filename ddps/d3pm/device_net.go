package d3pm

import (
	"github.com/gomlx/gomlx/pkg/core/dtypes"
	"github.com/gomlx/gomlx/pkg/core/graph"
	"github.com/gomlx/gomlx/pkg/core/shapes"

	"github.com/ddps-go/ddps/ddps/internal/engine"
	"github.com/ddps-go/ddps/ddps/internal/reverse"
)

func (m *MLP) engine() *engine.Engine  { return &m.train.Engine }
func (u *UNet) engine() *engine.Engine { return &u.train.Engine }
func (p *Pair) engine() *engine.Engine { return &p.device.Engine }

func (m *MLP) reads(t int) []float32 {
	f := make([]float32, m.cfg.Time)
	m.features(f, t)
	return f
}

func (u *UNet) reads(t int) []float32 {
	f := make([]float32, u.cfg.Time)
	u.freq.write(f, t)
	return f
}

func (p *Pair) reads(t int) []float32 {
	f := make([]float32, p.cfg.Time)
	p.features(f, t)
	return f
}

// nodes makes the first layer's sum of embeddings a product with the rows of x_t.
func (m *MLP) nodes(p []*graph.Node, s *reverse.Step, _, time *graph.Node) *graph.Node {
	E, F := m.edges, m.cfg.Time
	in := func(lo, hi int) *graph.Node { return graph.Slice(p[0], graph.AxisRange(lo, hi)) }
	pre := graph.Einsum("en,eh->nh", s.ByEdge(s.Chosen()), in(0, E))
	pre = graph.Add(pre, graph.Add(graph.Dot(time, in(E, E+F)), in(E+F, E+F+1)))
	return s.ByPlace(graph.Transpose(mlpForward(pre, p[1:]), 0, 1))
}

func (u *UNet) nodes(p []*graph.Node, s *reverse.Step, _, time *graph.Node) *graph.Node {
	n := unetNodes{u: u, p: p}
	x := n.pad(graph.TransposeAllAxes(s.Chosen(), 1, 2, 0), 0, u.V-s.V) // the last layer's
	return graph.TransposeAllAxes(graph.Slice(n.forward(x, time), graph.AxisRange(0, s.V)), 2, 0, 1)
}

// nodes gives every edge ⟨A_v, U_w⟩ + T_w, layer by layer for all pairs of vertices.
func (p *Pair) nodes(params []*graph.Node, s *reverse.Step, pi, time *graph.Node) *graph.Node {
	reach := graph.InsertAxes(s.Reach(pi), 0)
	n := newPairNodes(p, params, graph.BroadcastToDims(time, s.B, p.cfg.Time), edgeRows(s, pi), edgeRows(s, s.Enter(graph.Mul(reach, pi))))
	A := n.before()
	var rows []*graph.Node
	n.after(func(l int, U, T *graph.Node) {
		if l == 0 {
			return
		}
		out := graph.Add(graph.Einsum("nvh,nwh->nvw", A[l-1], U), graph.InsertAxes(T, 1))
		W, to := out.Shape().Dimensions[1], out.Shape().Dimensions[2]
		out = graph.Transpose(graph.Reshape(out, s.B, W*to), 0, 1)
		rows = append([]*graph.Node{s.ByPair(out, l-1)}, rows...)
	})
	return graph.Concatenate(rows, 1)
}

// edgeRows returns x, by place, in float32 by edge with a row of zeros.
func edgeRows(s *reverse.Step, x *graph.Node) *graph.Node {
	x = graph.ConvertDType(s.ByEdge(x), dtypes.Float32)
	return graph.Concatenate([]*graph.Node{x, graph.Zeros(x.Graph(), shapes.Make(dtypes.Float32, 1, s.B))}, 0)
}
