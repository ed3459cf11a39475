package frame

import (
	"fmt"
	"math"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/plotutil"
	"gonum.org/v1/plot/vg"
)

// Plot draws columns of numbers against the column x: as lines with points in the order of rows if x holds numbers, as
// bars side by side if it holds something else. Rows with a missing number are left out of a line, and have no bar.
func (f *Frame) Plot(x string, y ...string) (*plot.Plot, error) {
	at, err := f.column(x)
	if err != nil {
		return nil, err
	}
	if len(y) == 0 {
		return nil, fmt.Errorf("frame: nothing to plot against %s", x)
	}
	p := plot.New()
	p.X.Label.Text, p.Legend.Top = x, true
	if len(y) == 1 {
		p.Y.Label.Text = y[0]
	}
	for i, name := range y {
		vals, err := f.Floats(name)
		if err != nil {
			return nil, err
		}
		add := f.bars
		if numeric(f.cols[at]) {
			add = f.line
		}
		if err := add(p, at, vals, i, len(y), name); err != nil {
			return nil, fmt.Errorf("frame: column %q: %w", name, err)
		}
	}
	if !numeric(f.cols[at]) {
		labels, err := f.Strings(x)
		if err != nil {
			return nil, err
		}
		p.NominalX(labels...)
	}
	return p, nil
}

func (f *Frame) line(p *plot.Plot, at int, y []float64, i, n int, name string) error {
	var pts plotter.XYs
	for r, v := range f.cols[at] {
		if x, _ := number(v); !math.IsNaN(x) && !math.IsNaN(y[r]) {
			pts = append(pts, plotter.XY{X: x, Y: y[r]})
		}
	}
	line, points, err := plotter.NewLinePoints(pts)
	if err != nil {
		return err
	}
	line.Color, points.Color, points.Shape = plotutil.Color(i), plotutil.Color(i), plotutil.Shape(i)
	p.Add(line, points)
	if n > 1 {
		p.Legend.Add(name, line, points)
	}
	return nil
}

func (f *Frame) bars(p *plot.Plot, _ int, y []float64, i, n int, name string) error {
	for r := range y {
		if math.IsNaN(y[r]) {
			y[r] = 0
		}
	}
	width := vg.Points(min(20, 240/float64(max(1, len(y)*n))))
	b, err := plotter.NewBarChart(plotter.Values(y), width)
	if err != nil {
		return err
	}
	b.Color, b.LineStyle.Width = plotutil.Color(i), 0
	b.Offset = width * vg.Length(float64(i)-float64(n-1)/2)
	p.Add(b)
	if n > 1 {
		p.Legend.Add(name, b)
	}
	return nil
}
