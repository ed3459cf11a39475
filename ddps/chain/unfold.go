package chain

import (
	"fmt"

	"github.com/ddps-go/ddps/ddps"
)

// Unfold lays over base the states of a deterministic automaton that reads paths edge by edge: it is in state start
// at v¹, and in next(q, e) after edge e in state q, false where no path may go on. The product graph's states are the
// pairs of a vertex and an automaton's state that lie on a path; at holds the latter, by vertex of the product
// graph's graph. The product graph is nil if there is no such path. It is an error if more than limit edges are met
// (0: no limit). next is called once for each edge out of each pair met. O(edges met).
func Unfold[S comparable](base *ddps.LayeredGraph, start S, next func(q S, e int) (S, bool), limit int) (l *Product,
	at []S, err error) {
	u := &unfolding[S]{base: base, states: []pair[S]{{0, start}}, layer: []int{0, 1}, first: []int{0}}
	for l := range base.NumLayers() - 1 {
		number := make(map[pair[S]]int)
		for s := u.layer[l]; s < u.layer[l+1]; s++ {
			u.step(s, next, number)
			if limit > 0 && len(u.head) > limit {
				return nil, nil, fmt.Errorf("chain: too many states: more than %d edges, at layer %d of %d already", limit, l+1,
					base.NumLayers())
			}
		}
		u.layer = append(u.layer, len(u.states))
	}
	for len(u.first) <= len(u.states) { // the last layer has no edges
		u.first = append(u.first, len(u.head))
	}
	return u.lift()
}

// pair is a vertex and a state of the automaton there.
type pair[S comparable] struct {
	v int
	q S
}

// unfolding is a product graph in the making: pairs numbered layer by layer as they are met, and their edges.
type unfolding[S comparable] struct {
	base   *ddps.LayeredGraph
	states []pair[S]
	layer  []int // [L+1] pairs of a layer, as in ddps.LayeredGraph
	first  []int // [pair+1] its edges
	head   []int // [edge] a pair
	edge   []int // [edge] the base edge
}

// step adds the edges of pair s, and the pairs of the next layer that are new.
func (u *unfolding[S]) step(s int, next func(q S, e int) (S, bool), number map[pair[S]]int) {
	lo, hi := u.base.Edges(u.states[s].v)
	for e := lo; e < hi; e++ {
		q, ok := next(u.states[s].q, e)
		if !ok {
			continue
		}
		to := pair[S]{u.base.Head(e), q}
		n, met := number[to]
		if !met {
			n = len(u.states)
			number[to], u.states = n, append(u.states, to)
		}
		u.head, u.edge = append(u.head, n), append(u.edge, e)
	}
	u.first = append(u.first, len(u.head))
}

// lift makes the product graph, and drops the pairs from which nothing leads to the last layer.
func (u *unfolding[S]) lift() (*Product, []S, error) {
	L := len(u.layer) - 1
	number, kept := make([]int, len(u.states)), make([]bool, len(u.states))
	for s := len(u.states) - 1; s >= 0; s-- {
		kept[s] = s >= u.layer[L-1]
		for k := u.first[s]; k < u.first[s+1] && !kept[s]; k++ {
			kept[s] = kept[u.head[k]]
		}
	}
	if !kept[0] {
		return nil, nil, nil
	}
	var at []S
	sizes := make([]int, L)
	for l := range L {
		for s := u.layer[l]; s < u.layer[l+1]; s++ {
			if kept[s] {
				number[s] = len(at)
				at = append(at, u.states[s].q)
				sizes[l]++
			}
		}
	}
	heads, edge, flat := make([][]int, 0, len(at)), make([]int, 0, len(u.edge)), make([]int, 0, len(u.edge))
	for s, ok := range kept {
		if !ok {
			continue
		}
		lo := len(flat)
		for k := u.first[s]; k < u.first[s+1]; k++ {
			if kept[u.head[k]] {
				flat, edge = append(flat, number[u.head[k]]), append(edge, u.edge[k])
			}
		}
		heads = append(heads, flat[lo:])
	}
	g, err := ddps.New(sizes, heads)
	if err != nil {
		return nil, nil, fmt.Errorf("chain: unfold: %w", err)
	}
	l, err := NewProduct(u.base, g, edge)
	return l, at, err
}

// Intersect is the product graph of the paths that lie under both a and b, in pairs of their states and along pairs
// of edges that keep wants; nil if there is none. ea and eb are the edges of a and b of each edge.
func Intersect(a, b *Product, keep func(i, j int) bool) (l *Product, ea, eb []int, err error) {
	if !a.Base.Equal(b.Base) {
		return nil, nil, nil, fmt.Errorf("chain: product graphs of different graphs")
	}
	l, at, err := Unfold(a.Base, [2]int{}, func(q [2]int, e int) ([2]int, bool) {
		i, ok := a.above(q[0], e)
		if !ok {
			return q, false
		}
		j, ok := b.above(q[1], e)
		if !ok || !keep(i, j) {
			return q, false
		}
		return [2]int{a.Graph.Head(i), b.Graph.Head(j)}, true
	}, 0)
	if err != nil || l == nil {
		return nil, nil, nil, err
	}
	ea, eb = make([]int, len(l.Edge)), make([]int, len(l.Edge))
	for k, e := range l.Edge {
		q := at[l.Graph.Tail(k)]
		ea[k], _ = a.above(q[0], e)
		eb[k], _ = b.above(q[1], e)
	}
	return l, ea, eb, nil
}
