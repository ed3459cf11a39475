package d3pm

import (
	"testing"

	"github.com/ddps-go/ddps/ddps/internal/engine"
	"github.com/gomlx/gomlx/pkg/core/graph"
	"github.com/gomlx/gomlx/pkg/core/tensors"
)

func BenchmarkZZ(b *testing.B) {
	tc := DefaultTrain()
	mc := DefaultModel()
	mc.SetBackend("xla:cpu")
	m, tr := newTrainer(b, mc, tc)
	mlp := m.Net.(*MLP)
	var bt Batch
	tr.train.Fill(&bt, 256, 1, 1)
	grads := tr.grads
	h := &mlp.train.host
	if _, err := mlp.LossGrad(&bt, grads); err != nil {
		b.Fatal(err)
	}
	total := 0
	for _, p := range mlp.params {
		total += len(p.Data)
		b.Log(p.Name, p.Shape)
	}
	b.Log(total, len(mlp.rows), mlp.edges, mlp.cfg)
	b.Run("source", func(b *testing.B) {
		for b.Loop() {
			tr.train.Fill(&bt, 256, 1, 1)
		}
	})
	b.Run("hostfill", func(b *testing.B) {
		for b.Loop() {
			h.fill(mlp, &bt)
		}
	})
	b.Run("inputs", func(b *testing.B) {
		for b.Loop() {
			h.inputs(mlp, &bt)
		}
	})
	b.Run("backward", func(b *testing.B) {
		for b.Loop() {
			h.backward(mlp, &bt, grads[0], h.pre)
		}
	})
	b.Run("optim", func(b *testing.B) {
		for b.Loop() {
			tr.opt.Update(mlp.params, grads, 1, 1e-9)
		}
	})
	b.Run("lossgrad", func(b *testing.B) {
		for b.Loop() {
			mlp.LossGrad(&bt, grads)
		}
	})
	mk := func() []any {
		args := append([]any{engine.Tensor(h.pre, bt.N, mlp.cfg.Hidden)}, engine.ParamTensors(mlp.params[1:])...)
		return append(append(args, engine.Tensor(h.index, len(h.index), 1)), h.tensors(&bt, false)...)
	}
	b.Run("tensors", func(b *testing.B) {
		for b.Loop() {
			engine.Free(mk()...)
		}
	})
	shape := engineShape{bt.N, bt.L, bt.D, bt.TMax, true}
	b.Run("run", func(b *testing.B) {
		for b.Loop() {
			mlp.train.Run("xla:cpu", shape, nil, mk(), func([]*tensors.Tensor) error { return nil })
		}
	})
	args := mk()
	b.Run("exec", func(b *testing.B) {
		for b.Loop() {
			outs, err := mlp.train.Call("xla:cpu", shape, nil, args)
			if err != nil {
				b.Fatal(err)
			}
			engine.Free(outs...)
		}
	})
	f := engineShape{bt.N, bt.L, bt.D, bt.TMax, false}
	b.Run("exec-fwd", func(b *testing.B) {
		build := func(args []*graph.Node) []*graph.Node { return mlpLossGrad(args, len(mlp.params), f, 0) }
		for b.Loop() {
			outs, err := mlp.train.Call("xla:cpu", f, build, args)
			if err != nil {
				b.Fatal(err)
			}
			engine.Free(outs...)
		}
	})
}
