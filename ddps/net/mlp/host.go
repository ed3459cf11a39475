package mlp

import (
	"github.com/ddps-go/ddps/ddps/internal/engine"
	"github.com/ddps-go/ddps/ddps/net"
)

// host holds what the loss's graph takes in besides the parameters.
type host struct {
	net.OnPath
	pre   []float32           // [N, H] the first layer's sums
	index []int32             // [N·L·D] entry n·E + edge of the output
	x     []float32           // [N, E + Time + 1]
	times map[int32][]float32 // [Time] features of the times that were seen
}

func (h *host) fill(m *Network, b *net.Batch) {
	h.OnPath.Fill(b, m.cfg.Gamma > 0)
	h.index = net.Grow(h.index, b.N*b.L*b.D)
	for i, e := range b.Edge {
		h.index[i] = int32(i/(b.L*b.D)*m.edges) + e
	}
}

// rows are the tensors of the on-path rows: where they are in the output, and onPath's.
func (h *host) rows(b *net.Batch, vb bool) []any {
	return append([]any{engine.Tensor(h.index, len(h.index), 1)}, h.Tensors(b, vb)...)
}

// dense sets h.x from the batch: x_t one-hot, the features of t and a 1.
func (h *host) dense(m *Network, b *net.Batch) []float32 {
	rows, width := len(m.rows), m.edges+m.cfg.Time+1
	h.x = net.Grow(h.x, b.N*width)
	clear(h.x)
	for n := range b.N {
		x := h.x[n*width : (n+1)*width]
		for _, e := range b.Xt[n*rows : (n+1)*rows] {
			x[e] = 1
		}
		copy(x[m.edges:], h.features(m, b.T[n]))
		x[width-1] = 1
	}
	return h.x
}

// features returns those of a time.
func (h *host) features(m *Network, t int32) []float32 {
	f := h.times[t]
	if f == nil {
		f = make([]float32, m.cfg.Time)
		m.features(f, int(t))
		if h.times == nil {
			h.times = map[int32][]float32{}
		}
		h.times[t] = f
	}
	return f
}
