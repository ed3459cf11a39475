package plots

import (
	"math"

	stdfont "golang.org/x/image/font"
	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"github.com/ddps-go/ddps/ddps"
)

// layerLabel is an italic, in which l does not look like 1.
func layerLabel() text.Style {
	sty := label(12, black, true)
	sty.Font.Variant, sty.Font.Style = "Serif", stdfont.StyleItalic
	return sty
}

// columns says where the vertices are.
type columns struct {
	at     []vg.Point // by vertex
	radius vg.Length
	top    vg.Length // of the layers' labels
	step   vg.Length // between layers
	first  int       // layer drawn first, from 0
	pads   []bool    // by vertex: source and END of walks, which are no places; nil: none
	way    arrival   // says what is on the way
}

func (f Graph) layout(c draw.Canvas) columns {
	g, most := f.Graph, 1
	for l := range g.NumLayers() {
		lo, hi := g.Layer(l)
		most = max(most, hi-lo)
	}
	const head = 22
	w, h := c.Max.X-c.Min.X, c.Max.Y-c.Min.Y-head
	lay := columns{at: make([]vg.Point, g.NumVertices()), top: c.Max.Y - head/2, way: newArrival(g)}
	if g.Walks() {
		lay.pads, lay.first = g.Pads(), g.FirstPlace()
	}
	dx, dy := w/vg.Length(g.NumLayers()-lay.first), h/vg.Length(most)
	lay.radius, lay.step = min(18, .24*dx, .36*dy), dx
	dy = min(dy, 5.2*lay.radius)
	for l := range g.NumLayers() {
		lo, hi := g.Layer(l)
		for v := lo; v < hi; v++ {
			lay.at[v] = vg.Point{X: c.Min.X + dx*(vg.Length(l-lay.first)+.5),
				Y: c.Min.Y + h/2 + dy*(vg.Length(hi-lo-1)/2-vg.Length(v-lo))}
		}
	}
	lay.top = min(lay.top, c.Min.Y+h/2+dy*vg.Length(most)/2+head/2)
	return lay
}

// padding reports whether v is no place of a walk, hidden whether it is the source, which is not drawn.
func (lay columns) padding(v int) bool { return lay.pads != nil && lay.pads[v] }

func (lay columns) hidden(v int) bool { return v == 0 && lay.first == 1 }

// ends returns where edge e leaves its tail's disc and meets its head's, moved sideways by shift.
func (lay columns) ends(g *ddps.LayeredGraph, e int, shift vg.Length) (a, b vg.Point) {
	a, b = lay.at[g.Tail(e)], lay.at[g.Head(e)]
	d := b.Sub(a)
	n := vg.Length(math.Hypot(float64(d.X), float64(d.Y)))
	if n == 0 {
		return a, b
	}
	u := d.Scale(1 / n)
	side := vg.Point{X: -u.Y * shift, Y: u.X * shift}
	return a.Add(u.Scale(lay.radius)).Add(side), b.Sub(u.Scale(lay.radius)).Add(side)
}
