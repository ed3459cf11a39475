package guide

import (
	"errors"
	"fmt"
	"math"

	"github.com/ddps-go/ddps/ddps"
	"github.com/ddps-go/ddps/ddps/chain"
)

// MaxEdges is the most edges that the product of a graph with a condition's states may have: 2²⁴, which takes
// about a gigabyte, and a quarter more for each thread that samples.
const MaxEdges = 1 << 24

// errNoPath says that no path of the graph meets a condition.
var errNoPath = errors.New("no path meets it")

// unfold returns the product of g with the states of a that lie on a path which a gives a weight, and the weights
// of its edges; in the last layer a vertex is one state, however a came there. states is how many of a's occur. It
// is errNoPath if there is no such path, and an error if more than limit edges are met or a weight is out of range.
func unfold(g *ddps.LayeredGraph, a Automaton, limit int) (l *chain.Lift, w []float64, states int, err error) {
	last, _ := g.Layer(g.NumLayers() - 1)
	next := func(q, e int) (int, float64) {
		q, w := a.Next(q, e)
		if g.Head(e) >= last && w > 0 {
			w *= a.accept(q)
			q = 0
		}
		return q, w
	}
	var bad error
	l, at, err := chain.Unfold(g, a.Start, func(q, e int) (int, bool) {
		q, w := next(q, e)
		if (!(w >= 0) || math.IsInf(w, 1)) && bad == nil {
			bad = fmt.Errorf("the weight of edge %s → %s is %v", g.Name(g.Tail(e)), g.Name(g.Head(e)), w)
		}
		return q, w > 0
	}, limit)
	switch {
	case bad != nil:
		return nil, nil, 0, bad
	case err != nil:
		return nil, nil, 0, err
	case l == nil:
		return nil, nil, 0, errNoPath
	}
	w = make([]float64, len(l.Edge))
	for k, e := range l.Edge {
		_, w[k] = next(at[l.Graph.Tail(k)], e)
	}
	seen := map[int]bool{}
	for s, q := range at {
		if l.Vertex[s] < last {
			seen[q] = true
		}
	}
	return l, w, len(seen), nil
}

// flatten returns the weights w of a lift by edge of its base, 0 where the lift has no edge, and whether they say
// all: no vertex has two states.
func flatten(l *chain.Lift, w []float64) ([]float64, bool) {
	seen := make([]bool, l.Base.NumVertices())
	for _, v := range l.Vertex {
		if seen[v] {
			return nil, false
		}
		seen[v] = true
	}
	flat := make([]float64, l.Base.NumEdges())
	for k, e := range l.Edge {
		flat[e] = w[k]
	}
	return flat, true
}
