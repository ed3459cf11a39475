package main

import (
	"fmt"
	"io"
	"math"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/ddps-go/ddps/datasets"
	"github.com/ddps-go/ddps/ddps"
	"github.com/ddps-go/ddps/ddps/d3pm"
	"github.com/ddps-go/ddps/ddps/experiment"
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
		Args: wantArgs("RUN", "[FILE…]"),
		RunE: func(cmd *cobra.Command, args []string) error { return a.view(cmd, args, &o) },
	}
	f := cmd.Flags()
	f.StringVar(&o.graph, "graph", "", "graph of the files, where there is no model: a file or a name")
	byVar(cmd, &o.by, "vertices", "how CSV files call vertices")
	outVar(cmd, &o.out, "HTML `file` to write instead of serving the page", "html")
	f.StringVar(&o.figure, "figure", "", "picture to write instead: all samples side by side (.png, .svg, .pdf)")
	fileFlag(cmd, "figure", pictureEndings...)
	f.StringVar(&o.reward, "reward", "", "reward: a CSV file, random:R[:SEED], rare:R[:SEED], or none; by default random:4")
	f.StringVar(&o.cost, "cost", "", "cost that --where may name: as --reward")
	f.StringVar(&o.lambdas, "lambda", "", "guidance scales λ of Algorithm 2, with commas between; by default 0 to 1e4 in 9 steps")
	f.StringArrayVar(&o.where, "where", nil, "condition to draw paths under; may be repeated")
	countVar(cmd, &o.n, "number", "n", 1000, 1, "paths a sample")
	countVar(cmd, &o.steps, "steps", "", d3pm.DefaultSteps, 1, "reverse steps S; the paper takes 256")
	seedVar(cmd, &o.seed, 0, "seed of the samples")
	f.StringVar(&o.out, "out", "", "as --output")
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
		if p.Reward, err = loadReward(o.reward, p.Graph); err != nil {
			return nil, err
		}
	}
	return p, addFiles(p, g, args, o.by)
}

// placeTitle is a name with where the graph lies, if that is known.
func placeTitle(name string, g *ddps.LayeredGraph) string {
	if place := g.Meta().Attr["place"]; place != "" {
		return name + " – " + place
	}
	return name
}

// addFiles adds the paths of files, which are of g as it was given, to a page of the pruned graph.
func addFiles(p *page.Page, g *ddps.LayeredGraph, files []string, by string) error {
	for _, file := range files {
		d, err := datasets.ReadPathFile(file, g, vertices(by))
		if err != nil {
			return err
		}
		d = d.Prune()
		p.Sets = append(p.Sets, page.Set{Name: filepath.Base(file), Paths: d.Paths, Counts: d.Counts})
	}
	return nil
}

// viewModel draws the samples of a model.
func (a *app) viewModel(cmd *cobra.Command, args []string, o *viewOptions) (*page.Page, error) {
	m, r, err := experiment.Open(args[0], a.warn)
	if err != nil {
		return nil, err
	}
	cfg := experiment.SetsConfig{Samples: o.n, Steps: o.steps, Where: o.where, Seed: o.seed}
	if cfg.Lambdas, err = parseLambdas(o.lambdas); err != nil {
		return nil, err
	}
	if o.reward, cfg.Reward, err = a.viewReward(m.Graph, o.reward); err != nil {
		return nil, err
	}
	if _, cfg.Cost, err = loadTotals("", o.cost, m.Graph); err != nil {
		return nil, err
	}
	p := &page.Page{Title: placeTitle(filepath.Base(args[0]), m.Graph), Graph: m.Graph, Reward: cfg.Reward, Notes: []string{
		fmt.Sprintf("Samples: %s paths each, %d reverse steps, seed %d; the reward: %s.", whole(o.n), o.steps, o.seed, o.reward)}}
	given := page.Page{}
	if strings.HasPrefix(args[0], experiment.ShippedPrefix) { // its data are made anew
		if r, err = experiment.OpenRun(args[0]); err != nil {
			return nil, err
		}
	}
	g := m.Graph
	if r != nil {
		g = r.Data.Graph
		d := r.Data.Prune()
		given.Sets = append(given.Sets, page.Set{Name: "data", Paths: d.Paths, Counts: d.Counts})
	}
	if err := addFiles(&given, g, args[1:], o.by); err != nil {
		return nil, err
	}
	sets, err := cfg.Draw(cmd.Context(), m, &stages{a: a})
	if err != nil {
		return nil, a.badWhere(err)
	}
	for _, s := range sets {
		p.Sets = append(p.Sets, pageSet(s))
	}
	p.Sets = append(p.Sets, given.Sets...)
	return p, nil
}

// pageSet is a sample as the page has it.
func pageSet(s experiment.Set) page.Set {
	out := page.Set{Name: s.Guide.Title(""), Sample: true, Paths: s.Paths}
	switch {
	case s.Guide.Name == experiment.Algorithm2:
		out.Name, out.Guide, out.Lambda = "Algorithm 2", s.Guide.Name, s.Guide.Lambda
	case s.LogProb < 0: // no condition, or a sure one, needs no probability
		out.Prob = math.Exp(s.LogProb)
	}
	return out
}

// viewReward loads the reward, and says what it is: by default a random one whose best path earns 4, or what fewer moves
// there are; where the graph has no such reward, none.
func (a *app) viewReward(g *ddps.LayeredGraph, arg string) (name string, u []float64, err error) {
	switch arg {
	case noReward:
		return noReward, nil, nil
	case "":
		name = fmt.Sprintf("random:%d", min(4, g.NumLayers()-1))
		if u, err = loadReward(name, g); err != nil {
			a.notef("no random reward, and so no guided samples: %s", message(err))
			return noReward, nil, nil
		}
		return name, u, nil
	}
	u, err = loadReward(arg, g)
	return arg, u, err
}

// maxLambdas is the most guidance scales that view takes.
const maxLambdas = 100

// parseLambdas reads guidance scales with commas between; "" is what shows a curve.
func parseLambdas(text string) ([]float64, error) {
	if text == "" {
		return []float64{0, 1, 3, 10, 30, 100, 300, 1e3, 1e4}, nil
	}
	var list []float64
	for _, field := range strings.Split(text, ",") {
		x, err := parseNumber(field)
		if err != nil {
			return nil, usagef("--lambda: %v", err)
		}
		list = append(list, x)
	}
	if len(list) > maxLambdas {
		return nil, usagef("--lambda: %d values, want %d or less", len(list), maxLambdas)
	}
	return list, nil
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
