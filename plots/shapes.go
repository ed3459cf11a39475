package plots

import (
	"image/color"
	"math"

	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// arrow draws a line from a to b with a head of the length given at b.
func arrow(c draw.Canvas, sty draw.LineStyle, a, b vg.Point, head vg.Length) {
	d := b.Sub(a)
	n := vg.Length(math.Hypot(float64(d.X), float64(d.Y)))
	if n == 0 || head < 1.5 {
		c.StrokeLines(sty, []vg.Point{a, b})
		return
	}
	u := d.Scale(1 / n)
	base, side := b.Sub(u.Scale(head)), vg.Point{X: -u.Y, Y: u.X}.Scale(.42*head)
	c.StrokeLines(sty, []vg.Point{a, base})
	c.FillPolygon(sty.Color, []vg.Point{b, base.Add(side), base.Sub(side)})
}

func disc(c draw.Canvas, at vg.Point, r vg.Length, fill, edge color.Color) {
	var path vg.Path
	path.Move(vg.Point{X: at.X + r, Y: at.Y})
	path.Arc(at, r, 0, 2*math.Pi)
	path.Close()
	c.SetColor(fill)
	c.Fill(path)
	c.SetLineStyle(line(min(1.2, .15*r), edge))
	c.Stroke(path)
}

// credits names at the foot whom a picture of their data is to name.
func credits(c draw.Canvas, names string) {
	sty := label(7, grey, false)
	sty.XAlign = text.XRight
	c.FillText(sty, vg.Point{X: c.Max.X, Y: c.Min.Y + 6}, names)
}
