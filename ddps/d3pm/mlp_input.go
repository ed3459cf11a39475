package d3pm

import (
	"math"

	"github.com/ddps-go/ddps/ddps/internal/vec"
)

// The first layer is Σ Emb[e] + W_t·features(t) + b, a sum of rows of the parameter "in". Sampling, and training but for
// whole steps on XLA, do it on the host: on GoMLX's Go backend a one-hot matrix product takes 14 ms for this layer and its
// gradient at B = 256 on Toy, a gather 67 ms; these sums take about one.

// features writes the sinusoidal features of t into f, of length Time.
func (m *MLP) features(f []float32, t int) { m.freq.write(f, t) }

// sinusoids are the frequencies ω_k = 10000^(−k/K), k in 0…K−1, of 2K features of time: sin(ω_k t), then cos(ω_k t).
type sinusoids []float64

func newSinusoids(features int) (s sinusoids) {
	for k := range features / 2 {
		s = append(s, math.Pow(10000, -2*float64(k)/float64(features)))
	}
	return s
}

// write sets f, of length 2K, to the features of t.
func (s sinusoids) write(f []float32, t int) {
	for k, w := range s {
		sin, cos := math.Sincos(float64(t) * w)
		f[k], f[len(s)+k] = float32(sin), float32(cos)
	}
}

// inRow returns row k of a parameter or gradient "in".
func (m *MLP) inRow(in []float32, k int) []float32 { return in[k*m.cfg.Hidden : (k+1)*m.cfg.Hidden] }

// bias sets sum to W_t·f + b, f the features of t.
func (m *MLP) bias(sum, f []float32) {
	in := m.params[0].Data
	copy(sum, m.inRow(in, m.edges+len(f)))
	for k, w := range f {
		vec.Axpy(sum, m.inRow(in, m.edges+k), w)
	}
}

// embed adds the embeddings of edges to sum.
func (m *MLP) embed(sum []float32, edges []int32) { vec.Gather(sum, m.params[0].Data, edges) }

// inputs sets h.pre from the batch.
func (h *mlpHost) inputs(m *MLP, b *Batch) {
	width, rows := m.cfg.Hidden, len(m.rows)
	h.pre = grow(h.pre, b.N*width)
	for n := range b.N {
		sum := h.pre[n*width : (n+1)*width]
		m.bias(sum, h.features(m, b.T[n]))
		m.embed(sum, b.Xt[n*rows:(n+1)*rows])
	}
}

// backward sets grad, of the shape of "in", from the gradient of h.pre.
func (h *mlpHost) backward(m *MLP, b *Batch, grad, pre []float32) {
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
