package swingnn

import (
	"fmt"

	"github.com/gomlx/gomlx/pkg/core/graph"
	"github.com/gomlx/gomlx/pkg/core/tensors"

	"github.com/ddps-go/ddps/ddps/internal/engine"
)

// deviceBatch is how many matrices the network works on at a time in sampling, always: one graph is compiled.
const deviceBatch = 64

// Denoise is a Denoiser: it sets d to D(x; σ) = skip·x + out·F(in·x; σ).
func (n *Model) Denoise(d, x, self []float64, sigma float64) error {
	return n.inParts(d, nil, x, self, nil, sigma)
}

// DenoiseGrad sets d as Denoise does, and g to the gradient of Σ_c cot[c]·D_c at x, for each matrix alike: cot is
// [Dim]. The estimate self is held constant.
func (n *Model) DenoiseGrad(d, g, x, self, cot []float64, sigma float64) error {
	if len(cot) != n.Dim() || len(g) != len(x) {
		return fmt.Errorf("swingnn: %d weights and %d gradients, expected %d and %d", len(cot), len(g), n.Dim(), len(x))
	}
	return n.inParts(d, g, x, self, cot, sigma)
}

// inParts does deviceBatch matrices at a time.
func (n *Model) inParts(d, g, x, self, cot []float64, sigma float64) error {
	D := n.Dim()
	if len(x)%D != 0 || len(d) != len(x) || self != nil && len(self) != len(x) || !(sigma > 0) {
		return fmt.Errorf("swingnn: denoise: %d, %d and %d numbers at σ = %g, expected the same multiple of %d and σ > 0",
			len(d),
			len(x), len(self), sigma, D)
	}
	n.running.Lock()
	defer n.running.Unlock()
	const size = deviceBatch
	return n.sideBySide((len(x)/D+size-1)/size, func(k int, in *inputs) error {
		lo, hi := k*size*D, min((k+1)*size*D, len(x))
		part := func(a []float64) []float64 {
			if a == nil {
				return nil
			}
			return a[lo:hi]
		}
		if err := n.denoise(in, part(d), part(g), part(x), part(self), cot, sigma); err != nil {
			return fmt.Errorf("swingnn: denoise: %w", err)
		}
		return nil
	})
}

// denoise does up to deviceBatch matrices; the rest of the batch is 0.
func (n *Model) denoise(in *inputs, d, g, x, self, cot []float64, sigma float64) error {
	D, M := n.Dim(), n.N*n.N
	count := len(x) / D
	n.fill(in, deviceBatch, count, x, self, func(int) float64 { return sigma })
	skip, out, scale := n.cfg.precond(sigma)
	if g == nil {
		build := func(f *nodes, _ []*graph.Node) []*graph.Node { return []*graph.Node{f.forward()} }
		return n.run('f', in, nil, build, func(outs []*tensors.Tensor) error {
			return tensors.ConstFlatData(outs[0], func(z []float32) { n.collect(d, x, z, count, skip, out) })
		})
	}
	// The two entries of a coordinate stand for one variable: R = Σ cot·½(D_ij + D_ji), and each moves with both.
	w := make([]float32, M)
	n.expand(w, cot, 0.5)
	build := func(f *nodes, more []*graph.Node) []*graph.Node {
		y := f.forward()
		r := graph.ReduceAllSum(graph.Mul(y, graph.InsertAxes(more[0], 0)))
		return []*graph.Node{y, graph.Gradient(r, f.x)[0]}
	}
	return n.run('g', in, []any{engine.Tensor(w, n.N, n.N)}, build, func(outs []*tensors.Tensor) error {
		if err := tensors.ConstFlatData(outs[0], func(z []float32) { n.collect(d, x, z, count, skip, out) }); err != nil {
			return err
		}
		return tensors.ConstFlatData(outs[1], func(z []float32) {
			for k := range count {
				eachEntry(n.V, func(c, i, j int) {
					g[k*D+c] = skip*cot[c] + out*scale*float64(z[k*M+i*n.N+j]+z[k*M+j*n.N+i])
				})
			}
		})
	})
}

// collect sets d to skip·x + out·F, with F's matrices in z.
func (n *Model) collect(d, x []float64, z []float32, count int, skip, out float64) {
	D, M := n.Dim(), n.N*n.N
	for k := range count {
		eachEntry(n.V, func(c, i, j int) { d[k*D+c] = skip*x[k*D+c] + out*float64(z[k*M+i*n.N+j]) })
	}
}

// estimate sets d to D at a batch's noisy matrices, each at its own σ, without an estimate to condition on.
func (n *Model) estimate(d []float64, b *batch) error {
	n.running.Lock()
	defer n.running.Unlock()
	parts, size := n.divide(b.N), n.Dim()
	return n.sideBySide(parts, func(k int, in *inputs) error {
		at := k * (b.N / parts) * size
		return n.partEstimate(d[at:], b.part(k, parts), in)
	})
}

// partEstimate is estimate of a part of a batch.
func (n *Model) partEstimate(d []float64, b *batch, in *inputs) error {
	n.fill(in, b.N, b.N, b.Noisy, nil, func(k int) float64 { return b.Sigma[k] })
	build := func(f *nodes, _ []*graph.Node) []*graph.Node { return []*graph.Node{f.forward()} }
	D, M := n.Dim(), n.N*n.N
	return n.run('f', in, nil, build, func(outs []*tensors.Tensor) error {
		return tensors.ConstFlatData(outs[0], func(z []float32) {
			for k := range b.N {
				skip, out, _ := n.cfg.precond(b.Sigma[k])
				n.collect(d[k*D:(k+1)*D], b.Noisy[k*D:(k+1)*D], z[k*M:], 1, skip, out)
			}
		})
	})
}
