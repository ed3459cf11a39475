// Package engine is what networks need to train on GoMLX: parameters on the host, graphs that are compiled once for
// each shape and run on flat arrays, and the optimiser. Packages d3pm and baselines share it.
package engine

import (
	"errors"
	"fmt"
	"sync"

	"github.com/gomlx/gomlx/backends"
	"github.com/gomlx/gomlx/pkg/core/graph"
	"github.com/gomlx/gomlx/pkg/core/tensors"

	"github.com/ddps-go/ddps/ddps/internal/backend"
	"github.com/ddps-go/ddps/ddps/internal/dotgrad"
)

// ErrStopped is what training returns, wrapped, when its context ended it and a checkpoint has been made.
var ErrStopped = errors.New("stopped")

// Engine runs graphs on a GoMLX backend: it opens the backend at the first run and compiles a graph once for each
// shape. Its users hold its lock while they run it and use memory of their own beside it.
type Engine struct {
	sync.Mutex
	backend backends.Backend
	execs   map[any]*graph.Exec
}

// Run executes what build makes, on tensors args (Tensor, ParamTensors), which it frees, and hands the outputs to read.
// The backend is spec's, as package backend reads it, at the first run. shape, comparable, is all that the graph depends
// on besides the Engine's user. The error tells what the backend lacks or made of it; nothing panics.
func (e *Engine) Run(spec string, shape any, build func(args []*graph.Node) []*graph.Node, args []any, read func(outs []*tensors.Tensor) error) (err error) {
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
func (e *Engine) exec(spec string, shape any, build func(args []*graph.Node) []*graph.Node) (*graph.Exec, error) {
	if e.backend == nil {
		be, err := backend.Open(spec)
		if err != nil {
			return nil, err
		}
		dotgrad.Install()
		e.backend, e.execs = be, map[any]*graph.Exec{}
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

// Tensor copies host data to a tensor.
func Tensor[T float32 | int32](data []T, dims ...int) any {
	return tensors.FromFlatDataAndDimensions(data, dims...)
}

// ParamTensors copies parameters to tensors.
func ParamTensors(params []Param) []any {
	var args []any
	for _, p := range params {
		args = append(args, Tensor(p.Data, p.Shape...))
	}
	return args
}

// ReadGrads copies the outputs outs to the gradients grads.
func ReadGrads(grads [][]float32, outs []*tensors.Tensor) error {
	for i, g := range grads {
		if err := tensors.ConstFlatData(outs[i], func(x []float32) { copy(g, x) }); err != nil {
			return err
		}
	}
	return nil
}

// Silu is x·σ(x).
func Silu(x *graph.Node) *graph.Node { return graph.Mul(x, graph.Sigmoid(x)) }

// Affine is x·Wᵀ + b with W [to, from], over the last axis of x.
func Affine(x, w, b *graph.Node) *graph.Node {
	y := graph.DotGeneral(x, []int{x.Rank() - 1}, nil, w, []int{1}, nil)
	return graph.Add(y, graph.ExpandLeftToRank(b, y.Rank()))
}
