package mlp

import (
	"github.com/ddps-go/ddps/ddps/internal/vec"
	"github.com/ddps-go/ddps/ddps/net"
)

// The first layer is Σ Emb[e] + W_t·features(t) + b, a sum of rows of the parameter "in". Sampling, and training but
// for whole steps on XLA, do it on the host: on GoMLX's Go backend a one-hot matrix product takes 14 ms for this
// layer and its gradient at B = 256 on Toy, a gather 67 ms; these sums take about one.

// features writes the sinusoidal features of t into f, of length Time.
func (m *Network) features(f []float32, t int) { m.freq.Write(f, t) }

// inRow returns row k of a parameter or gradient "in".
func (m *Network) inRow(in []float32, k int) []float32 {
	return in[k*m.cfg.Hidden : (k+1)*m.cfg.Hidden]
}

// bias sets sum to W_t·f + b, f the features of t.
func (m *Network) bias(sum, f []float32) {
	in := m.params[0].Data
	copy(sum, m.inRow(in, m.edges+len(f)))
	for k, w := range f {
		vec.Axpy(sum, m.inRow(in, m.edges+k), w)
	}
}

// embed adds the embeddings of edges to sum.
func (m *Network) embed(sum []float32, edges []int32) { vec.Gather(sum, m.params[0].Data, edges) }

// inputs sets h.pre from the batch.
func (h *host) inputs(m *Network, b *net.Batch) {
	width, rows := m.cfg.Hidden, len(m.rows)
	h.pre = net.Grow(h.pre, b.N*width)
	for n := range b.N {
		sum := h.pre[n*width : (n+1)*width]
		m.bias(sum, h.features(m, b.T[n]))
		m.embed(sum, b.Xt[n*rows:(n+1)*rows])
	}
}

// backward sets grad, of the shape of "in", from the gradient of h.pre.
func (h *host) backward(m *Network, b *net.Batch, grad, pre []float32) {
	width, rows, f := m.cfg.Hidden, len(m.rows), m.cfg.Time
	clear(grad)
	for n := range b.N {
		d := pre[n*width : (n+1)*width]
		for _, e := range b.Xt[n*rows : (n+1)*rows] {
			vec.Add(m.inRow(grad, int(e)), d)
		}
		for k, w := range h.features(m, b.T[n]) {
			vec.Axpy(m.inRow(grad, m.edges+k), d, w)
		}
		vec.Add(m.inRow(grad, m.edges+f), d)
	}
}
