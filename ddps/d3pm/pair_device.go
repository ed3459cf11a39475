package d3pm

import (
	"fmt"

	"github.com/ddps-go/ddps/ddps/internal/engine"
	"github.com/gomlx/gomlx/pkg/core/dtypes"
	"github.com/gomlx/gomlx/pkg/core/graph"
	"github.com/gomlx/gomlx/pkg/core/tensors"
)

// pairDevice holds what LossGrad on a GoMLX backend keeps between calls. The chain's posterior is the host's, as in
// plain Go; no gradient goes through it.
type pairDevice struct {
	engine.Engine
	feature []float32    // [N, Time]
	pi, q   []float32    // [E+1, N] π and q by edge, and a row of zeros
	layers  []pairTarget // but the last
}

// pairTarget is what the on-path rows of one layer are held to.
type pairTarget struct {
	on           []float32 // [N, W_l] one-hot, the vertex
	base, target []float32 // [N, W_{l+1}] Batch.Base, never where there is no edge; one-hot x_0
}

// deviceLossGrad is LossGrad on the configured backend. b and grads have passed check.
func (p *Pair) deviceLossGrad(b *Batch, grads [][]float32) (loss Loss, err error) {
	d := &p.device
	d.Lock()
	defer d.Unlock()
	in, err := d.inputs(p, b)
	if err != nil {
		return Loss{}, err
	}
	shape := engineShape{n: b.N, grad: grads != nil}
	build := func(args []*graph.Node) []*graph.Node {
		vars := args[:len(p.params)]
		ce, vb := p.lossNode(vars, args[len(vars):], shape)
		return shape.lossNodes(ce, vb, 0, vars)
	}
	err = d.Run(p.cfg.Backend, shape, build, append(engine.ParamTensors(p.params), in...), func(outs []*tensors.Tensor) error {
		loss = new(onPath).loss(outs, b, 0)
		return engine.ReadGrads(grads, outs[2:])
	})
	return loss, err
}

// lossInputs makes pairDevice's arrays.
func (p *Pair) lossInputs(b *Batch) ([]any, error) {
	if err := p.check(b, nil); err != nil {
		return nil, fmt.Errorf("d3pm: pair: %w", err)
	}
	return p.device.inputs(p, b)
}

// inputs makes tensors of d, set from the batch.
func (d *pairDevice) inputs(p *Pair, b *Batch) ([]any, error) {
	if err := d.fill(p, b); err != nil {
		return nil, err
	}
	E := p.graph.E
	in := []any{engine.Tensor(d.feature, b.N, p.cfg.Time), engine.Tensor(d.pi, E+1, b.N), engine.Tensor(d.q, E+1, b.N)}
	for _, t := range d.layers {
		in = append(in, engine.Tensor(t.on, b.N, len(t.on)/b.N), engine.Tensor(t.base, b.N, len(t.base)/b.N), engine.Tensor(t.target, b.N, len(t.base)/b.N))
	}
	return in, nil
}

// lossNode builds the cross-entropy, a sum over the batch, from the parameters and lossInputs; there is no bound.
func (p *Pair) lossNode(vars, in []*graph.Node, _ engineShape) (ce, vb *graph.Node) {
	nodes := newPairNodes(p, vars, in[0], in[1], in[2])
	var on []*graph.Node
	for k := 3; k < len(in); k += 3 {
		on = append(on, in[k])
	}
	zero := graph.ScalarZero(in[0].Graph(), dtypes.Float32)
	ce = zero
	for l, out := range nodes.outputs(on) {
		layer, _ := crossEntropy(out, in[3*l+4], in[3*l+5], nil)
		ce = graph.Add(ce, layer)
	}
	return ce, zero
}

// fill sets d from the batch.
func (d *pairDevice) fill(p *Pair, b *Batch) error {
	g := &p.graph
	d.feature = grow(d.feature, b.N*p.cfg.Time)
	d.pi, d.q = grow(d.pi, (g.E+1)*b.N), grow(d.q, (g.E+1)*b.N)
	clear(d.pi[g.E*b.N:])
	clear(d.q[g.E*b.N:])
	parallel(b.N, func(next func() int) {
		s := p.pool.Get().(*pairScratch)
		for n := next(); n < b.N; n = next() {
			p.features(d.feature[n*p.cfg.Time:(n+1)*p.cfg.Time], int(b.T[n]))
			p.posterior(s, b, n)
			for i, e := range g.edge {
				d.pi[int(e)*b.N+n], d.q[int(e)*b.N+n] = s.leave[e], s.enter[i]
			}
		}
		p.pool.Put(s)
	})
	return d.targets(p, b)
}

// posterior sets π, p and the weights of the sweeps for example n of b.
func (p *Pair) posterior(s *pairScratch, b *Batch, n int) {
	g := &p.graph
	if len(b.Pi) > 0 {
		copy(s.pi, b.Pi[n*g.E:(n+1)*g.E])
		p.weights(s)
		return
	}
	for i, e := range b.Xt[n*len(g.rows) : (n+1)*len(g.rows)] {
		s.palm[g.rows[i]] = e - g.first[g.rows[i]]
	}
	p.chain(s, s.palm, int(b.T[n]))
}

// targets sets d.layers from the batch. A row of another layer than its place is an error.
func (d *pairDevice) targets(p *Pair, b *Batch) error {
	g, L := &p.graph, p.graph.NumLayers()-1
	if b.L != L {
		return fmt.Errorf("batch of %d on-path rows, want %d", b.L, L)
	}
	if d.layers == nil {
		d.layers = make([]pairTarget, L)
	}
	for l := range d.layers {
		t := &d.layers[l]
		lo, hi := g.Layer(l)
		next, end := g.Layer(l + 1)
		W, to := hi-lo, end-next
		t.on, t.base, t.target = grow(t.on, b.N*W), grow(t.base, b.N*to), grow(t.target, b.N*to)
		clear(t.on)
		clear(t.target)
		for i := range t.base {
			t.base[i] = never
		}
		for n := range b.N {
			r := n*L + l
			v := g.Tail(int(b.Edge[r*b.D]))
			if v < lo || v >= hi {
				return fmt.Errorf("batch: on-path row %d is of vertex %d, which is not in layer %d", r, v, l+1)
			}
			t.on[n*W+v-lo] = 1
			first, last := g.out(v)
			for e := first; e < last; e++ {
				t.base[n*to+int(g.head[e])-next] = max(b.Base[r*b.D+e-first], never)
			}
			t.target[n*to+int(g.head[first+int(b.Target[r])])-next] = 1
		}
	}
	return nil
}
