// Package engine is what networks need to train on GoMLX: parameters on the host, graphs that are compiled once for
// each shape and run on flat arrays, and the optimiser. Packages d3pm and baselines share it.
package engine

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"

	"github.com/gomlx/gomlx/backends"
	"github.com/gomlx/gomlx/pkg/core/graph"
	"github.com/gomlx/gomlx/pkg/core/tensors"

	"github.com/ddps-go/ddps/ddps/internal/backend"
	"github.com/ddps-go/ddps/ddps/internal/dotgrad"
)

// ErrStopped is what training returns, wrapped, when its context ended it and a checkpoint has been made.
var ErrStopped = errors.New("stopped")

// Stopped returns ErrStopped as the error of ctx, which has ended: errors.Is finds both.
func Stopped(ctx context.Context) error { return &stopped{ctx.Err()} }

type stopped struct{ ctx error }

func (s *stopped) Error() string   { return ErrStopped.Error() }
func (s *stopped) Unwrap() []error { return []error{ErrStopped, s.ctx} }

// Engine runs graphs on GoMLX backends: it opens a backend at the first run there and compiles a graph once for each
// shape. Its users hold its lock while they Run it and use memory of their own beside it.
type Engine struct {
	sync.Mutex
	backends map[string]backends.Backend
	execs    map[execKey]*graph.Exec
	opening  sync.Mutex // guards the maps
}

// execKey is what a compiled graph depends on.
type execKey struct {
	spec  string
	shape any
}

// Run executes what build makes, on tensors args (Tensor, ParamTensors), which it frees, and hands the outputs to read.
// The backend is spec's, as package backend reads it, at the first run. shape, comparable, is all that the graph
// depends on besides the Engine's user. The error says what the backend lacks or made of it; nothing panics.
func (e *Engine) Run(spec string, shape any, build func(args []*graph.Node) []*graph.Node, args []any,
	read func(outs []*tensors.Tensor) error) error {
	defer Free(args...)
	outs, err := e.Call(spec, shape, build, args)
	if err != nil {
		return err
	}
	defer Free(outs...)
	return read(outs)
}

// Call is Run for arguments and outputs that stay where they are, on the device: the caller frees both. Callers need
// not hold the lock, and do not wait for each other.
func (e *Engine) Call(spec string, shape any, build func(args []*graph.Node) []*graph.Node, args []any) (
	outs []*tensors.Tensor, err error) {
	defer func() { // graph building panics
		if r := recover(); r != nil {
			err = fmt.Errorf("backend %s: building the graph: %v", spec, r)
		}
	}()
	exec, err := e.exec(spec, shape, build)
	if err != nil {
		return nil, err
	}
	if outs, err = exec.Exec(args...); err != nil {
		err = fmt.Errorf("backend %s: %w", spec, err)
	}
	return outs, err
}

// Place opens the backend, unless it is open, and moves tensors there, for Calls to share.
func (e *Engine) Place(spec string, args ...any) error {
	e.opening.Lock()
	defer e.opening.Unlock()
	be, err := e.open(spec)
	if err != nil {
		return err
	}
	for _, x := range args {
		if err := x.(*tensors.Tensor).MaterializeOnDevice(be, true, 0); err != nil {
			return fmt.Errorf("backend %s: %w", spec, err)
		}
	}
	return nil
}

// Alone opens the backend, unless it is open, and reports whether a process should have one only: that of a graphics
// CPU takes the device's memory for itself.
func (e *Engine) Alone(spec string) (bool, error) {
	e.opening.Lock()
	defer e.opening.Unlock()
	be, err := e.open(spec)
	if err != nil {
		return false, err
	}
	return strings.Contains(strings.ToLower(be.Description()), "cuda"), nil
}

// Graphs returns how many graphs have been compiled.
func (e *Engine) Graphs() int {
	e.opening.Lock()
	defer e.opening.Unlock()
	return len(e.execs)
}

// XLA opens the backend, unless it is open, and reports whether it is XLA.
func (e *Engine) XLA(spec string) (bool, error) {
	e.opening.Lock()
	defer e.opening.Unlock()
	be, err := e.open(spec)
	return err == nil && strings.Contains(be.Name(), "xla"), err
}

func (e *Engine) open(spec string) (backends.Backend, error) {
	if be := e.backends[spec]; be != nil {
		return be, nil
	}
	be, err := backend.Open(spec)
	if err != nil {
		return nil, err
	}
	dotgrad.Install()
	if e.backends == nil {
		e.backends, e.execs = map[string]backends.Backend{}, map[execKey]*graph.Exec{}
	}
	e.backends[spec] = be
	return be, nil
}

// exec returns the compiled graph for shape.
func (e *Engine) exec(spec string, shape any, build func(args []*graph.Node) []*graph.Node) (*graph.Exec, error) {
	e.opening.Lock()
	defer e.opening.Unlock()
	be, err := e.open(spec)
	if err != nil {
		return nil, err
	}
	key := execKey{spec, shape}
	if x := e.execs[key]; x != nil {
		return x, nil
	}
	x, err := graph.NewExecAny(be, build)
	if err == nil {
		e.execs[key] = x
	}
	return x, err
}

// Free gives back the memory of tensors.
func Free[T any](all ...T) {
	for _, x := range all {
		any(x).(*tensors.Tensor).FinalizeAll()
	}
}

// Tensor copies host data to a tensor.
func Tensor[T float32 | float64 | int32](data []T, dims ...int) any {
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
