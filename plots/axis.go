package plots

import (
	"math"
	"strconv"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// axis maps data to the coordinates of a linear gonum axis. gonum's logarithmic one panics at 0.
type axis struct {
	log   bool
	zero  float64 // where 0 is shown on a logarithmic axis, left of a break; NaN if it is not
	least float64 // the least positive value's coordinate
}

// at returns the coordinate of v; ±Inf where v is off the axis, NaN where it is no number.
func (a axis) at(v float64) float64 {
	switch {
	case math.IsNaN(v):
		return v
	case v >= 1e150:
		return math.Inf(1)
	case a.log && v == 0 && !math.IsNaN(a.zero):
		return a.zero
	case v <= -1e150, a.log && v <= 0:
		return math.Inf(-1)
	case a.log:
		return math.Log10(v)
	}
	return v
}

// logWithZero returns the logarithmic axis of the values, on which 0, if among them, has a place of its own to
// the left of the least positive value.
func logWithZero(values [][]float64) axis {
	lo, hi, zero := math.Inf(1), math.Inf(-1), false
	for _, vs := range values {
		for _, v := range vs {
			zero = zero || v == 0
			if v > 0 && finite(v) {
				lo, hi = min(lo, math.Log10(v)), max(hi, math.Log10(v))
			}
		}
	}
	a := axis{log: true, zero: math.NaN(), least: lo}
	switch {
	case zero && lo > hi:
		a.zero = 0
	case zero:
		a.zero = lo - max(.5, .13*(hi-lo))
	}
	return a
}

// broken reports whether the axis has a break between 0 and the least positive value.
func (a axis) broken() bool { return !math.IsNaN(a.zero) && a.zero < a.least && finite(a.least) }

// breakMark draws two slashes through the bottom axis of a plot, between 0 and the least positive value.
func (a axis) breakMark(c draw.Canvas, p *plot.Plot) {
	x := c.X(p.X.Norm((a.zero + a.least) / 2))
	const w, h = 2.5, 4.5
	c.FillPolygon(white, []vg.Point{{X: x - w - 1, Y: c.Min.Y - h}, {X: x + w - 1, Y: c.Min.Y + h},
		{X: x + w + 1, Y: c.Min.Y + h}, {X: x - w + 3, Y: c.Min.Y - h}})
	for _, d := range []vg.Length{-2, 2} {
		c.StrokeLine2(line(.9, black), x+d-w, c.Min.Y-h, x+d+w, c.Min.Y+h)
	}
}

// Ticks makes axis a plot.Ticker for the range from lo to hi in its coordinates.
func (a axis) Ticks(lo, hi float64) []plot.Tick {
	if !a.log {
		return linearTicks(lo, hi)
	}
	var ticks []plot.Tick
	if !math.IsNaN(a.zero) {
		ticks = append(ticks, plot.Tick{Value: a.zero, Label: "0"})
		lo = max(lo, min(a.least, hi))
	}
	return append(ticks, logTicks(lo, hi)...)
}

// linearTicks are at multiples of 1, 2 or 5 times a power of ten, about five of them.
func linearTicks(lo, hi float64) (ticks []plot.Tick) {
	step := niceStep((hi - lo) / 6)
	digits := max(0, -int(math.Floor(math.Log10(step)+1e-9)))
	format, size := byte('f'), max(math.Abs(lo), math.Abs(hi))
	if size >= 1e7 || size < 1e-3 {
		format, digits = 'g', max(2, 2+int(math.Log10(size/step)))
	}
	for k := math.Ceil(lo/step - 1e-9); k*step <= hi+1e-9*step && len(ticks) < 20; k++ {
		ticks = append(ticks, plot.Tick{Value: k * step, Label: strconv.FormatFloat(k*step+0, format, digits, 64)})
	}
	return ticks
}

func niceStep(raw float64) float64 {
	p := math.Pow(10, math.Floor(math.Log10(raw)))
	for _, m := range []float64{1, 2, 5} {
		if raw <= m*p*1.0001 {
			return m * p
		}
	}
	return 10 * p
}

// logTicks labels decades, thinned to eight at most, and 2 and 5 where decades are few.
func logTicks(lo, hi float64) (ticks []plot.Tick) {
	every := max(1, int(math.Ceil((hi-lo)/8)))
	for k := int(math.Floor(lo)); float64(k) <= hi+1e-9; k++ {
		for m := 1; m <= 9; m++ {
			v := float64(k) + math.Log10(float64(m))
			if v < lo-1e-9 || v > hi+1e-9 {
				continue
			}
			t := plot.Tick{Value: v}
			switch {
			case m == 1 && k%every == 0, hi-lo < 2.6 && (m == 2 || m == 5), hi-lo < .6:
				t.Label = power(m, k)
			case every > 1 && m > 1:
				continue
			}
			ticks = append(ticks, t)
		}
	}
	return ticks
}

// power writes m·10^k.
func power(m, k int) string {
	if k >= -3 && k <= 3 {
		return strconv.FormatFloat(float64(m)*math.Pow10(k), 'f', max(0, -k), 64)
	}
	return strconv.Itoa(m) + "e" + strconv.Itoa(k)
}
