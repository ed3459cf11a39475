package plots

import (
	"image/color"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// entry is one name in a legend with its sample, drawn into the canvas it gets.
type entry struct {
	name   string
	sample func(c draw.Canvas)
}

func lineEntry(name string, sty draw.LineStyle) entry {
	return entry{name, func(c draw.Canvas) {
		y := c.Center().Y
		c.StrokeLine2(sty, c.Min.X, y, c.Max.X, y)
	}}
}

func markEntry(name string, sty draw.LineStyle, mark draw.GlyphStyle) entry {
	return entry{name, func(c draw.Canvas) {
		lineEntry("", sty).sample(c)
		c.DrawGlyphNoClip(mark, c.Center())
	}}
}

func boxEntry(name string, c color.Color) entry {
	return entry{name, func(dc draw.Canvas) {
		dc.SetColor(c)
		dc.Fill(vg.Rectangle{Min: vg.Point{X: dc.Min.X + 5, Y: dc.Min.Y}, Max: vg.Point{X: dc.Max.X - 3, Y: dc.Max.Y}}.Path())
	}}
}

// strip is a legend in rows between the title and the data, where it hides neither. gonum's own legend lies on
// the data and goes unused here; its thumbnail width carries the plot's width, which a plotter that reserves
// room cannot know otherwise.
type strip struct{ entries []entry }

const (
	sampleWidth vg.Length = 22
	stripFont   vg.Length = 10
	stripAxis   vg.Length = 62 // what a y axis takes of the width, about
	stripGap    vg.Length = 8  // between strip and data
)

// layFor makes legends of p fit the width w.
func layFor(p *plot.Plot, w vg.Length) { p.Legend.ThumbnailWidth = w }

// hideLegend leaves p without its strip.
func hideLegend(p *plot.Plot) { layFor(p, -1) }

// rows breaks the entries into rows no wider than w, names in the font size given.
func (s *strip) rows(w, size vg.Length) (rows [][]entry) {
	used := vg.Length(0)
	for _, e := range s.entries {
		need := entryWidth(e, size)
		if len(rows) == 0 || used+need > w+size {
			rows, used = append(rows, nil), 0
		}
		rows[len(rows)-1] = append(rows[len(rows)-1], e)
		used += need
	}
	return rows
}

func entryWidth(e entry, size vg.Length) vg.Length {
	sty := label(size, black, false)
	return sampleWidth + .5*size + sty.Width(e.name) + 1.6*size
}

// reserved returns how many rows are for the strip in p.
func (s *strip) reserved(p *plot.Plot) int {
	w := p.Legend.ThumbnailWidth
	if p.Y.LineStyle.Width > 0 {
		w -= stripAxis
	}
	return len(s.rows(w, stripFont))
}

// GlyphBoxes reserves the strip's height above the data.
func (s *strip) GlyphBoxes(p *plot.Plot) []plot.GlyphBox {
	if p.Legend.ThumbnailWidth < 0 {
		return nil
	}
	n := s.reserved(p)
	return []plot.GlyphBox{{X: .5, Y: 1, Rectangle: vg.Rectangle{
		Max: vg.Point{Y: stripGap + vg.Length(n)*stripFont*1.5},
	}}}
}

// Plot draws the rows, in a smaller font if the width turns out less than reserved for.
func (s *strip) Plot(c draw.Canvas, p *plot.Plot) {
	if p.Legend.ThumbnailWidth < 0 {
		return
	}
	s.draw(c, s.reserved(p))
}

// draw draws the entries above c in as many rows as were reserved.
func (s *strip) draw(c draw.Canvas, reserved int) {
	size, width := stripFont, c.Max.X-c.Min.X
	for size > 5 && len(s.rows(width, size)) > reserved {
		size -= .5
	}
	sty := label(size, black, false)
	sty.XAlign = text.XLeft
	for i, row := range s.rows(width, size) {
		y := c.Max.Y + stripGap + stripFont*1.5*(vg.Length(reserved-i)-.5)
		x := c.Min.X
		for _, e := range row {
			e.sample(draw.Canvas{Canvas: c.Canvas, Rectangle: vg.Rectangle{
				Min: vg.Point{X: x, Y: y - size/2}, Max: vg.Point{X: x + sampleWidth, Y: y + size/2},
			}})
			c.FillText(sty, vg.Point{X: x + sampleWidth + .5*size, Y: y}, e.name)
			x += entryWidth(e, size)
		}
	}
}
