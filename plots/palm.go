package plots

import (
	"fmt"
	"image/color"
	"strconv"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"github.com/ddps-go/ddps/ddps"
)

// Palm is a padded adjacency-list matrix as in the paper's figure 2, transposed: a column per vertex, a row an
// out-edge slot. Blue columns are on the path that X stands for, grey ones are not; padding is faded.
type Palm struct {
	Title string
	Graph *ddps.LayeredGraph
	X     ddps.PALM // one chosen out-edge slot a vertex, from 0
}

// Plot returns the matrix. The error names the vertex whose slot is out of range. Digits are left out where columns
// are too narrow to read them: then the chosen slot is a dark cell.
func (f Palm) Plot() (*plot.Plot, error) {
	if f.Graph == nil {
		return nil, fmt.Errorf("plots: palm: no graph")
	}
	if len(f.X) != f.Graph.NumVertices() {
		return nil, fmt.Errorf("plots: palm: %d slots for %d vertices", len(f.X), f.Graph.NumVertices())
	}
	for v, d := range f.X {
		if n := f.Graph.Degree(v); n > 0 && (d < 0 || int(d) >= n) {
			return nil, fmt.Errorf("plots: palm: vertex %s: slot %d of %d out-edges", f.Graph.Name(v), d, n)
		}
	}
	p := blank(f.Title, []entry{boxEntry("on the path", onPath), boxEntry("off the path: arbitrary", offPath),
		{"padding", func(c draw.Canvas) {
			c.FillText(label(11, blend(offPath, black, .3), false), vg.Point{X: c.Max.X - 6, Y: c.Center().Y}, "0")
		}}})
	p.Add(plotFunc(func(c draw.Canvas, _ *plot.Plot) { f.draw(c) }))
	return p, nil
}

// Size returns the size at which the matrix fills the picture, Height at most.
func (f Palm) Size() (w, h vg.Length) {
	if f.Graph == nil {
		return Width, Height
	}
	cell := (Width - palmLeft - palmRight) / vg.Length(f.Graph.NumVertices())
	const legend, title = 34, 24
	h = legend + palmHead + palmFoot + 20 + max(cell, min(28, 2*cell))*vg.Length(f.Graph.MaxDegree())
	if f.Title != "" {
		h += title
	}
	return Width, min(h, Height)
}

// palmLeft, … are the margins of the matrix, for the names of its rows and columns.
const palmLeft, palmRight, palmHead, palmFoot = 48, 18, 26, 6

var onPath, offPath = blend(white, blue, .28), color.NRGBA{0xE2, 0xE2, 0xE2, 0xFF}

func (f Palm) draw(c draw.Canvas) {
	g, rows := f.Graph, f.Graph.MaxDegree()
	w, h := c.Max.X-c.Min.X-palmLeft-palmRight, c.Max.Y-c.Min.Y-palmHead-palmFoot
	cell := min(w/vg.Length(g.NumVertices()), h/vg.Length(rows))
	width, height := cell, min(h/vg.Length(rows), max(cell, min(28, 2*cell)))
	x0 := c.Min.X + palmLeft + (w-width*vg.Length(g.NumVertices()))/2
	y1 := c.Max.Y - palmHead - min(20, (h-height*vg.Length(rows))/2)
	on := make([]bool, g.NumVertices())
	for _, v := range g.Decode(f.X) {
		on[v] = true
	}
	for v := range g.NumVertices() {
		for d := range rows {
			lo := vg.Point{X: x0 + width*vg.Length(v), Y: y1 - height*vg.Length(d+1)}
			f.cell(c, vg.Rectangle{Min: lo, Max: vg.Point{X: lo.X + width, Y: lo.Y + height}}, v, d, on[v])
		}
	}
	f.columnNames(c, x0, y1, width)
	size := min(11, max(7, .8*height))
	for d := 0; d < rows; d += 1 + int(size/height) { // those that fit
		sty := label(size, black, false)
		sty.XAlign = text.XRight
		c.FillText(sty, vg.Point{X: x0 - 9, Y: y1 - height*(vg.Length(d)+.5)}, "Edge "+strconv.Itoa(d+1))
	}
	brackets(c, x0, x0+width*vg.Length(g.NumVertices()), y1-height*vg.Length(rows), y1)
}

// cell draws entry d of vertex v.
func (f Palm) cell(c draw.Canvas, r vg.Rectangle, v, d int, on bool) {
	fill := offPath
	if on {
		fill = onPath
	}
	padding := d >= f.Graph.Degree(v)
	one := !padding && int(f.X[v]) == d
	size := min(13, .68*(r.Max.X-r.Min.X), .68*(r.Max.Y-r.Min.Y))
	digits := size >= 5
	if one && !digits {
		fill = blend(fill, black, .75)
	}
	c.SetColor(fill)
	c.Fill(r.Path())
	c.SetLineStyle(line(min(1, .07*(r.Max.X-r.Min.X)), white))
	c.Stroke(r.Path())
	if !digits {
		return
	}
	sty, digit := label(size, black, one), "0"
	if one {
		digit = "1"
	}
	if padding {
		sty.Color = blend(fill, black, .22)
	}
	c.FillText(sty, vg.Point{X: (r.Min.X + r.Max.X) / 2, Y: (r.Min.Y + r.Max.Y) / 2}, digit)
}

// columnNames writes the vertices' names, thinned where they would touch.
func (f Palm) columnNames(c draw.Canvas, x0, y1, width vg.Length) {
	size := min(12, max(7, .68*width))
	sty := label(size, black, true)
	widest := vg.Length(0)
	for v := range f.Graph.NumVertices() {
		widest = max(widest, sty.Width(f.Graph.Name(v)))
	}
	every := 1 + int((widest+2)/width)
	for v := 0; v < f.Graph.NumVertices(); v += every {
		c.FillText(sty, vg.Point{X: x0 + width*(vg.Length(v)+.5), Y: y1 + 6 + size/2}, f.Graph.Name(v))
	}
}

// brackets puts the matrix between brackets, with the sign of transposition.
func brackets(c draw.Canvas, left, right, bottom, top vg.Length) {
	const off, tick = 3, 5
	sty := line(1.8, color.NRGBA{0x4D, 0x4D, 0x4D, 0xFF})
	for _, s := range []struct{ x, d vg.Length }{{left - off, tick}, {right + off, -tick}} {
		c.StrokeLines(sty, []vg.Point{{X: s.x + s.d, Y: top + off}, {X: s.x, Y: top + off}, {X: s.x, Y: bottom - off},
			{X: s.x + s.d, Y: bottom - off}})
	}
	c.FillText(label(13, sty.Color, true), vg.Point{X: right + off + 9, Y: top + off}, "T")
}
