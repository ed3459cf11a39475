package d3pm

// mlpGroups is the lanes' groups of a block: group g holds its examples g·mlpLanes, …
const mlpGroups = mlpBlock / mlpLanes

// mlpWork is the memory of a block of examples. Arrays of lanes are by group, then by unit.
type mlpWork struct {
	feature []mlpLane   // [Time]
	flatF   []float32   // [Time+1, mlpBlock] the same and a 1, by example
	rows    []float32   // [mlpBlock, H] the first layer's, by example
	y, h    [][]mlpLane // by layer, [H]: before silu, and what goes on
	out     []mlpLane   // [E]
	dout    []mlpLane   // [E] the loss's gradient by out
	d, dy   []mlpLane   // [H] gradients of h and y
	flat    []float32   // [max(H, E), mlpBlock] a gradient by unit and example
	turned  []mlpLane   // [⌈H/mlpLanes⌉, mlpBlock] a vector of units of each example
	part    []mlpLane   // [max(H, E, Time+1)] room
	zero    []float32   // [max(H, E, Time+1)]
	row     mlpLossRow
}

func newMLPWork(m *MLP) *mlpWork {
	H, E, T, L := m.cfg.Hidden, m.edges, m.cfg.Time, m.cfg.Layers+1
	lanes := func(n int) []mlpLane { return make([]mlpLane, mlpGroups*n) }
	w := &mlpWork{feature: lanes(T), flatF: make([]float32, (T+1)*mlpBlock), rows: make([]float32, mlpBlock*H), out: lanes(E), dout: lanes(E), d: lanes(H), dy: lanes(H),
		flat: make([]float32, max(H, E)*mlpBlock), turned: make([]mlpLane, (H+mlpLanes-1)/mlpLanes*mlpBlock), part: make([]mlpLane, max(H, E, T+1)), zero: make([]float32, max(H, E, T+1))}
	for range L {
		w.y, w.h = append(w.y, lanes(H)), append(w.h, lanes(H))
	}
	return w
}

// group returns group g of lanes of n units.
func group(x []mlpLane, g int) []mlpLane {
	n := len(x) / mlpGroups
	return x[g*n : (g+1)*n]
}

// block adds the loss of examples lo…hi−1 of b, at most mlpBlock, and its gradient unless s has none, to s.
func (w *mlpWork) block(m *MLP, b *Batch, lo, hi int, s *mlpSum) {
	w.forward(m, b, lo, hi)
	w.loss(m, b, lo, hi, s)
	if s.grads != nil {
		w.backward(m, b, lo, hi, s.grads)
	}
}

// forward sets y, h and out. Lanes without an example get finite numbers.
func (w *mlpWork) forward(m *MLP, b *Batch, lo, hi int) {
	H, T, in := m.cfg.Hidden, m.cfg.Time, m.params[0].Data
	clear(w.flatF)
	clear(w.rows)
	for k := range hi - lo {
		f := m.train.native.features[b.T[lo+k]]
		for q, x := range f {
			w.flatF[q*mlpBlock+k] = x
		}
		w.flatF[T*mlpBlock+k] = 1
		mlpGather(w.rows[k*H:(k+1)*H], in, b.Xt[(lo+k)*len(m.rows):][:len(m.rows)])
	}
	for g := range mlpGroups {
		f, y, h := group(w.feature, g), group(w.y[0], g), group(w.h[0], g)
		for q := range f {
			copy(f[q][:], w.flatF[q*mlpBlock+g*mlpLanes:])
		}
		mlpDense(y, m.train.native.time, m.inRow(in, m.edges+T), f)
		mlpTurnAdd(y, w.rows[g*mlpLanes*H:][:mlpLanes*H])
		mlpSilu(h, y, false)
		p := m.params[1:]
		for l := 1; l < len(w.h); l++ {
			y, next := group(w.y[l], g), group(w.h[l], g)
			mlpDense(y, p[0].Data, p[1].Data, h)
			copy(next, h)
			mlpSilu(next, y, true)
			h, p = next, p[2:]
		}
		mlpDense(group(w.out, g), p[0].Data, p[1].Data, h)
	}
}

// loss adds the loss and, where s has gradients, sets dout.
func (w *mlpWork) loss(m *MLP, b *Batch, lo, hi int, s *mlpSum) {
	r := &w.row
	r.gamma, r.scale = m.cfg.Gamma*float64(b.TMax), 1/float64(b.N)
	r.grow(b.D)
	clear(w.dout)
	for k := range hi - lo {
		out, dout, lane := group(w.out, k/mlpLanes), group(w.dout, k/mlpLanes), k%mlpLanes
		for l := range b.L {
			n := (lo+k)*b.L + l
			edge := b.Edge[n*b.D : (n+1)*b.D]
			for d, e := range edge {
				r.z[d] = float64(out[e][lane])
			}
			ce, vb := r.take(b, n, lo+k)
			s.ce, s.vb = s.ce+ce, s.vb+vb
			if s.grads == nil {
				continue
			}
			for d, e := range edge {
				if b.Mask[n*b.D+d] != 0 {
					dout[e][lane] = float32(r.slope[d])
				}
			}
		}
	}
}
