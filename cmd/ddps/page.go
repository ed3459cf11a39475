package main

import (
	_ "embed"
	"encoding/base64"
	"fmt"
	"html/template"
	"io"
	"math"
	"os"
	"path/filepath"

	"gonum.org/v1/plot"

	"github.com/ddps-go/ddps/ddps"
	"github.com/ddps-go/ddps/ddps/chain"
	"github.com/ddps-go/ddps/ddps/experiment"
	"github.com/ddps-go/ddps/plots"
)

//go:embed page.html
var pageHTML string

var pageTemplate = template.Must(template.New("page").Parse(pageHTML))

// picture is a figure on the page and as a file beside it.
type picture struct {
	File, Caption string
	Image         template.URL // the PNG, so that the page stands alone
}

// section is one demo on the page.
type section struct {
	Name               string
	Facts              [][2]string
	Header, CondHeader []string
	Rows, CondRows     [][]string
	PMax               string
	RMax               int
	Pictures           []picture
	Attribution        string
}

// writePage draws the figures of the reports and writes the page that shows them.
func (a *app) writePage(path string, reports []*experiment.Report) error {
	var sections []section
	for _, r := range reports {
		pics, err := a.pictures(filepath.Dir(path), r)
		if err != nil {
			return err
		}
		s := section{Name: r.Demo.Name, Header: rowHeader(r.Unguided), Rows: rowCells(r.Unguided), CondHeader: rowHeader(r.Conditioned),
			CondRows: rowCells(r.Conditioned), PMax: real3(r.PMax), RMax: r.Demo.RMax, Pictures: pics,
			Attribution: r.Demo.Data.Graph.Meta().Attr["attribution"], Facts: facts(r)}
		sections = append(sections, s)
	}
	return a.writeFile(path, func(w io.Writer) error { return pageTemplate.Execute(w, sections) })
}

// facts lists what the demo is made of.
func facts(r *experiment.Report) [][2]string {
	d, g := r.Demo, r.Demo.Data.Graph
	f := [][2]string{{"graph", whole(g.NumLayers()) + " layers, " + whole(g.NumVertices()) + " vertices, " + whole(r.Graph.NumEdges()) + " edges on some path"},
		{"paths", wholeBig(ddps.NewIndex(g).Count()) + " in all, " + whole(len(d.Data.Paths)) + " distinct ones in the data, " + whole(d.Data.Total()) + " with repeats"},
		{"network", d.Config.Model.Network + ", " + whole(d.Config.Train.Steps) + " steps of " + whole(d.Config.Train.Batch) + " paths"},
		{"samples", whole(d.Samples) + " of each law, seed " + commas(fmt.Sprint(d.Seed))}}
	if place := g.Meta().Attr["place"]; place != "" {
		f = append(f, [2]string{"place", place})
	}
	return f
}

// pictures draws the figures of a report, saves them in dir and returns them.
func (a *app) pictures(dir string, r *experiment.Report) ([]picture, error) {
	var pics []picture
	add := func(name, caption string, p *plot.Plot, err error) error {
		if err != nil {
			return err
		}
		file := r.Demo.Slug() + "-" + name + ".png"
		if err := plots.Save(p, filepath.Join(dir, file), plots.Width, plots.Height); err != nil {
			return err
		}
		data, err := os.ReadFile(filepath.Join(dir, file))
		if err != nil {
			return err
		}
		pics = append(pics, picture{file, caption, template.URL("data:image/png;base64," + base64.StdEncoding.EncodeToString(data))})
		return nil
	}
	p, err := trainingPlot(r)
	if err := add("training", "By how much the network's loss is below that of the fitted chain, where it starts.", p, err); err != nil {
		return nil, err
	}
	for _, m := range []struct{ row, name, caption string }{
		{experiment.RowModel, "unguided", "How often sampled paths take each edge, unguided."},
		{experiment.RowModelMax, "guided", "The same, given the greatest reward."},
	} {
		p, err := edgesPlot(r, m.row)
		if err := add(m.name, m.caption, p, err); err != nil {
			return nil, err
		}
	}
	p, err = barsPlot(r)
	return pics, add("laws", "Distance to the law that made the data: the model, the fitted chain, and the noise floor.", p, err)
}

// trainingPlot draws by how much the network is better than the fitted chain: on the training batches, whose
// noise the difference mostly cancels, and on held-out paths.
func trainingPlot(r *experiment.Report) (*plot.Plot, error) {
	train := plots.Series{Name: "training batches, running mean"}
	for _, s := range r.Steps {
		train.X, train.Y = append(train.X, float64(s.Step)), append(train.Y, s.ChainCE-s.Loss.CE)
	}
	t := plots.Training{Title: r.Demo.Name + ": training", YLabel: "gain over the fitted chain (nats a path)", Series: []plots.Series{train},
		References: []plots.Reference{{Name: "fitted chain", Value: 0}}, Smooth: 0.95}
	if len(r.Evals) > 0 {
		held := plots.Series{Name: "held-out paths, averaged weights"}
		for _, e := range r.Evals {
			held.X, held.Y = append(held.X, float64(e.Step)), append(held.Y, e.Gain())
		}
		t.Series = append(t.Series, held)
	}
	return t.Plot()
}

// usage returns how often the paths take each edge, a path.
func usage(g *ddps.LayeredGraph, paths []ddps.Path) ([]float64, error) {
	c, err := chain.Fit(g, paths, nil, 0)
	if err != nil {
		return nil, err
	}
	return c.Marginals(), nil
}

// edgesPlot draws how often samples take each edge: on the street map where there is one, else on the graph.
func edgesPlot(r *experiment.Report, row string) (*plot.Plot, error) {
	g := r.Graph
	marginals, err := usage(g, r.Paths[row])
	if err != nil {
		return nil, err
	}
	title := r.Demo.Name + ": " + row
	if g.Meta().XY == nil {
		return plots.Graph{Title: title, Graph: g, Marginals: clamped(marginals)}.Plot()
	}
	m := plots.Map{Title: title, What: "traversals a path"}
	at := map[int]int{}
	point := func(v int) int {
		place := g.Meta().Place[v]
		i, seen := at[place]
		if !seen {
			i = len(m.Places)
			at[place] = i
			m.Places = append(m.Places, g.Meta().XY[v])
		}
		return i
	}
	edge := map[[2]int]int{}
	for e, p := range marginals {
		v, w := g.Tail(e), g.Head(e)
		if g.Meta().Place[v] < 0 || g.Meta().Place[w] < 0 || g.Meta().Place[v] == g.Meta().Place[w] {
			continue
		}
		a, b := point(v), point(w)
		key := [2]int{min(a, b), max(a, b)}
		i, seen := edge[key]
		if !seen {
			i = len(m.Edges)
			edge[key] = i
			m.Edges, m.Density = append(m.Edges, key), append(m.Density, 0)
		}
		m.Density[i] += p
	}
	if start, ok := at[startPlace(g)]; ok {
		m.Starts = []int{start}
	}
	return m.Plot()
}

// startPlace returns the place where all paths begin, −1 if there is none.
func startPlace(g *ddps.LayeredGraph) int {
	for _, p := range g.Meta().Place {
		if p >= 0 {
			return p
		}
	}
	return -1
}

// clamped keeps rounding from leaving [0, 1].
func clamped(x []float64) []float64 {
	for i := range x {
		x[i] = math.Min(x[i], 1)
	}
	return x
}

// barsPlot compares the unguided laws.
func barsPlot(r *experiment.Report) (*plot.Plot, error) {
	b := plots.Bars{Title: r.Demo.Name + ": distance to the law that made the data", YLabel: "distance", Categories: []string{"L1", "KL"}}
	memory := !math.IsNaN(r.Unguided[0].Districts.Value)
	if memory { // on a law of a million paths L1 and KL are nearly all noise
		b.Categories = []string{"districts, ½L1", "revisits, ½L1"}
	}
	for i, row := range r.Unguided {
		values := []experiment.Value{row.L1, row.KL}
		if memory {
			values = []experiment.Value{row.Districts, row.Revisits}
		}
		s := plots.BarSeries{Name: row.Name}
		for _, v := range values {
			s.Values = append(s.Values, v.Value)
			if i == 0 {
				b.Floors = append(b.Floors, v.Floor)
			}
		}
		b.Series = append(b.Series, s)
	}
	return b.Plot()
}
