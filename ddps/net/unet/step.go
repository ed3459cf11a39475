package unet

import (
	"github.com/ddps-go/ddps/ddps/internal/engine"
	"github.com/ddps-go/ddps/ddps/internal/reverse"
	"github.com/ddps-go/ddps/ddps/net"
	"github.com/gomlx/gomlx/pkg/core/graph"
)

// Engine implements net.Graphed.
func (u *Network) Engine() *engine.Engine { return &u.train.Engine }

// Backend implements net.Graphed.
func (u *Network) Backend() string { return u.cfg.Backend }

// Gamma implements net.Graphed.
func (u *Network) Gamma() float64 { return u.cfg.Gamma }

// LossOf implements net.Graphed.
func (u *Network) LossOf(ce, vb float64, b *net.Batch) net.Loss {
	return u.train.LossOf(ce, vb, b, u.cfg.Gamma)
}

// TimeFeatures implements net.Graphed.
func (u *Network) TimeFeatures(t int) []float32 {
	f := make([]float32, u.cfg.Time)
	u.freq.Write(f, t)
	return f
}

// Nodes implements net.Graphed.
func (u *Network) Nodes(p []*graph.Node, s *reverse.Step, time *graph.Node) *graph.Node {
	n := graphNodes{u: u, p: p}
	x := n.pad(graph.TransposeAllAxes(s.Chosen(), 1, 2, 0), 0, u.V-s.V) // the last layer's
	return graph.TransposeAllAxes(graph.Slice(n.forward(x, time), graph.AxisRange(0, s.V)), 2, 0, 1)
}

// SampleBackend implements Graphed.
func (u *Network) SampleBackend() string {
	if u.onDevice() {
		return u.cfg.Backend
	}
	return ""
}

// SampleBatch implements Graphed.
func (u *Network) SampleBatch() int { return sampleBatch }

// Native implements Vectored.
func (u *Network) Native() bool { return !u.onDevice() }

// Blocks implements Vectored.
func (u *Network) Blocks() net.Blocks { return newScratch(u) }
