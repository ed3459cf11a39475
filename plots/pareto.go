package plots

import (
	"errors"
	"fmt"
	"image/color"
	"math"
	"slices"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// Pareto sets what samplers gain against what they give up, a curve a sampler as its strength grows: reward to the
// right, distance upwards, so that better is right and down.
type Pareto struct {
	Title          string
	XLabel, YLabel string
	Front          Series     // the best that there is, X ascending: nothing lies in the grey below it
	Series         []Series   // in the order of the strength; Err is not drawn
	Labels         [][]string // by series and point, beside it, where there is room; nil for none
	Limit          float64    // greatest X that there is, dotted; NaN or 0 for none
	LimitName      string     // for the legend
}

// Plot returns the picture. The error names a series without points or with lengths that differ, a Front whose X
// descends, labels that are not one a point, or a number of the Front or the Limit that is not finite.
func (f Pareto) Plot() (*plot.Plot, error) {
	if err := f.check(); err != nil {
		return nil, err
	}
	x, y := axis{zero: math.NaN()}, axis{zero: math.NaN()}
	p := newPlot(f.Title, f.legend())
	p.X.Label.Text, p.Y.Label.Text = f.XLabel, f.YLabel
	all := append(f.Series[:len(f.Series):len(f.Series)], f.Front)
	if f.limited() {
		all = append(all, Series{X: []float64{f.Limit}, Y: []float64{f.Front.Y[0]}})
	}
	setRanges(p, x, y, all, nil)
	fromZero(p, all, nil)
	p.Add(gridlines(y), plotFunc(f.below))
	if f.limited() {
		p.Add(plotFunc(func(c draw.Canvas, p *plot.Plot) {
			at := c.X(p.X.Norm(f.Limit))
			c.StrokeLine2(f.limitStyle(), at, c.Min.Y, at, c.Max.Y)
		}))
	}
	p.Add(curve{x: x, y: y, s: f.Front, line: f.frontStyle()})
	for i, s := range f.Series {
		p.Add(curve{x: x, y: y, s: Series{X: s.X, Y: s.Y}, line: line(1.2, fade(Color(i), .7)), glyph: f.glyph(i)})
	}
	if f.Labels != nil {
		p.Add(plotFunc(f.label))
	}
	return p, nil
}

func (f Pareto) check() error {
	if err := checkSeries("pareto", f.Series); err != nil {
		return err
	}
	if err := checkSeries("pareto: front", []Series{f.Front}); err != nil {
		return err
	}
	for k, v := range f.Front.Y {
		if !finite(axis{}.at(v)) || k > 0 && f.Front.X[k] < f.Front.X[k-1] {
			return fmt.Errorf("plots: pareto: point %d of the front is (%v, %v), must be finite, X ascending", k, f.Front.X[k],
				v)
		}
	}
	if f.Labels != nil && len(f.Labels) != len(f.Series) {
		return fmt.Errorf("plots: pareto: labels of %d series for %d", len(f.Labels), len(f.Series))
	}
	for i, l := range f.Labels {
		if l != nil && len(l) != len(f.Series[i].X) {
			return fmt.Errorf("plots: pareto: series %d (%s) has %d labels for %d points", i, f.Series[i].Name, len(l),
				len(f.Series[i].X))
		}
	}
	if math.IsInf(axis{}.at(f.Limit), 0) {
		return errors.New("plots: pareto: the limit is infinite")
	}
	return nil
}

func (f Pareto) limited() bool { return f.Limit != 0 && finite(f.Limit) }

func (f Pareto) frontStyle() draw.LineStyle { return line(1.8, gold) }

func (f Pareto) limitStyle() draw.LineStyle { return line(1, grey, 1.5, 2.5) }

func (f Pareto) glyph(i int) draw.GlyphStyle {
	return draw.GlyphStyle{Color: Color(i), Radius: 3, Shape: glyph(i)}
}

func (f Pareto) legend() (es []entry) {
	if f.Front.Name != "" {
		es = append(es, lineEntry(f.Front.Name, f.frontStyle()))
	}
	for i, s := range f.Series {
		if s.Name != "" {
			es = append(es, markEntry(s.Name, line(1.2, fade(Color(i), .7)), f.glyph(i)))
		}
	}
	if f.limited() && f.LimitName != "" {
		es = append(es, lineEntry(f.LimitName, f.limitStyle()))
	}
	return es
}

// below fills what lies below the front.
func (f Pareto) below(c draw.Canvas, p *plot.Plot) {
	fx, fy := p.Transforms(&c)
	pts := []vg.Point{{X: fx(f.Front.X[0]), Y: c.Min.Y}}
	for k, v := range f.Front.Y {
		pts = append(pts, vg.Point{X: fx(f.Front.X[k]), Y: fy(v)})
	}
	pts = append(pts, vg.Point{X: pts[len(pts)-1].X, Y: c.Min.Y})
	c.FillPolygon(color.NRGBA{0xEE, 0xEE, 0xEE, 0xFF}, c.ClipPolygonXY(pts))
}

// label writes the labels left above their points, in the colour of the series, but those that would lie on another.
func (f Pareto) label(c draw.Canvas, p *plot.Plot) {
	fx, fy := p.Transforms(&c)
	var taken []vg.Rectangle
	for i, list := range f.Labels {
		sty := label(8.5, Color(i), false)
		sty.XAlign, sty.YAlign = text.XRight, text.YBottom
		for k, name := range list {
			x, y := f.Series[i].X[k], f.Series[i].Y[k]
			if !finite(axis{}.at(x)) || !finite(axis{}.at(y)) || name == "" {
				continue
			}
			at := vg.Point{X: fx(x) - 3.5, Y: fy(y) + 2}
			box := vg.Rectangle{Min: vg.Point{X: at.X - sty.Width(name), Y: at.Y}, Max: vg.Point{X: at.X, Y: at.Y +
				sty.Height(name)}}
			if !slices.ContainsFunc(taken, func(o vg.Rectangle) bool { return meet(box, o) }) {
				taken = append(taken, box)
				c.FillText(sty, at, name)
			}
		}
	}
}

// meet reports whether rectangles have a point in common.
func meet(a, b vg.Rectangle) bool {
	return a.Min.X < b.Max.X && b.Min.X < a.Max.X && a.Min.Y < b.Max.Y && b.Min.Y < a.Max.Y
}
