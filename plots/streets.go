package plots

import (
	"image/color"
	"math"
	"slices"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

var (
	streetColor = color.NRGBA{0xE4, 0xE4, 0xE4, 0xFF}
	streetText  = color.NRGBA{0x70, 0x70, 0x70, 0xFF}
)

// streetFont is the size of a street's name.
const streetFont vg.Length = 7

// drawStreets draws the background: streets as far as they lie on the canvas, with the names of those of which a
// straight stretch is longer than the name, the longest first, each once, none over another.
func (f Map) drawStreets(c draw.Canvas, proj projection) {
	best := map[string]stretch{}
	for _, s := range f.Streets {
		pts := make([]vg.Point, len(s.Line))
		for i, p := range s.Line {
			pts[i] = proj.at(p)
		}
		for _, in := range c.ClipLinesXY(pts) {
			c.StrokeLines(line(1.6, streetColor), in)
			if st := straightest(in); s.Name != "" && st.length() > best[s.Name].length() {
				best[s.Name] = st
			}
		}
	}
	names := make([]string, 0, len(best))
	for name := range best {
		names = append(names, name)
	}
	slices.SortFunc(names, func(a, b string) int {
		if d := best[b].length() - best[a].length(); d != 0 {
			return int(math.Copysign(1, float64(d)))
		}
		return slices.Compare([]rune(a), []rune(b))
	})
	var taken []vg.Point
	for _, name := range names {
		taken = f.drawName(c, name, best[name], taken)
	}
}

// drawName writes a name along a stretch unless it is longer than the stretch or too near to another name.
func (f Map) drawName(c draw.Canvas, name string, s stretch, taken []vg.Point) []vg.Point {
	sty := label(streetFont, streetText, false)
	w := sty.Width(name)
	if w > .95*s.length() {
		return taken
	}
	mid := vg.Point{X: (s.a.X + s.b.X) / 2, Y: (s.a.Y + s.b.Y) / 2}
	own := []vg.Point{}
	for k := -2.; k <= 2; k++ { // five points along the name
		t := vg.Length(k/4) * w / s.length()
		own = append(own, vg.Point{X: mid.X + t*(s.b.X-s.a.X), Y: mid.Y + t*(s.b.Y-s.a.Y)})
	}
	for _, p := range own {
		for _, q := range taken {
			if math.Hypot(float64(p.X-q.X), float64(p.Y-q.Y)) < 1.3*float64(max(streetFont, w/4)) {
				return taken
			}
		}
	}
	sty.Rotation = math.Atan2(float64(s.b.Y-s.a.Y), float64(s.b.X-s.a.X))
	if math.Abs(sty.Rotation) > math.Pi/2 { // upside down
		sty.Rotation += math.Pi
	}
	beside := vg.Length(.75) * streetFont // the street runs below its name
	c.FillText(sty, vg.Point{X: mid.X - beside*vg.Length(math.Sin(sty.Rotation)),
		Y: mid.Y + beside*vg.Length(math.Cos(sty.Rotation))}, name)
	return append(taken, own...)
}

// stretch is a nearly straight part of a line.
type stretch struct{ a, b vg.Point }

func (s stretch) length() vg.Length {
	return vg.Length(math.Hypot(float64(s.b.X-s.a.X), float64(s.b.Y-s.a.Y)))
}

// straightest returns the longest stretch of a line whose length along the line is at most 1% more than straight.
func straightest(pts []vg.Point) (best stretch) {
	for i := range pts {
		along := vg.Length(0)
		for j := i + 1; j < len(pts); j++ {
			along += stretch{pts[j-1], pts[j]}.length()
			s := stretch{pts[i], pts[j]}
			if along > 1.01*s.length() {
				break
			}
			if s.length() > best.length() {
				best = s
			}
		}
	}
	return best
}
