package dotgrad

import (
	"github.com/gomlx/gomlx/pkg/core/graph"
	"github.com/gomlx/gomlx/pkg/core/shapes"
)

// sliceVJP is the gradient of Slice, or stock where the slice has strides or cannot be read. For y = x[lo:hi] on an
// axis with adjoint V of y,
//
//	∂/∂x = (0, V, 0),
//
// zeros of the lengths lo and n−hi about V, joined by Concatenate. GoMLX v0.26.0 pads instead, which its Go backend
// cannot.
func sliceVJP(stock graph.VJP) graph.VJP {
	return func(node *graph.Node, vjps []*graph.Node, out shapes.Shape) []*graph.Node {
		x, v := node.Inputs()[0], vjps[0]
		starts, ok := readSlice(node)
		if !ok {
			return stock(node, vjps, out)
		}
		for axis, lo := range starts {
			n := x.Shape().Dimensions[axis]
			v = embed(v, axis, lo, n-lo-v.Shape().Dimensions[axis])
		}
		return []*graph.Node{v}
	}
}

// embed puts before and after zeros about v on an axis.
func embed(v *graph.Node, axis, before, after int) *graph.Node {
	zeros := func(n int) []*graph.Node {
		if n == 0 {
			return nil
		}
		s := v.Shape().Clone()
		s.Dimensions[axis] = n
		return []*graph.Node{graph.Zeros(v.Graph(), s)}
	}
	parts := append(append(zeros(before), v), zeros(after)...)
	if len(parts) == 1 {
		return v
	}
	return graph.Concatenate(parts, axis)
}

// readSlice returns where a Slice node starts on each axis, if all its strides are 1.
func readSlice(node *graph.Node) (starts []int, ok bool) {
	in, ok := inputs(node)
	if !ok {
		return nil, false
	}
	starts, ok = ints(in.FieldByName("starts"))
	strides, okS := ints(in.FieldByName("strides"))
	if !ok || !okS || len(starts) != node.Rank() {
		return nil, false
	}
	for _, s := range strides {
		if s > 1 {
			return nil, false
		}
	}
	return starts, true
}
