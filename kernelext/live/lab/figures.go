package lab

import (
	"fmt"
	"slices"
	"strings"

	"gonum.org/v1/plot"

	"github.com/ddps-go/ddps/datasets/sequences"
	"github.com/ddps-go/ddps/ddps/run"
	"github.com/ddps-go/ddps/plots"
)

// Name writes a path by the names of its vertices, a walk without source and END.
func Name(g *Graph, p Path) string {
	if g.Walks() {
		return strings.Join(sequences.Names(g)(p), " → ")
	}
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

// RewardPlot draws which edges earn a reward, of rewards u by edge in [0, 1].
//
//	RewardPlot(g, must(RandomReward(g, 4, 0)))
func RewardPlot(g *Graph, u []float64) (*plot.Plot, error) {
	return plots.Graph{Graph: g, Marginals: u, What: "reward"}.Plot()
}

// EdgePlot draws how often paths take each edge: on the street map where the graph has one, with where they start and
// end, else on the graph.
func EdgePlot(g *Graph, paths []Path) (*plot.Plot, error) {
	e, err := (&Draws{Graph: g, Paths: paths}).edges("")
	if err != nil {
		return nil, err
	}
	return e.Plot()
}

// edges returns the figure of how often the draws take each edge.
func (d *Draws) edges(title string) (plots.Edges, error) {
	uses, err := plots.Uses(d.Graph, d.Paths, nil)
	return plots.Edges{Title: title, Graph: d.Graph, Uses: uses, Reward: d.Reward}, err
}

// Multiples draws several draws side by side on one scale, each under its name: paths at a growing λ, say, or given
// several conditions.
//
//	Multiples("unguided and guided", []string{"λ = 0", "λ = 100"}, free, guided)
func Multiples(title string, names []string, draws ...*Draws) (*plots.Figure, error) {
	if len(names) != len(draws) {
		return nil, fmt.Errorf("lab: multiples: %d names for %d draws", len(names), len(draws))
	}
	m := plots.Multiples{Title: title}
	for i, d := range draws {
		e, err := d.edges(names[i])
		if err != nil {
			return nil, fmt.Errorf("lab: multiples: %s: %w", names[i], err)
		}
		m.Panels = append(m.Panels, e)
	}
	return m.Figure()
}

// ChainPlot draws the probability of each edge under a chain, on the street map where the graph has one.
func ChainPlot(c *Chain) (*plot.Plot, error) {
	return plots.Edges{Graph: c.Graph, Uses: c.Marginals()}.Plot()
}

// TrainingPlot draws by how much the network is better than what it corrects, in the course of a run.
func TrainingPlot(dir string) (*plot.Plot, error) {
	r, err := run.Open(dir)
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
	steps, evals := log.Gains()
	return plots.Gain("training", plots.Series{X: steps.Step, Y: steps.Gain}, plots.Series{X: evals.Step, Y: evals.Gain})
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

// SideBySide puts figures into a row.
//
//	SideBySide(must(GraphPlot(Example())), must(ChainPlot(UniformChain(Example()))))
func SideBySide(list ...*plot.Plot) (*plots.Figure, error) {
	return plots.NewFigure("", nil, [][]*plot.Plot{list})
}

// SavePlot draws a figure into a file (.png, .svg, .pdf), whole or not at all.
func SavePlot(path string, p *plot.Plot) error { return plots.Save(p, path, plots.Width, plots.Height) }
