package mlp

import (
	"fmt"

	"github.com/gomlx/gomlx/pkg/core/graph"
	"github.com/gomlx/gomlx/pkg/core/tensors"

	"github.com/ddps-go/ddps/ddps/internal/engine"
	"github.com/ddps-go/ddps/ddps/net"
)

// trainer holds what LossGrad keeps between calls.
type trainer struct {
	engine.Engine
	host   host
	native native
}

// LossGrad computes the loss of b and writes the gradient of Loss.Total with respect to Params()[i].Data into
// grads[i], of the same length; with grads nil only the loss is computed. Without a Backend, and on GoMLX's Go backend,
// the same inputs give the same bits on any number of CPU. A backend compiles once for each batch shape. Concurrent
// callers take turns.
//
// The error says what is wrong with b, grads or the backend.
func (m *Network) LossGrad(b *net.Batch, grads [][]float32) (net.Loss, error) {
	loss, err := m.lossGrad(b, grads)
	if err != nil {
		return net.Loss{}, fmt.Errorf("mlp: %w", err)
	}
	return loss, nil
}

func (m *Network) lossGrad(b *net.Batch, grads [][]float32) (loss net.Loss, err error) {
	vb := m.cfg.Gamma > 0
	if err := net.CheckBatch(b, len(m.rows), m.edges, vb); err != nil {
		return net.Loss{}, err
	}
	if err := engine.CheckGrads(m.params, grads); err != nil {
		return net.Loss{}, err
	}
	m.train.Lock()
	defer m.train.Unlock()
	if m.cfg.Backend == "" {
		return m.nativeLossGrad(b, grads), nil
	}
	h, shape := &m.train.host, net.Shape{N: b.N, L: b.L, D: b.D, TMax: b.TMax, Grad: grads != nil}
	h.fill(m, b)
	h.inputs(m, b)
	args := append([]any{engine.Tensor(h.pre, b.N, m.cfg.Hidden)}, engine.ParamTensors(m.params[1:])...)
	args = append(args, h.rows(b, vb)...)
	build := func(args []*graph.Node) []*graph.Node { return lossGradNodes(args, len(m.params), shape, m.cfg.Gamma) }
	err = m.train.Run(m.cfg.Backend, shape, build, args, func(outs []*tensors.Tensor) error {
		if loss = h.Loss(outs, b, m.cfg.Gamma); grads == nil {
			return nil
		}
		if err := tensors.ConstFlatData(outs[2], func(g []float32) { h.backward(m, b, grads[0], g) }); err != nil {
			return err
		}
		return engine.ReadGrads(grads[1:], outs[3:])
	})
	return loss, err
}

// LossInputs makes x_t as the first layer takes it, one-hot by edge, the features of t and a 1, [N, E + Time + 1]; then
// index and onPath's tensors.
func (m *Network) LossInputs(b *net.Batch) ([]any, error) {
	vb := m.cfg.Gamma > 0
	if err := net.CheckBatch(b, len(m.rows), m.edges, vb); err != nil {
		return nil, fmt.Errorf("mlp: %w", err)
	}
	h := &m.train.host
	h.fill(m, b)
	return append([]any{engine.Tensor(h.dense(m, b), b.N, m.edges+m.cfg.Time+1)}, h.rows(b, vb)...), nil
}
