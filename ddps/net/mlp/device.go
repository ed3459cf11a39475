package mlp

import (
	"github.com/gomlx/gomlx/pkg/core/graph"

	"github.com/ddps-go/ddps/ddps/internal/engine"
	"github.com/ddps-go/ddps/ddps/internal/reverse"
	"github.com/ddps-go/ddps/ddps/net"
)

// Engine implements net.Graphed.
func (m *Network) Engine() *engine.Engine { return &m.train.Engine }

// Backend implements net.Graphed.
func (m *Network) Backend() string { return m.cfg.Backend }

// Gamma implements net.Graphed.
func (m *Network) Gamma() float64 { return m.cfg.Gamma }

// LossOf implements net.Graphed.
func (m *Network) LossOf(ce, vb float64, b *net.Batch) net.Loss {
	return m.train.host.LossOf(ce, vb, b, m.cfg.Gamma)
}

// TimeFeatures implements net.Graphed.
func (m *Network) TimeFeatures(t int) []float32 {
	f := make([]float32, m.cfg.Time)
	m.features(f, t)
	return f
}

// Nodes makes the first layer's sum of embeddings a product with the rows of x_t.
func (m *Network) Nodes(p []*graph.Node, s *reverse.Step, time *graph.Node) *graph.Node {
	E, F := m.edges, m.cfg.Time
	in := func(lo, hi int) *graph.Node { return graph.Slice(p[0], graph.AxisRange(lo, hi)) }
	pre := graph.Einsum("en,eh->nh", s.ByEdge(s.Chosen()), in(0, E))
	pre = graph.Add(pre, graph.Add(graph.Dot(time, in(E, E+F)), in(E+F, E+F+1)))
	return s.ByPlace(graph.Transpose(forwardNode(pre, p[1:]), 0, 1))
}

// SampleBackend implements Graphed: Forward runs on the host.
func (m *Network) SampleBackend() string { return "" }

// SampleBatch implements Graphed.
func (m *Network) SampleBatch() int { return 0 }

// Native implements Vectored.
func (m *Network) Native() bool { return true }

// Blocks implements Vectored.
func (m *Network) Blocks() net.Blocks { return newScratch(m) }
