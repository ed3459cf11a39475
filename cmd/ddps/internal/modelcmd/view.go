package modelcmd

import (
	"fmt"
	"io"
	"path/filepath"

	"github.com/spf13/cobra"

	"github.com/ddps-go/ddps/cmd/ddps/internal/cli"
	"github.com/ddps-go/ddps/ddps"
	"github.com/ddps-go/ddps/plots"
	"github.com/ddps-go/ddps/plots/page"
)

// noReward is what --reward of view takes for none.
const noReward = "none"

// viewOptions are the flags of view.
type viewOptions struct {
	graph, by, out, figure string
	reward, cost, lambdas  string
	where                  []string
	aliases                string
	n, steps               int
	seed                   uint64
}

// NewView returns the command ddps view.
func NewView(a *cli.App) *cobra.Command {
	var o viewOptions
	cmd := &cobra.Command{
		Use:   "view RUN [FILE…] | view --graph GRAPH FILE…",
		Short: "Browse a graph, data and samples in a web page",
		Long: "Browse a graph, data and samples in a web page: on the map if there is one, by sample, by guidance\n" +
			"scale λ, by condition, and by the vertices that paths visit. Of a model (RUN as for sample) it draws\n" +
			"unguided paths, by the paper's Algorithm 2 at each λ, given the greatest reward, and given each\n" +
			"--where; the data of its run and FILEs of paths stand beside them. With --graph there are only FILEs.\n" +
			"The page is served to this machine alone until Ctrl-C, or written as one file that needs nothing\n" +
			"else (-o), of at most 20 MiB: beyond, it holds fewer paths and says so.\n\n" + whereHelp,
		Example: `  ddps view shipped:heights --where 'visit(place 30)' --where 'visit(place 30) then visit(place 7)'
  ddps view runs/toy --reward random:2 -o page.html
  ddps view shipped:heights --reward rare:4 --lambda 0,10,100 --figure lambda.png
  ddps view --graph heights samples.csv guided.csv`,
		Args: func(cmd *cobra.Command, args []string) error {
			if o.graph != "" {
				return cli.WantArgs("FILE…")(cmd, args)
			}
			return cli.WantArgs("RUN", "[FILE…]")(cmd, args)
		},
		RunE: func(cmd *cobra.Command, args []string) error { return view(a, cmd, args, &o) },
	}
	f := cmd.Flags()
	f.StringVar(&o.graph, "graph", "", "`graph` of the files, where there is no model: a file or a name")
	cli.ByVar(cmd, &o.by, "vertices", "how CSV files call vertices")
	cli.OutVar(cmd, &o.out, "HTML `file` to write instead of serving the page", "html")
	f.StringVar(&o.figure, "figure", "", "picture `file` to write instead: all samples side by side (.png, .svg, .pdf)")
	cli.FileFlag(cmd, "figure", cli.PictureEndings()...)
	cli.Outputs(cmd, "figure")
	f.StringVar(&o.reward, "reward", "", "`reward`: a CSV file, random:R[:SEED], rare:R[:SEED]; by default none")
	f.StringVar(&o.cost, "cost", "", "`cost` that --where may name: as --reward")
	f.StringVar(&o.lambdas, "lambda", "", "guidance `scales` λ of Algorithm 2, with commas between; by default 0 to "+
		"1e4 in 9 steps")
	f.StringArrayVar(&o.where, "where", nil, "`condition` to draw paths under; may be repeated")
	aliasVar(cmd, &o.aliases)
	settingsVar(a, cmd)
	cli.CountVar(cmd, &o.n, "number", "n", 1000, 1, "paths a sample")
	cli.CountVar(cmd, &o.steps, "steps", "S", 0, 0, stepsUsage)
	cli.SeedVar(cmd, &o.seed, 0, "seed of the samples")
	f.StringVar(&o.out, "out", "", "`file`: as --output")
	cli.Outputs(cmd, "out")
	cli.Inputs(cmd, "graph", "reward", "cost")
	if err := f.MarkHidden("out"); err != nil {
		panic("ddps: view: " + err.Error())
	}
	return cmd
}

// view runs view.
func view(a *cli.App, cmd *cobra.Command, args []string, o *viewOptions) error {
	if o.figure != "" {
		if err := cli.CheckPicture(o.figure); err != nil {
			return err
		}
	}
	if err := a.CheckOut(o.out, o.figure); err != nil {
		return err
	}
	p, err := viewed(a, cmd, args, o)
	if err != nil {
		return err
	}
	var files []cli.OutFile
	if o.figure != "" {
		f, err := multiplesFile(o.figure, p)
		if err != nil {
			return err
		}
		files = append(files, f)
	}
	if o.figure != "" && o.out == "" {
		return a.WriteFiles(files...)
	}
	file, left, err := p.HTML()
	if err != nil {
		return err
	}
	if left > 0 {
		a.Notef("the page would have more than %s: %s paths are left out, drawn at random", cli.BytesSize(page.MaxBytes),
			cli.Whole(left))
	}
	if o.out == "" {
		return servePage(a, cmd.Context(), file)
	}
	return a.WriteFiles(append(files, cli.OutFile{Path: o.out, Write: func(w io.Writer) error {
		_,
			err := w.Write(file)
		return err
	}})...)
}

// viewed gathers what there is to view: of files, or of a model.
func viewed(a *cli.App, cmd *cobra.Command, args []string, o *viewOptions) (*page.Page, error) {
	if o.graph == "" {
		return viewModel(a, cmd, args, o)
	}
	for _, name := range []string{"lambda", "where", "cost", "aliases", "number", "steps", "seed"} {
		if cmd.Flags().Changed(name) {
			return nil, cli.Usagef("--%s is for samples of a model, which go without --graph", name)
		}
	}
	g, err := cli.LoadGraph(o.graph)
	if err != nil {
		return nil, err
	}
	p := &page.Page{Title: placeTitle(filepath.Base(o.graph), g), Graph: g.Prune()}
	if o.reward != "" && o.reward != noReward {
		if p.Reward, err = a.LoadReward(o.reward, p.Graph); err != nil {
			return nil, err
		}
	}
	return p, addFiles(a, p, g, args, o.by)
}

// placeTitle is a name with where the graph lies, if that is known.
func placeTitle(name string, g *ddps.LayeredGraph) string {
	if place := g.Meta().Attr["place"]; place != "" {
		return name + " – " + place
	}
	return name
}

// addFiles adds the paths of files, which are of g as it was given, to a page of the pruned graph.
func addFiles(a *cli.App, p *page.Page, g *ddps.LayeredGraph, files []string, by string) error {
	for _, file := range files {
		d, err := a.ReadPaths(file, g, by)
		if err != nil {
			return err
		}
		d = d.Prune()
		p.Sets = append(p.Sets, page.Set{Name: filepath.Base(file), Paths: d.Paths, Counts: d.Counts})
	}
	return nil
}

// multiplesFile draws all sets of a page side by side.
func multiplesFile(path string, p *page.Page) (cli.OutFile, error) {
	m := plots.Multiples{Title: p.Title}
	for _, s := range p.Sets {
		title := s.Name
		if s.Guide != "" {
			title = fmt.Sprintf("λ = %v", s.Lambda)
		}
		e, err := cli.EdgesOf(title, p.Graph, s.Paths, s.Counts, p.Reward)
		if err != nil {
			return cli.OutFile{}, err
		}
		m.Panels = append(m.Panels, e)
	}
	f, err := m.Figure()
	if err != nil {
		return cli.OutFile{}, err
	}
	return cli.PictureFile(path, f)
}
