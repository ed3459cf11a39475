package lab

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"gonum.org/v1/plot"

	"github.com/ddps-go/ddps/ddps/chain"
	"github.com/ddps-go/ddps/ddps/experiment"
	"github.com/ddps-go/ddps/plots"
)

// plotted is a plot that is drawn already, as a figure.
type plotted struct{ p *plot.Plot }

// Plot returns the plot.
func (p plotted) Plot() (*plot.Plot, error) { return p.p, nil }

// Name writes a path by the names of its vertices.
func Name(g *Graph, p Path) string {
	names := make([]string, len(p))
	for l, v := range p {
		names[l] = g.Name(v)
	}
	return strings.Join(names, " → ")
}

func mostFirst(counts []int) []int {
	order := make([]int, len(counts))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return counts[b] - counts[a] })
	return order
}

// GraphPlot draws a graph in the style of the paper's figure 1, paths highlighted.
//
//	GraphPlot(Example(), Path{0, 2, 6, 7})
func GraphPlot(g *Graph, paths ...Path) (*plot.Plot, error) {
	named := make([]plots.NamedPath, len(paths))
	for i, p := range paths {
		if err := g.Check(p); err != nil {
			return nil, err
		}
		named[i] = plots.NamedPath{Name: Name(g, p), Path: p}
	}
	return plots.Graph{Graph: g, Paths: named}.Plot()
}

// PALMPlot draws a PALM of g in the style of the paper's figure 2.
func PALMPlot(g *Graph, x PALM) (*plot.Plot, error) { return plots.Palm{Graph: g, X: x}.Plot() }

// EdgePlot draws how often paths take each edge: on the street map where the graph has one, else on the graph.
func EdgePlot(g *Graph, paths []Path) (*plot.Plot, error) {
	c, err := chain.Fit(g, paths, nil, 0)
	if err != nil {
		return nil, err
	}
	return ChainPlot(c)
}

// ChainPlot draws the probability of each edge under a chain, on the street map where the graph has one.
func ChainPlot(c *Chain) (*plot.Plot, error) {
	g, p := c.Graph, c.Marginals()
	for i := range p {
		p[i] = math.Min(p[i], 1) // rounding
	}
	if g.Meta().XY == nil || g.Meta().Place == nil {
		return plots.Graph{Graph: g, Marginals: p}.Plot()
	}
	return streets(g, p).Plot()
}

// streets puts numbers by edge onto the street map: those of one street in all layers and both ways add up.
func streets(g *Graph, p []float64) plots.Map {
	meta := g.Meta()
	m := plots.Map{What: "traversals a path"}
	at := map[int]int{} // place → number on the map
	point := func(v int) int {
		i, seen := at[meta.Place[v]]
		if !seen {
			i = len(m.Places)
			at[meta.Place[v]] = i
			m.Places = append(m.Places, meta.XY[v])
		}
		return i
	}
	street := map[[2]int]int{}
	for e, x := range p {
		v, w := g.Tail(e), g.Head(e)
		if meta.Place[v] < 0 || meta.Place[w] < 0 || meta.Place[v] == meta.Place[w] {
			continue
		}
		a, b := point(v), point(w)
		key := [2]int{min(a, b), max(a, b)}
		i, seen := street[key]
		if !seen {
			i = len(m.Edges)
			street[key] = i
			m.Edges, m.Density = append(m.Edges, key), append(m.Density, 0)
		}
		m.Density[i] += x
	}
	for _, place := range meta.Place { // vertices come layer by layer: the first place is where all begin
		if i, ok := at[place]; place >= 0 && ok {
			m.Starts = []int{i}
			break
		}
	}
	return m
}

// TrainingPlot draws the gain over the fitted chain in the course of a run.
func TrainingPlot(dir string) (*plot.Plot, error) {
	r, err := experiment.OpenRun(dir)
	if err != nil {
		return nil, err
	}
	log, err := r.Log()
	if err != nil {
		return nil, err
	}
	if len(log.Steps) == 0 {
		return nil, fmt.Errorf("lab: %s has no step in its log", dir)
	}
	train := plots.Series{Name: "training batches, running mean"}
	for _, s := range log.Steps {
		train.X, train.Y = append(train.X, float64(s.Step)), append(train.Y, s.ChainCE-s.Loss.CE)
	}
	t := plots.Training{Title: "training", YLabel: "gain over the fitted chain (nats a path)", Series: []plots.Series{train},
		References: []plots.Reference{{Name: "fitted chain", Value: 0}}, Smooth: 0.95}
	if len(log.Evals) > 0 {
		held := plots.Series{Name: "held-out paths, averaged weights"}
		for _, e := range log.Evals {
			held.X, held.Y = append(held.X, float64(e.Step)), append(held.Y, e.Gain())
		}
		t.Series = append(t.Series, held)
	}
	return t.Plot()
}

// Curve draws y against x.
//
//	Curve("x", "x²", []float64{0, 1, 2}, []float64{0, 1, 4})
func Curve(xLabel, yLabel string, x, y []float64) (*plot.Plot, error) {
	p, err := plots.Training{YLabel: yLabel, Series: []plots.Series{{X: x, Y: y}}}.Plot()
	if err == nil {
		p.X.Label.Text = xLabel
	}
	return p, err
}

// SavePlot draws a figure into a file (.png, .svg, .pdf), whole or not at all.
func SavePlot(path string, p *plot.Plot) error { return plots.Save(p, path, plots.Width, plots.Height) }
