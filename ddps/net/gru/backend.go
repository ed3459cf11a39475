package gru

import (
	"fmt"
	"math/bits"

	"github.com/gomlx/gomlx/pkg/core/graph"
	"github.com/gomlx/gomlx/pkg/core/tensors"

	"github.com/ddps-go/ddps/ddps/internal/engine"
	"github.com/ddps-go/ddps/ddps/internal/vec"
)

// device computes losses and gradients on a GoMLX backend: the same network as block, a batch of walks at a time.
type device struct {
	engine.Engine
	spec string
}

// deviceShape is what a compiled graph depends on.
type deviceShape struct {
	n, t                   int // walks and steps
	hidden, embed, places  int
	outputs                int
	start, in, out, wanted bool // in, out: dropout
}

// stepInput is what a step reads, beside the parameters: [n] rows, row-major.
type stepInput struct {
	place, start []int32   // indices into the embeddings
	started      []float32 // [n, 1] 1 where start is read
	closed       []float32 // [n, P] 0 for the places that the walk's vertex leads to, closed for others
	related      []float32 // [n, P, relations] 1 where a place has a relation to the walk; nil without relations
	taken        []float32 // [n, P] the walk's weight at the place that it goes to, if it has a choice
	drop, keep   []float32 // [n, E] and [n, H] what dropout multiplies by; nil without
}

// closed is added to the logits of places to which no edge leads.
const closed = -1e30

// inputs returns what the steps of a batch read. blocks have drawn their masks, vec.Lanes walks each.
func (n *network) inputs(list []walk, weights []float32, blocks []*block) []stepInput {
	N, P, T := len(list), n.places, 0
	for _, w := range list {
		T = max(T, len(w.vertices))
	}
	all, trails := make([]stepInput, T), make([]trail, N)
	for k := range trails {
		trails[k].begin(n.words())
	}
	for t := range all {
		s := &all[t]
		s.place, s.start, s.started = make([]int32, N), make([]int32, N), make([]float32, N)
		s.closed, s.taken = make([]float32, N*P), make([]float32, N*P)
		s.related = make([]float32, N*P*(n.outputs-P))
		if blocks[0].in.on {
			s.drop = make([]float32, N*n.embed)
		}
		if blocks[0].out.on {
			s.keep = make([]float32, N*n.hidden)
		}
		for k, w := range list {
			b := blocks[k/vec.Lanes].step(t)
			lane(s.drop, b.drop, k)
			lane(s.keep, b.keep, k)
			if t < len(w.vertices) {
				trails[k].step(n.layout, w.vertices[t])
				s.set(n, w, t, k, weights[k])
				s.relate(n, &trails[k], int(w.vertices[t]), k)
			}
		}
	}
	return all
}

// lane sets row k of rows, unless they are nil, to its lane of x.
func lane(rows []float32, x []vec.Block, k int) {
	for j := range min(len(rows), len(x)) {
		rows[k*len(x)+j] = x[j][k%vec.Lanes]
	}
}

// set sets walk k's row of step t.
func (s *stepInput) set(n *network, w walk, t, k int, weight float32) {
	v := int(w.vertices[t])
	s.place[k] = n.place[v]
	if first := n.layout.start(w, t); n.start && first >= 0 {
		s.start[k], s.started[k] = first, 1
	}
	lo, hi := n.g.Edges(v)
	if hi-lo < 2 {
		return
	}
	mask := s.closed[k*n.places : (k+1)*n.places]
	for p := range mask {
		mask[p] = closed
	}
	for _, p := range n.head[lo:hi] {
		mask[p] = 0
	}
	s.taken[k*n.places+int(n.head[lo+int(w.slots[t])])] = weight
}

// relate sets walk k's relations at a step from v.
func (s *stepInput) relate(n *network, t *trail, v, k int) {
	R := n.outputs - n.places
	row := make([]uint8, n.g.Degree(v))
	t.row(n, v, row)
	lo, _ := n.g.Edges(v)
	for d, r := range row {
		for ; r > 0; r &= r - 1 {
			s.related[(k*n.places+int(n.head[lo+d]))*R+bits.TrailingZeros8(r)] = 1
		}
	}
}

// lossGrad is the blocks' lossGrad of a batch: Σ weight·NLL of the walks, and its gradient in grads, unless nil.
func (d *device) lossGrad(n *network, list []walk, weights []float32, blocks []*block,
	grads [][]float32) (loss float64, err error) {
	steps := n.inputs(list, weights, blocks)
	if len(steps) == 0 {
		return 0, nil
	}
	in, out := blocks[0].in.on, blocks[0].out.on
	shape := deviceShape{len(list), len(steps), n.hidden, n.embed, n.places, n.outputs, n.start, in, out,
		grads != nil}
	params := n.params
	if !n.start {
		params = append(append(engine.Params{}, params[:pStart]...), params[pStart+1:]...)
		if grads != nil {
			grads = append(append([][]float32{}, grads[:pStart]...), grads[pStart+1:]...)
		}
	}
	args := engine.ParamTensors(params)
	for i := range steps {
		s := &steps[i]
		args = append(args, engine.Tensor(s.place, shape.n, 1), engine.Tensor(s.start, shape.n, 1),
			engine.Tensor(s.started, shape.n, 1), engine.Tensor(s.closed, shape.n, n.places),
			engine.Tensor(s.taken, shape.n, n.places))
		if R := n.outputs - n.places; R > 0 {
			args = append(args, engine.Tensor(s.related, shape.n, n.places, R))
		}
		if shape.in {
			args = append(args, engine.Tensor(s.drop, shape.n, n.embed))
		}
		if shape.out {
			args = append(args, engine.Tensor(s.keep, shape.n, n.hidden))
		}
	}
	d.Lock()
	defer d.Unlock()
	err = d.Run(d.spec, shape, shape.build, args, func(outs []*tensors.Tensor) error {
		loss = float64(tensors.ToScalar[float32](outs[0]))
		return engine.ReadGrads(grads, outs[1:])
	})
	if err != nil {
		return 0, fmt.Errorf("on a backend: %w", err)
	}
	return loss, nil
}

// build builds the loss, and its gradient by the parameters where it is wanted.
func (s deviceShape) build(args []*graph.Node) []*graph.Node {
	count, each := pOutputBias+1, 5
	if !s.start {
		count--
	}
	for _, on := range []bool{s.outputs > s.places, s.in, s.out} {
		if on {
			each++
		}
	}
	params := args[:count]
	all := params
	if !s.start {
		all = append(append(append([]*graph.Node{}, params[:pStart]...), nil), params[pStart:]...)
	}
	var h, loss *graph.Node
	for t := range s.t {
		in := args[count+t*each:][:each]
		var part *graph.Node
		if h, part = s.step(all, in, h, t); loss == nil {
			loss = part
		} else {
			loss = graph.Add(loss, part)
		}
	}
	outs := []*graph.Node{loss}
	if s.wanted {
		outs = append(outs, graph.Gradient(loss, params...)...)
	}
	return outs
}

// step builds the state after step t, and its part of the loss.
func (s deviceShape) step(p, in []*graph.Node, h *graph.Node, t int) (next, loss *graph.Node) {
	x := graph.Add(graph.Gather(p[pPlace], in[0]), graph.Slice(p[pPosition], graph.AxisRange(t, t+1)))
	if s.start && t > 0 {
		x = graph.Add(x, graph.Mul(graph.Gather(p[pStart], in[1]), in[2]))
	}
	if s.in {
		drop := in[5]
		if s.outputs > s.places {
			drop = in[6]
		}
		x = graph.Mul(x, drop)
	}
	g := engine.Affine(x, p[pInput], p[pInputBias])
	a := graph.BroadcastToDims(graph.ExpandLeftToRank(p[pStateBias], 2), s.n, 3*s.hidden)
	if h != nil {
		a = engine.Affine(h, p[pState], p[pStateBias])
	}
	part := func(x *graph.Node, i int) *graph.Node {
		return graph.Slice(x, graph.AxisRange(), graph.AxisRange(i*s.hidden, (i+1)*s.hidden))
	}
	r := graph.Sigmoid(graph.Add(part(g, 1), part(a, 0)))
	z := graph.Sigmoid(graph.Add(part(g, 2), part(a, 1)))
	c := graph.Tanh(graph.Add(part(g, 0), graph.Mul(r, part(a, 2))))
	if next = graph.Sub(c, graph.Mul(z, c)); h != nil {
		next = graph.Add(next, graph.Mul(z, h))
	}
	read := next
	if s.out {
		read = graph.Mul(read, in[len(in)-1])
	}
	out := engine.Affine(read, p[pOutput], p[pOutputBias])
	if R := s.outputs - s.places; R > 0 {
		own := graph.Reshape(graph.Slice(out, graph.AxisRange(), graph.AxisRange(s.places, s.outputs)), s.n, 1, R)
		out = graph.Add(graph.Slice(out, graph.AxisRange(), graph.AxisRange(0, s.places)),
			graph.ReduceSum(graph.Mul(in[5], own), 2))
	}
	masked := graph.Add(out, in[3])
	top := graph.StopGradient(graph.ReduceAndKeep(masked, graph.ReduceMax, 1))
	sum := graph.Add(graph.Log(graph.ReduceAndKeep(graph.Exp(graph.Sub(masked, top)), graph.ReduceSum, 1)), top)
	return next, graph.ReduceAllSum(graph.Mul(in[4], graph.Sub(sum, out)))
}
