package plots

import (
	"fmt"
	"image/color"
	"math"
	"slices"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"github.com/ddps-go/ddps/ddps"
)

// Map is a street network with the density of sampled paths on it, north up.
type Map struct {
	Title       string
	Places      [][2]float64 // longitude, latitude in degrees
	Metres      bool         // Places are metres east and north instead
	Edges       [][2]int     // undirected, numbers of places
	Density     []float64    // by edge, ≥ 0: expected traversals per path, say; nil for the bare network
	Most        float64      // density at the upper end of the scale, so that maps compare; 0: the greatest that there is
	What        string       // what Density is, for the colour bar; "" means "traversals per path"
	Marked      []bool       // by edge: streets with an orange rim; nil for none
	Mark        string       // what the rim means, for the legend; "" means "rewarded"
	Streets     []Street     // of the whole town, beneath it all in light grey; nil for none
	Starts      []int        // places marked as starts
	Ends        []int        // places marked as ends
	EndShares   []float64    // of each of Ends, in (0, 1]: the marker's area is in proportion; nil: all are alike
	Attribution string       // whom the map is to name, at its foot; "" for nobody
	scaleless   bool         // no scale bar: it is on another panel
}

// Street is a line of a map's background, in the coordinates of its places, with a name to be written along it, "" for
// none.
type Street struct {
	Name string
	Line [][2]float64
}

// Plot returns the map, degrees in the equirectangular projection about its middle: a degree of longitude is
// cos(latitude) of one of latitude. The error names the place whose coordinates are out of range, the edge, start or
// end that names no place, or the density that is negative, NaN or infinite.
func (f Map) Plot() (*plot.Plot, error) {
	if err := f.check(); err != nil {
		return nil, err
	}
	f.unwrap()
	p := blank(f.Title, f.legend())
	p.Add(plotFunc(func(c draw.Canvas, _ *plot.Plot) { f.draw(c) }))
	return p, nil
}

// unwrap replaces Places, if degrees, such that a town on the 180th meridian is in one piece.
func (f *Map) unwrap() {
	if f.Metres {
		return
	}
	lon := make([]float64, len(f.Places))
	for i, p := range f.Places {
		lon[i] = p[0]
	}
	places := slices.Clone(f.Places)
	for i, x := range ddps.UnwrapLongitudes(lon) {
		places[i][0] = x
	}
	f.Places = places
}

func (f Map) check() error {
	if len(f.Places) == 0 {
		return fmt.Errorf("plots: map: no places")
	}
	for i, p := range f.Places {
		if f.Metres && !(finite(p[0]) && finite(p[1])) {
			return fmt.Errorf("plots: map: place %d: %v m east, %v m north", i, p[0], p[1])
		}
		if !f.Metres && !(math.Abs(p[0]) <= 360 && math.Abs(p[1]) <= 90) {
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
	if f.Density != nil && len(f.Density) != len(f.Edges) || f.Marked != nil && len(f.Marked) != len(f.Edges) {
		return fmt.Errorf("plots: map: %d densities and %d marks for %d edges", len(f.Density), len(f.Marked), len(f.Edges))
	}
	for e, d := range f.Density {
		if !(d >= 0 && finite(d)) {
			return fmt.Errorf("plots: map: density of edge %d is %v", e, d)
		}
	}
	return f.checkScale()
}

// checkScale checks what sizes and colours are relative to.
func (f Map) checkScale() error {
	if !(f.Most >= 0 && finite(f.Most)) {
		return fmt.Errorf("plots: map: the scale ends at %v", f.Most)
	}
	if f.EndShares != nil && len(f.EndShares) != len(f.Ends) {
		return fmt.Errorf("plots: map: %d shares for %d ends", len(f.EndShares), len(f.Ends))
	}
	for i, s := range f.EndShares {
		if !(s > 0 && s <= 1+1e-9) {
			return fmt.Errorf("plots: map: share of end %d is %v", i, s)
		}
	}
	return nil
}

// projection takes places to the canvas; scale is points a metre north.
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
	k, metre := math.Cos((lat.lo+lat.hi)/2*math.Pi/180), 1.0/degree
	if f.Metres {
		k, metre = 1, 1
	}
	const pad, foot = 8, 22 // the scale bar's room
	w, h := float64(c.Max.X-c.Min.X)-2*pad, float64(c.Max.Y-c.Min.Y)-2*pad-foot
	scale := min(w/max((lon.hi-lon.lo)*k, .01*metre), h/max(lat.hi-lat.lo, .01*metre))
	mid := vg.Point{X: c.Center().X, Y: c.Center().Y + foot/2}
	return projection{func(p [2]float64) vg.Point {
		return vg.Point{X: mid.X + vg.Length((p[0]-(lon.lo+lon.hi)/2)*k*scale),
			Y: mid.Y + vg.Length((p[1]-(lat.lo+lat.hi)/2)*scale)}
	}, scale * metre}
}

func (f Map) draw(c draw.Canvas) {
	proj := f.project(c)
	f.drawStreets(c, proj)
	thin := min(1, max(.5, (c.Max.X-c.Min.X)/250)) // lines of a small panel
	segment := func(e int, sty draw.LineStyle) {
		c.StrokeLines(sty, []vg.Point{proj.at(f.Places[f.Edges[e][0]]), proj.at(f.Places[f.Edges[e][1]])})
	}
	most := f.most()
	width := func(e int) vg.Length {
		if f.Density == nil || f.Density[e] == 0 {
			return thin
		}
		return thin * vg.Length(1.2+4.3*min(1, f.Density[e]/most))
	}
	for e, on := range f.Marked {
		if on {
			segment(e, line(width(e)+5*thin, rimColor))
		}
	}
	for e := range f.Edges {
		segment(e, line(thin, color.NRGBA{0xC4, 0xC4, 0xC4, 0xFF}))
	}
	for e, d := range f.Density {
		if d > 0 {
			segment(e, line(width(e), ramp(min(1, d/most))))
		}
	}
	for i := range f.Places {
		disc(c, proj.at(f.Places[i]), 1.1*thin, grey, grey)
	}
	f.drawMarkers(c, proj, thin)
	if !f.scaleless {
		scaleBar(c, proj.scale)
	}
	credits(c, f.Attribution)
}

// drawMarkers draws the ends and the starts.
func (f Map) drawMarkers(c draw.Canvas, proj projection, thin vg.Length) {
	for i, v := range f.Ends {
		g := endGlyph
		if g.Radius *= thin; f.EndShares != nil {
			g.Radius = 10 * thin * vg.Length(math.Sqrt(f.EndShares[i]))
			g.Color = fade(red, .85)
			c.DrawGlyphNoClip(g, proj.at(f.Places[v]))
			continue
		}
		marker(c, g, proj.at(f.Places[v]))
	}
	for _, v := range f.Starts {
		g := startGlyph
		g.Radius *= thin
		marker(c, g, proj.at(f.Places[v]))
	}
}

// most returns the density at the upper end of the scale.
func (f Map) most() float64 {
	if f.Most > 0 {
		return f.Most
	}
	most := 0.0
	for _, d := range f.Density {
		most = max(most, d)
	}
	return most
}

// marker draws a glyph with a white rim.
func marker(c draw.Canvas, g draw.GlyphStyle, at vg.Point) {
	rim := g
	rim.Color, rim.Radius = white, g.Radius+1.3
	c.DrawGlyphNoClip(rim, at)
	c.DrawGlyphNoClip(g, at)
}
