package engine

import (
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/gomlx/gomlx/pkg/core/graph"
	"github.com/gomlx/gomlx/pkg/core/tensors"
)

// silu(W·x + b) of one row, compiled once a shape; its gradient by W.
func TestRun(t *testing.T) {
	var e Engine
	var params Params
	Normal(rand.New(rand.NewPCG(1, 2)), params.Add("w", 2, 3), 1)
	copy(params.Add("b", 2), []float32{0.5, -0.5})
	x := []float32{1, -2, 3}
	built := 0
	build := func(args []*graph.Node) []*graph.Node {
		built++
		y := graph.ReduceAllSum(Silu(Affine(args[2], args[0], args[1])))
		return append([]*graph.Node{y}, graph.Gradient(y, args[0], args[1])...)
	}
	want, grads := 0.0, [][]float32{make([]float32, 6), make([]float32, 2)}
	slope := make([]float64, 2)
	for i := range 2 {
		h := float64(params[1].Data[i])
		for j, xj := range x {
			h += float64(params[0].Data[3*i+j] * xj)
		}
		s := 1 / (1 + math.Exp(-h))
		want += h * s
		slope[i] = s * (1 + h*(1-s))
	}
	for range 2 {
		var got float64
		err := e.Run("go", "one row", build, append(ParamTensors(params), Tensor(x, 1, 3)),
			func(outs []*tensors.Tensor) error {
				got = float64(tensors.ToScalar[float32](outs[0]))
				return ReadGrads(grads, outs[1:])
			})
		if err != nil || math.Abs(got-want) > 1e-5 || built != 1 {
			t.Fatalf("%v, want %v; error %v, built %d times", got, want, err, built)
		}
	}
	for i, s := range slope {
		if math.Abs(float64(grads[1][i])-s) > 1e-5 || math.Abs(float64(grads[0][3*i+2])-3*s) > 1e-5 {
			t.Errorf("gradients %v, want a slope of %v in row %d", grads, s, i)
		}
	}
	if CheckGrads(params, grads) != nil || CheckGrads(params, grads[:1]) == nil ||
		CheckGrads(params, [][]float32{grads[1], grads[0]}) == nil {
		t.Error("gradients of other sizes than the parameters'")
	}
	err := e.Run("go", "bad", func([]*graph.Node) []*graph.Node { panic("no such layer") }, nil, nil)
	if err == nil || !strings.Contains(err.Error(), "no such layer") {
		t.Errorf("a graph that cannot be built: %v", err)
	}
	if err := new(Engine).Run("xla:/nowhere.so", 0, build, nil, nil); err == nil {
		t.Error("no such backend, and no error")
	}
}

// The first step of Adam goes by the learning rate against the sign of each gradient; AdamW shrinks weights, no biases.
func TestUpdate(t *testing.T) {
	c := OptimConfig{LR: 0.1, WeightDecay: 0.5, Beta1: 0.9, Beta2: 0.999, Eps: 1e-8, EMA: 0.9}
	var params Params
	copy(params.Add("w", 2), []float32{1, -1})
	copy(params.Add("bias", 1), []float32{1})
	o := NewOptimizer(c, params)
	norm, err := o.Update(params, [][]float32{{3, -4}, {12}}, 0, c.LR)
	if err != nil || math.Abs(norm-13) > 1e-6 {
		t.Fatalf("norm %v, error %v", norm, err)
	}
	for i, want := range []float64{1 - 0.1 - 0.05, -1 + 0.1 + 0.05, 1 - 0.1} {
		got := append(params[0].Data, params[1].Data...)[i]
		if math.Abs(float64(got)-want) > 1e-6 {
			t.Errorf("weight %d is %v, want %v", i, got, want)
		}
	}
	// the average starts low: keep 1/10 of the old at the first step
	if want := 0.1*1 + 0.9*0.85; math.Abs(float64(o.Mean[0][0])-want) > 1e-6 {
		t.Errorf("average %v, want %v", o.Mean[0][0], want)
	}
	before := params[0].Data[0]
	if _, err := o.Update(params, [][]float32{{1, 1}, {float32(math.Inf(1))}}, 1, c.LR); err == nil ||
		params[0].Data[0] != before {
		t.Errorf("an infinite gradient: error %v, weight %v → %v", err, before, params[0].Data[0])
	}
}
