package main

import (
	"fmt"
	"strings"

	"gonum.org/v1/plot"

	"github.com/ddps-go/ddps/plots"
)

// figure draws the curves; it reports whether there were any.
func (b *bench) figure(path string) (bool, error) {
	var panels []*plot.Plot
	var shared plots.Legender
	for _, axis := range []struct{ name, x, y string }{
		{"batch", "batch", "path-steps per second"}, {"V", "vertices per layer, 11 layers", "path-steps per second"},
		{"L", "layers, 64 vertices each", "path-steps per second"}, {"S", "reverse steps", "paths per second"},
	} {
		t := plots.Training{YLabel: axis.y, LogX: true, LogY: true}
		for _, engine := range curved {
			if s := b.curve(axis.name, engine); len(s.X) > 0 {
				t.Evals = append(t.Evals, s)
			}
		}
		if len(t.Evals) == 0 {
			continue
		}
		p, err := t.Plot()
		if err != nil {
			return false, err
		}
		p.X.Label.Text, shared = axis.x, t
		panels = append(panels, p)
	}
	if len(panels) != 4 {
		return false, nil
	}
	f, err := plots.NewFigure("", shared, [][]*plot.Plot{panels[:2], panels[2:]})
	if err != nil {
		return false, err
	}
	w, h := f.Size()
	return true, plots.Save(f, path, w, h)
}

// curve returns an engine's medians along an axis.
func (b *bench) curve(axis, engine string) plots.Series {
	s := plots.Series{Name: engine}
	for _, key := range b.section(sectionCurve) {
		var x int
		rest, ok := strings.CutPrefix(key, sectionCurve+"/"+axis+" ")
		if !ok {
			continue
		}
		if _, err := fmt.Sscan(rest, &x); err != nil {
			continue
		}
		y := b.rate(key, engine)
		if axis == "S" {
			y /= float64(x)
		}
		if y > 0 {
			s.X, s.Y = append(s.X, float64(x)), append(s.Y, y)
		}
	}
	return s
}
