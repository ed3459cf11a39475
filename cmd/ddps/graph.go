package main

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/ddps-go/ddps/datasets"
	"github.com/ddps-go/ddps/datasets/pathfile"
	"github.com/ddps-go/ddps/ddps"
)

func newGraphCmd(a *app) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "graph",
		Short: "Make, import, inspect and draw layered graphs",
		Long: "Make, import, inspect and draw layered graphs. They are kept as JSON: for each layer the\n" +
			"successors of its vertices, by position in the next layer, with optional names,\n" +
			"coordinates, places and attributes.",
		Example: `  ddps graph make toy --seed 7 -o toy.json
  ddps graph import town.osm.pbf --at 24.9369,60.1670 --depth 8 -o town.json
  ddps graph info town.json
  ddps graph draw town.json -o town.svg`,
	}
	cmd.AddCommand(newGraphMakeCmd(a), newGraphImportCmd(a), newGraphInfoCmd(a), newGraphDrawCmd(a), newGraphValidateCmd(a), newGraphConvertCmd(a), newGraphTimetableCmd(a))
	return cmd
}

// graphNames are the names by which the program's own graphs are called.
func graphNames() []string { return []string{"toy", "rq1", "heights", "ridge", "example", "dna"} }

// loadGraph returns the graph that an argument means: one of graphNames, - for
// standard input, or a file; Heights is heights. Errors name the file and, of what is in it, the line
// or the field. A file called like a name is reached as ./toy.
func loadGraph(arg string) (*ddps.LayeredGraph, error) {
	switch strings.ToLower(arg) {
	case "toy":
		return datasets.Toy(datasets.ToySeed)
	case "rq1":
		return datasets.RQ1(datasets.RQ1Seed)
	case "heights":
		return datasets.HeightsGraph()
	case "ridge":
		return datasets.RidgeGraph()
	case "example":
		return ddps.Example(), nil
	case "dna":
		return datasets.DNA(datasets.DNALength)
	case "-":
		return readGraph("standard input", os.Stdin)
	}
	f, err := os.Open(arg)
	if err != nil {
		return nil, fmt.Errorf("graph %s: %w%s", arg, reason(err), graphHint(arg, err))
	}
	defer f.Close()
	return readGraph(arg, f)
}

// graphHint names the program's own graphs to who asks for a file that is not there and has no ending.
func graphHint(arg string, err error) string {
	if !errors.Is(err, fs.ErrNotExist) || strings.ContainsAny(arg, "./\\") {
		return ""
	}
	if arg == "city" {
		return "; 'ddps graph make city' writes one"
	}
	return ", and the program's own graphs are " + strings.Join(graphNames(), ", ")
}

func readGraph(name string, r io.Reader) (*ddps.LayeredGraph, error) {
	g, err := pathfile.ReadGraph(name, r)
	if err != nil && reason(err) != err {
		err = fmt.Errorf("%s: %w", name, reason(err))
	}
	return g, err
}

// writeGraph writes g's JSON form to path, "" for standard output.
func (a *app) writeGraph(path string, g *ddps.LayeredGraph) error {
	var buf bytes.Buffer // WriteTo adds nothing but bytes: any failure is the file's
	if _, err := g.WriteTo(&buf); err != nil {
		return err
	}
	if err := a.writeFile(path, func(w io.Writer) error { _, err := buf.WriteTo(w); return err }); err != nil {
		return err
	}
	if path != "" && path != "-" {
		a.notef("%s: %s", path, summary(g))
	}
	return nil
}

// summary describes g in one line.
func summary(g *ddps.LayeredGraph) string {
	return fmt.Sprintf("%d layers, %s vertices, %s edges, %s paths", g.NumLayers(), whole(g.NumVertices()),
		whole(g.NumEdges()), wholeBig(ddps.NewIndex(g).Count()))
}

func newGraphMakeCmd(a *app) *cobra.Command {
	var o graphMakeOptions
	cmd := &cobra.Command{
		Use:   "make toy|rq1|heights|ridge|example|dna|city",
		Short: "Make one of the paper's graphs, a lattice of DNA, or a made-up city's",
		Long: "Make one of the paper's graphs: toy (11 layers, 41 vertices) and rq1 are drawn from a\n" +
			"seed; heights (12 layers, 423 vertices) and ridge (13 layers, 4,293 vertices) are the\n" +
			"streets of a part of Helsinki unrolled in time, © OpenStreetMap contributors, ODbL 1.0;\n" +
			"example is the graph of the paper's figure 1; dna is the lattice of the DNA sequences of a\n" +
			"length, behind a source, without the pairs of letters that --forbid names; city, drawn from a\n" +
			"seed, too, is that of walks of --depth layers in a made-up grid of streets with parks, gaps,\n" +
			"diagonals and one-ways: 2,000 vertices at a depth of 15, a million at 111.",
		Example: `  ddps graph make toy -o toy.json
  ddps graph make city --depth 30 -o city.json
  ddps graph make toy --seed 7 | ddps graph info -
  ddps graph make heights -o heights.json
  ddps graph make dna --length 60 --forbid CG --forbid AG@4 -o dna.json`,
		Args:      wantArgs("NAME"),
		ValidArgs: append(graphNames(), "city"),
		RunE: func(cmd *cobra.Command, args []string) error {
			g, err := makeGraph(args[0], &o, cmd.Flags().Changed)
			if err != nil {
				return err
			}
			return a.writeGraph(o.out, g)
		},
	}
	seedVar(cmd, &o.seed, 0, fmt.Sprintf("seed of toy (default %d), rq1 (default %d) and city (default 0)", datasets.ToySeed, datasets.RQ1Seed))
	countVar(cmd, &o.depth, "depth", "", 15, 2, "layers of city")
	countVar(cmd, &o.length, "length", "", datasets.DNALength, 1, "letters of dna")
	cmd.Flags().StringArrayVar(&o.forbid, "forbid", nil, "of dna, two `letters` that may not follow each other: CG anywhere, AG@4 with the A at position 4; may be repeated")
	outVar(cmd, &o.out, "JSON `file` to write (default standard output)", "json")
	return cmd
}

// graphMakeOptions are the flags of graph make.
type graphMakeOptions struct {
	out    string
	seed   uint64
	length int
	depth  int
	forbid []string
}

// makeGraph returns the graph called name; set tells which flags were given.
func makeGraph(name string, o *graphMakeOptions, set func(flag string) bool) (*ddps.LayeredGraph, error) {
	switch {
	case name != "dna" && (set("length") || set("forbid")):
		return nil, usagef("--length and --forbid are of dna")
	case name != "city" && set("depth"):
		return nil, usagef("--depth: only city has one to choose")
	case name == "city":
		return datasets.CityGraph(o.depth, o.seed)
	case name == "dna" && !set("seed"):
		var forbidden []datasets.ForbiddenPair
		for _, s := range o.forbid {
			f, err := datasets.ParseForbidden(s)
			if err != nil {
				return nil, usagef("--forbid: %w", err)
			}
			forbidden = append(forbidden, f)
		}
		return datasets.DNA(o.length, forbidden...)
	case set("seed") && name == "toy":
		return datasets.Toy(o.seed)
	case set("seed") && name == "rq1":
		return datasets.RQ1(o.seed)
	case set("seed"):
		return nil, usagef("--seed: only toy, rq1 and city are drawn from one")
	}
	if slices.Contains(graphNames(), name) {
		return loadGraph(name)
	}
	return nil, usagef("no graph is called %q: want %s or city", name, strings.Join(graphNames(), ", "))
}

func newGraphValidateCmd(a *app) *cobra.Command {
	return &cobra.Command{
		Use:   "validate GRAPH",
		Short: "Check that a file holds a layered graph",
		Long: "Check that a file holds a layered graph: edges go from each layer to the next, the first\n" +
			"layer has one vertex, no edge leads into a dead end, some path exists. The status is 0\n" +
			"if it does; otherwise 1, and the error names the line, or layer and vertex.",
		Example: `  ddps graph validate town.json`,
		Args:    wantArgs("GRAPH"), ValidArgsFunction: completeGraph,
		RunE: func(_ *cobra.Command, args []string) error {
			g, err := loadGraph(args[0])
			if err != nil {
				return err
			}
			_, err = fmt.Fprintf(a.stdout, "%s: valid: %s\n", args[0], summary(g))
			return err
		},
	}
}
