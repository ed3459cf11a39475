package plots

import (
	"strconv"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

const (
	flowGap   vg.Length = 3  // between bars
	flowHead  vg.Length = 20 // of the layers' numbers
	flowFont  vg.Length = 9
	flowWidth vg.Length = 12 // of bars
)

// drawer returns what draws d above the credit.
func (d *flow) drawer(credit string) plotFunc {
	return func(c draw.Canvas, _ *plot.Plot) {
		if credit != "" {
			credits(c, credit)
			c.Min.Y += 14
		}
		c.Max.Y -= flowHead
		d.draw(c)
	}
}

// scale is the height of a share of 1, so that the fullest column fits.
func (d *flow) scale(h vg.Length) vg.Length {
	scale := h
	for _, bars := range d.bars {
		share := 0.0
		for _, b := range bars {
			share += b.share
		}
		if n := vg.Length(len(bars) - 1); share > 0 {
			scale = min(scale, (h-n*min(flowGap, h/(4*(n+1))))/vg.Length(share))
		}
	}
	return scale
}

func (d *flow) draw(c draw.Canvas) {
	h, n := c.Max.Y-c.Min.Y, vg.Length(len(d.bars))
	last := d.names(c)
	dx := (c.Max.X - c.Min.X - flowWidth - last) / max(1, n-1)
	width, scale := min(flowWidth, dx/3), d.scale(h)
	tops := make([][]vg.Length, len(d.bars)) // of the bars
	for l, bars := range d.bars {
		gap := min(flowGap, h/vg.Length(4*len(bars)+4))
		y := c.Max.Y
		for _, b := range bars {
			tops[l] = append(tops[l], y)
			y -= vg.Length(b.share)*scale + gap
		}
	}
	for l := range len(d.bars) - 1 {
		x := c.Min.X + dx*vg.Length(l) + width
		d.drawBands(c, l, x, x+dx-width, tops, scale)
	}
	for l, bars := range d.bars {
		x := c.Min.X + dx*vg.Length(l)
		for i, b := range bars {
			c.SetColor(b.fill)
			c.Fill(vg.Rectangle{Min: vg.Point{X: x, Y: tops[l][i] - max(.5, vg.Length(b.share)*scale)},
				Max: vg.Point{X: x + width, Y: tops[l][i]}}.Path())
		}
		d.drawNames(c, bars, tops[l], scale, x+width+2, dx-width-4, l == len(d.bars)-1)
	}
	every := 1 + int(26/max(dx, 1))
	for l := 0; l < len(d.bars); l += every {
		c.FillText(layerLabel(), vg.Point{X: c.Min.X + dx*vg.Length(l) + width/2, Y: c.Max.Y + flowHead/2},
			strconv.Itoa(l+1))
	}
}

// names is the width of the widest name of the last column, at most a sixth of the picture.
func (d *flow) names(c draw.Canvas) (w vg.Length) {
	for _, b := range d.bars[len(d.bars)-1] {
		w = max(w, label(flowFont, black, false).Width(b.text())+4)
	}
	return min(w, (c.Max.X-c.Min.X)/6)
}

// drawBands draws the bands of layer l between x0 and x1; at each bar they are in the order of the bars at their
// other ends, so that few cross.
func (d *flow) drawBands(c draw.Canvas, l int, x0, x1 vg.Length, tops [][]vg.Length, scale vg.Length) {
	out, in := append([]vg.Length(nil), tops[l]...), append([]vg.Length(nil), tops[l+1]...)
	for i, from := range d.bars[l] {
		for j, to := range d.bars[l+1] {
			w := vg.Length(d.bands[l][[2]int{i, j}]) * scale
			if w == 0 {
				continue
			}
			fill := fade(from.fill, .38)
			if to.ended {
				fill = fade(flowPale, .6)
			}
			c.SetColor(fill)
			c.Fill(band(x0, out[i], x1, in[j], w))
			out[i], in[j] = out[i]-w, in[j]-w
		}
	}
}

// band is the outline of a band of height w that leaves at (x0, y0) and arrives at (x1, y1), both its upper corners.
func band(x0, y0, x1, y1, w vg.Length) (p vg.Path) {
	mid := (x0 + x1) / 2
	at := func(x, y vg.Length) vg.Point { return vg.Point{X: x, Y: y} }
	p.Move(at(x0, y0))
	p.CubeTo(at(mid, y0), at(mid, y1), at(x1, y1))
	p.Line(at(x1, y1-w))
	p.CubeTo(at(mid, y1-w), at(mid, y0-w), at(x0, y0-w))
	p.Close()
	return p
}

func (b flowBar) text() string {
	if b.name == "" {
		return strconv.Itoa(b.vertices) + " others"
	}
	return b.name
}

// drawNames writes the names of a column's bars to their right where they fit, cut short where that leaves four
// letters.
func (d *flow) drawNames(c draw.Canvas, bars []flowBar, tops []vg.Length, scale, x, room vg.Length, last bool) {
	sty := label(flowFont, black, false)
	sty.XAlign = text.XLeft
	below := c.Max.Y + flowFont // of the name before
	for i, b := range bars {
		h := vg.Length(b.share) * scale
		y := tops[i] - h/2
		if y > below-flowFont || h < .5*flowFont {
			continue
		}
		name, wide := []rune(b.text()), room
		if last {
			wide = c.Max.X - x
		}
		n := len(name)
		for n > 0 && sty.Width(string(name[:n])+dots(n, name)) > wide {
			n--
		}
		if n < min(4, len(name)) {
			continue
		}
		c.FillText(sty, vg.Point{X: x, Y: y}, string(name[:n])+dots(n, name))
		below = y
	}
}

// dots marks a name of which n letters are left.
func dots(n int, name []rune) string {
	if n < len(name) {
		return "…"
	}
	return ""
}
