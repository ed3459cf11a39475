package swingnn

import (
	"math"

	"github.com/gomlx/gomlx/pkg/core/graph"
)

// attend builds attention of several heads within windows of the grid, which every other block moves by half their
// side, around the edges; tokens that met there by going around do not see each other. To the logits is added a bias
// by relative position and head.
func (f *nodes) attend(x *graph.Node, b *block) *graph.Node {
	C, h, T := b.dim, b.heads, b.window*b.window
	x = partition(roll(x, b.grid, b.shift), b.grid, b.window)
	W := x.Shape().Dimensions[0] // windows of all examples
	part := func(k int) *graph.Node {
		w := graph.Slice(f.p[b.qkv.w], graph.AxisRange(k*C, (k+1)*C))
		bias := graph.Slice(f.p[b.qkv.b], graph.AxisRange(k*C, (k+1)*C))
		y := graph.Add(graph.DotGeneral(x, []int{2}, nil, w, []int{1}, nil), graph.ExpandLeftToRank(bias, 3))
		return graph.TransposeAllAxes(graph.Reshape(y, W, T, h, C/h), 0, 2, 1, 3) // [window, head, token, channel]
	}
	q, k, v := graph.MulScalar(part(0), 1/math.Sqrt(float64(C/h))), part(1), part(2)
	logits := graph.DotGeneral(q, []int{3}, []int{0, 1}, k, []int{3}, []int{0, 1})
	logits = graph.Add(logits, graph.InsertAxes(f.position(b), 0))
	if b.shift > 0 {
		logits = f.maskWindows(logits, b)
	}
	y := graph.DotGeneral(graph.Softmax(logits, -1), []int{3}, []int{0, 1}, v, []int{2}, []int{0, 1})
	y = f.linear(graph.Reshape(graph.TransposeAllAxes(y, 0, 2, 1, 3), W, T, C), b.proj)
	return roll(unpartition(y, b.grid, b.window), b.grid, b.grid-b.shift)
}

// position builds the bias [head, token, token], of tokens (i, a) and (j, b) the entry (i−j, a−b) of the table, by
// products with one-hot matrices: gathers of so many numbers are slow to take gradients of.
func (f *nodes) position(b *block) *graph.Node {
	w, r := b.window, 2*b.window-1
	one := make([]float32, w*w*r)
	for i := range w {
		for j := range w {
			one[(i*w+j)*r+i-j+w-1] = 1
		}
	}
	hot := graph.Reshape(graph.Const(f.x.Graph(), one), w, w, r)
	rows := graph.Einsum("ijk,klh->ijlh", hot, f.p[b.bias])
	return graph.Reshape(graph.Einsum("abl,ijlh->hiajb", hot, rows), b.heads, w*w, w*w)
}

// apart is added to the logits of tokens that must not see each other.
const apart = -100

// maskWindows adds apart to logits, [windows of all examples, head, token, token], where a moved window holds tokens
// of different regions.
func (f *nodes) maskWindows(logits *graph.Node, b *block) *graph.Node {
	d := logits.Shape().Dimensions
	side, T := b.grid/b.window, b.window*b.window
	mask := make([]float32, side*side*T*T)
	for win := range side * side {
		for s := range T {
			for t := range T {
				if b.region(win, s) != b.region(win, t) {
					mask[(win*T+s)*T+t] = apart
				}
			}
		}
	}
	m := graph.Reshape(graph.Const(f.x.Graph(), mask), 1, side*side, 1, T, T)
	y := graph.Add(graph.Reshape(logits, d[0]/(side*side), side*side, d[1], T, T), m)
	return graph.Reshape(y, d...)
}

// region returns the part of the grid that token t of a moved window comes from: the rows that stayed together are the
// first grid−window, the next window−shift, and the shift that went around; columns alike.
func (b *block) region(win, t int) int {
	part := func(x int) int {
		switch {
		case x < b.grid-b.window:
			return 0
		case x < b.grid-b.shift:
			return 1
		}
		return 2
	}
	side := b.grid / b.window
	return 3*part(win/side*b.window+t/b.window) + part(win%side*b.window+t%b.window)
}

// roll moves the tokens of a grid up and left by shift places, around the edges: token (i, j) comes from (i+shift,
// j+shift).
func roll(x *graph.Node, grid, shift int) *graph.Node {
	if shift%grid == 0 {
		return x
	}
	d := x.Shape().Dimensions
	x = graph.Reshape(x, d[0], grid, grid, d[2])
	all := graph.AxisRange()
	x = graph.Concatenate([]*graph.Node{graph.Slice(x, all, graph.AxisRange(shift, grid)),
		graph.Slice(x, all, graph.AxisRange(0, shift))}, 1)
	x = graph.Concatenate([]*graph.Node{graph.Slice(x, all, all, graph.AxisRange(shift, grid)), graph.Slice(x, all, all,
		graph.AxisRange(0, shift))}, 2)
	return graph.Reshape(x, d...)
}

// partition makes [example·window, token, channel] of [example, token, channel].
func partition(x *graph.Node, grid, window int) *graph.Node {
	if grid == window {
		return x
	}
	B, C, k := x.Shape().Dimensions[0], x.Shape().Dimensions[2], grid/window
	x = graph.TransposeAllAxes(graph.Reshape(x, B, k, window, k, window, C), 0, 1, 3, 2, 4, 5)
	return graph.Reshape(x, B*k*k, window*window, C)
}

// unpartition undoes partition.
func unpartition(x *graph.Node, grid, window int) *graph.Node {
	if grid == window {
		return x
	}
	C, k := x.Shape().Dimensions[2], grid/window
	B := x.Shape().Dimensions[0] / (k * k)
	x = graph.TransposeAllAxes(graph.Reshape(x, B, k, k, window, window, C), 0, 1, 3, 2, 4, 5)
	return graph.Reshape(x, B, grid*grid, C)
}
