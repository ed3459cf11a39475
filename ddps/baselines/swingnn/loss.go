package swingnn

import (
	"fmt"

	"github.com/gomlx/gomlx/pkg/core/graph"
	"github.com/gomlx/gomlx/pkg/core/tensors"

	"github.com/ddps-go/ddps/ddps/internal/engine"
)

// batch is what a training step sees. Matrices are coordinates, [N, Dim()].
type batch struct {
	N     int
	Clean []float64 // y: −1 or 1
	Noisy []float64 // x = y + σ·noise
	Self  []float64 // an estimate of y to condition on; nil: none
	Sigma []float64 // [N] σ
}

// check returns an error that names the wrong length.
func (b *batch) check(dim int) error {
	for name, s := range map[string]struct{ is, want int }{"Clean": {len(b.Clean), b.N * dim}, "Noisy": {len(b.Noisy),
		b.N * dim}, "Sigma": {len(b.Sigma), b.N}} {
		if s.is != s.want {
			return fmt.Errorf("batch: %s has %d numbers, expected %d", name, s.is, s.want)
		}
	}
	if b.Self != nil && len(b.Self) != b.N*dim {
		return fmt.Errorf("batch: Self has %d numbers, expected %d", len(b.Self), b.N*dim)
	}
	return nil
}

// lossGrad returns the mean over examples and coordinates of λ(σ)·(D(x; σ) − y)² and writes its gradient with respect
// to parameter i into grads[i]; with grads nil only the loss is computed. The same inputs give the same bits. A batch
// that Config.Parts divides is computed in as many parts, concurrently.
func (n *Model) lossGrad(b *batch, grads [][]float32) (loss float64, err error) {
	if err := b.check(n.Dim()); err != nil {
		return 0, fmt.Errorf("swingnn: %w", err)
	}
	if err := engine.CheckGrads(n.params, grads); err != nil {
		return 0, fmt.Errorf("swingnn: %w", err)
	}
	n.running.Lock()
	defer n.running.Unlock()
	parts := n.divide(b.N)
	losses, own := make([]float64, parts), make([][][]float32, parts)
	if grads != nil {
		own[0] = grads
		for k := 1; k < parts; k++ {
			own[k] = n.partGrads(k - 1)
		}
	}
	err = n.sideBySide(parts, func(k int, in *inputs) (err error) {
		losses[k], err = n.partLoss(b.part(k, parts), own[k], in)
		return err
	})
	if err != nil {
		return 0, fmt.Errorf("swingnn: %w", err)
	}
	for _, l := range losses {
		loss += l / float64(parts)
	}
	for i := range grads {
		mean(grads[i], own, i)
	}
	return loss, nil
}

// partLoss is lossGrad of a part of a batch.
func (n *Model) partLoss(b *batch, grads [][]float32, in *inputs) (loss float64, err error) {
	n.fill(in, b.N, b.N, b.Noisy, b.Self, func(k int) float64 { return b.Sigma[k] })
	target := make([]float32, b.N*n.N*n.N)
	y := make([]float64, n.Dim())
	for k := range b.N {
		skip, out, _ := n.cfg.precond(b.Sigma[k])
		for c := range y {
			y[c] = (b.Clean[k*len(y)+c] - skip*b.Noisy[k*len(y)+c]) / out
		}
		n.expand(target[k*n.N*n.N:], y, 1)
	}
	what := byte('l')
	if grads != nil {
		what = 't'
	}
	err = n.run(what, in, []any{engine.Tensor(target, b.N, n.N, n.N)}, func(f *nodes, more []*graph.Node) []*graph.Node {
		sum := graph.ReduceAllSum(graph.Square(graph.Sub(f.forward(), more[0])))
		l := graph.MulScalar(sum, 1/float64(b.N*n.V*(n.V-1)))
		if grads == nil {
			return []*graph.Node{l}
		}
		return append([]*graph.Node{l}, graph.Gradient(l, f.p...)...)
	}, func(outs []*tensors.Tensor) error {
		loss = float64(tensors.ToScalar[float32](outs[0]))
		return engine.ReadGrads(grads, outs[1:])
	})
	return loss, err
}

// fill sets a network's inputs in, of size examples, the first count of them from noisy coordinates x, an estimate
// self, nil for none, and each example's σ; the others are 0.
func (n *Model) fill(in *inputs, size, count int, x, self []float64, sigma func(k int) float64) {
	D, M := n.Dim(), n.N*n.N
	in.resize(n, size)
	for k := range count {
		_, _, scale := n.cfg.precond(sigma(k))
		n.expand(in.x[k*M:], x[k*D:], scale)
		if self != nil {
			n.expand(in.self[k*M:], self[k*D:], 1)
		}
		n.features(in.level[k*n.cfg.Dim:][:n.cfg.Dim], sigma(k))
	}
}
