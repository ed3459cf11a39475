package sequences

import (
	"slices"

	"github.com/ddps-go/ddps/ddps"
)

// Names returns a function that names the places of a path of g, without the source before them, END after them and
// what is on the way between them: those of the walk that the path is of (ddps.LayeredGraph.WalkNamer). Each list is
// the caller's own.
func Names(g *ddps.LayeredGraph) func(ddps.Path) []string {
	walk := g.WalkNamer()
	return func(p ddps.Path) []string { return slices.Clone(walk(p).Names) }
}

// FromPaths returns the paths of g as walks with counts.
func FromPaths(g *ddps.LayeredGraph, paths []ddps.Path, counts []int) (*Walks, error) {
	w, name := New(), Names(g)
	for i, p := range paths {
		if err := w.Add(name(p), counts[i]); err != nil {
			return nil, err
		}
	}
	return w, nil
}
