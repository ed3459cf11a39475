package main

import (
	"io"
	"path/filepath"
	"slices"
	"strings"

	"gonum.org/v1/plot/vg"

	"github.com/ddps-go/ddps/ddps"
	"github.com/ddps-go/ddps/plots"
)

// pictureEndings are the endings of the files that savePlot writes.
var pictureEndings = []string{"png", "svg", "pdf"}

// checkPicture tells whether path ends like a picture.
func checkPicture(path string) error {
	if !slices.Contains(pictureEndings, pictureFormat(path)) {
		return usagef("%q ends in none of .png, .svg, .pdf", path)
	}
	return nil
}

func pictureFormat(path string) string {
	return strings.ToLower(strings.TrimPrefix(filepath.Ext(path), "."))
}

// savePlot draws d into a file, whole or not at all.
func (a *app) savePlot(path string, d plots.Drawer) error {
	f, err := pictureFile(path, d)
	if err != nil {
		return err
	}
	return a.writeFiles(f)
}

// pictureFile draws d for a file, at its own size if it has one, else at the usual one.
func pictureFile(path string, d plots.Drawer) (outFile, error) {
	if err := checkPicture(path); err != nil {
		return outFile{}, err
	}
	w, h := plots.Width, plots.Height
	if own, ok := d.(interface{ Size() (w, h vg.Length) }); ok {
		w, h = own.Size()
	}
	data, err := plots.Bytes(d, pictureFormat(path), w, h)
	return outFile{path, func(w io.Writer) error { _, err := w.Write(data); return err }}, err
}

// edgesOf returns the picture of how often paths take each edge of g; u, by edge, marks rewards, nil for none.
func edgesOf(title string, g *ddps.LayeredGraph, paths []ddps.Path, counts []int, u []float64) (plots.Edges, error) {
	uses, err := plots.Uses(g, paths, counts)
	return plots.Edges{Title: title, Graph: g, Uses: uses, Reward: u}, err
}

// drawFiles draws how often the paths of files take each edge, on the graph without what lies on no path: random
// rewards are drawn there.
func (a *app) drawFiles(g *ddps.LayeredGraph, o *drawOptions) error {
	pruned := g.Prune()
	u, _, err := a.loadTotals(o.reward, "", pruned)
	if err != nil {
		return err
	}
	var panels []plots.Edges
	for _, file := range o.files {
		d, err := a.readPaths(file, g, o.by)
		if err != nil {
			return err
		}
		title := strings.TrimSuffix(filepath.Base(file), filepath.Ext(file))
		if o.title != "" && len(o.files) == 1 {
			title = o.title
		}
		e, err := edgesOf(title, pruned, d.Prune().Paths, d.Counts, u)
		if err != nil {
			return err
		}
		panels = append(panels, e)
	}
	if len(panels) == 1 {
		p, err := panels[0].Plot()
		if err != nil {
			return err
		}
		return a.savePlot(o.out, p)
	}
	f, err := plots.Multiples{Title: o.title, Panels: panels}.Figure()
	if err != nil {
		return err
	}
	return a.savePlot(o.out, f)
}
