package plots

import (
	"fmt"
	"image/color"
	"slices"
	"strconv"

	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

func (f Map) legend() (es []entry) {
	mark := func(name string, g draw.GlyphStyle) {
		es = append(es, entry{name, func(c draw.Canvas) { marker(c, g, c.Center()) }})
	}
	if len(f.Starts) > 0 {
		mark("start", startGlyph)
	}
	if len(f.Ends) > 0 {
		name := "end"
		if f.EndShares != nil {
			name = "end, area by share"
		}
		mark(name, endGlyph)
	}
	if slices.Contains(f.Marked, true) {
		name := f.Mark
		if name == "" {
			name = "rewarded"
		}
		es = append(es, entry{name, func(c draw.Canvas) {
			lineEntry("", line(7, rimColor)).sample(c)
			lineEntry("", line(2.5, ramp(.5))).sample(c)
		}})
	}
	if f.Density != nil {
		es = append(es, f.colourBar())
	}
	return es
}

var (
	startGlyph = draw.GlyphStyle{Color: green, Radius: 5, Shape: draw.CircleGlyph{}}
	endGlyph   = draw.GlyphStyle{Color: red, Radius: 4.5, Shape: draw.BoxGlyph{}}
	rimColor   = blend(white, orange, .75)
)

// ramp goes from pale to dark blue: lightness alone tells the densities apart.
func ramp(s float64) color.NRGBA {
	stops := []color.NRGBA{{0x9E, 0xD0, 0xEE, 0xFF}, {0x2F, 0x8F, 0xC8, 0xFF}, {0x08, 0x30, 0x6B, 0xFF}}
	if s < .5 {
		return blend(stops[0], stops[1], 2*s)
	}
	return blend(stops[1], stops[2], 2*s-1)
}

func (f Map) colourBar() entry {
	what := f.What
	if what == "" {
		what = "traversals per path"
	}
	name := fmt.Sprintf("%s, 0 to %s", what, strconv.FormatFloat(f.most(), 'g', 3, 64))
	return entry{name, func(c draw.Canvas) {
		const n = 22
		w := (c.Max.X - c.Min.X) / n
		for i := range n {
			c.SetColor(ramp(float64(i) / (n - 1)))
			lo := c.Min.X + w*vg.Length(i)
			c.Fill(vg.Rectangle{Min: vg.Point{X: lo, Y: c.Min.Y + 1}, Max: vg.Point{X: lo + w + .2, Y: c.Max.Y - 1}}.Path())
		}
	}}
}

// degree is the metres of a degree of latitude.
const degree = 111195

// scaleBar draws a round length of about a quarter of the map's width at its bottom left.
func scaleBar(c draw.Canvas, scale float64) {
	room := float64(c.Max.X-c.Min.X) / 4 / scale
	length := niceStep(room / 2.5)
	name := strconv.FormatFloat(length, 'g', -1, 64) + " m"
	if length >= 1000 {
		name = strconv.FormatFloat(length/1000, 'g', -1, 64) + " km"
	}
	x, y := c.Min.X+6, c.Min.Y+6
	end := x + vg.Length(length*scale)
	c.StrokeLines(line(1.2, black), []vg.Point{{X: x, Y: y + 4}, {X: x, Y: y}, {X: end, Y: y}, {X: end, Y: y + 4}})
	sty := label(10, black, false)
	sty.XAlign = text.XLeft
	c.FillText(sty, vg.Point{X: end + 6, Y: y + 2}, name)
}
