package baselines

import (
	"slices"

	"github.com/ddps-go/ddps/ddps"
)

// Outcome says what a generated set of edges is. Each set is exactly one; of the first that fits, in this order.
type Outcome int

// The outcomes. A path here is one of the layered graph G from v¹ to the last layer.
const (
	Valid     Outcome = iota // exactly the edges of one path
	Foreign                  // an edge of it is not an edge of G, whatever else there is
	Extra                    // it has all edges of a path, and more of G
	Broken                   // all of it lies on one path, some of whose edges are missing; so no edge at all, too
	Scattered                // edges of G that neither have a path in them nor lie on one
	NumOutcomes
)

// String names the outcome as tables do.
func (o Outcome) String() string {
	return [...]string{"valid", "edge not in G", "extra edges", "broken", "scattered"}[o]
}

// Check says what edges, each once and U < V, are in g; the path where they are Valid, else nil. O(V + E).
func Check(g *ddps.LayeredGraph, edges []Edge) (ddps.Path, Outcome) {
	has := make([]bool, g.NumEdges())
	for _, e := range edges {
		k, ok := g.EdgeBetween(e.U, e.V)
		if !ok {
			return nil, Foreign
		}
		has[k] = true
	}
	p := follow(g, has)
	switch {
	case p != nil && len(edges) == len(p)-1:
		return p, Valid
	case p != nil:
		return nil, Extra
	case onOnePath(g, has, len(edges)):
		return nil, Broken
	}
	return nil, Scattered
}

// follow returns a path whose edges has marks, nil if there is none.
func follow(g *ddps.LayeredGraph, has []bool) ddps.Path {
	from := make([]int, g.NumVertices()) // the vertex before, on a marked way from v¹; −1: no way
	for v := range from {
		from[v] = -1
	}
	last, end := g.Layer(g.NumLayers() - 1)
	for v := range last {
		if v > 0 && from[v] < 0 {
			continue
		}
		lo, _ := g.Edges(v)
		for k, w := range g.From(v) {
			if has[lo+k] {
				from[w] = v
			}
		}
	}
	for v := last; v < end; v++ {
		if from[v] < 0 {
			continue
		}
		p := ddps.Path{v}
		for ; v > 0; v = from[v] {
			p = append(p, from[v])
		}
		slices.Reverse(p)
		return p
	}
	return nil
}

// onOnePath reports whether the n edges that has marks all lie on one path of g.
func onOnePath(g *ddps.LayeredGraph, has []bool, n int) bool {
	most := make([]int, g.NumVertices()) // the most marked edges on a way from v¹; −1: no way
	for v := 1; v < len(most); v++ {
		most[v] = -1
	}
	last, end := g.Layer(g.NumLayers() - 1)
	for v := range last {
		if most[v] < 0 {
			continue
		}
		lo, _ := g.Edges(v)
		for k, w := range g.From(v) {
			m := most[v]
			if has[lo+k] {
				m++
			}
			most[w] = max(most[w], m)
		}
	}
	return slices.Max(most[last:end]) == n
}
