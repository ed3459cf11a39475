package modelcmd

import (
	"github.com/ddps-go/ddps/cmd/ddps/internal/cli"
	"github.com/ddps-go/ddps/ddps"
	"github.com/ddps-go/ddps/plots"
)

// writeFigure draws how often the reference and the samples take each edge, side by side on one scale: on the map if
// there is one, else as flows.
func (s *subject) writeFigure(a *cli.App, path string) error {
	samples, err := cli.EdgesOf("samples", s.target.Graph, s.paths, nil, s.u)
	if err != nil {
		return err
	}
	reference := plots.Edges{Title: "reference", Graph: s.target.Graph, Uses: usesOf(s.target.Graph, s.target.Paths,
		s.target.P), Reward: s.u}
	f, err := plots.Multiples{Title: "use of edges", Panels: []plots.Edges{reference, samples}}.Figure()
	if err != nil {
		return err
	}
	return a.SavePlot(path, f)
}

// usesOf returns by edge the probability that a path takes it, of paths with their probabilities.
func usesOf(g *ddps.LayeredGraph, paths []ddps.Path, p []float64) []float64 {
	uses := make([]float64, g.NumEdges())
	for i, path := range paths {
		for l := 1; l < len(path); l++ {
			if e, ok := g.EdgeBetween(path[l-1], path[l]); ok { // always, of a path
				uses[e] += p[i]
			}
		}
	}
	return uses
}
