package d3pm

import (
	"fmt"
	"runtime"
	"sync"
	"sync/atomic"
)

// pairChunk is how many examples share a sum of gradients. Chunks are the units of work and of summation.
const pairChunk = 8

// pairWork is the memory of one LossGrad call.
type pairWork struct{ sums []*pairSum }

// pairSum holds sums over the examples of a chunk: the loss and its gradient.
type pairSum struct {
	loss  float64
	a, b  []pairVec // [V] by a_v and b_v
	gamma []pairVec // [Time] by Γ
}

// LossGrad computes the mean cross-entropy Σ −log softmax(Base + out)[Target] over the on-path rows of b, without
// a bound term, and writes its gradient with respect to Params()[i].Data into grads[i], of the same length; with
// grads nil only the loss is computed. Of b it reads Xt, T, Edge, Base (which must be the logarithm of the
// chain's posterior) and Target. Examples are spread over all processors; sums go over chunks of fixed size in a
// fixed order, so that the same inputs give the same bits on any number of them. Safe for concurrent callers.
// With a Backend it is a graph there, equal up to rounding, for callers one at a time.
// The error tells what is wrong with b or grads.
func (p *Pair) LossGrad(b *Batch, grads [][]float32) (Loss, error) {
	if err := p.check(b, grads); err != nil {
		return Loss{}, fmt.Errorf("d3pm: pair: %w", err)
	}
	if p.cfg.Backend != "" {
		loss, err := p.deviceLossGrad(b, grads)
		if err != nil {
			return Loss{}, fmt.Errorf("d3pm: pair: %w", err)
		}
		return loss, nil
	}
	w := p.work.Get().(*pairWork)
	defer p.work.Put(w)
	chunks := (b.N + pairChunk - 1) / pairChunk
	for len(w.sums) < chunks {
		w.sums = append(w.sums, new(pairSum))
	}
	sums := w.sums[:chunks]
	parallel(chunks, func(next func() int) {
		s := p.trainers.Get().(*pairTrainer)
		p.vectors(&s.pairScratch)
		for k := next(); k < chunks; k = next() {
			p.chunk(s, b, k*pairChunk, min((k+1)*pairChunk, b.N), sums[k], grads != nil)
		}
		p.trainers.Put(s)
	})
	loss := 0.0
	for _, s := range sums {
		loss += s.loss
	}
	loss /= float64(b.N)
	if grads != nil {
		p.gradients(sums, grads)
	}
	return Loss{Total: loss, CE: loss}, nil
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

// chunk sums examples lo…hi−1 into sum.
func (p *Pair) chunk(s *pairTrainer, b *Batch, lo, hi int, sum *pairSum, grad bool) {
	if sum.loss = 0; grad {
		sum.a, sum.b = grow(sum.a, p.graph.V*p.graph.n), grow(sum.b, p.graph.V*p.graph.n)
		sum.gamma = grow(sum.gamma, p.cfg.Time*p.graph.n)
		clear(sum.a)
		clear(sum.b)
		clear(sum.gamma)
	}
	s.scale = 1 / float32(b.N)
	for n := lo; n < hi; n++ {
		p.example(s, b, n, sum, grad)
	}
}

// gradients adds the sums in order and carries them over to the parameters.
func (p *Pair) gradients(sums []*pairSum, grads [][]float32) {
	const part = 64 // vertices
	g, total := &p.graph, sums[0]
	parts := (g.V + part - 1) / part
	parallel(parts, func(next func() int) {
		for k := next(); k < parts; k = next() {
			lo, hi := k*part*g.n, min((k+1)*part, g.V)*g.n
			for _, s := range sums[1:] {
				pairAxpy(total.a[lo:hi], s.a[lo:hi], 1)
				pairAxpy(total.b[lo:hi], s.b[lo:hi], 1)
			}
		}
	})
	for _, s := range sums[1:] {
		pairAxpy(total.gamma, s.gamma, 1)
	}
	for _, g := range grads {
		clear(g)
	}
	da, db := pairTable{rows: grads[0]}, pairTable{rows: grads[1]}
	if p.cfg.Shared {
		da.scale, db.scale = grads[2], grads[3]
		db.back, db.other = grads[4], grads[0]
	}
	p.collect(da, p.a, total.a)
	p.collect(db, p.b, total.b)
	H, dGamma := p.cfg.Hidden, grads[len(grads)-1]
	for i := range dGamma {
		k, h := i/H, i%H
		dGamma[i] = total.gamma[k*g.n+h/pairWidth][h%pairWidth]
	}
}

// collect is spread backwards: adds to the gradient of the table at from that by vertex, x.
func (p *Pair) collect(grad, at pairTable, x []pairVec) {
	H := p.cfg.Hidden
	room := make([]float32, H)
	for v, r := range p.row {
		src, row, l := p.graph.of(x, v), grad.rows[int(r)*H:][:H], int(p.layer[v])
		if at.scale == nil {
			for h := range row {
				row[h] += src[h/pairWidth][h%pairWidth]
			}
			continue
		}
		value, scale, by := at.rowOf(room, int(r), l), at.scale[l*H:][:H], grad.scale[l*H:][:H]
		for h := range row {
			y := src[h/pairWidth][h%pairWidth]
			by[h] += y * value[h]
			y *= 1 + scale[h]
			row[h] += y
			if at.back != nil {
				grad.back[l] += y * at.other[int(r)*H+h]
				grad.other[int(r)*H+h] += y * at.back[l]
			}
		}
	}
}
