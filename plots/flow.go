package plots

import (
	"cmp"
	"fmt"
	"image/color"
	"math"
	"slices"
	"strconv"

	"gonum.org/v1/plot"

	"github.com/ddps-go/ddps/ddps"
)

// Flow is a flow (Sankey) diagram of paths without a map: a column per layer, in it a bar per place as high as its
// share of the paths, and between columns bands as wide as the share of paths that take the edge. The places that most
// paths visit have a colour each; in every layer those beyond Top are one grey bar.
type Flow struct {
	Title string
	Graph *ddps.LayeredGraph
	Uses  []float64 // by edge, in [0, 1]: the probability that a path takes it; see [Uses]
	Names []string  // by vertex; nil: Graph's names
	Ended []bool    // by vertex: the path has ended there before; drawn at the layer where it ends only. nil for none
	First int       // the first layer drawn, from 0; columns are numbered from it, from 1
	Top   int       // places drawn in a layer, ≥ 1; 0: 8
}

// flowBar is one bar of a column.
type flowBar struct {
	name     string // "" for those beyond Top
	share    float64
	fill     color.NRGBA
	ended    bool
	vertices int
}

// flow is what is drawn: bars by layer from the top down, and bands between neighbouring layers.
type flow struct {
	bars  [][]flowBar
	bands []map[[2]int]float64 // by layer: from which bar to which
	keys  []entry
	least float64 // the greatest share of paths that is in no bar of its own
}

const (
	flowTop   = 8
	flowEnd   = "end"
	flowOther = "other places"
)

var (
	flowGrey = color.NRGBA{0xBD, 0xBD, 0xBD, 0xFF}
	flowPale = color.NRGBA{0xDE, 0xDE, 0xDE, 0xFF}
)

// Plot returns the diagram. The error names the list of the wrong length, the edge whose use is not in [0, 1], or the
// number that is out of range. O(edges + vertices log vertices).
func (f Flow) Plot() (*plot.Plot, error) {
	if err := f.check(); err != nil {
		return nil, err
	}
	d := f.layout()
	p := blank(f.Title, d.keys)
	p.Add(plotFunc(d.drawer(f.Graph.Meta().Attr["attribution"])))
	return p, nil
}

func (f Flow) check() error {
	if f.Graph == nil {
		return fmt.Errorf("plots: flow: no graph")
	}
	if len(f.Uses) != f.Graph.NumEdges() {
		return fmt.Errorf("plots: flow: %d uses for %d edges", len(f.Uses), f.Graph.NumEdges())
	}
	for _, n := range []struct {
		what string
		n    int
		set  bool
	}{{"names", len(f.Names), f.Names != nil}, {"ended", len(f.Ended), f.Ended != nil}} {
		if n.set && n.n != f.Graph.NumVertices() {
			return fmt.Errorf("plots: flow: %s: %d for %d vertices", n.what, n.n, f.Graph.NumVertices())
		}
	}
	if f.First < 0 || f.First >= f.Graph.NumLayers()-1 || f.Top < 0 {
		return fmt.Errorf("plots: flow: first layer %d of %d, top %d", f.First, f.Graph.NumLayers(), f.Top)
	}
	for e, u := range f.Uses {
		if !(u >= 0 && u <= 1+1e-9) {
			g := f.Graph
			return fmt.Errorf("plots: flow: use of edge %s → %s is %v", g.Name(g.Tail(e)), g.Name(g.Head(e)), u)
		}
	}
	return nil
}

func (f Flow) name(v int) string {
	if f.Names != nil {
		return f.Names[v]
	}
	return f.Graph.Name(v)
}

func (f Flow) ended(v int) bool { return f.Ended != nil && f.Ended[v] }

// visits returns the share of paths through each vertex; of ended ones the share that ends there.
func (f Flow) visits() []float64 {
	g, visits := f.Graph, make([]float64, f.Graph.NumVertices())
	_, first := g.Layer(0)
	for e, u := range f.Uses {
		v, w := g.Tail(e), g.Head(e)
		if v < first {
			visits[v] += u
		}
		if !f.ended(v) {
			visits[w] += u
		}
	}
	return visits
}

// places ranks the names by the number of visits in all layers drawn, the greatest first.
func (f Flow) places(visits []float64) (rank map[string]int, names []string) {
	total := map[string]float64{}
	lo, _ := f.Graph.Layer(f.First)
	for v := lo; v < f.Graph.NumVertices(); v++ {
		if !f.ended(v) && visits[v] > 0 {
			if _, seen := total[f.name(v)]; !seen {
				names = append(names, f.name(v))
			}
			total[f.name(v)] += visits[v]
		}
	}
	slices.SortStableFunc(names, func(a, b string) int { return cmp.Compare(total[b], total[a]) })
	rank = make(map[string]int, len(names))
	for i, n := range names {
		rank[n] = i
	}
	return rank, names
}

const flowColours = 6

func (f Flow) layout() *flow {
	g, visits := f.Graph, f.visits()
	rank, names := f.places(visits)
	d := &flow{}
	bar := make([]int, g.NumVertices()) // in its layer
	for l := f.First; l < g.NumLayers(); l++ {
		d.bars = append(d.bars, f.column(d, l, visits, rank, bar))
		d.bands = append(d.bands, map[[2]int]float64{})
	}
	for e, u := range f.Uses {
		v, w := g.Tail(e), g.Head(e)
		if l := g.LayerOf(v) - f.First; l >= 0 && u > 0 && !f.ended(v) {
			d.bands[l][[2]int{bar[v], bar[w]}] += u
		}
	}
	for i, n := range names[:min(flowColours, len(names))] {
		d.keys = append(d.keys, boxEntry(n, Color(i)))
	}
	if d.least > 0 {
		d.keys = append(d.keys, boxEntry(flowOther+" (each at most "+percent(d.least)+" of a layer)", flowGrey))
	}
	return d
}

// column returns the bars of layer l, in the order of the places' ranks, what is beyond Top and the ends last.
func (f Flow) column(d *flow, l int, visits []float64, rank map[string]int, bar []int) (bars []flowBar) {
	top := f.Top
	if top == 0 {
		top = flowTop
	}
	lo, hi := f.Graph.Layer(l)
	var order, rest, ends []int
	for v := lo; v < hi; v++ {
		switch {
		case visits[v] == 0:
		case f.ended(v):
			ends = append(ends, v)
		default:
			order = append(order, v)
		}
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(visits[b], visits[a]) })
	if len(order) > top+1 { // one more has room where "other places" would be
		order, rest = order[:top], order[top:]
		d.least = math.Max(d.least, visits[rest[0]])
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(rank[f.name(a)], rank[f.name(b)]) })
	add := func(b flowBar, vs []int) {
		for _, v := range vs {
			b.share += visits[v]
			bar[v] = len(bars)
		}
		b.vertices = len(vs)
		bars = append(bars, b)
	}
	for _, v := range order {
		fill := flowGrey
		if i := rank[f.name(v)]; i < flowColours {
			fill = Color(i)
		}
		add(flowBar{name: f.name(v), fill: fill}, []int{v})
	}
	if rest != nil {
		add(flowBar{fill: flowGrey}, rest)
	}
	if ends != nil {
		add(flowBar{name: flowEnd, fill: flowPale, ended: true}, ends)
	}
	return bars
}

// percent writes a share with two digits.
func percent(x float64) string { return strconv.FormatFloat(100*x, 'g', 2, 64) + "%" }
