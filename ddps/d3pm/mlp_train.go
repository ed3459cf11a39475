package d3pm

import (
	"cmp"
	"fmt"
	"sync"

	"github.com/ddps-go/ddps/ddps/internal/backend"
	"github.com/ddps-go/ddps/ddps/internal/dotgrad"
	"github.com/gomlx/gomlx/backends"
	"github.com/gomlx/gomlx/pkg/core/graph"
	"github.com/gomlx/gomlx/pkg/core/tensors"
)

// mlpTrainer holds what LossGrad keeps between calls.
type mlpTrainer struct {
	mu      sync.Mutex
	backend backends.Backend
	execs   map[mlpShape]*graph.Exec
	host    mlpHost
}

// mlpShape is what a compiled graph depends on.
type mlpShape struct {
	n, l, d, tMax int
	grad          bool
}

// LossGrad computes the loss of b and writes the gradient of Loss.Total with respect to Params()[i].Data into
// grads[i], of the same length; with grads nil only the loss is computed. It compiles once for each batch shape;
// on the Go backend the same inputs give the same bits every time. Concurrent callers take turns.
//
// The error tells what is wrong with b, grads or the backend.
func (m *MLP) LossGrad(b *Batch, grads [][]float32) (Loss, error) {
	if err := m.check(b, grads); err != nil {
		return Loss{}, fmt.Errorf("d3pm: mlp: %w", err)
	}
	m.train.mu.Lock()
	defer m.train.mu.Unlock()
	loss, err := m.lossGrad(b, grads)
	if err != nil {
		return Loss{}, fmt.Errorf("d3pm: mlp: %w", err)
	}
	return loss, nil
}

func (m *MLP) lossGrad(b *Batch, grads [][]float32) (loss Loss, err error) {
	defer func() { // graph building panics
		if r := recover(); r != nil {
			err = fmt.Errorf("building the loss: %v", r)
		}
	}()
	exec, err := m.exec(mlpShape{b.N, b.L, b.D, b.TMax, grads != nil})
	if err != nil {
		return Loss{}, err
	}
	m.train.host.fill(m, b)
	args := m.args(b)
	outs, err := exec.Exec(args...)
	if err != nil {
		return Loss{}, err
	}
	defer func() {
		for _, t := range args {
			t.(*tensors.Tensor).FinalizeAll()
		}
		for _, t := range outs {
			t.FinalizeAll()
		}
	}()
	n := float64(b.N)
	loss.CE = float64(tensors.ToScalar[float32](outs[0])) / n
	if loss.Total = loss.CE; m.cfg.Gamma > 0 {
		loss.VB = float64(b.TMax) * (float64(tensors.ToScalar[float32](outs[1])) + m.train.host.negEntropy) / n
		loss.Total += m.cfg.Gamma * loss.VB
	}
	for i := range grads {
		err := tensors.ConstFlatData(outs[2+i], func(g []float32) {
			if i == 0 {
				m.train.host.backward(m, b, grads[0], g)
			} else {
				copy(grads[i], g)
			}
		})
		if err != nil {
			return Loss{}, err
		}
	}
	return loss, nil
}

// exec returns the compiled step for shape, opening the backend at the first call.
func (m *MLP) exec(shape mlpShape) (*graph.Exec, error) {
	t := &m.train
	if t.backend == nil {
		be, err := backend.Open(cmp.Or(m.cfg.Backend, "go:large"))
		if err != nil {
			return nil, err
		}
		dotgrad.Install()
		t.backend, t.execs = be, map[mlpShape]*graph.Exec{}
	}
	if e := t.execs[shape]; e != nil {
		return e, nil
	}
	e, err := graph.NewExecAny(t.backend, func(args []*graph.Node) []*graph.Node {
		return mlpLossGrad(args, len(m.params), shape, m.cfg.Gamma)
	})
	if err == nil {
		t.execs[shape] = e
	}
	return e, err
}

// args makes the tensors of one call, copies of host data, in mlpLossGrad's order.
func (m *MLP) args(b *Batch) []any {
	h, rows := &m.train.host, b.N*b.L
	args := make([]any, 0, len(m.params)+8)
	args = append(args, tensors.FromFlatDataAndDimensions(h.pre, b.N, m.cfg.Hidden))
	for _, p := range m.params[1:] {
		args = append(args, tensors.FromFlatDataAndDimensions(p.Data, p.Shape...))
	}
	args = append(args,
		tensors.FromFlatDataAndDimensions(h.index, rows*b.D, 1),
		tensors.FromFlatDataAndDimensions(h.base, rows, b.D),
		tensors.FromFlatDataAndDimensions(h.target, rows, b.D))
	if m.cfg.Gamma > 0 {
		for _, data := range [][]float32{b.Post, h.logLike, h.logAbar, h.logMix} {
			args = append(args, tensors.FromFlatDataAndDimensions(data, rows, b.D))
		}
	}
	return args
}
