package plots

import (
	"fmt"
	"math"

	"github.com/ddps-go/ddps/ddps"
	"gonum.org/v1/plot"
)

// Edges is how often paths take each edge: on the street map where the graph has one (Meta.XY and Meta.Place), where
// the edges of a street in all layers and both ways add up and waits are left out, else on the graph itself.
type Edges struct {
	Title string
	Graph *ddps.LayeredGraph
	Uses  []float64 // by edge, in [0, 1] up to rounding: the probability that a path takes it
}

// Plot returns the picture. The error says so if Uses has the wrong length, and is Graph's or Map's otherwise.
func (d Edges) Plot() (*plot.Plot, error) {
	if d.Graph == nil || len(d.Uses) != d.Graph.NumEdges() {
		return nil, fmt.Errorf("plots: edges: %d numbers, want one an edge of a graph", len(d.Uses))
	}
	if d.Graph.Meta().XY != nil && d.Graph.Meta().Place != nil {
		return d.streets().Plot()
	}
	uses := make([]float64, len(d.Uses))
	for e, x := range d.Uses {
		uses[e] = math.Min(x, 1)
	}
	return Graph{Title: d.Title, Graph: d.Graph, Marginals: uses}.Plot()
}

// streets puts the numbers onto the street map.
func (d Edges) streets() Map {
	g, meta := d.Graph, d.Graph.Meta()
	m := Map{Title: d.Title, What: "traversals a path"}
	at := map[int]int{} // place → number on the map
	point := func(v int) int {
		i, seen := at[meta.Place[v]]
		if !seen {
			i = len(m.Places)
			at[meta.Place[v]] = i
			m.Places = append(m.Places, meta.XY[v])
		}
		return i
	}
	street := map[[2]int]int{}
	for e, x := range d.Uses {
		v, w := g.Tail(e), g.Head(e)
		if meta.Place[v] < 0 || meta.Place[w] < 0 || meta.Place[v] == meta.Place[w] {
			continue
		}
		a, b := point(v), point(w)
		key := [2]int{min(a, b), max(a, b)}
		i, seen := street[key]
		if !seen {
			i = len(m.Edges)
			street[key] = i
			m.Edges, m.Density = append(m.Edges, key), append(m.Density, 0)
		}
		m.Density[i] += x
	}
	for _, place := range meta.Place { // vertices come layer by layer: the first place is where all begin
		if i, ok := at[place]; place >= 0 && ok {
			m.Starts = []int{i}
			break
		}
	}
	return m
}
