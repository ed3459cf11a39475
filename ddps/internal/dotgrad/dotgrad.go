// Package dotgrad gives GoMLX matrix products a gradient made of matrix products, and slices one made of
// concatenations.
//
// For C = A·B with adjoint V of C,
//
//	∂/∂A = V·Bᵀ,  ∂/∂B = Aᵀ·V,
//
// and the same with batch axes and several contracting axes: the gradient of a DotGeneral is a DotGeneral
// of the adjoint with the other operand, followed by a transposition where the axes come out in another
// order. GoMLX v0.26.0 forms it as Broadcast·Mul·ReduceSum, with a temporary of the size [M,K,N]: a 512³
// product and both gradients take 4.57 s on the Go backend (two cores) and 0.18 s this way; on XLA the
// factor is over 100.
//
// A slice gets a gradient made of a concatenation, so that it has one on the Go backend too.
//
// Written for and tested against github.com/gomlx/gomlx v0.26.0. The package can go as soon as
// BenchmarkStock and BenchmarkInstalled take the same time, that is, once the graph package's own
// dotVJP and dotGeneralVJP build DotGenerals.
package dotgrad

import (
	"reflect"
	"slices"
	"sync"

	"github.com/gomlx/gomlx/pkg/core/graph"
	"github.com/gomlx/gomlx/pkg/core/shapes"
)

var install sync.Once

// Install replaces the entries of graph.VJPRegistration for Dot, DotGeneral and Slice, for the whole process.
// Later calls do nothing. Call it before any gradient graph is built: the registry is a plain map.
//
// A node whose axes cannot be read (another GoMLX version), and a slice with strides, keep GoMLX's own gradient.
func Install() {
	install.Do(func() {
		graph.VJPRegistration[graph.NodeTypeDot] = dotVJP
		graph.VJPRegistration[graph.NodeTypeDotGeneral] = dotGeneralVJP(graph.VJPRegistration[graph.NodeTypeDotGeneral])
		graph.VJPRegistration[graph.NodeTypeSlice] = sliceVJP(graph.VJPRegistration[graph.NodeTypeSlice])
	})
}

// axesOf holds, for one operand of a DotGeneral, which of its axes play which part.
// contract[i] and batch[i] pair with the same entry of the other operand; cross is ascending.
type axesOf struct{ contract, batch, cross []int }

// dotVJP is the gradient of Dot: vector·vector, matrix·vector or matrix·matrix.
func dotVJP(node *graph.Node, vjps []*graph.Node, _ shapes.Shape) []*graph.Node {
	lhs, rhs, v := node.Inputs()[0], node.Inputs()[1], vjps[0]
	if lhs.Rank() == 1 { // scalar result
		return []*graph.Node{graph.Mul(v, rhs), graph.Mul(v, lhs)}
	}
	l, r := axesOf{contract: []int{1}, cross: []int{0}}, axesOf{contract: []int{0}}
	if rhs.Rank() == 2 {
		r.cross = []int{1}
	}
	return gradients(lhs, rhs, v, l, r)
}

// dotGeneralVJP is the gradient of DotGeneral, or stock where the node's axes cannot be read.
func dotGeneralVJP(stock graph.VJP) graph.VJP {
	return func(node *graph.Node, vjps []*graph.Node, out shapes.Shape) []*graph.Node {
		lhs, rhs := node.Inputs()[0], node.Inputs()[1]
		l, okL := readAxes(node, "lhs", lhs.Rank())
		r, okR := readAxes(node, "rhs", rhs.Rank())
		if !okL || !okR {
			return stock(node, vjps, out)
		}
		return gradients(lhs, rhs, vjps[0], l, r)
	}
}

// gradients returns the adjoints of lhs and rhs. v has the axes [batch…, lhs cross…, rhs cross…].
func gradients(lhs, rhs, v *graph.Node, l, r axesOf) []*graph.Node {
	nb, nl, nr := len(l.batch), len(l.cross), len(r.cross)
	batch, left, right := seq(0, nb), seq(nb, nl), seq(nb+nl, nr)
	return []*graph.Node{
		gradient(v, axesOf{contract: right, batch: batch, cross: left}, rhs, l, r),
		gradient(v, axesOf{contract: left, batch: batch, cross: right}, lhs, r, l),
	}
}

// gradient contracts v with the other operand over the other's cross axes, which leaves the batch axes, this
// operand's cross axes (from v) and the contracted ones (from other, in other's order), and puts them in
// this operand's order. Of the two operand orders it takes the one that needs no transposition, if any.
func gradient(v *graph.Node, va axesOf, other *graph.Node, this, that axesOf) *graph.Node {
	fromOther := make([]int, len(that.contract)) // this operand's axes as they leave other, ascending there
	order := slices.Clone(that.contract)
	slices.Sort(order)
	for i, axis := range order {
		fromOther[i] = this.contract[slices.Index(that.contract, axis)]
	}
	vFirst := slices.Concat(this.batch, this.cross, fromOther)
	otherFirst := slices.Concat(this.batch, fromOther, this.cross)
	if slices.IsSorted(otherFirst) && !slices.IsSorted(vFirst) {
		return graph.DotGeneral(other, slices.Clone(that.cross), slices.Clone(that.batch), v, va.contract, va.batch)
	}
	g := graph.DotGeneral(v, va.contract, va.batch, other, slices.Clone(that.cross), slices.Clone(that.batch))
	if slices.IsSorted(vFirst) {
		return g
	}
	perm := make([]int, len(vFirst))
	for from, to := range vFirst {
		perm[to] = from
	}
	return graph.TransposeAllAxes(g, perm...)
}

// readAxes reads the axes of one side ("lhs" or "rhs") of a DotGeneral node. They are unexported fields of
// the node's inputs; reflection may read them, so that no unsafe is needed.
func readAxes(node *graph.Node, side string, rank int) (axesOf, bool) {
	in, ok := inputs(node)
	if !ok {
		return axesOf{}, false
	}
	contract, okC := ints(in.FieldByName(side + "ContractingAxes"))
	batch, okB := ints(in.FieldByName(side + "BatchAxes"))
	if !okC || !okB {
		return axesOf{}, false
	}
	a := axesOf{contract: contract, batch: batch}
	for axis := range rank {
		if !slices.Contains(contract, axis) && !slices.Contains(batch, axis) {
			a.cross = append(a.cross, axis)
		}
	}
	return a, true
}

// inputs returns the struct of a node's unexported inputs.
func inputs(node *graph.Node) (in reflect.Value, ok bool) {
	in = reflect.ValueOf(node).Elem().FieldByName("inputs")
	if !in.IsValid() || in.Kind() != reflect.Interface || in.Elem().Kind() != reflect.Pointer {
		return in, false
	}
	in = in.Elem().Elem()
	return in, in.Kind() == reflect.Struct
}

func ints(v reflect.Value) ([]int, bool) {
	if !v.IsValid() || v.Kind() != reflect.Slice || v.Type().Elem().Kind() != reflect.Int {
		return nil, false
	}
	out := make([]int, v.Len())
	for i := range out {
		out[i] = int(v.Index(i).Int())
	}
	return out, true
}

// seq returns start, start+1, …, start+n−1.
func seq(start, n int) []int {
	out := make([]int, n)
	for i := range out {
		out[i] = start + i
	}
	return out
}
