package mlp

import (
	"github.com/ddps-go/ddps/ddps/internal/vec"
	"github.com/ddps-go/ddps/ddps/net"
)

// work is the memory of a block of up to vec.Lanes examples, each in its own lane.
type work struct {
	feature []vec.Block   // [Time+1] the features of t and a 1
	rows    []float32     // [vec.Lanes, H] the first layer's, by example
	y, h    [][]vec.Block // by layer, [H]: before silu, and what continues
	out     []vec.Block   // [E]
	dout    []vec.Block   // [E] the loss's gradient by out
	d, dy   []vec.Block   // [H] gradients of h and y
	turned  []vec.Block   // [⌈H/vec.Lanes⌉, vec.Lanes] a vector of units of each example
	part    []vec.Block   // [max(H, E, Time+1)] scratch
	zero    []float32     // [max(H, E, Time+1)]
	row     net.RowLoss
}

func newWork(m *Network) *work {
	H, E, T := m.cfg.Hidden, m.edges, m.cfg.Time
	blocks := func(n int) []vec.Block { return make([]vec.Block, n) }
	most := max(H, E, T+1)
	w := &work{feature: blocks(T + 1), rows: make([]float32, vec.Lanes*H), out: blocks(E), dout: blocks(E), d: blocks(H),
		dy: blocks(H), turned: blocks((H + vec.Lanes - 1) / vec.Lanes * vec.Lanes), part: blocks(most),
		zero: make([]float32, most)}
	for range m.cfg.Layers + 1 {
		w.y, w.h = append(w.y, blocks(H)), append(w.h, blocks(H))
	}
	return w
}

// block adds the loss of examples lo…hi−1 of b, at most vec.Lanes, and its gradient unless s has none, to s.
func (w *work) block(m *Network, b *net.Batch, lo, hi int, s *partial) {
	w.forward(m, b, lo, hi)
	w.loss(m, b, lo, hi, s)
	if s.grads != nil {
		w.backward(m, b, lo, hi, s.grads)
	}
}

// forward sets y, h and out. Lanes without an example get finite numbers.
func (w *work) forward(m *Network, b *net.Batch, lo, hi int) {
	H, T, in := m.cfg.Hidden, m.cfg.Time, m.params[0].Data
	clear(w.feature)
	clear(w.rows)
	for k := range hi - lo {
		for q, x := range m.train.native.features[b.T[lo+k]] {
			w.feature[q][k] = x
		}
		w.feature[T][k] = 1
		vec.Gather(w.rows[k*H:(k+1)*H], in, b.Xt[(lo+k)*len(m.rows):][:len(m.rows)])
	}
	vec.Dense(w.y[0], m.train.native.time, m.inRow(in, m.edges+T), w.feature[:T])
	vec.TurnAdd(w.y[0], w.rows)
	vec.Silu(w.h[0], w.y[0], false)
	p := m.params[1:]
	for l := 1; l < len(w.h); l++ {
		vec.Dense(w.y[l], p[0].Data, p[1].Data, w.h[l-1])
		copy(w.h[l], w.h[l-1])
		vec.Silu(w.h[l], w.y[l], true)
		p = p[2:]
	}
	vec.Dense(w.out, p[0].Data, p[1].Data, w.h[len(w.h)-1])
}

// loss adds the loss and, where s has gradients, sets dout.
func (w *work) loss(m *Network, b *net.Batch, lo, hi int, s *partial) {
	r := &w.row
	r.Gamma, r.Scale = m.cfg.Gamma*float64(b.TMax), 1/float64(b.N)
	r.Resize(b.D)
	clear(w.dout)
	for k := range hi - lo {
		for l := range b.L {
			n := (lo+k)*b.L + l
			edge := b.Edge[n*b.D : (n+1)*b.D]
			for d, e := range edge {
				r.Z[d] = float64(w.out[e][k])
			}
			ce, vb := r.Take(b, n, lo+k)
			s.ce, s.vb = s.ce+ce, s.vb+vb
			if s.grads == nil {
				continue
			}
			for d, e := range edge {
				if b.Mask[n*b.D+d] != 0 {
					w.dout[e][k] = float32(r.Slope[d])
				}
			}
		}
	}
}
