package gru

import (
	"math/rand/v2"

	"github.com/ddps-go/ddps/ddps/internal/vec"
)

// step is what the way back needs of a step of up to vec.Lanes walks.
type step struct {
	x, drop    []vec.Block // [E] the input, and what dropout multiplied it by
	g          []vec.Block // [3H] c, r, z
	a          []vec.Block // [H] what the state gives c, before r
	h          []vec.Block // [H] the state
	read, keep []vec.Block // [H] the state as the output reads it, and what dropout multiplied it by
	slope      []vec.Block // [units of the output] the gradient of the loss by the outputs
	choices    bool        // some walk has a choice here
	// of a wide network: the walks' choices here, and the gradient by what the output reads, [H]
	chosen [vec.Lanes]choice
	back   []vec.Block
}

// choice is the edge that a walk takes where there are several.
type choice struct {
	vertex, slot int32 // the edge, counted within the vertex' row
	weight       float32
	related      []uint8 // [edges of the row] their relations
	step         *step   // of a wide network: where it is, with its lane
	lane         int
}

// block is the memory for the way of up to vec.Lanes walks, each in its own lane, through the network and back.
type block struct {
	n       *network
	back    *transposed
	in, out dropout
	rng     *rand.PCG
	steps   []step
	rows    []float32   // [vec.Lanes, E]
	zero    []vec.Block // [H]
	a, d    []vec.Block // [3H]; [H]
	part    []vec.Block // [H]
	grad    []vec.Block // [4H]
	turned  []vec.Block // [max(H, E)]
	dx      []vec.Block // [E]
	z       []float32   // a row
	none    []float32   // [max(H, E)] zeros
	related []uint8     // a row's relations
	length  int         // steps of the walks at hand
	read    []vec.Block // of a wide network: [H] what the output reads, and the gradient by it
	slope   []vec.Block // and by the outputs
	trails  [vec.Lanes]trail
	output  *output
	outputBack
	weights [vec.Lanes]float32
}

// transposed are weights as the way back needs them.
type transposed struct{ input, state, output []float32 } // [E, 3H], [H, 3H], [H, O]

func newTransposed(n *network) *transposed {
	return &transposed{make([]float32, len(n.data(pInput))), make([]float32, len(n.data(pState))),
		make([]float32, len(n.data(pOutput)))}
}

func (b *transposed) set(n *network) {
	vec.Transpose(b.input, n.data(pInput), 3*n.hidden, n.embed)
	vec.Transpose(b.state, n.data(pState), 3*n.hidden, n.hidden)
	if n.places <= fewPlaces {
		vec.Transpose(b.output, n.data(pOutput), n.outputs, n.hidden)
	}
}

// newBlock makes memory for n; in and out are the rates of dropout.
func newBlock(n *network, back *transposed, in, out float64) *block {
	H, E := n.hidden, n.embed
	blocks := func(n int) []vec.Block { return make([]vec.Block, n) }
	b := &block{n: n, back: back, rng: rand.NewPCG(0, 0), rows: make([]float32, vec.Lanes*E), zero: blocks(H),
		a: blocks(3 * H), d: blocks(H), part: blocks(H), grad: blocks(4 * H), turned: blocks(max(H, E)), dx: blocks(E),
		z: make([]float32, n.g.MaxDegree()), related: make([]uint8, n.g.MaxDegree()), none: make([]float32, max(H, E)),
		output: newOutput(n),
		in:     newDropout(in), out: newDropout(out)}
	return b
}

// step returns the memory of step t.
func (b *block) step(t int) *step {
	for len(b.steps) <= t {
		H, E := b.n.hidden, b.n.embed
		blocks := func(n int) []vec.Block { return make([]vec.Block, n) }
		b.steps = append(b.steps, step{x: blocks(E), drop: blocks(E), g: blocks(3 * H), a: blocks(H), h: blocks(H),
			read: blocks(H), keep: blocks(H)})
	}
	return &b.steps[t]
}

// lossGrad returns Σ weight·NLL of the walks, at most vec.Lanes, and adds its gradient to grads, unless nil. What
// dropout leaves out depends on the stream alone.
func (b *block) lossGrad(list []walk, weights []float32, stream *rand.Rand, grads [][]float32) (loss float64) {
	loss = b.through(list, weights, stream)
	if b.n.wide {
		loss = b.choose(sorted([]*block{b}), 0, 1, grads)
	}
	if grads != nil {
		b.goBack(list, grads)
	}
	return loss
}

// through takes the walks through the network and returns their loss, of a wide network 0: its outputs are choose's.
func (b *block) through(list []walk, weights []float32, stream *rand.Rand) (loss float64) {
	b.length = 0
	for k, w := range list {
		b.length = max(b.length, len(w.vertices))
		b.weights[k] = weights[k]
	}
	b.rng.Seed(stream.Uint64(), stream.Uint64())
	for t := range b.length {
		loss += b.forward(list, t)
	}
	return loss
}

// goBack adds the gradient of the walks that went through to grads.
func (b *block) goBack(list []walk, grads [][]float32) {
	clear(b.d)
	for t := b.length - 1; t >= 0; t-- {
		b.backward(list, t, grads)
	}
}

// draw draws what lossGrad would multiply by for dropout, in the same order.
func (b *block) draw(list []walk, stream *rand.Rand) {
	b.rng.Seed(stream.Uint64(), stream.Uint64())
	for t, more := 0, true; more; t++ {
		more = false
		for _, w := range list {
			more = more || t < len(w.vertices)
		}
		if !more {
			return
		}
		s := b.step(t)
		b.in.draw(s.drop, b.rng)
		if b.choices(list, t) {
			b.out.draw(s.keep, b.rng)
		}
	}
}

// forward takes step t and returns its part of the loss. Lanes without a walk get finite numbers.
func (b *block) forward(list []walk, t int) float64 {
	n, s, before := b.n, b.step(t), b.zero
	b.input(list, t, s)
	vec.Dense(s.g, n.data(pInput), n.data(pInputBias), s.x)
	if t == 0 {
		spread(b.a, n.data(pStateBias))
	} else {
		before = b.steps[t-1].h
		vec.Dense(b.a, n.data(pState), n.data(pStateBias), before)
	}
	copy(s.a, b.a[2*n.hidden:])
	vec.Gates(s.g, b.a, before, s.h)
	if s.choices = b.choices(list, t); !s.choices {
		return 0
	}
	copy(s.read, s.h)
	b.out.draw(s.keep, b.rng)
	b.out.times(s.read, s.keep)
	if n.wide {
		b.keepChoices(list, t, s)
		return 0
	}
	b.units(list, t)
	b.output.read(s.read)
	return b.loss(list, t, s)
}

// input sets the input of step t.
func (b *block) input(list []walk, t int, s *step) {
	n := b.n
	for k, w := range list {
		row := b.rows[k*n.embed : (k+1)*n.embed]
		copy(row, n.row(pPosition, int32(t)))
		if t >= len(w.vertices) {
			continue
		}
		vec.Add(row, n.row(pPlace, n.place[w.vertices[t]]))
		if t == 0 {
			b.trails[k].begin(n.words())
		}
		b.trails[k].step(n.layout, w.vertices[t])
		if first := n.layout.start(w, t); n.start && first >= 0 {
			vec.Add(row, n.row(pStart, first))
		}
	}
	vec.Transpose(vec.Flat(s.x), b.rows, vec.Lanes, n.embed)
	b.in.draw(s.drop, b.rng)
	b.in.times(s.x, s.drop)
}

// units makes the output's for step t.
func (b *block) units(list []walk, t int) {
	b.output.begin()
	for _, w := range list {
		if t < len(w.vertices) {
			b.output.add(w.vertices[t])
		}
	}
}

// choices reports whether some walk has a choice at step t.
func (b *block) choices(list []walk, t int) bool {
	for _, w := range list {
		if t < len(w.vertices) && b.n.g.Degree(int(w.vertices[t])) > 1 {
			return true
		}
	}
	return false
}

// spread sets each block of to to a number.
func spread(to []vec.Block, x []float32) {
	for j := range to {
		for k := range to[j] {
			to[j][k] = x[j]
		}
	}
}
