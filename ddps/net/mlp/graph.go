package mlp

import (
	"github.com/gomlx/gomlx/pkg/core/graph"

	"github.com/ddps-go/ddps/ddps/internal/engine"
	"github.com/ddps-go/ddps/ddps/net"
)

// forwardNode builds out [N, E] from the first layer's sums [N, H] and the other parameters in Params order.
func forwardNode(pre *graph.Node, p []*graph.Node) *graph.Node {
	h := engine.Silu(pre)
	for ; len(p) > 2; p = p[2:] {
		h = graph.Add(h, engine.Silu(engine.Affine(h, p[0], p[1])))
	}
	return engine.Affine(h, p[0], p[1])
}

// lossGradNodes builds what LossGrad runs, by lossNodes: the gradients are those by the first layer's sums and by
// every other parameter. args: these (nVars), index [M·D, 1] into out's entries, and onPath's.
func lossGradNodes(args []*graph.Node, nVars int, shape net.Shape, gamma float64) []*graph.Node {
	vars, in := args[:nVars], args[nVars:]
	ce, vb := lossNodes(forwardNode(vars[0], vars[1:]), in, shape)
	return shape.LossNodes(ce, vb, gamma, vars)
}

// lossNodes builds CE and VB from out [N, E], and index and onPath's tensors.
func lossNodes(out *graph.Node, in []*graph.Node, shape net.Shape) (ce, vb *graph.Node) {
	flat := graph.Reshape(out, out.Shape().Size())
	return net.LossNode(graph.Reshape(graph.Gather(flat, in[0]), shape.N*shape.L, shape.D), in[1:])
}

// LossNode builds CE and VB with the first layer as a product: in are lossInputs.
func (m *Network) LossNode(vars, in []*graph.Node, shape net.Shape) (ce, vb *graph.Node) {
	return lossNodes(forwardNode(graph.Dot(in[0], vars[0]), vars[1:]), in[1:], shape)
}
