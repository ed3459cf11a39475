package unet

import (
	"cmp"
	"fmt"

	"github.com/ddps-go/ddps/ddps/internal/engine"
	"github.com/ddps-go/ddps/ddps/net"
	"github.com/gomlx/gomlx/pkg/core/graph"
	"github.com/gomlx/gomlx/pkg/core/tensors"
)

// trainer holds what LossGrad keeps between calls.
type trainer struct {
	engine.Engine
	net.OnPath
	x     []float32 // [V, N, D] one-hot x_t
	time  []float32 // [N, Time] features of t
	index []int32   // [N·L] row v·N + n of the output
}

// LossGrad computes the loss of b and writes the gradient of Loss.Total with respect to Params()[i].Data into
// grads[i], of the same length; with grads nil only the loss is computed. It compiles once for each batch shape;
// on the Go backend the same inputs give the same bits every time. Concurrent callers take turns.
//
// The error says what is wrong with b, grads or the backend.
func (u *Network) LossGrad(b *net.Batch, grads [][]float32) (net.Loss, error) {
	loss, err := u.lossGrad(b, grads)
	if err != nil {
		return net.Loss{}, fmt.Errorf("unet: %w", err)
	}
	return loss, nil
}

func (u *Network) lossGrad(b *net.Batch, grads [][]float32) (loss net.Loss, err error) {
	if err := engine.CheckGrads(u.params, grads); err != nil {
		return net.Loss{}, err
	}
	t := &u.train
	t.Lock()
	defer t.Unlock()
	in, err := u.LossInputs(b)
	if err != nil {
		return net.Loss{}, err
	}
	shape := net.Shape{N: b.N, L: b.L, D: b.D, TMax: b.TMax, Grad: grads != nil}
	build := func(args []*graph.Node) []*graph.Node {
		vars := args[:len(u.params)]
		ce, vb := u.LossNode(vars, args[len(vars):], shape)
		return shape.LossNodes(ce, vb, u.cfg.Gamma, vars)
	}
	err = t.Run(cmp.Or(u.cfg.Backend, "go:large"), shape, build, append(engine.ParamTensors(u.params), in...),
		func(outs []*tensors.Tensor) error {
			loss = t.Loss(outs, b, u.cfg.Gamma)
			return engine.ReadGrads(grads, outs[2:])
		})
	return loss, err
}

// LossInputs makes x, time and index of trainer, and onPath's.
func (u *Network) LossInputs(b *net.Batch) ([]any, error) {
	vb := u.cfg.Gamma > 0
	if err := u.checkBatch(b, vb); err != nil {
		return nil, err
	}
	t := &u.train
	t.fill(u, b)
	in := []any{engine.Tensor(t.x, u.V, b.N, u.D), engine.Tensor(t.time, b.N, u.cfg.Time), engine.Tensor(t.index,
		len(t.index), 1)}
	return append(in, t.Tensors(b, vb)...), nil
}

// LossNode builds CE and VB from the parameters and lossInputs.
func (u *Network) LossNode(vars, in []*graph.Node, shape net.Shape) (ce, vb *graph.Node) {
	nodes := graphNodes{u: u, p: vars}
	out := nodes.forward(in[0], in[1])
	return net.LossNode(graph.Gather(graph.Reshape(out, u.V*shape.N, u.D), in[2]), in[3:])
}

// fill sets t from the batch.
func (t *trainer) fill(u *Network, b *net.Batch) {
	t.OnPath.Fill(b, u.cfg.Gamma > 0)
	t.x, t.time, t.index = net.Grow(t.x, u.V*b.N*u.D), net.Grow(t.time, b.N*u.cfg.Time), net.Grow(t.index, b.N*b.L)
	clear(t.x)
	for n := range b.N {
		for r, v := range u.rows {
			lo, _ := u.g.Edges(int(v))
			t.x[(int(v)*b.N+n)*u.D+int(b.Xt[n*len(u.rows)+r])-lo] = 1
		}
		u.freq.Write(t.time[n*u.cfg.Time:(n+1)*u.cfg.Time], int(b.T[n]))
	}
	for r := range t.index {
		t.index[r] = int32(u.g.Tail(int(b.Edge[r*b.D]))*b.N + r/b.L)
	}
}

// checkBatch is checkBatch, and holds the edges to the rows that they are in.
func (u *Network) checkBatch(b *net.Batch, vb bool) error {
	if err := net.CheckBatch(b, len(u.rows), u.g.NumEdges(), vb); err != nil {
		return err
	}
	if b.D != u.D {
		return fmt.Errorf("batch of rows of %d, expected %d", b.D, u.D)
	}
	for i, e := range b.Xt {
		if v := u.rows[i%len(u.rows)]; u.g.Tail(int(e)) != int(v) {
			return fmt.Errorf("batch: x_t of example %d: edge %d does not leave vertex %d", i/len(u.rows), e, v)
		}
	}
	for i, e := range b.Edge {
		first := int(b.Edge[i/b.D*b.D])
		if lo, _ := u.g.Edges(u.g.Tail(first)); b.Mask[i] != 0 && int(e) != lo+i%b.D {
			return fmt.Errorf("batch: slot %d of on-path row %d is edge number %d, expected %d", i%b.D, i/b.D, e, lo+i%b.D)
		}
	}
	return nil
}
