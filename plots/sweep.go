package plots

import (
	"fmt"
	"math"
	"strconv"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// Sweep is a quantity against the guidance scale λ: the reward (the paper's figure 4), or a distance to the
// target (figures 5 and 6).
type Sweep struct {
	Title      string
	YLabel     string      // "mean reward", "KL(p‖q) (nats)"
	Series     []Series    // X is λ ≥ 0, one series a reward configuration; Err one standard deviation
	Limits     []float64   // each series' upper limit, dotted in its colour; nil or NaN for none
	LimitName  string      // what the limits are, for the legend: "maximum"
	References []Reference // such as exact conditioning, a sampling floor
	SweetSpot  float64     // λ of the golden dashed line; 0 for none
	LogY       bool
}

// Plot returns the curves over a logarithmic λ axis on which λ = 0 has a place of its own left of a break, since
// the unguided sampler is what the others are compared with. A linear y axis starts at 0 if no value is negative.
// The error names a series without points or with lengths that differ, a λ that is negative, NaN or infinite, an
// Err that is negative or infinite, a reference that is not finite, or Limits that are not one a series.
func (s Sweep) Plot() (*plot.Plot, error) {
	if err := s.check(); err != nil {
		return nil, err
	}
	lambdas := make([][]float64, len(s.Series))
	for i, c := range s.Series {
		lambdas[i] = c.X
	}
	x, y := logWithZero(lambdas), axis{log: s.LogY, zero: math.NaN()}
	p := newPlot(s.Title, s.legend())
	p.X.Label.Text, p.Y.Label.Text = "guidance scale λ", s.YLabel
	refs := s.References
	for _, v := range s.Limits {
		refs = append(refs[:len(refs):len(refs)], Reference{Value: v})
	}
	setRanges(p, x, y, s.Series, refs)
	if !s.LogY {
		fromZero(p, s.Series, refs)
	}
	p.Add(gridlines(y))
	s.addSweetSpot(p, x)
	addReferences(p, y, s.References)
	for i, v := range s.Limits {
		if a := y.at(v); finite(a) {
			p.Add(across(a, s.limitStyle(i)))
		}
	}
	for i, c := range s.Series {
		p.Add(curve{x: x, y: y, s: c, line: line(1.5, Color(i)), glyph: s.glyph(i),
			dodge: 1.8 * (vg.Length(i) - vg.Length(len(s.Series)-1)/2)})
	}
	if x.broken() {
		p.Add(plotFunc(x.breakMark))
	}
	return p, nil
}

func (s Sweep) check() error {
	if err := checkSeries("sweep", s.Series); err != nil {
		return err
	}
	if err := checkReferences("sweep", s.References); err != nil {
		return err
	}
	for i, c := range s.Series {
		for k, v := range c.X {
			if v < 0 {
				return fmt.Errorf("plots: sweep: series %d (%s): λ[%d] = %v is negative", i, c.Name, k, v)
			}
		}
	}
	if s.Limits != nil && len(s.Limits) != len(s.Series) {
		return fmt.Errorf("plots: sweep: %d limits for %d series", len(s.Limits), len(s.Series))
	}
	if !(s.SweetSpot >= 0 && finite(s.SweetSpot)) {
		return fmt.Errorf("plots: sweep: sweet spot λ = %v", s.SweetSpot)
	}
	return nil
}

func (s Sweep) glyph(i int) draw.GlyphStyle {
	return draw.GlyphStyle{Color: Color(i), Radius: 2.8, Shape: glyph(i)}
}

func (s Sweep) limitStyle(i int) draw.LineStyle { return line(1, fade(Color(i), .8), 1.5, 2.5) }

func (s Sweep) legend() (es []entry) {
	for i, c := range s.Series {
		if c.Name != "" {
			es = append(es, markEntry(c.Name, line(1.5, Color(i)), s.glyph(i)))
		}
	}
	if s.Limits != nil && s.LimitName != "" {
		es = append(es, lineEntry(s.LimitName, line(1, grey, 1.5, 2.5)))
	}
	es = append(es, referenceEntries(s.References)...)
	if s.SweetSpot > 0 {
		name := "sweet spot λ = " + strconv.FormatFloat(s.SweetSpot, 'g', 4, 64)
		es = append(es, lineEntry(name, sweetSpotStyle()))
	}
	return es
}

func sweetSpotStyle() draw.LineStyle { return line(2, gold, 5, 3) }

// addSweetSpot widens the λ axis for the sweet spot if needed.
func (s Sweep) addSweetSpot(p *plot.Plot, x axis) {
	if s.SweetSpot == 0 {
		return
	}
	v := x.at(s.SweetSpot)
	p.X.Min, p.X.Max = min(p.X.Min, v), max(p.X.Max, v)
	p.Add(plotFunc(func(c draw.Canvas, p *plot.Plot) {
		at := c.X(p.X.Norm(v))
		c.StrokeLine2(sweetSpotStyle(), at, c.Min.Y, at, c.Max.Y)
	}))
}

// fromZero lets a linear y axis start at 0 where that loses no data.
func fromZero(p *plot.Plot, series []Series, refs []Reference) {
	for _, r := range refs {
		if r.Value < 0 {
			return
		}
	}
	for _, s := range series {
		for _, v := range s.Y {
			if v < 0 {
				return
			}
		}
	}
	p.Y.Min = 0
}
