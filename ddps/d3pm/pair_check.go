package d3pm

import (
	"fmt"

	"github.com/ddps-go/ddps/ddps/internal/engine"
)

// check holds b and grads to the lengths and ranges that LossGrad relies on.
func (p *Pair) check(b *Batch, grads [][]float32) error {
	g, size, rows := &p.graph, b.N*b.L*b.D, len(p.graph.rows)
	if b.N < 1 || b.L < 1 || b.D < 1 || len(b.Xt) != b.N*rows || len(b.T) != b.N || len(b.Edge) != size ||
		len(b.Base) != size || len(b.Target) != b.N*b.L {
		return fmt.Errorf("batch of %d×%d×%d: Xt, T, Edge, Base or Target of another size", b.N, b.L, b.D)
	}
	for i, e := range b.Xt {
		if lo, hi := g.out(int(g.rows[i%rows])); int(e) < lo || int(e) >= hi {
			return fmt.Errorf("batch: x_t of example %d: edge %d does not leave vertex %d", i/rows, e, g.rows[i%rows])
		}
	}
	for n, t := range b.T {
		if t < 1 || int(t) > p.times {
			return fmt.Errorf("batch: time %d of example %d is not in 1…%d", t, n, p.times)
		}
	}
	for r := range b.N * b.L {
		if err := p.checkRow(b.Edge[r*b.D:(r+1)*b.D], b.Target[r]); err != nil {
			return fmt.Errorf("batch: on-path row %d: %w", r, err)
		}
	}
	return engine.CheckGrads(p.params, grads)
}

// checkRow tells whether edges, [D], starts with the out-edges of one vertex and target is a slot of one of them.
func (p *Pair) checkRow(edges []int32, target int32) error {
	if edges[0] < 0 || int(edges[0]) >= p.graph.E {
		return fmt.Errorf("edge %d is not in 0…%d", edges[0], p.graph.E-1)
	}
	v := p.graph.Tail(int(edges[0]))
	lo, hi := p.graph.out(v)
	for j := range hi - lo {
		if j >= len(edges) || int(edges[j]) != lo+j {
			return fmt.Errorf("%v are not the edges %d…%d of vertex %d", edges, lo, hi-1, v)
		}
	}
	if target < 0 || int(target) >= hi-lo {
		return fmt.Errorf("target slot %d is not in 0…%d", target, hi-lo-1)
	}
	return nil
}
