package setup

import (
	"bytes"
	"fmt"
	"image"
	"image/color"
	"image/png"
	"math"
	"strings"
)

// The logo is a layered graph, one, three and three vertices, and the path through it, on a square of side 1.
var (
	logoLayers = [][]logoPoint{{{.15, .5}}, {{.5, .2}, {.5, .5}, {.5, .8}}, {{.85, .2}, {.85, .5}, {.85, .8}}}
	logoPath   = []logoPoint{{.15, .5}, {.5, .2}, {.85, .5}}
)

type logoPoint struct{ x, y float64 }

// logoLine is a stroke with a width.
type logoLine struct {
	a, b  logoPoint
	width float64
	color color.NRGBA
}

var (
	logoGrey = color.NRGBA{176, 190, 197, 255}
	logoBlue = color.NRGBA{0, 113, 153, 255}
)

// logoLines returns the strokes in the order of drawing; a dot is a stroke from a point to itself.
func logoLines() []logoLine {
	var list []logoLine
	for l := range len(logoLayers) - 1 {
		for i, a := range logoLayers[l] {
			for j, b := range logoLayers[l+1] {
				if l == 0 || i-j <= 1 && j-i <= 1 {
					list = append(list, logoLine{a, b, .035, logoGrey})
				}
			}
		}
	}
	for _, layer := range logoLayers {
		for _, p := range layer {
			list = append(list, logoLine{p, p, .17, logoGrey})
		}
	}
	for i, p := range logoPath {
		if i > 0 {
			list = append(list, logoLine{logoPath[i-1], p, .07, logoBlue})
		}
		list = append(list, logoLine{p, p, .2, logoBlue})
	}
	return list
}

// logoSVG draws the logo as SVG.
func logoSVG() []byte {
	var b strings.Builder
	b.WriteString(`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1 1" width="64" height="64">` + "\n")
	for _, l := range logoLines() {
		fmt.Fprintf(&b, `<path d="M%g %gL%g %g" stroke="#%02x%02x%02x" stroke-width="%g" stroke-linecap="round"/>`+"\n",
			l.a.x, l.a.y, l.b.x, l.b.y, l.color.R, l.color.G, l.color.B, l.width)
	}
	b.WriteString("</svg>\n")
	return []byte(b.String())
}

// logoPNG draws the logo on a square of size pixels, with soft edges.
func logoPNG(size int) []byte {
	img := image.NewNRGBA(image.Rect(0, 0, size, size))
	for py := range size {
		for px := range size {
			p := logoPoint{(float64(px) + .5) / float64(size), (float64(py) + .5) / float64(size)}
			var c color.NRGBA
			for _, l := range logoLines() {
				cover := (l.width/2-l.distance(p))*float64(size) + .5
				c = over(c, l.color, min(max(cover, 0), 1))
			}
			img.SetNRGBA(px, py, c)
		}
	}
	var b bytes.Buffer
	png.Encode(&b, img) // into memory, an image of fair size: cannot fail
	return b.Bytes()
}

// distance is that of p from the stroke's middle line.
func (l logoLine) distance(p logoPoint) float64 {
	dx, dy := l.b.x-l.a.x, l.b.y-l.a.y
	t := 0.0
	if d := dx*dx + dy*dy; d > 0 {
		t = min(max(((p.x-l.a.x)*dx+(p.y-l.a.y)*dy)/d, 0), 1)
	}
	return math.Hypot(p.x-l.a.x-t*dx, p.y-l.a.y-t*dy)
}

// over lays a colour of some cover over another.
func over(below, above color.NRGBA, cover float64) color.NRGBA {
	a := float64(below.A) / 255
	sum := cover + a*(1-cover)
	if sum == 0 {
		return below
	}
	mix := func(x, y uint8) uint8 { return uint8(math.Round((float64(y)*cover + float64(x)*a*(1-cover)) / sum)) }
	return color.NRGBA{mix(below.R, above.R), mix(below.G, above.G), mix(below.B, above.B), uint8(math.Round(255 * sum))}
}
