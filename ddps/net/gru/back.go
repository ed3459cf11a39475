package gru

import (
	"math"

	"github.com/ddps-go/ddps/ddps/internal/vec"
)

// loss returns Σ −weight·log p of the edges that the walks take at step t and sets slope to its gradient by the logits.
func (b *block) loss(list []walk, t int, s *step) (loss float64) {
	o, units := b.output, len(b.output.bias)
	if cap(s.slope) < units {
		s.slope = make([]vec.Block, units, units+units/2)
	}
	s.slope = s.slope[:units]
	slope := s.slope
	clear(slope)
	for k, w := range list {
		if t >= len(w.vertices) {
			continue
		}
		lo, hi := b.n.g.Edges(int(w.vertices[t]))
		if hi-lo < 2 {
			continue
		}
		heads, z, slot := b.n.head[lo:hi], b.z[:hi-lo], w.slots[t]
		top := float32(math.Inf(-1))
		r := b.related[:hi-lo]
		b.trails[k].row(b.n, int(w.vertices[t]), r)
		for d, p := range heads {
			z[d] = o.logits[o.unit[p]][k] + o.related(r[d], k)
			top = max(top, z[d])
		}
		for d := range z {
			z[d] -= top
		}
		chosen, sum := z[slot], float32(0)
		vec.Exps(z)
		for _, x := range z {
			sum += x
		}
		weight := b.weights[k]
		loss += float64(weight) * (math.Log(float64(sum)) - float64(chosen))
		scale := weight / sum
		for d, p := range heads {
			slope[o.unit[p]][k] += scale * z[d]
			for r := r[d]; r > 0; r &= r - 1 {
				slope[o.relation(r)][k] += scale * z[d]
			}
		}
		slope[o.unit[heads[slot]]][k] -= weight
		for r := r[slot]; r > 0; r &= r - 1 {
			slope[o.relation(r)][k] -= weight
		}
	}
	return loss
}

// backward adds the gradient of step t to grads. b.d is that by the state after the step; it leaves that by the state
// before.
func (b *block) backward(list []walk, t int, grads [][]float32) {
	n, s, H, before := b.n, &b.steps[t], b.n.hidden, b.zero
	if s.choices {
		b.units(list, t)
		b.backOutput(b.part, s.slope, s.read, grads)
		b.out.times(b.part, s.keep)
		vec.Add(vec.Flat(b.d), vec.Flat(b.part))
	}
	if t > 0 {
		before = b.steps[t-1].h
	}
	vec.GatesBack(b.d, s.g, s.a, before, b.grad)
	b.outer(grads[pInput], b.grad[:3*H], s.x)
	addSums(grads[pInputBias], b.grad[:3*H])
	addSums(grads[pStateBias], b.grad[H:])
	if t > 0 {
		b.outer(grads[pState], b.grad[H:], before)
		vec.DenseAdd(vec.Flat(b.d), vec.Lanes, b.back.state, b.grad[H:])
	}
	vec.Dense(b.dx, b.back.input, b.none, b.grad[:3*H])
	b.in.times(b.dx, s.drop)
	addSums(grads[pPosition][t*n.embed:], b.dx)
	vec.Transpose(b.rows, vec.Flat(b.dx), n.embed, vec.Lanes)
	for k, w := range list {
		if t >= len(w.vertices) {
			continue
		}
		row := b.rows[k*n.embed : (k+1)*n.embed]
		vec.Add(grads[pPlace][int(n.place[w.vertices[t]])*n.embed:][:n.embed], row)
		if first := n.layout.start(w, t); n.start && first >= 0 {
			vec.Add(grads[pStart][int(first)*n.embed:][:n.embed], row)
		}
	}
}

// outer adds Σ_k d[j][k]·x[i][k] to grad[j, i].
func (b *block) outer(grad []float32, d, x []vec.Block) {
	vec.Turn(b.turned, x)
	for lo := 0; lo < len(x); lo += vec.Lanes {
		vec.DenseAdd(grad[lo:], len(x), vec.Flat(d), b.turned[lo:lo+vec.Lanes])
	}
}

// addSums adds the sum of each block to sums.
func addSums(sums []float32, x []vec.Block) {
	for j := range x {
		var a, b, c, d float32
		for y := x[j][:]; len(y) >= 4; y = y[4:] {
			a, b, c, d = a+y[0], b+y[1], c+y[2], d+y[3]
		}
		sums[j] += a + b + (c + d)
	}
}
