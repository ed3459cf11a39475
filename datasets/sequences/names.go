package sequences

import "github.com/ddps-go/ddps/ddps"

// Names returns a function that names the places of a path of g, without the source before them and END after them
// (ddps.LayeredGraph.Pads): those of the walk that the path is of. Each list is the caller's own.
func Names(g *ddps.LayeredGraph) func(ddps.Path) []string {
	pads := g.Pads()
	return func(p ddps.Path) []string {
		list := make([]string, 0, len(p))
		for _, v := range p {
			if pads == nil || !pads[v] {
				list = append(list, g.Name(v))
			}
		}
		return list
	}
}

// FromPaths returns the paths of g as walks with counts, without source and END.
func FromPaths(g *ddps.LayeredGraph, paths []ddps.Path, counts []int) (*Walks, error) {
	w, name := New(), Names(g)
	for i, p := range paths {
		if err := w.Add(name(p), counts[i]); err != nil {
			return nil, err
		}
	}
	return w, nil
}
