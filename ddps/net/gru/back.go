package gru

import (
	"math"

	"github.com/ddps-go/ddps/ddps/internal/vec"
)

// loss returns Σ −weight·log p of the edges that the walks take at step t and sets the step's slope to its gradient by
// the logits.
func (b *block) loss(list []walk, t int, s *step) (loss float64) {
	s.slope = b.cleared(s.slope)
	for k, w := range list {
		if c, ok := b.choice(w, t, k); ok {
			c.related = b.related[:b.n.g.Degree(int(c.vertex))]
			b.trails[k].row(b.n, int(c.vertex), c.related)
			loss += b.output.loss(&c, k, b.z, s.slope)
		}
	}
	return loss
}

// choice returns that of lane k's walk at step t, without its relations; ok is false where it has none.
func (b *block) choice(w walk, t, k int) (c choice, ok bool) {
	if t >= len(w.vertices) || b.n.g.Degree(int(w.vertices[t])) < 2 {
		return c, false
	}
	return choice{vertex: w.vertices[t], slot: w.slots[t], weight: b.weights[k]}, true
}

// cleared returns slope with a zero for each unit of the output at hand.
func (b *block) cleared(slope []vec.Block) []vec.Block {
	units := len(b.output.bias)
	if cap(slope) < units {
		return make([]vec.Block, units, units+units/2)
	}
	slope = slope[:units]
	clear(slope)
	return slope
}

// loss returns −weight·log p of lane k's choice and adds its gradient by the logits to slope; z has room for the row.
func (o *output) loss(c *choice, k int, z []float32, slope []vec.Block) float64 {
	lo, hi := o.n.g.Edges(int(c.vertex))
	heads, z, r, slot := o.n.head[lo:hi], z[:hi-lo], c.related, c.slot
	top := float32(math.Inf(-1))
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
	scale := c.weight / sum
	for d, p := range heads {
		slope[o.unit[p]][k] += scale * z[d]
		for r := r[d]; r > 0; r &= r - 1 {
			slope[o.relation(r)][k] += scale * z[d]
		}
	}
	slope[o.unit[heads[slot]]][k] -= c.weight
	for r := r[slot]; r > 0; r &= r - 1 {
		slope[o.relation(r)][k] -= c.weight
	}
	return float64(c.weight) * (math.Log(float64(sum)) - float64(chosen))
}

// backward adds the gradient of step t to grads. b.d is that by the state after the step; it leaves that by the state
// before.
func (b *block) backward(list []walk, t int, grads [][]float32) {
	n, s, H, before := b.n, &b.steps[t], b.n.hidden, b.zero
	if s.choices {
		part := s.back
		if !n.wide {
			part = b.part
			b.units(list, t)
			b.backOutput(part, s.slope, s.read, grads)
		}
		b.out.times(part, s.keep)
		vec.Add(vec.Flat(b.d), vec.Flat(part))
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
