package plots

import (
	"fmt"
	"image/color"
	"math"
	"strconv"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// Map is a street network with the density of sampled paths on it, north up.
type Map struct {
	Title   string
	Places  [][2]float64 // longitude, latitude in degrees
	Edges   [][2]int     // undirected, numbers of places
	Density []float64    // by edge, ≥ 0: expected traversals a path, say; nil for the bare network
	What    string       // what Density is, for the colour bar; "" means "traversals a path"
	Starts  []int        // places marked as starts
	Ends    []int        // places marked as ends
}

// Plot returns the map in the equirectangular projection about its middle: a degree of longitude is cos(latitude)
// of one of latitude. The error names the place whose coordinates are out of range, the edge, start or end that
// names no place, or the density that is negative, NaN or infinite.
func (f Map) Plot() (*plot.Plot, error) {
	if err := f.check(); err != nil {
		return nil, err
	}
	var legend []entry
	mark := func(name string, g draw.GlyphStyle) {
		legend = append(legend, entry{name, func(c draw.Canvas) { marker(c, g, c.Center()) }})
	}
	if len(f.Starts) > 0 {
		mark("start", startGlyph)
	}
	if len(f.Ends) > 0 {
		mark("end", endGlyph)
	}
	if f.Density != nil {
		legend = append(legend, f.colourBar())
	}
	p := blank(f.Title, legend)
	p.Add(plotFunc(func(c draw.Canvas, _ *plot.Plot) { f.draw(c) }))
	return p, nil
}

var (
	startGlyph = draw.GlyphStyle{Color: green, Radius: 5, Shape: draw.CircleGlyph{}}
	endGlyph   = draw.GlyphStyle{Color: red, Radius: 4.5, Shape: draw.BoxGlyph{}}
)

func (f Map) check() error {
	if len(f.Places) == 0 {
		return fmt.Errorf("plots: map: no places")
	}
	for i, p := range f.Places {
		if !(math.Abs(p[0]) <= 360 && math.Abs(p[1]) <= 90) {
			return fmt.Errorf("plots: map: place %d: longitude %v, latitude %v", i, p[0], p[1])
		}
	}
	outside := func(i int) bool { return i < 0 || i >= len(f.Places) }
	for e, ends := range f.Edges {
		if outside(ends[0]) || outside(ends[1]) {
			return fmt.Errorf("plots: map: edge %d joins %d and %d of %d places", e, ends[0], ends[1], len(f.Places))
		}
	}
	for _, list := range [][]int{f.Starts, f.Ends} {
		for _, i := range list {
			if outside(i) {
				return fmt.Errorf("plots: map: start or end %d of %d places", i, len(f.Places))
			}
		}
	}
	if f.Density != nil && len(f.Density) != len(f.Edges) {
		return fmt.Errorf("plots: map: %d densities for %d edges", len(f.Density), len(f.Edges))
	}
	for e, d := range f.Density {
		if !(d >= 0 && finite(d)) {
			return fmt.Errorf("plots: map: density of edge %d is %v", e, d)
		}
	}
	return nil
}

// projection takes places to the canvas; scale is points a degree of latitude.
type projection struct {
	at    func(p [2]float64) vg.Point
	scale float64
}

func (f Map) project(c draw.Canvas) projection {
	lon, lat := newSpan(), newSpan()
	for _, p := range f.Places {
		lon.add(p[0])
		lat.add(p[1])
	}
	k := math.Cos((lat.lo + lat.hi) / 2 * math.Pi / 180)
	const pad, foot = 8, 22 // the scale bar's room
	w, h := float64(c.Max.X-c.Min.X)-2*pad, float64(c.Max.Y-c.Min.Y)-2*pad-foot
	scale := min(w/max((lon.hi-lon.lo)*k, 1e-7), h/max(lat.hi-lat.lo, 1e-7))
	mid := vg.Point{X: c.Center().X, Y: c.Center().Y + foot/2}
	return projection{func(p [2]float64) vg.Point {
		return vg.Point{X: mid.X + vg.Length((p[0]-(lon.lo+lon.hi)/2)*k*scale),
			Y: mid.Y + vg.Length((p[1]-(lat.lo+lat.hi)/2)*scale)}
	}, scale}
}

func (f Map) draw(c draw.Canvas) {
	proj := f.project(c)
	segment := func(e int, sty draw.LineStyle) {
		c.StrokeLines(sty, []vg.Point{proj.at(f.Places[f.Edges[e][0]]), proj.at(f.Places[f.Edges[e][1]])})
	}
	for e := range f.Edges {
		segment(e, line(1, color.NRGBA{0xC4, 0xC4, 0xC4, 0xFF}))
	}
	most := f.most()
	for e, d := range f.Density {
		if d > 0 {
			segment(e, line(vg.Length(1.2+4.3*d/most), ramp(d/most)))
		}
	}
	for i := range f.Places {
		disc(c, proj.at(f.Places[i]), 1.1, grey, grey)
	}
	for _, v := range f.Ends {
		marker(c, endGlyph, proj.at(f.Places[v]))
	}
	for _, v := range f.Starts {
		marker(c, startGlyph, proj.at(f.Places[v]))
	}
	scaleBar(c, proj.scale)
}

func (f Map) most() float64 {
	most := 0.0
	for _, d := range f.Density {
		most = max(most, d)
	}
	return most
}

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
		what = "traversals a path"
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

// marker draws a glyph with a white rim.
func marker(c draw.Canvas, g draw.GlyphStyle, at vg.Point) {
	rim := g
	rim.Color, rim.Radius = white, g.Radius+1.3
	c.DrawGlyphNoClip(rim, at)
	c.DrawGlyphNoClip(g, at)
}

// scaleBar draws a round length of about a quarter of the map's width at its bottom left.
func scaleBar(c draw.Canvas, scale float64) {
	const metres = 111195 // a degree of latitude
	room := float64(c.Max.X-c.Min.X) / 4 / scale * metres
	length := niceStep(room / 2.5)
	name := strconv.FormatFloat(length, 'g', -1, 64) + " m"
	if length >= 1000 {
		name = strconv.FormatFloat(length/1000, 'g', -1, 64) + " km"
	}
	x, y := c.Min.X+6, c.Min.Y+6
	end := x + vg.Length(length/metres*scale)
	c.StrokeLines(line(1.2, black), []vg.Point{{X: x, Y: y + 4}, {X: x, Y: y}, {X: end, Y: y}, {X: end, Y: y + 4}})
	sty := label(10, black, false)
	sty.XAlign = text.XLeft
	c.FillText(sty, vg.Point{X: end + 6, Y: y + 2}, name)
}
