package cli

import (
	"html/template"
	"io"
	"path/filepath"
	"slices"
	"strings"

	"gonum.org/v1/plot/vg"

	"github.com/ddps-go/ddps/ddps"
	"github.com/ddps-go/ddps/plots"
)

// PictureEndings are the endings of the files that savePlot writes.
func PictureEndings() []string { return []string{"png", "svg", "pdf"} }

// CheckPicture reports whether path ends like a picture.
func CheckPicture(path string) error {
	if !slices.Contains(PictureEndings(), pictureFormat(path)) {
		return Usagef("%q ends in none of .png, .svg, .pdf", path)
	}
	return nil
}

func pictureFormat(path string) string {
	return strings.ToLower(strings.TrimPrefix(filepath.Ext(path), "."))
}

// SavePlot draws d into a file, whole or not at all.
func (a *App) SavePlot(path string, d plots.Drawer) error {
	f, err := PictureFile(path, d)
	if err != nil {
		return err
	}
	return a.WriteFiles(f)
}

// PictureFile draws d for a file, at its own size if it has one, else at the usual one.
func PictureFile(path string, d plots.Drawer) (OutFile, error) {
	if err := CheckPicture(path); err != nil {
		return OutFile{}, err
	}
	w, h := plots.Width, plots.Height
	if own, ok := d.(interface{ Size() (w, h vg.Length) }); ok {
		w, h = own.Size()
	}
	data, err := plots.Bytes(d, pictureFormat(path), w, h)
	return OutFile{path, func(w io.Writer) error { _, err := w.Write(data); return err }}, err
}

// EdgesOf returns the picture of how often paths take each edge of g; u, by edge, marks rewards, nil for none.
func EdgesOf(title string, g *ddps.LayeredGraph, paths []ddps.Path, counts []int, u []float64) (plots.Edges, error) {
	uses, err := plots.Uses(g, paths, counts)
	return plots.Edges{Title: title, Graph: g, Uses: uses, Reward: u}, err
}

// Picture is a figure on the page and as a file beside it.
type Picture struct {
	File, Caption string
	Image         template.URL // the PNG, so that the page stands alone
}
