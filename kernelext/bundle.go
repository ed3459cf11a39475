package kernelext

import (
	"bytes"
	"encoding/base64"
	"fmt"
	"image"
	"image/png"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"

	"github.com/ddps-go/ddps/datasets"
	"github.com/ddps-go/ddps/ddps"
	"github.com/ddps-go/ddps/plots"
)

// MIME types of bundles.
const (
	MIMEText     = "text/plain"
	MIMEHTML     = "text/html"
	MIMEMarkdown = "text/markdown"
	MIMESVG      = "image/svg+xml"
	MIMEPNG      = "image/png"
)

// Bundler is a value that knows its own forms.
type Bundler interface {
	// Bundle returns the forms by MIME type, text/plain among them.
	Bundle() map[string]any
}

// Drawable is a figure as package plots has them: numbers that can be drawn.
type Drawable interface {
	Plot() (*plot.Plot, error)
}

// maxEdges is the most edges of a graph that is drawn when it is shown.
const maxEdges = 600

// Bundle returns x in its richest forms: what draws itself (a *plot.Plot, a figure of package plots, a layered graph
// that is not too large to read) as SVG, PNG and text, an image as PNG and text, lists of structs and maps as tables,
// what has forms of its own in those, all else as text. It never panics; a figure that cannot be drawn says so in its
// text.
func Bundle(x any) (data, metadata map[string]any) {
	data = map[string]any{}
	defer func() {
		if r := recover(); r != nil {
			data = map[string]any{MIMEText: fmt.Sprintf("%T that cannot be shown: %v", x, r)}
		}
	}()
	switch x := x.(type) {
	case nil:
		data[MIMEText] = "<nil>"
	case Bundler:
		data = x.Bundle()
	case *ddps.LayeredGraph:
		data[MIMEText] = describeGraph(x)
		if x != nil && x.NumEdges() <= maxEdges {
			data = Figure(plots.Graph{Graph: x}, describeGraph(x))
		}
	case *datasets.Data:
		data = describeData(x).Bundle()
	case Drawable:
		data = Figure(x, "")
	case plots.Drawer:
		data = drawn(x, "")
	case image.Image:
		data[MIMEText] = fmt.Sprintf("image of %d × %d", x.Bounds().Dx(), x.Bounds().Dy())
		var b bytes.Buffer
		if err := png.Encode(&b, x); err == nil {
			data[MIMEPNG] = base64.StdEncoding.EncodeToString(b.Bytes())
		}
	default:
		if t := tabular(x); t != nil {
			return t.Bundle(), nil
		}
		data[MIMEText] = Describe(x)
	}
	return data, nil
}

// Figure returns the forms of a figure. text describes it where no picture is shown, "" for its title.
func Figure(d Drawable, text string) map[string]any {
	p, err := d.Plot()
	if err != nil {
		return map[string]any{MIMEText: err.Error()}
	}
	return drawnAt(p, text, d)
}

func drawn(d plots.Drawer, text string) map[string]any { return drawnAt(d, text, d) }

// drawnAt draws at the size that like has, the usual one if it has none of its own.
func drawnAt(d plots.Drawer, text string, like any) map[string]any {
	if text == "" {
		text = "figure"
		if p, ok := d.(*plot.Plot); ok && p != nil && p.Title.Text != "" {
			text = "figure: " + p.Title.Text
		}
	}
	w, h := plots.Width, plots.Height
	if own, ok := like.(interface{ Size() (w, h vg.Length) }); ok {
		w, h = own.Size()
	}
	svg, err := plots.Bytes(d, "svg", w, h)
	if err != nil {
		return map[string]any{MIMEText: err.Error()}
	}
	pixels, err := plots.Bytes(d, "png", w, h)
	if err != nil {
		return map[string]any{MIMEText: err.Error()}
	}
	return map[string]any{MIMEText: text, MIMESVG: string(svg), MIMEPNG: base64.StdEncoding.EncodeToString(pixels)}
}
