package plots

import (
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg/draw"
)

// Training is a loss or a gain against the training step.
type Training struct {
	Title  string
	YLabel string   // with its unit, "loss (nats per path)"; "" means "loss"
	Series []Series // X is the step, ≥ 0; Err is not drawn
	// few points that count one by one, such as validation losses: marked, with error bars, never smoothed
	Evals      []Series
	References []Reference // such as the fitted chain's loss
	Smooth     float64     // weight of the past in the running mean, in [0, 1); 0 draws the raw values only
	LogX, LogY bool
}

// Plot returns the curves. With Smooth > 0 the raw values are pale behind their running mean
// m_k = Smooth·m_{k−1} + (1−Smooth)·y_k, divided by its total weight so that it does not start at 0. On a
// logarithmic step axis step 0 is left of a break. The error names the series without points or with lengths
// that differ, an X or reference that is NaN or infinite, a negative step on a logarithmic axis, or a Smooth out
// of range.
func (t Training) Plot() (*plot.Plot, error) {
	all := slices.Concat(t.Series, t.Evals)
	if err := checkSeries("training", all); err != nil {
		return nil, err
	}
	if err := checkReferences("training", t.References); err != nil {
		return nil, err
	}
	if !(t.Smooth >= 0 && t.Smooth < 1) {
		return nil, fmt.Errorf("plots: training: Smooth %v is not in [0, 1)", t.Smooth)
	}
	x, err := t.xAxis()
	if err != nil {
		return nil, err
	}
	y := axis{log: t.LogY, zero: math.NaN()}
	p := newPlot(t.Title, t.legend())
	p.X.Label.Text, p.Y.Label.Text = "training step", t.YLabel
	if t.YLabel == "" {
		p.Y.Label.Text = "loss"
	}
	setRanges(p, x, y, all, t.References)
	p.Add(gridlines(y))
	for i, s := range all {
		eval := i >= len(t.Series)
		if !eval {
			s.Err, s.Down = nil, nil
		}
		raw := curve{x: x, y: y, s: s, line: t.style(i)}
		if t.Smooth > 0 && !eval {
			raw.line = line(.7, fade(Color(i), .3))
			p.Add(raw)
			raw.s.Y, raw.line = running(s.Y, t.Smooth), t.style(i)
		}
		if eval || len(s.X) == 1 {
			raw.glyph = draw.GlyphStyle{Color: Color(i), Radius: 3, Shape: glyph(i)}
		}
		p.Add(raw)
	}
	addReferences(p, y, t.References)
	if x.broken() {
		p.Add(plotFunc(x.breakMark))
	}
	return p, nil
}

func (t Training) style(i int) draw.LineStyle { return line(1.7, Color(i)) }

func (t Training) xAxis() (axis, error) {
	if !t.LogX {
		return axis{zero: math.NaN()}, nil
	}
	all := slices.Concat(t.Series, t.Evals)
	values := make([][]float64, len(all))
	for i, s := range all {
		values[i] = s.X
		for k, v := range s.X {
			if v < 0 {
				return axis{}, fmt.Errorf("plots: training: series %d (%s): step X[%d] = %v on a logarithmic axis", i, s.Name, k, v)
			}
		}
	}
	return logWithZero(values), nil
}

func (t Training) legend() (es []entry) {
	for i, s := range slices.Concat(t.Series, t.Evals) {
		if s.Name != "" {
			es = append(es, lineEntry(s.Name, t.style(i)))
		}
	}
	return append(es, referenceEntries(t.References)...)
}

func referenceEntries(refs []Reference) (es []entry) {
	for i, r := range refs {
		if r.Name != "" {
			es = append(es, lineEntry(r.Name, referenceStyle(i)))
		}
	}
	return es
}

func addReferences(p *plot.Plot, y axis, refs []Reference) {
	for i, r := range refs {
		if v := y.at(r.Value); finite(v) {
			p.Add(across(v, referenceStyle(i)))
		}
	}
}

// running is the bias-corrected running mean; NaN and ±Inf pass through and are left out of it.
func running(y []float64, keep float64) []float64 {
	m, weight := 0.0, 0.0
	out := make([]float64, len(y))
	for i, v := range y {
		if !finite(v) {
			out[i] = v
			continue
		}
		m, weight = keep*m+(1-keep)*v, keep*weight+1-keep
		out[i] = m / weight
	}
	return out
}

// setRanges sets the axes' ranges and ticks for series and references, and returns the spans of the data.
func setRanges(p *plot.Plot, x, y axis, series []Series, refs []Reference) {
	sx, sy := newSpan(), newSpan()
	for _, s := range series {
		for i := range s.X {
			sx.add(x.at(s.X[i]))
			sy.add(y.at(s.Y[i]))
			if lo, hi, ok := s.bar(i); ok {
				sy.add(y.at(lo))
				sy.add(y.at(hi))
			}
		}
	}
	for _, r := range refs {
		sy.add(y.at(r.Value))
	}
	sx, sy = sx.padded(.03, 1e-9), sy.padded(.06, 1e-6)
	p.X.Min, p.X.Max, p.Y.Min, p.Y.Max = sx.lo, sx.hi, sy.lo, sy.hi
	p.X.Tick.Marker, p.Y.Tick.Marker = x, y
}

// Gain is the picture of a training run: by how much the network is better than what it corrects, on the training
// batches of steps and on the validation paths of evals, if there are any. X is the step, Y nats per path.
func Gain(title string, steps, evals Series) (*plot.Plot, error) {
	steps.Name, evals.Name = "training batches", "validation paths, averaged weights"
	t := Training{Title: title, YLabel: "gain by the network (nats per path)",
		References: []Reference{{Name: "no network", Value: 0}}, Smooth: gainSmooth(len(steps.X))}
	if t.Smooth > 0 {
		steps.Name += ", running mean"
	}
	t.Series = []Series{steps}
	if len(evals.X) > 0 {
		t.Evals = []Series{evals}
	}
	return t.Plot()
}

// gainSmooth returns Smooth for a curve of n points: a memory of a twentieth of them, 20 at most, which does not lag
// visibly; none where that is less than two.
func gainSmooth(n int) float64 {
	if n < 40 {
		return 0
	}
	return 1 - 1/min(20, float64(n)/20)
}
