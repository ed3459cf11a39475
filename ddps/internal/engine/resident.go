package engine

import (
	"errors"
	"fmt"
	"math"

	"github.com/gomlx/gomlx/pkg/core/graph"
	"github.com/gomlx/gomlx/pkg/core/tensors"
)

// Resident trains parameters where a backend keeps them. A step is one graph: the loss, its gradient, and what
// Optimizer.Update does, in float32; only losses and the norm come back. What the host has is as old as the last Read.
type Resident struct {
	engine *Engine
	spec   string
	opt    *Optimizer
	params []Param
	state  []any // [W] each, all parameters in a row: their values, the optimiser's M, V and Mean
	decay  any   // [W] the weight decay
}

// Reside copies the parameters and the optimiser's state to spec's backend.
func (e *Engine) Reside(spec string, o *Optimizer, params []Param) (*Resident, error) {
	r := &Resident{engine: e, spec: spec, opt: o, params: params}
	for _, arrays := range r.host() {
		r.state = append(r.state, row(arrays))
	}
	var decay [][]float32
	for _, p := range params {
		d := make([]float32, len(p.Data))
		for i := range d {
			d[i] = float32(o.decay(p))
		}
		decay = append(decay, d)
	}
	r.decay = row(decay)
	if err := e.Place(spec, append(r.state[:4:4], r.decay)...); err != nil {
		r.Free()
		return nil, err
	}
	return r, nil
}

// row makes a tensor of arrays, one after the other.
func row(arrays [][]float32) any {
	var all []float32
	for _, x := range arrays {
		all = append(all, x...)
	}
	return Tensor(all, len(all))
}

// host returns the host's arrays, in the order of state.
func (r *Resident) host() [4][][]float32 {
	var weights [][]float32
	for _, p := range r.params {
		weights = append(weights, p.Data)
	}
	return [4][][]float32{weights, r.opt.M, r.opt.V, r.opt.Mean}
}

// Free gives back the backend's memory.
func (r *Resident) Free() { Free(append(r.state[:4:4], r.decay)...) }

// Read copies the state to the host's parameters and optimiser.
func (r *Resident) Read() error {
	for k, arrays := range r.host() {
		err := tensors.ConstFlatData(r.state[k].(*tensors.Tensor), func(data []float32) {
			for _, x := range arrays {
				data = data[copy(x, data):]
			}
		})
		if err != nil {
			return fmt.Errorf("backend %s: %w", r.spec, err)
		}
	}
	return nil
}

// residentShape is what a step's graphs depend on besides the network: that of the gradient on shape, the other on
// optim.
type residentShape struct {
	shape any
	optim OptimConfig
}

// Step takes step k, from 0, at the learning rate given, by the loss that build makes from the parameters and in, which
// it frees: build returns the scalar to descend and scalars to tell, all float32. It returns those, and the gradient's
// global norm before clipping. Where that is not finite nothing changes, and ok is false; an error names a parameter
// that is not finite after the step.
func (r *Resident) Step(shape any, k int, rate float64, in []any, build func(vars, in []*graph.Node) (total *graph.Node,
	tell []*graph.Node)) (told []float64, norm float64, ok bool, err error) {
	// Two graphs: in one, XLA on the CPU would fuse the update with the gradients' concatenation, entry by entry.
	outs, err := r.engine.Call(r.spec, residentShape{shape: shape}, func(args []*graph.Node) []*graph.Node {
		vars := r.split(args[0])
		total, tell := build(vars, args[1:])
		g := joined(graph.Gradient(total, vars...))
		return append([]*graph.Node{g, graph.ReduceAllSum(graph.Square(g))}, tell...)
	}, append([]any{r.state[0]}, in...))
	Free(in...)
	if err != nil {
		return nil, 0, false, err
	}
	defer Free(outs...)
	for _, x := range outs[1:] {
		told = append(told, float64(tensors.ToScalar[float32](x)))
	}
	if square := told[0]; square-square != 0 {
		return told[1:], math.Sqrt(square), false, nil
	}
	return told[1:], math.Sqrt(told[0]), true, r.update(outs[0], math.Sqrt(told[0]), k, rate)
}

// joined makes one row of arrays.
func joined(arrays []*graph.Node) *graph.Node {
	flat := make([]*graph.Node, len(arrays))
	for i, g := range arrays {
		flat[i] = graph.Reshape(g, g.Shape().Size())
	}
	return graph.Concatenate(flat, 0)
}

// split takes the parameters out of the row of all.
func (r *Resident) split(all *graph.Node) (vars []*graph.Node) {
	at := 0
	for _, p := range r.params {
		end := at + len(p.Data)
		vars = append(vars, graph.Reshape(graph.Slice(all, graph.AxisRange(at, end)), p.Shape...))
		at = end
	}
	return vars
}

// update does what Optimizer.Update does, with a gradient of this norm.
func (r *Resident) update(grad any, norm float64, k int, rate float64) error {
	step, eps, keep := r.opt.factors(k, rate)
	scale := 1.0
	if c := r.opt.Clip; c > 0 && norm > c {
		scale = c / norm
	}
	scalars := Tensor([]float32{float32(step), float32(eps), float32(rate), float32(keep), float32(scale)}, 5)
	defer Free(scalars)
	outs, err := r.engine.Call(r.spec, residentShape{optim: r.opt.OptimConfig}, func(args []*graph.Node) []*graph.Node {
		return r.opt.updateNodes(args[:4], args[4], args[5], args[6])
	}, append(r.state[:4:4], r.decay, grad, scalars))
	if err != nil {
		return err
	}
	Free(r.state...)
	for i := range r.state {
		r.state[i] = outs[i]
	}
	odd := tensors.ToScalar[float32](outs[4])
	if Free(outs[4]); odd == 0 {
		return nil
	}
	if err := r.Read(); err != nil {
		return err
	}
	for i, p := range r.params {
		for j, x := range p.Data {
			if v := r.opt.V[i][j]; x-x != 0 || v-v != 0 {
				return notFinite(p)
			}
		}
	}
	return errors.New("numbers are not finite after the step")
}

// updateNodes builds Update on state, a gradient g and the scalars of Resident.update: the next state, and 0 if that is
// finite.
func (o *Optimizer) updateNodes(state []*graph.Node, decay, g, scalars *graph.Node) []*graph.Node {
	scalar := func(i int) *graph.Node { return graph.Reshape(graph.Slice(scalars, graph.AxisElem(i))) }
	step, eps, rate, keep, scale := scalar(0), scalar(1), scalar(2), scalar(3), scalar(4)
	g = graph.Mul(g, scale)
	m := graph.Add(graph.MulScalar(state[1], o.Beta1), graph.MulScalar(g, 1-o.Beta1))
	v := graph.Add(graph.MulScalar(state[2], o.Beta2), graph.MulScalar(graph.Square(g), 1-o.Beta2))
	move := graph.Div(graph.Mul(step, m), graph.Add(graph.Sqrt(v), eps))
	w := graph.Sub(state[0], graph.Add(graph.Mul(graph.Mul(rate, decay), state[0]), move))
	mean := graph.Add(graph.Mul(keep, state[3]), graph.Mul(graph.OneMinus(keep), w))
	odd := graph.ReduceAllSum(graph.Add(graph.Sub(w, w), graph.Sub(v, v)))
	return []*graph.Node{w, m, v, mean, odd}
}
