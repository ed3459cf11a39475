package d3pm

import (
	"fmt"
	"sync"

	"github.com/gomlx/gomlx/backends"
	"github.com/gomlx/gomlx/pkg/core/graph"
	"github.com/gomlx/gomlx/pkg/core/tensors"

	"github.com/ddps-go/ddps/ddps/internal/backend"
	"github.com/ddps-go/ddps/ddps/internal/dotgrad"
)

// engine runs graphs on a GoMLX backend: it opens the backend at the first run and compiles a graph once for each
// shape. Its users hold mu while they run it and use memory of their own beside it.
type engine struct {
	mu      sync.Mutex
	backend backends.Backend
	execs   map[engineShape]*graph.Exec
}

// engineShape is what a compiled graph depends on, besides the network.
type engineShape struct {
	n, l, d, tMax int
	grad          bool
}

// run executes what build makes, on tensors args, which it frees, and hands the outputs to read. The error tells
// what the backend lacks or made of it; nothing panics.
func (e *engine) run(spec string, shape engineShape, build func(args []*graph.Node) []*graph.Node, args []any, read func(outs []*tensors.Tensor) error) (err error) {
	defer func() { // graph building panics
		if r := recover(); r != nil {
			err = fmt.Errorf("backend %s: building the graph: %v", spec, r)
		}
		free(args)
	}()
	exec, err := e.exec(spec, shape, build)
	if err != nil {
		return err
	}
	outs, err := exec.Exec(args...)
	if err != nil {
		return fmt.Errorf("backend %s: %w", spec, err)
	}
	defer free(outs)
	return read(outs)
}

// exec returns the compiled graph for shape.
func (e *engine) exec(spec string, shape engineShape, build func(args []*graph.Node) []*graph.Node) (*graph.Exec, error) {
	if e.backend == nil {
		be, err := backend.Open(spec)
		if err != nil {
			return nil, err
		}
		dotgrad.Install()
		e.backend, e.execs = be, map[engineShape]*graph.Exec{}
	}
	if x := e.execs[shape]; x != nil {
		return x, nil
	}
	x, err := graph.NewExecAny(e.backend, build)
	if err == nil {
		e.execs[shape] = x
	}
	return x, err
}

// free gives back the memory of tensors.
func free[T any](all []T) {
	for _, x := range all {
		any(x).(*tensors.Tensor).FinalizeAll()
	}
}

// tensor copies host data to a tensor.
func tensor[T float32 | int32](data []T, dims ...int) any {
	return tensors.FromFlatDataAndDimensions(data, dims...)
}

// paramTensors copies parameters to tensors.
func paramTensors(params []Param) []any {
	var args []any
	for _, p := range params {
		args = append(args, tensor(p.Data, p.Shape...))
	}
	return args
}

// readGrads copies the outputs outs to the gradients grads.
func readGrads(grads [][]float32, outs []*tensors.Tensor) error {
	for i, g := range grads {
		if err := tensors.ConstFlatData(outs[i], func(x []float32) { copy(g, x) }); err != nil {
			return err
		}
	}
	return nil
}

// siluNode is x·σ(x).
func siluNode(x *graph.Node) *graph.Node { return graph.Mul(x, graph.Sigmoid(x)) }

// affineNode is x·Wᵀ + b with W [to, from], over the last axis of x.
func affineNode(x, w, b *graph.Node) *graph.Node {
	y := graph.DotGeneral(x, []int{x.Rank() - 1}, nil, w, []int{1}, nil)
	return graph.Add(y, graph.ExpandLeftToRank(b, y.Rank()))
}
