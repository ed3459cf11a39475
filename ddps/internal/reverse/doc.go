// Package reverse builds the reverse step as a GoMLX graph: the sweeps over a layered graph, the kernels and guides of
// package d3pm, and the draws, for a whole batch on a device. It is to a device what package vec is to a CPU's
// vector unit.
//
// Arrays of a layered graph are padded: [choice, vertex, batch], D choices of each of the V vertices that are not of
// the last layer, 0 where a vertex has fewer. The batch comes last, so that to follow an edge is to copy a row.
// Networks work in float32, all that is here in float64, in the order of the host's arithmetic: from the same π and the
// same random numbers it comes to the host's numbers but for what a backend's exp, log and sums round otherwise.
//
// Layers are unrolled; nothing here depends on a step's time, strength of guidance or rewards, which are inputs.
package reverse

import "github.com/ddps-go/ddps/ddps"

// Table is a layered graph as the nodes walk it.
type Table struct {
	V, D, E int
	all     int       // vertices, the last layer's too
	Layer   []int     // [L] first vertex of each layer
	Row     []int32   // [V] which row of a PALM with a choice the vertex is, −1: none
	Rows    int       // how many there are
	Edge    []int32   // [D·V] edge of each place; E: none
	Place   []int32   // [E] place of each edge, d·V + v
	degree  []float64 // [V] at least 1
	head    []int32   // [D·V] where there is an edge, else 0
	layerOf []int32   // [V]
}

// NewTable makes the Table of g; rows lists its vertices that a path visits and that have a choice.
func NewTable(g *ddps.LayeredGraph, rows []int32) *Table {
	last, _ := g.Layer(g.NumLayers() - 1)
	t := &Table{V: last, D: max(1, g.MaxDegree()), E: g.NumEdges(), all: g.NumVertices(), Rows: len(rows)}
	t.Row, t.layerOf, t.degree = make([]int32, t.V), make([]int32, t.V), make([]float64, t.V)
	t.Edge, t.head, t.Place = make([]int32, t.D*t.V), make([]int32, t.D*t.V), make([]int32, t.E)
	for i := range t.Edge {
		t.Edge[i] = int32(t.E)
	}
	for l := range g.NumLayers() {
		lo, hi := g.Layer(l)
		t.Layer = append(t.Layer, lo)
		for v := lo; v < min(hi, t.V); v++ {
			t.Row[v], t.layerOf[v], t.degree[v] = -1, int32(l), float64(max(1, g.Degree(v)))
			first, end := g.Edges(v)
			for e := first; e < end; e++ {
				at := (e-first)*t.V + v
				t.Edge[at], t.head[at], t.Place[e] = int32(e), int32(g.Head(e)), int32(at)
			}
		}
	}
	for r, v := range rows {
		t.Row[v] = int32(r)
	}
	return t
}

// Draws is how many random numbers per sample takes in a step at most: one a layer for a path, one a row.
func (t *Table) Draws() int { return len(t.Layer) - 1 + t.Rows }

// Pad returns x, by edge, by place: [D, V], 0 where there is no edge.
func (t *Table) Pad(x []float64) []float64 {
	y := make([]float64, t.D*t.V)
	for e, at := range t.Place {
		y[at] = x[e]
	}
	return y
}

// heads returns where in the next layer the edges of layer l end, [D·W], any place where there is none.
func (t *Table) heads(l int) (index []int32) {
	lo, next := t.Layer[l], t.Layer[l+1]
	for d := range t.D {
		for v := lo; v < next; v++ {
			index = append(index, max(0, t.head[d*t.V+v]-int32(next)))
		}
	}
	return index
}

// width returns how many vertices layer l has.
func (t *Table) width(l int) int {
	if l == len(t.Layer)-1 {
		return t.all - t.Layer[l]
	}
	return t.Layer[l+1] - t.Layer[l]
}

// enter returns the edges into the vertices of layer l+1, as places of [D, W] of layer l: [most·W′], most the most
// that one has; D·W where there are fewer.
func (t *Table) enter(l int) (index []int32, most int) {
	lo, next := t.Layer[l], t.Layer[l+1]
	W, to := next-lo, t.width(l+1)
	into := make([][]int32, to)
	for v := lo; v < next; v++ {
		for d := range t.D {
			if t.Edge[d*t.V+v] < int32(t.E) {
				w := int(t.head[d*t.V+v]) - next
				into[w] = append(into[w], int32(d*W+v-lo))
				most = max(most, len(into[w]))
			}
		}
	}
	for i := range most {
		for w := range to {
			at := int32(t.D * W)
			if i < len(into[w]) {
				at = into[w][i]
			}
			index = append(index, at)
		}
	}
	return index, most
}
