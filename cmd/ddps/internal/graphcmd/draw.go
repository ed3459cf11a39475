package graphcmd

import (
	"fmt"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"
	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"

	"github.com/ddps-go/ddps/cmd/ddps/internal/cli"
	"github.com/ddps-go/ddps/datasets/pathfile"
	"github.com/ddps-go/ddps/ddps"
	"github.com/ddps-go/ddps/plots"
)

// drawOptions are the flags of graph draw.
type drawOptions struct {
	out, title string
	paths      []string
	files      []string // of paths
	by, reward string
	palm       bool
	seed       uint64
}

func newGraphDrawCmd(a *cli.App) *cobra.Command {
	var o drawOptions
	cmd := &cobra.Command{
		Use:   "draw GRAPH",
		Short: "Draw a graph, or a path's matrix, as PNG, SVG or PDF",
		Long: "Draw a graph with paths highlighted (the paper's figure 1), or with --palm the padded\n" +
			"adjacency-list matrix of a path (its figure 2), whose rows off the path are drawn at random.\n" +
			"With files of paths (--paths), draw how often they take each edge, on the street map where the\n" +
			"graph has one: several files side by side, on one scale.",
		Example: `  ddps graph draw example --path A,C,G,H -o figure1.svg
  ddps graph draw example --path A,C,G,H --palm -o figure2.png
  ddps graph draw heights --paths free.csv --paths guided.csv -o both.png`,
		Args: cli.WantArgs("GRAPH"), ValidArgsFunction: cli.CompleteGraph,
		RunE: func(cmd *cobra.Command, args []string) error { return graphDraw(a, cmd, args[0], &o) },
	}
	f := cmd.Flags()
	f.StringArrayVar(&o.paths, "path", nil, "a `path` to highlight: names, or else numbers, with commas between; may "+
		"be repeated")
	f.StringArrayVar(&o.files, "paths", nil, "`file` of paths whose use of the edges is drawn; may be repeated")
	cli.FileFlag(cmd, "paths", cli.PathEndings()...)
	cli.ByVar(cmd, &o.by, "vertices", "how CSV files call vertices")
	f.StringVar(&o.reward, "reward", "", "with --paths: mark the streets of a `reward`, a CSV file, random:R[:SEED] or "+
		"rare:R[:SEED]")
	cli.Inputs(cmd, "reward")
	f.BoolVar(&o.palm, "palm", false, "draw the matrix of the path")
	f.StringVar(&o.title, "title", "", "`title` of the figure")
	cli.SeedVar(cmd, &o.seed, 0, "seed of the rows off the path, with --palm")
	cli.OutVar(cmd, &o.out, "`file` to write, .png, .svg or .pdf (required)", cli.PictureEndings()...)
	cli.RequireFlags(cmd, "output")
	return cmd
}

// graphDraw runs graph draw.
func graphDraw(a *cli.App, cmd *cobra.Command, graph string, o *drawOptions) error {
	if err := cli.CheckPicture(o.out); err != nil {
		return err
	}
	if o.palm && len(o.paths) != 1 {
		return cli.Usagef("--palm: wants one --path, not %d", len(o.paths))
	}
	if len(o.files) > 0 && len(o.paths) > 0 {
		return cli.Usagef("--path and --paths make different pictures: give one of them")
	}
	if o.reward != "" && len(o.files) == 0 {
		return cli.Usagef("--reward goes with --paths")
	}
	if cmd.Flags().Changed("vertices") && len(o.files) == 0 {
		return cli.Usagef("--vertices goes with --paths")
	}
	if cmd.Flags().Changed("seed") && !o.palm {
		return cli.Usagef("--seed goes with --palm")
	}
	g, err := cli.LoadGraph(graph)
	if err != nil {
		return err
	}
	if len(o.files) > 0 {
		return drawFiles(a, g, o)
	}
	named, err := parsePaths(g, o.paths)
	if err != nil {
		return err
	}
	if o.palm {
		return drawPalm(a, g, named[0], o)
	}
	noteDense(a, g)
	p, err := plots.Graph{Title: o.title, Graph: g, Paths: named}.Plot()
	if err != nil {
		return err
	}
	return a.SavePlot(o.out, p)
}

// dense is how many vertices of a layer are drawn without names that can be read.
const dense = 40

// noteDense says so where names do not fit.
func noteDense(a *cli.App, g *ddps.LayeredGraph) {
	most := 0
	for l := range g.NumLayers() {
		lo, hi := g.Layer(l)
		most = max(most, hi-lo)
	}
	if most > dense && g.Meta().Names != nil {
		a.Notef("%s vertices in a layer: their names do not fit; --paths FILE draws what paths use most", cli.Whole(most))
	}
}

// parsePaths reads paths of g written as rows of a CSV file.
func parsePaths(g *ddps.LayeredGraph, rows []string) ([]plots.NamedPath, error) {
	named := make([]plots.NamedPath, len(rows))
	for i, row := range rows {
		if g.Walks() {
			p, err := cli.Walk(g, row)
			if err != nil {
				return nil, fmt.Errorf("--path %s: %w", row, err)
			}
			named[i] = plots.NamedPath{Name: cli.PathText(g, p), Path: p}
			continue
		}
		d, err := pathfile.ReadCSV("--path "+row, strings.NewReader(row), g, pathfile.ByName)
		if err != nil {
			return nil, err
		}
		if len(d.Paths) != 1 {
			return nil, fmt.Errorf("--path %q: %d paths", row, len(d.Paths))
		}
		named[i] = plots.NamedPath{Name: cli.PathText(g, d.Paths[0]), Path: d.Paths[0]}
	}
	return named, nil
}

// sized is a plot with the size that it fills.
type sized struct {
	*plot.Plot
	w, h vg.Length
}

func (p sized) Size() (w, h vg.Length) { return p.w, p.h }

// drawPalm draws the matrix of a path.
func drawPalm(a *cli.App, g *ddps.LayeredGraph, path plots.NamedPath, o *drawOptions) error {
	x, err := g.Encode(path.Path, ddps.Rand(o.seed, 0))
	if err != nil {
		return err
	}
	palm := plots.Palm{Title: o.title, Graph: g, X: x}
	if palm.Title == "" {
		palm.Title = path.Name
	}
	p, err := palm.Plot()
	if err != nil {
		return err
	}
	w, h := palm.Size()
	return a.SavePlot(o.out, sized{p, w, h})
}

// drawFiles draws how often the paths of files take each edge, on the graph without what lies on no path: random
// rewards are drawn there.
func drawFiles(a *cli.App, g *ddps.LayeredGraph, o *drawOptions) error {
	pruned := g.Prune()
	u, _, err := a.LoadTotals(o.reward, "", pruned)
	if err != nil {
		return err
	}
	var panels []plots.Edges
	for _, file := range o.files {
		d, err := a.ReadPaths(file, g, o.by)
		if err != nil {
			return err
		}
		title := strings.TrimSuffix(filepath.Base(file), filepath.Ext(file))
		if o.title != "" && len(o.files) == 1 {
			title = o.title
		}
		e, err := cli.EdgesOf(title, pruned, d.Prune().Paths, d.Counts, u)
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
		return a.SavePlot(o.out, p)
	}
	f, err := plots.Multiples{Title: o.title, Panels: panels}.Figure()
	if err != nil {
		return err
	}
	return a.SavePlot(o.out, f)
}
