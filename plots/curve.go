package plots

import (
	"fmt"
	"image/color"
	"math"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// Series is one curve: Y against X, of one length ≥ 1. Err has the half-lengths of Y's error bars, in Y's unit;
// nil means none, NaN or 0 none at that point. Down, where not nil, has the lengths of the halves below. NaN in Y is a
// gap; ±Inf is a hollow triangle at the edge.
type Series struct {
	Name      string
	X, Y      []float64
	Err, Down []float64
}

// bar returns the ends of the error bar at point i, and whether there is one.
func (s Series) bar(i int) (lo, hi float64, ok bool) {
	length := func(of []float64) float64 {
		if of == nil || !(of[i] > 0) {
			return 0
		}
		return of[i]
	}
	up := length(s.Err)
	down := up
	if s.Down != nil {
		down = length(s.Down)
	}
	return s.Y[i] - down, s.Y[i] + up, up > 0 || down > 0
}

// Reference is a horizontal line that the curves are to be read against: a chain's loss, a sampling floor.
type Reference struct {
	Name  string
	Value float64
}

// checkSeries returns an error if there is nothing to draw or the lengths are wrong.
func checkSeries(figure string, series []Series) error {
	if len(series) == 0 {
		return fmt.Errorf("plots: %s: no series", figure)
	}
	for i, s := range series {
		some := false
		for k := range min(len(s.X), len(s.Y)) {
			some = some || !math.IsNaN(s.X[k]) && !math.IsNaN(s.Y[k])
		}
		switch {
		case len(s.X) != len(s.Y) || s.Err != nil && len(s.Err) != len(s.Y) || s.Down != nil && len(s.Down) != len(s.Y):
			return fmt.Errorf("plots: %s: series %d (%s) has %d X, %d Y, %d Err, %d Down", figure, i, s.Name, len(s.X), len(s.Y),
				len(s.Err), len(s.Down))
		case !some:
			return fmt.Errorf("plots: %s: series %d (%s) has no point", figure, i, s.Name)
		}
		for k, x := range s.X {
			if !finite(x) {
				return fmt.Errorf("plots: %s: series %d (%s): X[%d] is %v", figure, i, s.Name, k, x)
			}
		}
		for name, list := range map[string][]float64{"Err": s.Err, "Down": s.Down} {
			for k, e := range list {
				if e < 0 || math.IsInf(e, 0) {
					return fmt.Errorf("plots: %s: series %d (%s): %s[%d] is %v", figure, i, s.Name, name, k, e)
				}
			}
		}
	}
	return nil
}

func checkReferences(figure string, refs []Reference) error {
	for i, r := range refs {
		if !finite(r.Value) {
			return fmt.Errorf("plots: %s: reference %d (%s) is %v", figure, i, r.Name, r.Value)
		}
	}
	return nil
}

// span is a range that grows.
type span struct{ lo, hi float64 }

func newSpan() span { return span{math.Inf(1), math.Inf(-1)} }

func (s *span) add(v float64) {
	if finite(v) {
		s.lo, s.hi = min(s.lo, v), max(s.hi, v)
	}
}

// padded returns the range with a share of room at both ends, and at least rel of the numbers' size.
func (s span) padded(share, rel float64) span {
	if s.lo > s.hi {
		return span{0, 1}
	}
	pad := max(share*(s.hi-s.lo), rel*max(math.Abs(s.lo), math.Abs(s.hi)))
	if pad == 0 {
		pad = 1
	}
	return span{s.lo - pad, s.hi + pad}
}

// curve draws a series in axis coordinates.
type curve struct {
	x, y  axis
	s     Series
	line  draw.LineStyle
	glyph draw.GlyphStyle // Shape nil: no markers
	dodge vg.Length       // shift to the right, so that error bars of several curves stay apart
}

func (k curve) Plot(c draw.Canvas, p *plot.Plot) {
	fx, fy := p.Transforms(&c)
	var run []vg.Point
	stroke := func() {
		if len(run) > 1 {
			c.StrokeLines(k.line, run)
		}
		run = nil
	}
	lastZero := false
	for i, v := range k.s.X {
		x, y := k.x.at(v), k.y.at(k.s.Y[i])
		if math.IsNaN(y) || math.IsInf(x, 0) {
			stroke()
			continue
		}
		pt := vg.Point{X: fx(x) + k.dodge}
		if math.IsInf(y, 0) {
			stroke()
			k.offAxis(c, pt.X, y > 0)
			continue
		}
		pt.Y = fy(y)
		if lastZero && v != 0 && len(run) > 0 { // across the break: thin
			thin := k.line
			thin.Width *= .3
			c.StrokeLines(thin, []vg.Point{run[len(run)-1], pt})
			run = nil
		}
		lastZero = v == 0 && k.x.broken()
		run = append(run, pt)
		k.errorBar(c, p, i, pt.X)
		if k.glyph.Shape != nil {
			c.DrawGlyph(k.glyph, pt)
		}
	}
	stroke()
}

// errorBar draws a point's, cut at the axis where a logarithm has no lower end.
func (k curve) errorBar(c draw.Canvas, p *plot.Plot, i int, x vg.Length) {
	least, most, ok := k.s.bar(i)
	if !ok {
		return
	}
	_, fy := p.Transforms(&c)
	end := func(v float64) vg.Length {
		a := k.y.at(v)
		if math.IsInf(a, -1) {
			return c.Min.Y
		}
		return min(max(fy(a), c.Min.Y), c.Max.Y)
	}
	lo, hi := end(least), end(most)
	sty := draw.LineStyle{Color: k.line.Color, Width: .9}
	c.StrokeLine2(sty, x, lo, x, hi)
	for _, y := range []vg.Length{lo, hi} {
		if y > c.Min.Y && y < c.Max.Y {
			c.StrokeLine2(sty, x-2.5, y, x+2.5, y)
		}
	}
}

// offAxis draws a hollow triangle at the edge of the data that points to where the value is.
func (k curve) offAxis(c draw.Canvas, x vg.Length, up bool) {
	const h, w = 7, 4
	y, tip := c.Min.Y+h+1, c.Min.Y+1
	if up {
		y, tip = c.Max.Y-h-1, c.Max.Y-1
	}
	corners := []vg.Point{{X: x - w, Y: y}, {X: x + w, Y: y}, {X: x, Y: tip}, {X: x - w, Y: y}, {X: x + w, Y: y}}
	c.StrokeLines(draw.LineStyle{Color: k.line.Color, Width: 1.2}, corners)
}

// across is a horizontal line at axis coordinate v over the whole width.
func across(v float64, sty draw.LineStyle) plot.Plotter {
	return plotFunc(func(c draw.Canvas, p *plot.Plot) {
		y := c.Y(p.Y.Norm(v))
		c.StrokeLine2(sty, c.Min.X, y, c.Max.X, y)
	})
}

// plotFunc is a plotter by function.
type plotFunc func(c draw.Canvas, p *plot.Plot)

func (f plotFunc) Plot(c draw.Canvas, p *plot.Plot) { f(c, p) }

// referenceStyle is the i-th reference's: dark grey, told apart by its dashes.
func referenceStyle(i int) draw.LineStyle {
	dashes := [][]vg.Length{{6, 3}, {2, 2}, {8, 3, 2, 3}, {}}
	return line(1.3, color.NRGBA{0x44, 0x44, 0x44, 0xFF}, dashes[i%len(dashes)]...)
}

// gridlines are pale lines at the labelled ticks of Y.
func gridlines(y axis) plot.Plotter {
	return plotFunc(func(c draw.Canvas, p *plot.Plot) {
		for _, t := range y.Ticks(p.Y.Min, p.Y.Max) {
			if t.Label != "" {
				v := c.Y(p.Y.Norm(t.Value))
				c.StrokeLine2(line(.5, color.NRGBA{0xE8, 0xE8, 0xE8, 0xFF}), c.Min.X, v, c.Max.X, v)
			}
		}
	})
}
