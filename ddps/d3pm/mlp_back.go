package d3pm

// backward adds the gradient of examples lo…hi−1 to grads, from dout and what forward left.
func (w *mlpWork) backward(m *MLP, b *Batch, lo, hi int, grads [][]float32) {
	L := m.cfg.Layers
	p := grads[1:]
	w.product(p[2*L], p[2*L+1], w.dout, w.h[L])
	w.through(w.d, m.train.native.back[L], w.dout)
	for l := L; l > 0; l-- {
		copy(w.dy, w.d)
		mlpSiluBack(w.dy, w.y[l])
		w.product(p[2*l-2], p[2*l-1], w.dy, w.h[l-1])
		for g := range mlpGroups {
			part, d := w.part[:m.cfg.Hidden], group(w.d, g)
			mlpDense(part, m.train.native.back[l-1], w.zero, group(w.dy, g))
			for i := range d {
				mlpAddLane(d[i][:], &part[i])
			}
		}
	}
	mlpSiluBack(w.d, w.y[0])
	w.input(m, b, lo, hi, grads[0])
}

// through sets d to back·dy.
func (w *mlpWork) through(d []mlpLane, back []float32, dy []mlpLane) {
	for g := range mlpGroups {
		mlpDense(group(d, g), back, w.zero, group(dy, g))
	}
}

// product adds Σ dy·hᵀ over the examples to weight, and Σ dy to bias.
func (w *mlpWork) product(weight, bias []float32, dy, h []mlpLane) {
	J, H := len(bias), len(weight)/len(bias)
	flat := w.flat[:J*mlpBlock]
	for g := range mlpGroups {
		for j, x := range group(dy, g) {
			copy(flat[j*mlpBlock+g*mlpLanes:], x[:])
		}
	}
	for j := range bias {
		bias[j] += total(flat[j*mlpBlock : (j+1)*mlpBlock])
	}
	w.turn(h)
	w.outer(weight, flat, J, H)
}

// total returns the sum of x, whose length is a multiple of four.
func total(x []float32) float32 {
	var a, b, c, d float32
	for ; len(x) >= 4; x = x[4:] {
		a, b, c, d = a+x[0], b+x[1], c+x[2], d+x[3]
	}
	return a + b + (c + d)
}

// outer adds Σ_k flat[j, k]·turned[i, k] to weight[j, i].
func (w *mlpWork) outer(weight, flat []float32, J, H int) {
	part := w.part[:J]
	for lo := 0; lo < H; lo += mlpLanes {
		mlpDense(part, flat, w.zero, w.turned[lo/mlpLanes*mlpBlock:][:mlpBlock])
		for j := range part {
			mlpAddLane(weight[j*H+lo:j*H+min(lo+mlpLanes, H)], &part[j])
		}
	}
}

// turn sets turned from h.
func (w *mlpWork) turn(h []mlpLane) {
	for g := range mlpGroups {
		for i, x := range group(h, g) {
			to := w.turned[i/mlpLanes*mlpBlock+g*mlpLanes:][:mlpLanes]
			for k, y := range x {
				to[k][i%mlpLanes] = y
			}
		}
	}
}

// input adds the gradient by the first layer, of whose sums d is the gradient.
func (w *mlpWork) input(m *MLP, b *Batch, lo, hi int, grad []float32) {
	H, T, rows := m.cfg.Hidden, m.cfg.Time, len(m.rows)
	w.turn(w.d)
	w.outer(grad[m.edges*H:], w.flatF, T+1, H)
	for k := range hi - lo {
		row := w.rows[k*H : (k+1)*H]
		for i := 0; i < H; i += mlpLanes {
			copy(row[i:], w.turned[i/mlpLanes*mlpBlock+k][:])
		}
		for _, e := range b.Xt[(lo+k)*rows : (lo+k+1)*rows] {
			mlpAdd(m.inRow(grad, int(e)), row)
		}
	}
}
