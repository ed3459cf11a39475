package cli

import (
	"encoding/csv"
	"fmt"
	"strings"

	"github.com/ddps-go/ddps/datasets/sequences"
	"github.com/ddps-go/ddps/ddps"
	"github.com/ddps-go/ddps/internal/names"
)

// Beginning returns the beginning of a path of g that visits places by name, behind a source that need not be named.
// The error names the place that is unknown, with what is like it, or that cannot come so soon, and those that no edge
// joins. What is on the way between two places need not be named.
func Beginning(g *ddps.LayeredGraph, places []string) (ddps.Path, error) {
	var p ddps.Path
	pads, ways := g.Pads(), g.Headings()
	if pads != nil && pads[0] && (len(places) == 0 || places[0] != g.Name(0)) {
		p = append(p, 0)
	}
	for i, name := range places {
		l := len(p)
		if l >= g.NumLayers() {
			return nil, fmt.Errorf("%d places, the longest path has %d", len(places), i)
		}
		if longer, ok := ways.Along(g, p, name); ok {
			p = longer
			continue
		}
		v, err := vertexNamed(g, l, name)
		if err != nil {
			return nil, err
		}
		if v < 0 {
			return nil, fmt.Errorf("no path has %q at place %d", name, i+1)
		}
		if l > 0 {
			if _, ok := g.EdgeBetween(p[l-1], v); !ok && i == 0 {
				return nil, fmt.Errorf("no path begins at %q", name)
			} else if !ok {
				return nil, fmt.Errorf("no edge leads from %q to %q at place %d", places[i-1], name, i)
			}
		}
		p = append(p, v)
	}
	return p, nil
}

// vertexNamed returns the vertex of layer l that is called name, −1 where only other layers have one.
func vertexNamed(g *ddps.LayeredGraph, l int, name string) (int, error) {
	lo, hi := g.Layer(l)
	for v := lo; v < hi; v++ {
		if g.Name(v) == name {
			return v, nil
		}
	}
	var all []string
	seen := map[string]bool{}
	for v := range g.NumVertices() {
		if n := g.Name(v); !seen[n] {
			seen[n] = true
			all = append(all, n)
		}
	}
	if seen[name] {
		return -1, nil
	}
	return 0, fmt.Errorf("no vertex is called %q%s", name, names.Meant(name, all))
}

// Walk returns the path of a walk of g written as places with commas between, in double quotes those with a comma.
func Walk(g *ddps.LayeredGraph, text string) (ddps.Path, error) {
	row, err := csv.NewReader(strings.NewReader(text)).Read()
	if err != nil {
		return nil, err
	}
	for i := range row {
		row[i] = strings.TrimSpace(row[i])
	}
	w := sequences.New()
	if err := w.Add(row, 1); err != nil {
		return nil, err
	}
	d, report := sequences.On(g, w)
	if d == nil {
		l := report.List()[0]
		return nil, fmt.Errorf("%s (%s)", l.Reason, l.Detail)
	}
	return d.Paths[0], nil
}
