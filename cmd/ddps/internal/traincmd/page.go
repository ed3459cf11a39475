package traincmd

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

	"github.com/ddps-go/ddps/cmd/ddps/internal/cli"
	"github.com/ddps-go/ddps/ddps"
	"github.com/ddps-go/ddps/ddps/compare"
	"github.com/ddps-go/ddps/ddps/model"
	"github.com/ddps-go/ddps/ddps/run"
	"github.com/ddps-go/ddps/ddps/study"
	"github.com/ddps-go/ddps/plots"
)

//go:embed page.html
var pageHTML string

var pageTemplate = template.Must(template.New("page").Parse(pageHTML))

// section is one demo on the page.
type section struct {
	Name               string
	Facts              [][2]string
	Header, CondHeader []string
	Rows, CondRows     [][]string
	PMax               string
	Sparse, CondSparse string // why distances of whole paths are left out
	RMax               int
	Pictures           []cli.Picture
	Attribution        string
}

// writePage draws the figures of the reports and writes the page that shows them.
func writePage(a *cli.App, path string, reports []*study.Report) error {
	var sections []section
	for _, r := range reports {
		pics, err := pictures(a, filepath.Dir(path), r)
		if err != nil {
			return err
		}
		s := section{Name: r.Demo.Name, Header: rowHeader(r.Unguided), Rows: rowCells(r.Unguided),
			Sparse: sparseText(r.Unguided), CondSparse: sparseText(r.Conditioned), CondHeader: rowHeader(r.Conditioned),
			CondRows: rowCells(r.Conditioned), PMax: cli.Real3(r.PMax), RMax: r.Demo.RMax, Pictures: pics,
			Attribution: r.Demo.Data.Graph.Meta().Attr["attribution"], Facts: facts(r)}
		sections = append(sections, s)
	}
	return a.WriteFile(path, func(w io.Writer) error { return pageTemplate.Execute(w, sections) })
}

// facts lists what the demo is made of.
func facts(r *study.Report) [][2]string {
	d, g := r.Demo, r.Demo.Data.Graph
	f := [][2]string{{"graph", cli.Whole(g.NumLayers()) + " layers, " + cli.Whole(g.NumVertices()) + " vertices, " +
		cli.Whole(r.Graph.NumEdges()) + " edges on some path"},
		{"paths", cli.WholeBig(ddps.NumPaths(g)) + " in all, " + cli.Whole(len(d.Data.Paths)) +
			" distinct ones in the data, " + cli.Whole(d.Data.Total()) + " with repeats"},
		{"model", modelFact(d.Config) + map[bool]string{true: ", as shipped"}[d.Shipped != ""]},
		{"samples", cli.Whole(d.Samples) + " of each distribution, seed " + cli.Commas(fmt.Sprint(d.Seed))}}
	if place := g.Meta().Attr["place"]; place != "" {
		f = append(f, [2]string{"place", place})
	}
	return f
}

// modelFact says what a model is and what training it took.
func modelFact(c run.Config) string {
	if c.Model.Network == model.NetworkNone {
		return c.Model.Kind()
	}
	return c.Model.Kind() + ", " + cli.Whole(c.Train.Steps) + " steps of " + cli.Whole(c.Train.Batch) + " paths"
}

// pictures draws the figures of a report, saves them in dir and returns them.
func pictures(a *cli.App, dir string, r *study.Report) ([]cli.Picture, error) {
	var pics []cli.Picture
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
		pics = append(pics, cli.Picture{File: file, Caption: caption, Image: template.URL("data:image/png;base64," +
			base64.StdEncoding.EncodeToString(data))})
		return nil
	}
	if len(r.Steps) > 0 {
		p, err := trainingPlot(r)
		if err := add("training", "By how much the network's loss is below what it starts from, the exact denoiser "+
			"without a network.", p, err); err != nil {
			return nil, err
		}
	}
	for _, m := range []struct{ row, name, caption string }{
		{study.RowModel, "unguided", "How often sampled paths take each edge, unguided."},
		{study.RowModelMax, "guided", "The same, given the greatest reward."},
	} {
		p, err := edgesPlot(r, m.row)
		if err := add(m.name, m.caption, p, err); err != nil {
			return nil, err
		}
	}
	p, err := barsPlot(r)
	return pics, add("distributions", "Distance to the true distribution: the model, the fitted chain, and the "+
		"sampling floor.", p,
		err)
}

// trainingPlot draws by how much the network is better than nothing.
func trainingPlot(r *study.Report) (*plot.Plot, error) {
	steps, evals := (&run.Log{Steps: r.Steps, Evals: r.Evals}).Gains()
	return plots.Gain(r.Demo.Name+": training", plots.Series{X: steps.Step, Y: steps.Gain}, plots.Series{X: evals.Step,
		Y: evals.Gain})
}

// edgesPlot draws how often samples take each edge.
func edgesPlot(r *study.Report, row string) (*plot.Plot, error) {
	uses, err := plots.Uses(r.Graph, r.Paths[row], nil)
	if err != nil {
		return nil, err
	}
	e := plots.Edges{Title: r.Demo.Name + ": " + row, Graph: r.Graph, Uses: uses}
	if row == study.RowModelMax {
		e.Reward = r.U
	}
	return e.Plot()
}

// barsPlot compares the unguided distributions.
func barsPlot(r *study.Report) (*plot.Plot, error) {
	b := plots.Bars{Title: r.Demo.Name + ": distance to the true distribution", YLabel: "distance",
		Categories: []string{"L1", "KL"}}
	memory := !math.IsNaN(r.Unguided[0].Districts.Value)
	if memory { // on a distribution of a million paths L1 and KL are nearly all noise
		b.Categories = []string{"districts, ½L1", "revisits, ½L1"}
	}
	for i, row := range r.Unguided {
		values := []compare.Value{row.L1, row.KL}
		if memory {
			values = []compare.Value{row.Districts, row.Revisits}
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
