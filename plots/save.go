package plots

import (
	"bytes"
	"fmt"
	"image/png"
	"math"
	"path/filepath"
	"strings"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/vgimg"
	"gonum.org/v1/plot/vg/vgpdf"
	"gonum.org/v1/plot/vg/vgsvg"

	"github.com/ddps-go/ddps/internal/atomicfile"
)

// Drawer is what [Bytes] and [Save] render: a *plot.Plot or a *[Figure].
type Drawer interface{ Draw(draw.Canvas) }

// dpi is the resolution of PNG files: one point is 4/3 px.
const dpi = 96

// maxSide bounds a picture's sides, 10,667 px: a mistaken unit must not take all memory.
const maxSide = 8000 * vg.Length(1)

// Bytes renders d as a picture of width w and height h in points ([Width], [Height]; 4 px are 3 points). format
// is "png", "svg" or "pdf"; text in the last two is outlines, so that it looks the same everywhere. The error
// says which of format and size is wrong, or what gonum/plot made of a plot that was changed after it left here.
func Bytes(d Drawer, format string, w, h vg.Length) (data []byte, err error) {
	if !(w > 0 && w <= maxSide && h > 0 && h <= maxSide) {
		return nil, fmt.Errorf("plots: size %v × %v points is not within 0…%v", w, h, maxSide)
	}
	defer func() {
		if r := recover(); r != nil {
			data, err = nil, fmt.Errorf("plots: draw: %v", r)
		}
	}()
	switch p := d.(type) {
	case nil:
		return nil, fmt.Errorf("plots: nothing to draw")
	case *plot.Plot:
		if p == nil {
			return nil, fmt.Errorf("plots: nothing to draw")
		}
		layFor(p, w-2*margin)
		d = margined{p}
	}
	var buf bytes.Buffer
	switch format {
	case "png":
		c := vgimg.NewWith(vgimg.UseWH(w, h), vgimg.UseDPI(dpi))
		d.Draw(draw.New(c))
		err = png.Encode(&buf, c.Image())
	case "svg", "pdf":
		var c vg.CanvasWriterTo = vgpdf.New(w, h)
		if format == "svg" {
			c = vgsvg.New(w, h)
		}
		d.Draw(draw.NewCanvas(outlines{c}, w, h))
		_, err = c.WriteTo(&buf)
	default:
		return nil, fmt.Errorf("plots: format %q is none of png, svg, pdf", format)
	}
	if err != nil {
		return nil, fmt.Errorf("plots: %s: %w", format, err)
	}
	return buf.Bytes(), nil
}

// Save renders d into the file path, in the format that its extension (.png, .svg, .pdf) says; see [Bytes]. The
// file is written whole under another name and then renamed.
func Save(d Drawer, path string, w, h vg.Length) error {
	data, err := Bytes(d, strings.ToLower(strings.TrimPrefix(filepath.Ext(path), ".")), w, h)
	if err != nil {
		return err
	}
	if err := atomicfile.WriteFile(path, data, 0o644); err != nil {
		return fmt.Errorf("plots: save: %w", err)
	}
	return nil
}

// margin is the white rim of a plot, which gonum draws up to the edge.
const margin = 7 * vg.Length(1)

type margined struct{ *plot.Plot }

func (m margined) Draw(c draw.Canvas) {
	c.SetColor(white)
	c.Fill(c.Rectangle.Path())
	m.Plot.Draw(draw.Crop(c, margin, -margin, margin, -margin))
}

// finite reports whether x is a number that an axis can place: neither NaN nor so large that spans overflow.
func finite(x float64) bool { return math.Abs(x) < 1e150 }
