package d3pm

import (
	"runtime"
	"sync"
	"sync/atomic"
)

// The loss and its gradient on the host, made for this network: samples side by side in lanes, as in Forward, and every
// product of the way back too by mlpDense, on arrays turned so that its sums run over what they must.

// mlpBlock is how many examples are worked on together, a multiple of mlpLanes: the length of the sums of a product by the
// weights.
const mlpBlock = 32

// mlpSums is the most sums that a batch's blocks are added up in, so that as many processors can work on it. Which block
// goes to which sum, and their order, depend on the batch's size alone.
const mlpSums = 16

// mlpSum is the loss and the gradient of some blocks.
type mlpSum struct {
	ce, vb float64     // sums over examples
	grads  [][]float32 // nil: none is wanted
	room   [][]float32 // for grads
}

// mlpNative is what calls share: the weights transposed, and memory.
type mlpNative struct {
	back     [][]float32         // by layer, the last one that of the output: [from, to]
	time     []float32           // [H, Time] W_t
	features map[int32][]float32 // by time
	sums     []mlpSum
	works    sync.Pool // *mlpWork
}

// nativeLossGrad is LossGrad in plain Go, or in vectors. b and grads have passed their checks; the trainer is locked.
func (m *MLP) nativeLossGrad(b *Batch, grads [][]float32) (loss Loss) {
	t := &m.train.native
	t.prepare(m, grads != nil)
	for _, x := range b.T {
		m.train.host.features(m, x)
	}
	t.features = m.train.host.times
	blocks := (b.N + mlpBlock - 1) / mlpBlock
	S := min(blocks, mlpSums)
	for len(t.sums) < S {
		t.sums = append(t.sums, mlpSum{})
	}
	parallel(S, func(next func() int) {
		w := t.work(m)
		for k := next(); k < S; k = next() {
			s := &t.sums[k]
			s.begin(m, grads != nil)
			for i := k * blocks / S; i < (k+1)*blocks/S; i++ {
				w.block(m, b, i*mlpBlock, min((i+1)*mlpBlock, b.N), s)
			}
		}
		t.works.Put(w)
	})
	for i := range t.sums[:S] {
		s := &t.sums[i]
		loss.CE += s.ce / float64(b.N)
		loss.VB += float64(b.TMax) * s.vb / float64(b.N)
		for p, g := range grads {
			if i == 0 {
				copy(g, s.grads[p])
				continue
			}
			mlpAdd(g, s.grads[p])
		}
	}
	loss.Total = loss.CE + m.cfg.Gamma*loss.VB
	return loss
}

// prepare transposes the weights.
func (t *mlpNative) prepare(m *MLP, grad bool) {
	H, T := m.cfg.Hidden, m.cfg.Time
	t.time = grow(t.time, H*T)
	transpose(t.time, m.params[0].Data[m.edges*H:], T, H)
	if !grad {
		return
	}
	p := m.params[1:]
	for l := 0; 2*l < len(p); l++ {
		if len(t.back) <= l {
			t.back = append(t.back, make([]float32, len(p[2*l].Data)))
		}
		transpose(t.back[l], p[2*l].Data, p[2*l].Shape[0], H)
	}
}

// transpose sets to, [cols, rows], from x, [rows, cols], by tiles that stay in the cache.
func transpose(to, x []float32, rows, cols int) {
	const tile = 16
	for r := 0; r < rows; r += tile {
		for c := 0; c < cols; c += tile {
			for i := r; i < min(r+tile, rows); i++ {
				for j, y := range x[i*cols+c : i*cols+min(c+tile, cols)] {
					to[(c+j)*rows+i] = y
				}
			}
		}
	}
}

// begin clears s.
func (s *mlpSum) begin(m *MLP, grad bool) {
	if s.ce, s.vb, s.grads = 0, 0, nil; !grad {
		return
	}
	if s.room == nil {
		for _, p := range m.params {
			s.room = append(s.room, make([]float32, len(p.Data)))
		}
	}
	s.grads = s.room
	for _, g := range s.grads {
		clear(g)
	}
}

// work returns memory for a block.
func (t *mlpNative) work(m *MLP) *mlpWork {
	if w, ok := t.works.Get().(*mlpWork); ok {
		return w
	}
	return newMLPWork(m)
}

// parallel runs work on all processors; next hands out 0, 1, 2, …, and work stops at n.
func parallel(n int, work func(next func() int)) {
	var count atomic.Int64
	next := func() int { return int(count.Add(1)) - 1 }
	threads := min(n, runtime.GOMAXPROCS(0))
	if threads < 2 {
		work(next)
		return
	}
	var wg sync.WaitGroup
	for range threads {
		wg.Go(func() { work(next) })
	}
	wg.Wait()
}
