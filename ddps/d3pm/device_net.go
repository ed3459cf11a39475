package d3pm

import (
	"github.com/gomlx/gomlx/pkg/core/graph"

	"github.com/ddps-go/ddps/ddps/internal/engine"
	"github.com/ddps-go/ddps/ddps/internal/reverse"
)

func (m *MLP) engine() *engine.Engine  { return &m.train.Engine }
func (u *UNet) engine() *engine.Engine { return &u.train.Engine }

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

// nodes makes the first layer's sum of embeddings a product with the rows of x_t.
func (m *MLP) nodes(p []*graph.Node, s *reverse.Step, time *graph.Node) *graph.Node {
	E, F := m.edges, m.cfg.Time
	in := func(lo, hi int) *graph.Node { return graph.Slice(p[0], graph.AxisRange(lo, hi)) }
	pre := graph.Einsum("en,eh->nh", s.ByEdge(s.Chosen()), in(0, E))
	pre = graph.Add(pre, graph.Add(graph.Dot(time, in(E, E+F)), in(E+F, E+F+1)))
	return s.ByPlace(graph.Transpose(mlpForward(pre, p[1:]), 0, 1))
}

func (u *UNet) nodes(p []*graph.Node, s *reverse.Step, time *graph.Node) *graph.Node {
	n := unetNodes{u: u, p: p}
	x := n.pad(graph.TransposeAllAxes(s.Chosen(), 1, 2, 0), 0, u.V-s.V) // the last layer's
	return graph.TransposeAllAxes(graph.Slice(n.forward(x, time), graph.AxisRange(0, s.V)), 2, 0, 1)
}
