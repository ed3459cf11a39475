package mlp

import (
	"github.com/ddps-go/ddps/ddps/internal/vec"
	"github.com/ddps-go/ddps/ddps/net"
)

// backward adds the gradient of examples lo…hi−1 to grads, from dout and what forward left.
func (w *work) backward(m *Network, b *net.Batch, lo, hi int, grads [][]float32) {
	L := m.cfg.Layers
	p, back := grads[1:], m.train.native.back
	w.product(p[2*L], p[2*L+1], w.dout, w.h[L])
	vec.Dense(w.d, back[L], w.zero, w.dout)
	for l := L; l > 0; l-- {
		copy(w.dy, w.d)
		vec.SiluBack(w.dy, w.y[l])
		w.product(p[2*l-2], p[2*l-1], w.dy, w.h[l-1])
		part := w.part[:len(w.d)]
		vec.Dense(part, back[l-1], w.zero, w.dy)
		vec.Add(vec.Flat(w.d), vec.Flat(part))
	}
	vec.SiluBack(w.d, w.y[0])
	w.input(m, b, lo, hi, grads[0])
}

// product adds Σ dy·hᵀ over the examples to weight, and Σ dy to bias.
func (w *work) product(weight, bias []float32, dy, h []vec.Block) {
	for j := range bias {
		bias[j] += total(dy[j][:])
	}
	vec.Turn(w.turned, h)
	w.outer(weight, dy, len(h))
}

// total returns the sum of x, whose length is a multiple of four.
func total(x []float32) float32 {
	var a, b, c, d float32
	for ; len(x) >= 4; x = x[4:] {
		a, b, c, d = a+x[0], b+x[1], c+x[2], d+x[3]
	}
	return a + b + (c + d)
}

// outer adds Σ_k dy[j][k]·turned[i, k] to weight[j, i], of H columns.
func (w *work) outer(weight []float32, dy []vec.Block, H int) {
	part := w.part[:len(dy)]
	for lo := 0; lo < H; lo += vec.Lanes {
		vec.Dense(part, vec.Flat(dy), w.zero, w.turned[lo:lo+vec.Lanes])
		for j := range part {
			vec.Add(weight[j*H+lo:j*H+min(lo+vec.Lanes, H)], part[j][:])
		}
	}
}

// input adds the gradient by the first layer, of whose sums d is the gradient.
func (w *work) input(m *Network, b *net.Batch, lo, hi int, grad []float32) {
	H, rows := m.cfg.Hidden, len(m.rows)
	vec.Turn(w.turned, w.d)
	w.outer(grad[m.edges*H:], w.feature, H)
	for k := range hi - lo {
		row := w.rows[k*H : (k+1)*H]
		for i := 0; i < H; i += vec.Lanes {
			copy(row[i:], w.turned[i+k][:])
		}
		for _, e := range b.Xt[(lo+k)*rows : (lo+k+1)*rows] {
			vec.Add(m.inRow(grad, int(e)), row)
		}
	}
}
