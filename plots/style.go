package plots

import (
	"image/color"

	stdfont "golang.org/x/image/font"
	"gonum.org/v1/plot"
	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// The size that fonts and lines are made for: 800 × 480 px at 96 dots per inch.
const (
	Width  = 600 * vg.Length(1)
	Height = 360 * vg.Length(1)
)

// Okabe and Ito's palette (2008), without its black, which is for axes, and its yellow, too pale on white.
var (
	blue   = color.NRGBA{0x00, 0x72, 0xB2, 0xFF}
	orange = color.NRGBA{0xE6, 0x9F, 0x00, 0xFF}
	green  = color.NRGBA{0x00, 0x9E, 0x73, 0xFF}
	purple = color.NRGBA{0xCC, 0x79, 0xA7, 0xFF}
	red    = color.NRGBA{0xD5, 0x5E, 0x00, 0xFF}
	sky    = color.NRGBA{0x56, 0xB4, 0xE9, 0xFF}

	black = color.NRGBA{0x22, 0x22, 0x22, 0xFF}
	grey  = color.NRGBA{0x77, 0x77, 0x77, 0xFF}
	gold  = color.NRGBA{0xC9, 0x97, 0x00, 0xFF}
	white = color.NRGBA{0xFF, 0xFF, 0xFF, 0xFF}
)

// Color returns the colour of the i-th series, i ≥ 0; they repeat after six.
func Color(i int) color.NRGBA {
	return [...]color.NRGBA{blue, red, green, purple, sky, orange}[i%6]
}

// glyph returns the marker of the i-th series, so that series differ without colour too.
func glyph(i int) draw.GlyphDrawer {
	return [...]draw.GlyphDrawer{draw.CircleGlyph{}, draw.BoxGlyph{}, polygon{{-1.1, -.8}, {1.1, -.8}, {0, 1.2}},
		polygon{{0, 1.35}, {1.35, 0}, {0, -1.35}, {-1.35, 0}}, polygon{{-1.1, .8}, {1.1, .8}, {0, -1.2}},
		polygon{{-.5, -1.2}, {.5, -1.2}, {.5, 1.2}, {-.5, 1.2}}}[i%6]
}

// polygon is a filled marker by its corners, in radii.
type polygon [][2]vg.Length

// DrawGlyph implements draw.GlyphDrawer.
func (g polygon) DrawGlyph(c *draw.Canvas, sty draw.GlyphStyle, at vg.Point) {
	pts := make([]vg.Point, len(g))
	for i, p := range g {
		pts[i] = vg.Point{X: at.X + sty.Radius*p[0], Y: at.Y + sty.Radius*p[1]}
	}
	c.FillPolygon(sty.Color, pts)
}

// fade returns c at the opacity a in [0, 1].
func fade(c color.NRGBA, a float64) color.NRGBA {
	c.A = uint8(255*min(max(a, 0), 1) + .5)
	return c
}

// blend returns the colour a share s in [0, 1] of the way from a to b.
func blend(a, b color.NRGBA, s float64) color.NRGBA {
	mix := func(x, y uint8) uint8 { return uint8(float64(x) + s*(float64(y)-float64(x)) + .5) }
	return color.NRGBA{mix(a.R, b.R), mix(a.G, b.G), mix(a.B, b.B), 255}
}

// sans is the bundled Liberation Sans.
func sans(size vg.Length, bold bool) font.Font {
	f := font.Font{Typeface: "Liberation", Variant: "Sans", Size: size}
	if bold {
		f.Weight = stdfont.WeightBold
	}
	return f
}

// label is the style of text centred on its point.
func label(size vg.Length, c color.Color, bold bool) text.Style {
	return text.Style{Color: c, Font: sans(size, bold), XAlign: text.XCenter, YAlign: text.YCenter,
		Handler: plot.DefaultTextHandler}
}

func line(width vg.Length, c color.Color, dashes ...vg.Length) draw.LineStyle {
	return draw.LineStyle{Color: c, Width: width, Dashes: dashes}
}

// newPlot returns an empty plot in the package's style, with the legend above the data.
func newPlot(title string, legend []entry) *plot.Plot {
	p := plot.New()
	p.Title.Text, p.Title.Padding = title, 6
	p.Title.TextStyle.Font, p.Title.TextStyle.Color = sans(13, true), black
	for _, a := range []*plot.Axis{&p.X, &p.Y} {
		a.Label.TextStyle.Font, a.Label.TextStyle.Color = sans(11.5, false), black
		a.Tick.Label.Font, a.Tick.Label.Color = sans(10, false), black
		a.LineStyle, a.Tick.LineStyle = line(.8, black), line(.6, black)
		a.Label.Padding, a.Padding = 4, 0
		a.Tick.Length = 5
	}
	layFor(p, Width)
	if len(legend) > 0 {
		p.Add(&strip{legend})
	}
	return p
}

// blank is newPlot for figures without axes; data coordinates are [0, 1] × [0, 1].
func blank(title string, legend []entry) *plot.Plot {
	p := newPlot(title, legend)
	p.HideAxes()
	p.X.Min, p.X.Max, p.Y.Min, p.Y.Max = 0, 1, 0, 1
	return p
}
