package plots

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// Bars compares distributions: a group a quantity, a bar a distribution (the data, a chain, a model), each group with
// the sampling floor that a perfect sampler would show.
type Bars struct {
	Title      string
	YLabel     string
	Categories []string // one a group; "\n" breaks lines, and long ones break at spaces
	Series     []BarSeries
	Floors     []float64 // one a group, dashed; nil or NaN for none
	FloorName  string    // for the legend; "" means "sampling floor"
}

// BarSeries is one distribution's values, one a category; NaN leaves the bar out. Err has half-lengths of error bars,
// nil for none.
type BarSeries struct {
	Name        string
	Values, Err []float64
}

// Plot returns the chart, its y axis from 0, with each value written above its bar where there is room. The error
// names a series or list of the wrong length, and the value that is infinite or an Err that is negative or infinite.
func (b Bars) Plot() (*plot.Plot, error) {
	if err := b.check(); err != nil {
		return nil, err
	}
	y := axis{zero: math.NaN()}
	p := newPlot(b.Title, b.legend())
	p.Y.Label.Text = b.YLabel
	sy := newSpan()
	sy.add(0)
	for k, s := range b.Series {
		for i, v := range s.Values {
			sy.add(v)
			sy.add(v + b.err(k, i))
			sy.add(v - b.err(k, i))
		}
	}
	for _, f := range b.Floors {
		sy.add(f)
	}
	room := sy.padded(.09, 0)
	p.Y.Min, p.Y.Max = 0, room.hi
	if sy.lo < 0 {
		p.Y.Min = room.lo
	}
	p.X.Min, p.X.Max = -.5, float64(len(b.Categories))-.5
	p.X.Tick.Marker, p.Y.Tick.Marker = b.ticks(), y
	p.X.Tick.LineStyle.Color, p.X.Tick.Length = fade(white, 0), 3
	p.Add(gridlines(y), plotFunc(b.draw))
	return p, nil
}

func (b Bars) check() error {
	n := len(b.Categories)
	if n == 0 || len(b.Series) == 0 {
		return fmt.Errorf("plots: bars: %d categories, %d series", n, len(b.Series))
	}
	if b.Floors != nil && len(b.Floors) != n {
		return fmt.Errorf("plots: bars: %d floors for %d categories", len(b.Floors), n)
	}
	for i, s := range b.Series {
		if len(s.Values) != n || s.Err != nil && len(s.Err) != n {
			return fmt.Errorf("plots: bars: series %d (%s): %d values, %d Err for %d categories", i, s.Name, len(s.Values),
				len(s.Err), n)
		}
		for k, v := range s.Values {
			if e := b.err(i, k); !math.IsNaN(v) && !finite(v) || e < 0 || !finite(e) {
				return fmt.Errorf("plots: bars: series %d (%s): %s is %v ± %v", i, s.Name, b.Categories[k], v, e)
			}
		}
	}
	for i, f := range b.Floors {
		if !math.IsNaN(f) && !finite(f) {
			return fmt.Errorf("plots: bars: floor of %s is %v", b.Categories[i], f)
		}
	}
	return nil
}

// err returns the error bar of series s in group i, 0 for none.
func (b Bars) err(s, i int) float64 {
	if e := b.Series[s].Err; e != nil && !math.IsNaN(e[i]) {
		return e[i]
	}
	return 0
}

func floorStyle() draw.LineStyle { return line(1.5, black, 4, 2.5) }

func (b Bars) legend() (es []entry) {
	for i, s := range b.Series {
		es = append(es, boxEntry(s.Name, Color(i)))
	}
	if b.Floors != nil {
		name := b.FloorName
		if name == "" {
			name = "sampling floor"
		}
		es = append(es, lineEntry(name, floorStyle()))
	}
	return es
}

func (b Bars) ticks() plot.ConstantTicks {
	t := make(plot.ConstantTicks, len(b.Categories))
	for i, name := range b.Categories {
		t[i] = plot.Tick{Value: float64(i), Label: wrap(name, max(6, 84/len(b.Categories)))}
	}
	return t
}

// wrap breaks s at spaces into lines of about n letters.
func wrap(s string, n int) string {
	var out strings.Builder
	used := 0
	for i, word := range strings.Split(s, " ") {
		switch {
		case i > 0 && used+1+len([]rune(word)) > n:
			out.WriteByte('\n')
			used = 0
		case i > 0:
			out.WriteByte(' ')
			used++
		}
		out.WriteString(word)
		used += len([]rune(word))
		if k := strings.LastIndexByte(word, '\n'); k >= 0 {
			used = len([]rune(word[k+1:]))
		}
	}
	return out.String()
}

func (b Bars) draw(c draw.Canvas, p *plot.Plot) {
	fx, fy := p.Transforms(&c)
	group := fx(1) - fx(0)
	width := .78 * group / vg.Length(len(b.Series))
	for i := range b.Categories {
		left := fx(float64(i)) - .39*group
		for k, s := range b.Series {
			if v := s.Values[i]; !math.IsNaN(v) {
				x := left + width*vg.Length(k)
				c.SetColor(Color(k))
				c.Fill(vg.Rectangle{Min: vg.Point{X: x + .04*width, Y: fy(min(v, 0))},
					Max: vg.Point{X: x + .96*width, Y: fy(max(v, 0))}}.Path())
				b.above(c, fy, x+width/2, width, k, i)
			}
		}
		if b.Floors != nil && !math.IsNaN(b.Floors[i]) {
			y := fy(b.Floors[i])
			c.StrokeLine2(floorStyle(), left-.04*group, y, left+.82*group, y)
		}
	}
	c.StrokeLine2(line(.8, black), c.Min.X, fy(0), c.Max.X, fy(0))
}

// above draws the error bar and writes the value at x over bar k of group i.
func (b Bars) above(c draw.Canvas, fy func(float64) vg.Length, x, width vg.Length, k, i int) {
	v, e := b.Series[k].Values[i], b.err(k, i)
	if e > 0 {
		sty := line(.9, black)
		c.StrokeLine2(sty, x, fy(v-e), x, fy(v+e))
		c.StrokeLine2(sty, x-2.5, fy(v-e), x+2.5, fy(v-e))
		c.StrokeLine2(sty, x-2.5, fy(v+e), x+2.5, fy(v+e))
	}
	sty, name := label(9, black, false), strconv.FormatFloat(v, 'g', 3, 64)
	if sty.Width(name) > width+1 {
		return
	}
	y := max(fy(max(v+e, 0)), fy(0)) + 7
	if b.Floors != nil { // not on the floor's line
		if f := fy(b.Floors[i]); y > f-8 && y < f+8 {
			y = f + 8
		}
	}
	c.FillText(sty, vg.Point{X: x, Y: y}, name)
}
