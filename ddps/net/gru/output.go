package gru

import (
	"math"
	"math/bits"

	"github.com/ddps-go/ddps/ddps/internal/vec"
)

// fewPlaces is up to how many places the last layer has an output for each; of more, only for those that edges lead to
// from the vertices where walks are.
const fewPlaces = 256

// output is the last layer at a step of up to vec.Lanes walks.
type output struct {
	n      *network
	few    bool
	places []int32     // of the units
	unit   []int32     // [O] of the places and relations; −1: none
	weight []float32   // [units, H]
	bias   []float32   // [units]
	logits []vec.Block // [units]
}

func newOutput(n *network) *output {
	o := &output{n: n, few: n.places <= fewPlaces, unit: make([]int32, n.outputs)}
	for p := range o.unit {
		o.unit[p] = -1
		if o.few {
			o.unit[p] = int32(p)
		}
	}
	if o.few {
		o.weight, o.bias, o.logits = n.data(pOutput), n.data(pOutputBias), make([]vec.Block, n.outputs)
	}
	return o
}

// begin forgets the units of the step before.
func (o *output) begin() {
	if o.few {
		return
	}
	for _, p := range o.places {
		o.unit[p] = -1
	}
	o.places, o.weight, o.bias = o.places[:0], o.weight[:0], o.bias[:0]
	for p := o.n.places; p < o.n.outputs; p++ {
		o.unitOf(int32(p))
	}
}

// add makes units for the places to which edges of v lead.
func (o *output) add(v int32) {
	lo, hi := o.n.g.Edges(int(v))
	if o.few || hi-lo < 2 {
		return
	}
	for _, p := range o.n.head[lo:hi] {
		o.unitOf(p)
	}
}

// unitOf makes a unit for place or relation p.
func (o *output) unitOf(p int32) {
	if o.unit[p] >= 0 {
		return
	}
	o.unit[p] = int32(len(o.places))
	o.places = append(o.places, p)
	o.weight = append(o.weight, o.n.row(pOutput, p)...)
	o.bias = append(o.bias, o.n.data(pOutputBias)[p])
}

// related returns what the relations r add to a logit of lane k.
func (o *output) related(r uint8, k int) (z float32) {
	for ; r > 0; r &= r - 1 {
		z += o.logits[o.relation(r)][k]
	}
	return z
}

// relation returns the unit of the first of relations r.
func (o *output) relation(r uint8) int32 { return o.unit[o.n.places+bits.TrailingZeros8(r)] }

// read sets the logits from what the output reads.
func (o *output) read(h []vec.Block) {
	for len(o.logits) < len(o.bias) {
		o.logits = append(o.logits, vec.Block{})
	}
	vec.Dense(o.logits[:len(o.bias)], o.weight, o.bias, h)
}

// plain is row without neverTwice and tilt, of a vertex with a choice.
func (l *lanes) plain(k int) []float64 {
	v := l.at[k].vertex
	r := l.r[:l.m.g.Degree(int(v))]
	l.trail[k].row(l.m.nets[0].network, int(v), r)
	return l.mean(k, v, r)
}

// mean returns the mean of the networks' rows of vertex v for the outputs of lane k, r being the relations of its
// edges; valid until the next call.
func (l *lanes) mean(k int, v int32, r []uint8) []float64 {
	lo, hi := l.m.g.Edges(int(v))
	heads, p, z := l.m.layout.head[lo:hi], l.p[:hi-lo], l.z[:hi-lo]
	clear(p)
	for _, out := range l.out {
		top := math.Inf(-1)
		for d, q := range heads {
			z[d] = float64(out.logits[out.unit[q]][k] + out.related(r[d], k))
			top = max(top, z[d])
		}
		for d := range z {
			z[d] -= top
		}
		vec.ExpsDown(z)
		sum := 0.0
		for _, x := range z {
			sum += x
		}
		sum *= float64(len(l.out))
		for d, x := range z {
			p[d] += x / sum
		}
	}
	return p
}

// outputBack is memory for the way back through an output.
type outputBack struct {
	turned []float32 // [H, units]
	grad   []float32 // [units, H]
	sums   []float32 // [units]
}

// backOutput sets d to the gradient by what the output read, from slope, that by the logits of the units at
// hand, and adds that by the parameters to grads.
func (b *block) backOutput(d []vec.Block, slope, read []vec.Block, grads [][]float32) {
	o, m, H := b.output, &b.outputBack, b.n.hidden
	if o.few {
		b.outer(grads[pOutput], slope, read)
		addSums(grads[pOutputBias], slope)
		vec.Dense(d, b.back.output, b.none, slope)
		return
	}
	units := len(o.places)
	m.turned, m.grad, m.sums = grown(m.turned, units*H), grown(m.grad, units*H), grown(m.sums, units)
	clear(m.grad)
	clear(m.sums)
	b.outer(m.grad, slope, read)
	addSums(m.sums, slope)
	for i, p := range o.places {
		vec.Add(grads[pOutput][int(p)*H:][:H], m.grad[i*H:(i+1)*H])
		grads[pOutputBias][p] += m.sums[i]
	}
	vec.Transpose(m.turned, o.weight, units, H)
	vec.Dense(d, m.turned, b.none, slope)
}

// grown returns x with n entries, of any value.
func grown(x []float32, n int) []float32 {
	if cap(x) < n {
		return make([]float32, n, n+n/2)
	}
	return x[:n]
}
