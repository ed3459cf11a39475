package gru

import (
	"slices"

	"github.com/ddps-go/ddps/ddps/internal/vec"
)

// wideDegree is from how many edges of a vertex on, but the first, a network is wide: walks side by side have outputs
// of hundreds of places that lead on from where the others are. The outputs of a wide network are computed when all
// walks of a batch are through, for choices side by side that are at the same place, whatever their walks and steps.
const wideDegree = 64

// isWide reports whether a network of the layout is wide.
func (y *layout) isWide() bool {
	most := 0
	for v := 1; v < y.g.NumVertices(); v++ {
		most = max(most, y.g.Degree(v))
	}
	return y.places > fewPlaces && most >= wideDegree
}

// keepChoices keeps the choices of the walks at step t for choose.
func (b *block) keepChoices(list []walk, t int, s *step) {
	if s.back == nil {
		s.back = make([]vec.Block, b.n.hidden)
	}
	clear(s.back)
	for k := range s.chosen {
		r := s.chosen[k].related[:0]
		s.chosen[k] = choice{vertex: -1, related: r}
		if k >= len(list) {
			continue
		}
		if c, ok := b.choice(list[k], t, k); ok {
			degree := b.n.g.Degree(int(c.vertex))
			c.step, c.lane, c.related = s, k, slices.Grow(r, degree)[:degree]
			b.trails[k].row(b.n, int(c.vertex), c.related)
			s.chosen[k] = c
		}
	}
}

// sorted returns the choices of the blocks' walks, by their place in groups of up to vec.Lanes.
func sorted(blocks []*block) [][]*choice {
	var all []*choice
	for _, b := range blocks {
		for t := range b.length {
			s := b.step(t)
			for k := range s.chosen {
				if c := &s.chosen[k]; s.choices && c.vertex >= 0 {
					all = append(all, c)
				}
			}
		}
	}
	place := func(c *choice) int32 { return blocks[0].n.place[c.vertex] }
	slices.SortStableFunc(all, func(c, d *choice) int { return int(place(c)) - int(place(d)) })
	return slices.Collect(slices.Chunk(all, vec.Lanes))
}

// choose returns the loss of part i of n of the groups, sets the gradient by what the output reads in their steps, and
// adds that by the output's parameters to grads, unless nil.
func (b *block) choose(groups [][]*choice, i, n int, grads [][]float32) (loss float64) {
	if b.read == nil {
		b.read = make([]vec.Block, b.n.hidden)
	}
	for _, group := range groups[i*len(groups)/n : (i+1)*len(groups)/n] {
		b.output.begin()
		for _, c := range group {
			b.output.add(c.vertex)
		}
		for k, c := range group {
			for j := range b.read {
				b.read[j][k] = c.step.read[j][c.lane]
			}
		}
		b.output.read(b.read)
		b.slope = b.cleared(b.slope)
		for k, c := range group {
			loss += b.output.loss(c, k, b.z, b.slope)
		}
		if grads == nil {
			continue
		}
		b.backOutput(b.part, b.slope, b.read, grads)
		for k, c := range group {
			for j := range b.part {
				c.step.back[j][c.lane] = b.part[j][k]
			}
		}
	}
	return loss
}

// LogProb reads outputs by place where some vertex has scoredDegree edges, for about scoredAtOnce choices at a time.
const scoredDegree, scoredAtOnce = 256, 1 << 13

// reached is a choice of an item, with the networks' states.
type reached struct {
	item, t int
	vertex  int32
	related []uint8
	states  []float32 // by network, [H]
}

// wide is travel for the rows of a wide network that nothing changes; they come in no order.
func (l *lanes) wide(lo, hi int, at func(item, t int) (v int, ok bool), row func(item, t int, p []float64)) {
	H := l.m.shape.Hidden
	var all []*reached
	l.later = true
	l.travel(lo, hi, at, func(item, t, k int) {
		v := l.at[k].vertex
		if l.m.g.Degree(int(v)) < 2 || l.begins && t == 0 {
			row(item, t, l.row(k))
			return
		}
		c := &reached{item: item, t: t, vertex: v, related: make([]uint8, l.m.g.Degree(int(v))),
			states: make([]float32, len(l.h)*H)}
		l.trail[k].row(l.m.nets[0].network, int(v), c.related)
		for i, h := range l.h {
			for j := range h {
				c.states[i*H+j] = h[j][k]
			}
		}
		all = append(all, c)
	})
	l.later = false
	place := func(c *reached) int32 { return l.m.layout.place[c.vertex] }
	slices.SortStableFunc(all, func(c, d *reached) int { return int(place(c)) - int(place(d)) })
	for group := range slices.Chunk(all, vec.Lanes) {
		for i, out := range l.out {
			out.begin()
			for k, c := range group {
				out.add(c.vertex)
				for j := range l.h[i] {
					l.h[i][j][k] = c.states[i*H+j]
				}
			}
			out.read(l.h[i])
		}
		for k, c := range group {
			row(c.item, c.t, l.mean(k, c.vertex, c.related))
		}
	}
}
