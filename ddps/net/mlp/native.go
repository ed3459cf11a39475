package mlp

import (
	"runtime"
	"sync"
	"sync/atomic"

	"github.com/ddps-go/ddps/ddps/internal/vec"
	"github.com/ddps-go/ddps/ddps/net"
)

// The loss and its gradient on the host, made for this network: samples together in lanes, as in Forward, and every
// product of the way back too by vec.Dense, on arrays turned so that its sums run over what they must.

// maxPartials is the most sums that a batch's blocks are added up in, so that as many CPU can work on it. Which block
// goes to which sum, and their order, depend on the batch's size alone.
const maxPartials = 16

// partial is the loss and the gradient of some blocks.
type partial struct {
	ce, vb float64     // sums over examples
	grads  [][]float32 // nil: none is wanted
	room   [][]float32 // for grads
}

// native is what calls share: the weights transposed, and memory.
type native struct {
	back     [][]float32         // by layer, the last one that of the output: [from, to]
	time     []float32           // [H, Time] W_t
	features map[int32][]float32 // by time
	sums     []partial
	works    sync.Pool // *mlpWork
}

// nativeLossGrad is LossGrad with the kernels of package vec. b and grads have passed their checks; the trainer is
// locked.
func (m *Network) nativeLossGrad(b *net.Batch, grads [][]float32) (loss net.Loss) {
	t := &m.train.native
	t.prepare(m, grads != nil)
	for _, x := range b.T {
		m.train.host.features(m, x)
	}
	t.features = m.train.host.times
	blocks := (b.N + vec.Lanes - 1) / vec.Lanes
	S := min(blocks, maxPartials)
	for len(t.sums) < S {
		t.sums = append(t.sums, partial{})
	}
	parallel(S, func(next func() int) {
		w := t.work(m)
		for k := next(); k < S; k = next() {
			s := &t.sums[k]
			s.begin(m, grads != nil)
			for i := k * blocks / S; i < (k+1)*blocks/S; i++ {
				w.block(m, b, i*vec.Lanes, min((i+1)*vec.Lanes, b.N), s)
			}
		}
		t.works.Put(w)
	})
	for i := range t.sums[:S] {
		s := &t.sums[i]
		loss.AddSums(s.ce, s.vb, b, m.cfg.Gamma)
		for p, g := range grads {
			if i == 0 {
				copy(g, s.grads[p])
				continue
			}
			vec.Add(g, s.grads[p])
		}
	}
	return loss
}

// prepare transposes the weights.
func (t *native) prepare(m *Network, grad bool) {
	H, T := m.cfg.Hidden, m.cfg.Time
	t.time = net.Grow(t.time, H*T)
	vec.Transpose(t.time, m.params[0].Data[m.edges*H:], T, H)
	if !grad {
		return
	}
	p := m.params[1:]
	for l := 0; 2*l < len(p); l++ {
		if len(t.back) <= l {
			t.back = append(t.back, make([]float32, len(p[2*l].Data)))
		}
		vec.Transpose(t.back[l], p[2*l].Data, p[2*l].Shape[0], H)
	}
}

// begin clears s.
func (s *partial) begin(m *Network, grad bool) {
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
func (t *native) work(m *Network) *work {
	if w, ok := t.works.Get().(*work); ok {
		return w
	}
	return newWork(m)
}

// parallel runs work on all CPU; next hands out 0, 1, 2, …, and work stops at n.
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
