package d3pm

import (
	"github.com/ddps-go/ddps/ddps/internal/engine"
	"github.com/gomlx/gomlx/pkg/core/graph"
)

// mlpForward builds out [N, E] from the first layer's sums [N, H] and the other parameters in Params order.
func mlpForward(pre *graph.Node, p []*graph.Node) *graph.Node {
	h := engine.Silu(pre)
	for ; len(p) > 2; p = p[2:] {
		h = graph.Add(h, engine.Silu(engine.Affine(h, p[0], p[1])))
	}
	return engine.Affine(h, p[0], p[1])
}

// mlpLossGrad builds what LossGrad runs, by lossNodes: the gradients are those by the first layer's sums and by
// every other parameter. args: these (nVars), index [M·D, 1] into out's entries, and onPath's.
func mlpLossGrad(args []*graph.Node, nVars int, shape engineShape, gamma float64) []*graph.Node {
	vars, index, in := args[:nVars], args[nVars], args[nVars+1:]
	out := mlpForward(vars[0], vars[1:])
	flat := graph.Reshape(out, out.Shape().Size())
	corr := graph.Reshape(graph.Gather(flat, index), shape.n*shape.l, shape.d)
	return lossNodes(corr, in, vars, shape, gamma)
}
