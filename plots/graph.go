package plots

import (
	"fmt"
	"image/color"
	"slices"
	"strconv"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"github.com/ddps-go/ddps/ddps"
)

// Graph is a layered graph in the style of the paper's figure 1: layers as columns from l = 1, vertices top down. Of
// walks (ddps.LayeredGraph.Walks) the source is not drawn, and END is a dot without a name, and so is what is on the
// way between two places.
type Graph struct {
	Title string
	Graph *ddps.LayeredGraph
	Paths []NamedPath // highlighted, the first in blue; side by side where they share edges
	// by edge, each in [0, 1]: the chance that a path takes it, shown as width relative to the largest; nil for none
	Marginals []float64
	Most      float64 // marginal of the widest line, so that graphs compare; 0: the largest
	Marked    []bool  // by edge: rewarded ones, which have a green rim; nil for none
	What      string  // what Marginals are, for the legend; "" means "edge marginal"
}

// NamedPath is a path and what the legend calls it ("" for no entry).
type NamedPath struct {
	Name string
	Path ddps.Path
}

var marginalColor, greenRim = orange, blend(white, green, .38)

// Plot returns the figure. The error is that of a missing graph, of what is no path of it, or of a marginal that is
// not in [0, 1]. Names that do not fit a vertex are set smaller; where they would be unreadable they are cut short if
// most others fit, else left out. Whom the graph's attribution names is at the foot.
func (f Graph) Plot() (*plot.Plot, error) {
	if f.Graph == nil {
		return nil, fmt.Errorf("plots: graph: no graph")
	}
	for i, p := range f.Paths {
		if err := f.Graph.Check(p.Path); err != nil {
			return nil, fmt.Errorf("plots: graph: path %d (%s): %w", i, p.Name, err)
		}
	}
	if f.Marginals != nil && len(f.Marginals) != f.Graph.NumEdges() {
		return nil, fmt.Errorf("plots: graph: %d marginals for %d edges", len(f.Marginals), f.Graph.NumEdges())
	}
	if f.Marked != nil && len(f.Marked) != f.Graph.NumEdges() {
		return nil, fmt.Errorf("plots: graph: %d marks for %d edges", len(f.Marked), f.Graph.NumEdges())
	}
	if !(f.Most >= 0 && f.Most <= 1+1e-9) {
		return nil, fmt.Errorf("plots: graph: the scale ends at %v", f.Most)
	}
	for e, m := range f.Marginals {
		if !(m >= 0 && m <= 1+1e-9) {
			return nil, fmt.Errorf("plots: graph: marginal of edge %s → %s is %v", f.Graph.Name(f.Graph.Tail(e)),
				f.Graph.Name(f.Graph.Head(e)), m)
		}
	}
	p := blank(f.Title, f.legend())
	p.Add(plotFunc(func(c draw.Canvas, _ *plot.Plot) { f.draw(c) }))
	return p, nil
}

func (f Graph) legend() (es []entry) {
	for i, p := range f.Paths {
		if p.Name != "" {
			es = append(es, lineEntry(p.Name, pathStyle(i)))
		}
	}
	if slices.Contains(f.Marked, true) {
		es = append(es, lineEntry("rewarded", line(7, greenRim)))
	}
	if f.Marginals != nil {
		most, what := f.most(), f.What
		if what == "" {
			what = "edge marginal"
		}
		for _, s := range f.widths(most) {
			es = append(es, lineEntry(what+" "+strconv.FormatFloat(s*most, 'g', 2, 64), marginalStyle(s, 1)))
		}
	}
	return es
}

// widths returns the shares of the largest marginal that the legend shows: all of it alone where there is no other.
func (f Graph) widths(most float64) []float64 {
	for _, m := range f.Marginals {
		if m > 0 && m < most {
			return []float64{.25, .5, 1}
		}
	}
	return []float64{1}
}

func pathStyle(i int) draw.LineStyle { return line(1.8, Color(i)) }

// marginalStyle is an edge's whose marginal is s times the largest.
func marginalStyle(s float64, scale vg.Length) draw.LineStyle {
	return line(max(.4, 6*scale*vg.Length(s)), fade(marginalColor, .3+.6*s))
}

// most returns the marginal of the widest line: by default the largest, 1 if all are 0.
func (f Graph) most() float64 {
	if f.Most > 0 {
		return f.Most
	}
	most := 0.0
	for _, m := range f.Marginals {
		most = max(most, m)
	}
	if most == 0 {
		return 1
	}
	return most
}

func (f Graph) draw(c draw.Canvas) {
	if credit := f.Graph.Meta().Attr["attribution"]; credit != "" {
		credits(c, credit)
		c.Min.Y += 14
	}
	g, lay := f.Graph, f.layout(c)
	thin := f.thin(c)
	for e := range g.NumEdges() {
		if lay.padding(g.Tail(e)) {
			continue
		}
		a, b := lay.ends(g, e, 0)
		if f.Marked != nil && f.Marked[e] {
			c.StrokeLines(line(min(9, .7*lay.radius), greenRim), []vg.Point{a, b})
		}
		arrow(c, line(.9*thin, color.NRGBA{0xB4, 0xB4, 0xB4, 0xFF}), a, b, min(5, .45*lay.radius))
	}
	most := f.most()
	for e, m := range f.Marginals {
		if m > 0 && !lay.padding(g.Tail(e)) {
			a, b := lay.ends(g, e, 0)
			c.StrokeLines(marginalStyle(min(1, m/most), min(1, lay.radius/10)), []vg.Point{a, b})
		}
	}
	owner := f.drawPaths(c, lay)
	for v, pt := range lay.at {
		fill, edge := color.NRGBA{0xE6, 0xE6, 0xE6, 0xFF}, color.NRGBA{0x4D, 0x4D, 0x4D, 0xFF}
		if owner[v] > 0 {
			edge = Color(owner[v] - 1)
			fill = blend(white, edge, .3)
		}
		if lay.hidden(v) {
			continue
		}
		if lay.padding(v) { // the path has ended
			disc(c, pt, .3*lay.radius, edge, edge)
			continue
		}
		if lay.way.none(v) { // between two places
			disc(c, pt, .4*lay.radius, fill, edge)
			continue
		}
		disc(c, pt, lay.radius, fill, edge)
	}
	f.drawNames(c, lay)
	every := 1 + int(34/max(lay.step, 1)) // layer labels that fit
	for l := lay.first; l < g.NumLayers(); l += every {
		lo, _ := g.Layer(l)
		c.FillText(layerLabel(), vg.Point{X: lay.at[lo].X, Y: lay.top}, "l = "+strconv.Itoa(l+1-lay.first))
	}
}

// thin is the width of the edges' lines, 1 where they have room between two layers and less where they are many: else
// they would run together.
func (f Graph) thin(c draw.Canvas) vg.Length {
	most := 1
	for l := range f.Graph.NumLayers() - 1 {
		n := 0
		for lo, hi := f.Graph.Layer(l); lo < hi; lo++ {
			n += f.Graph.Degree(lo)
		}
		most = max(most, n)
	}
	return min(1, max(.1, (c.Max.Y-c.Min.Y)/vg.Length(3*most)))
}

// drawPaths returns for every vertex 1 + the first path through it, 0 for none.
func (f Graph) drawPaths(c draw.Canvas, lay columns) []int {
	owner := make([]int, f.Graph.NumVertices())
	for i, p := range f.Paths {
		edges, err := f.Graph.PathEdges(nil, p.Path)
		if err != nil {
			continue // checked by Plot
		}
		shift := 2.6 * (vg.Length(i) - vg.Length(len(f.Paths)-1)/2)
		for _, e := range edges {
			if lay.padding(f.Graph.Tail(e)) {
				continue
			}
			a, b := lay.ends(f.Graph, e, shift)
			arrow(c, pathStyle(i), a, b, min(7, .6*lay.radius))
		}
		for _, v := range p.Path {
			if owner[v] == 0 {
				owner[v] = i + 1
			}
		}
	}
	return owner
}
