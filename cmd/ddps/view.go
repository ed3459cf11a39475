package main

import (
	"fmt"
	"io"
	"path/filepath"

	"github.com/spf13/cobra"

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
	n, steps               int
	seed                   uint64
}

func newViewCmd(a *app) *cobra.Command {
	var o viewOptions
	cmd := &cobra.Command{
		Use:   "view RUN [FILE…] | view --graph GRAPH FILE…",
		Short: "Browse a graph, data and samples in a web page",
		Long: "Browse a graph, data and samples in a web page: on the map if there is one, by sample, by guidance\n" +
			"scale λ, by condition, and by the vertices that paths visit. Of a model (RUN as for sample) it draws\n" +
			"paths as learnt, by the paper's Algorithm 2 at each λ, given the greatest reward, and given each\n" +
			"--where; the data of its run and FILEs of paths stand beside them. With --graph there are only FILEs.\n" +
			"The page is served to this machine alone until Ctrl-C, or written as one file that needs nothing\n" +
			"else (-o), of at most 20 MiB: beyond, it holds fewer paths and says so.\n\n" + whereHelp,
		Example: `  ddps view shipped:heights --where 'visit(place 30)' --where 'visit(place 30) then visit(place 7)'
  ddps view runs/toy --reward random:2 -o page.html
  ddps view shipped:heights --reward rare:4 --lambda 0,10,100 --figure lambda.png
  ddps view --graph heights samples.csv guided.csv`,
		Args: func(cmd *cobra.Command, args []string) error {
			if o.graph != "" {
				return wantArgs("FILE…")(cmd, args)
			}
			return wantArgs("RUN", "[FILE…]")(cmd, args)
		},
		RunE: func(cmd *cobra.Command, args []string) error { return a.view(cmd, args, &o) },
	}
	f := cmd.Flags()
	f.StringVar(&o.graph, "graph", "", "`graph` of the files, where there is no model: a file or a name")
	byVar(cmd, &o.by, "vertices", "how CSV files call vertices")
	outVar(cmd, &o.out, "HTML `file` to write instead of serving the page", "html")
	f.StringVar(&o.figure, "figure", "", "picture `file` to write instead: all samples side by side (.png, .svg, .pdf)")
	fileFlag(cmd, "figure", pictureEndings...)
	f.StringVar(&o.reward, "reward", "", "`reward`: a CSV file, random:R[:SEED], rare:R[:SEED], or none; by default random:4")
	f.StringVar(&o.cost, "cost", "", "`cost` that --where may name: as --reward")
	f.StringVar(&o.lambdas, "lambda", "", "guidance `scales` λ of Algorithm 2, with commas between; by default 0 to 1e4 in 9 steps")
	f.StringArrayVar(&o.where, "where", nil, "`condition` to draw paths under; may be repeated")
	countVar(cmd, &o.n, "number", "n", 1000, 1, "paths a sample")
	countVar(cmd, &o.steps, "steps", "S", 0, 0, stepsUsage)
	seedVar(cmd, &o.seed, 0, "seed of the samples")
	f.StringVar(&o.out, "out", "", "`file`: as --output")
	if err := f.MarkHidden("out"); err != nil {
		panic("ddps: view: " + err.Error())
	}
	return cmd
}

// view runs view.
func (a *app) view(cmd *cobra.Command, args []string, o *viewOptions) error {
	if o.figure != "" {
		if err := checkPicture(o.figure); err != nil {
			return err
		}
	}
	if err := a.checkOut(o.out, o.figure); err != nil {
		return err
	}
	p, err := a.viewed(cmd, args, o)
	if err != nil {
		return err
	}
	var files []outFile
	if o.figure != "" {
		f, err := multiplesFile(o.figure, p)
		if err != nil {
			return err
		}
		files = append(files, f)
	}
	if o.figure != "" && o.out == "" {
		return a.writeFiles(files...)
	}
	file, left, err := p.HTML()
	if err != nil {
		return err
	}
	if left > 0 {
		a.notef("the page would have more than %s: %s paths are left out, drawn at random", bytesSize(page.MaxBytes), whole(left))
	}
	if o.out == "" {
		return a.servePage(cmd.Context(), file)
	}
	return a.writeFiles(append(files, outFile{o.out, func(w io.Writer) error { _, err := w.Write(file); return err }})...)
}

// viewed gathers what there is to view: of files, or of a model.
func (a *app) viewed(cmd *cobra.Command, args []string, o *viewOptions) (*page.Page, error) {
	if o.graph == "" {
		return a.viewModel(cmd, args, o)
	}
	for _, name := range []string{"lambda", "where", "cost", "number", "steps", "seed"} {
		if cmd.Flags().Changed(name) {
			return nil, usagef("--%s is for samples of a model, which go without --graph", name)
		}
	}
	g, err := loadGraph(o.graph)
	if err != nil {
		return nil, err
	}
	p := &page.Page{Title: placeTitle(filepath.Base(o.graph), g), Graph: g.Prune()}
	if o.reward != "" && o.reward != noReward {
		if p.Reward, err = a.loadReward(o.reward, p.Graph); err != nil {
			return nil, err
		}
	}
	return p, a.addFiles(p, g, args, o.by)
}

// placeTitle is a name with where the graph lies, if that is known.
func placeTitle(name string, g *ddps.LayeredGraph) string {
	if place := g.Meta().Attr["place"]; place != "" {
		return name + " – " + place
	}
	return name
}

// addFiles adds the paths of files, which are of g as it was given, to a page of the pruned graph.
func (a *app) addFiles(p *page.Page, g *ddps.LayeredGraph, files []string, by string) error {
	for _, file := range files {
		d, err := a.readPaths(file, g, by)
		if err != nil {
			return err
		}
		d = d.Prune()
		p.Sets = append(p.Sets, page.Set{Name: filepath.Base(file), Paths: d.Paths, Counts: d.Counts})
	}
	return nil
}

// multiplesFile draws all sets of a page side by side.
func multiplesFile(path string, p *page.Page) (outFile, error) {
	m := plots.Multiples{Title: p.Title}
	for _, s := range p.Sets {
		title := s.Name
		if s.Guide != "" {
			title = fmt.Sprintf("λ = %v", s.Lambda)
		}
		e, err := edgesOf(title, p.Graph, s.Paths, s.Counts, p.Reward)
		if err != nil {
			return outFile{}, err
		}
		m.Panels = append(m.Panels, e)
	}
	f, err := m.Figure()
	if err != nil {
		return outFile{}, err
	}
	return pictureFile(path, f)
}
