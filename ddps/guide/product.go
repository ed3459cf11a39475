package guide

import (
	"slices"

	"github.com/ddps-go/ddps/ddps/chain"
)

// Product is the product of a graph with the states of a condition: only states that lie on a path which meets it, no
// two of which have the same ways on with the same weights. A path of the graph that meets the condition lies under one
// path of it, and its weight is exp of the sum of LogW over that path's edges. It never changes.
type Product struct {
	Product *chain.Product
	LogW    []float64 // by edge of the product's graph, finite; nil: all 0
	Notes   []string  // what is not exact about it, one sentence each; none for most
	Absent  []string  // what it names that is on no path there, one sentence each; none for most
}

// product builds the product of the graph with s, which some path is in.
func (d *Diagrams) product(s Set) (*Product, error) {
	g := d.g
	step := func(s Set, e int) Set {
		if s == Every {
			return s
		}
		lo, _ := g.Edges(g.Tail(e))
		return d.kids(s)[e-lo]
	}
	l, at, err := chain.Unfold(g, s, func(s Set, e int) (Set, bool) {
		k := step(s, e)
		return k, k != None && d.goOn(1)
	}, d.limit)
	if d.ended != nil {
		return nil, d.ended
	}
	if err != nil || l == nil {
		return nil, err
	}
	p := &Product{Product: l}
	if d.plain[s] {
		return p, nil
	}
	p.LogW = make([]float64, len(l.Edge))
	for k, e := range l.Edge {
		if n := at[l.Graph.Tail(k)]; n != Every {
			lo, _ := g.Edges(g.Tail(e))
			p.LogW[k] = d.weight(n, e-lo)
		}
	}
	return p, nil
}

// States returns the number of states, vertices of the graph each in as many as the condition must tell apart.
func (p *Product) States() int { return p.Product.Graph.NumVertices() }

// Edges returns the number of edges.
func (p *Product) Edges() int { return p.Product.Graph.NumEdges() }

// Bytes returns about how much memory the product takes, and how much more for each thread that samples.
func (p *Product) Bytes() (all, thread uint64) {
	V, E := uint64(p.States()), uint64(p.Edges())
	all, thread = 8*(3*E+4*V), 8*(3*E+3*V)
	if p.LogW != nil {
		all += 16 * E
	}
	return all, thread
}

// flatten returns weights by edge of a product graph (nil: all 1) by edge of its base, rest where the product graph has
// no edge, and whether they say all: no vertex has two states.
func flatten(l *chain.Product, w []float64, rest, one float64) ([]float64, bool) {
	seen := make([]bool, l.Base.NumVertices())
	for _, v := range l.Vertex {
		if seen[v] {
			return nil, false
		}
		seen[v] = true
	}
	flat := slices.Repeat([]float64{rest}, l.Base.NumEdges())
	for k, e := range l.Edge {
		if flat[e] = one; w != nil {
			flat[e] = w[k]
		}
	}
	return flat, true
}
