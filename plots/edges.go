package plots

import (
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/plot"

	"github.com/ddps-go/ddps/ddps"
)

// Edges is how often paths take each edge: on the street map where the graph has one (Meta.XY and Meta.Place), where
// the edges of a street in all layers and both ways add up and waits are left out; of walks without a map
// (ddps.LayeredGraph.Walks) as a Flow; else on the graph itself. A map marks where paths start and end. Source, END and
// what is on the way between two places (ddps.AttrTransit) are no places on a map.
type Edges struct {
	Title   string
	Graph   *ddps.LayeredGraph
	Uses    []float64 // by edge, in [0, 1] up to rounding: the probability that a path takes it; see Uses
	Reward  []float64 // by edge; edges, or on a map streets in some layer, that have one above 0 have a rim; nil for none
	Streets []Street  // on a map: the streets of the town, beneath it all; nil for none
	Most    float64   // upper end of the scale, so that pictures compare: see Scale; 0: the picture's own
}

// Uses returns the share of paths of g that take each edge, [edge], in [0, 1]; counts says how often each path occurs,
// nil for once. The error names the path, from 1, that is none of g, or is that of the counts. O(paths · L · D).
func Uses(g *ddps.LayeredGraph, paths []ddps.Path, counts []int) ([]float64, error) {
	if counts != nil && len(counts) != len(paths) {
		return nil, fmt.Errorf("plots: uses: %d counts for %d paths", len(counts), len(paths))
	}
	uses, total := make([]float64, g.NumEdges()), 0.0
	var edges []int
	for i, p := range paths {
		var err error
		if edges, err = g.PathEdges(edges[:0], p); err != nil {
			return nil, fmt.Errorf("plots: uses: path %d: %w", i+1, err)
		}
		n := 1.0
		if counts != nil {
			n = float64(counts[i])
		}
		for _, e := range edges {
			uses[e] += n
		}
		total += n
	}
	if !(total > 0) {
		return nil, fmt.Errorf("plots: uses: no paths")
	}
	for e := range uses {
		uses[e] /= total
	}
	return uses, nil
}

// Plot returns the picture. The error says so if Uses or Reward has the wrong length, and is Graph's or Map's
// otherwise.
func (d Edges) Plot() (*plot.Plot, error) {
	if err := d.check(); err != nil {
		return nil, err
	}
	if d.mapped() {
		return d.streets().Plot()
	}
	if d.flows() {
		return d.flow().Plot()
	}
	return d.layers().Plot()
}

func (d Edges) check() error {
	if d.Graph == nil || len(d.Uses) != d.Graph.NumEdges() {
		return fmt.Errorf("plots: edges: %d numbers, expected one an edge of a graph", len(d.Uses))
	}
	if d.Reward != nil && len(d.Reward) != len(d.Uses) {
		return fmt.Errorf("plots: edges: %d rewards for %d edges", len(d.Reward), len(d.Uses))
	}
	return nil
}

// mapped reports whether the graph has a street map.
func (d Edges) mapped() bool { return d.Graph.Meta().XY != nil && d.Graph.Meta().Place != nil }

// flows reports whether the graph is of walks without a map, whose picture is a flow.
func (d Edges) flows() bool { return !d.mapped() && d.Graph.Walks() }

// flow puts the numbers into a flow diagram: END and the source are no places of it.
func (d Edges) flow() Flow {
	pads := d.Graph.Pads()
	f := Flow{Title: d.Title, Graph: d.Graph, Uses: make([]float64, len(d.Uses)), Ended: slices.Clone(pads)}
	for e, x := range d.Uses {
		f.Uses[e] = math.Min(x, 1)
	}
	way := newArrival(d.Graph)
	if way.transit < math.MaxInt { // who is on the way is on it to a place
		f.Names = make([]string, len(pads))
		for v := range f.Names {
			if f.Names[v] = d.Graph.Name(v); way.none(v) && way.at(v) >= 0 {
				f.Names[v] = "to " + d.Graph.Name(way.at(v))
			}
		}
	}
	if f.Ended[0] = false; pads[0] {
		f.First = 1
	}
	return f
}

func (d Edges) legend() []entry {
	switch {
	case d.mapped():
		return d.streets().legend()
	case d.flows(): // each has its own
		return nil
	}
	return d.layers().legend()
}

// Scale returns the upper end of the picture's own scale: the greatest number of traversals of a street, or the
// greatest use of an edge where there is no map. It panics where Plot returns an error of d's own.
func (d Edges) Scale() float64 {
	if err := d.check(); err != nil {
		panic(err)
	}
	d.Most = 0
	switch {
	case d.mapped():
		return d.streets().most()
	case d.flows(): // shares have no scale
		return 1
	}
	return d.layers().most()
}

// layers puts the numbers onto the graph.
func (d Edges) layers() Graph {
	uses := make([]float64, len(d.Uses))
	for e, x := range d.Uses {
		uses[e] = math.Min(x, 1)
	}
	g := Graph{Title: d.Title, Graph: d.Graph, Marginals: uses, Most: d.Most}
	if d.Reward != nil {
		g.Marked = make([]bool, len(uses))
		for e, u := range d.Reward {
			g.Marked[e] = u > 0
		}
	}
	return g
}

// streets puts the numbers onto the street map.
func (d Edges) streets() Map {
	g, meta := d.Graph, d.Graph.Meta()
	m := Map{Title: d.Title, Metres: !meta.Degrees(), What: "traversals per path", Most: d.Most, Streets: d.Streets,
		Attribution: meta.Attr["attribution"]}
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
	street, arrives := map[[2]int]int{}, newArrival(g)
	for e, x := range d.Uses {
		v, w := g.Tail(e), arrives.at(g.Head(e))
		if w < 0 || arrives.none(v) || meta.Place[v] < 0 || meta.Place[w] < 0 || meta.Place[v] == meta.Place[w] {
			continue
		}
		a, b := point(v), point(w)
		key := [2]int{min(a, b), max(a, b)}
		i, seen := street[key]
		if !seen {
			i = len(m.Edges)
			street[key] = i
			m.Edges, m.Density, m.Marked = append(m.Edges, key), append(m.Density, 0), append(m.Marked, false)
		}
		m.Density[i] += x
		m.Marked[i] = m.Marked[i] || d.Reward != nil && d.Reward[e] > 0
	}
	m.Starts = d.starts(at)
	d.ends(&m, at)
	return m
}

// least is the share of paths from which on the place where they start or end is marked.
const least = .005

// starts returns the places of the first layer that has any, of those that paths start at.
func (d Edges) starts(at map[int]int) (list []int) {
	g, place := d.Graph, d.Graph.Meta().Place
	visits := make([]float64, g.NumVertices())
	visits[0] = 1
	for e, x := range d.Uses {
		visits[g.Head(e)] += x
	}
	for l := 0; l < g.NumLayers() && list == nil; l++ {
		lo, hi := g.Layer(l)
		for v := lo; v < hi; v++ {
			if i, ok := at[place[v]]; ok && visits[v] >= least {
				list = append(list, i)
			}
		}
	}
	return list
}

// ends marks the places where paths end.
func (d Edges) ends(m *Map, at map[int]int) {
	g, place := d.Graph, d.Graph.Meta().Place
	share := make([]float64, len(m.Places))
	last, _ := g.Layer(g.NumLayers() - 1)
	pads := g.Pads()
	for e, x := range d.Uses {
		v := g.Head(e)
		if pads != nil && pads[v] && !pads[g.Tail(e)] { // the path has ended before
			v = g.Tail(e)
		} else if v < last {
			continue
		}
		if i, ok := at[place[v]]; ok && (pads == nil || !pads[v]) {
			share[i] += x
		}
	}
	for i, s := range share {
		if s >= least {
			m.Ends, m.EndShares = append(m.Ends, i), append(m.EndShares, min(s, 1))
		}
	}
}
