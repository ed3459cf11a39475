package graphcmd

import (
	"bytes"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/ddps-go/ddps/cmd/ddps/internal/cli"
	"github.com/ddps-go/ddps/datasets"
	"github.com/ddps-go/ddps/datasets/pathfile"
	"github.com/ddps-go/ddps/ddps"
	"github.com/ddps-go/ddps/internal/ram"
)

// New returns the command ddps graph.
func New(a *cli.App) *cobra.Command {
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
	cmd.AddCommand(newGraphMakeCmd(a), newGraphImportCmd(a), newGraphInfoCmd(a), newGraphDrawCmd(a),
		newGraphValidateCmd(a), newGraphConvertCmd(a), newGraphTimetableCmd(a))
	return cmd
}

// writeGraph writes g's JSON form to path, "" for standard output.
func writeGraph(a *cli.App, path string, g *ddps.LayeredGraph) error {
	var buf bytes.Buffer // WriteTo adds nothing but bytes: any failure is the file's
	if _, err := g.WriteTo(&buf); err != nil {
		return err
	}
	if err := a.WriteFile(path, func(w io.Writer) error { _, err := buf.WriteTo(w); return err }); err != nil {
		return err
	}
	if path != "" && path != "-" {
		a.Notef("%s: %s", path, summary(g))
	}
	return nil
}

// summary describes g in one line.
func summary(g *ddps.LayeredGraph) string {
	return fmt.Sprintf("%d layers, %s vertices, %s edges, %s paths", g.NumLayers(), cli.Whole(g.NumVertices()),
		cli.Whole(g.NumEdges()), cli.WholeBig(ddps.NumPaths(g)))
}

func newGraphMakeCmd(a *cli.App) *cobra.Command {
	var o graphMakeOptions
	cmd := &cobra.Command{
		Use:   "make toy|rq1|heights|ridge|example|dna|city",
		Short: "Make one of the paper's graphs, a lattice of DNA, a made-up city's, or one of recorded walks",
		Long: "Make one of the paper's graphs: toy (11 layers, 41 vertices) and rq1 are drawn from a\n" +
			"seed; heights (12 layers, 423 vertices) and ridge (13 layers, 4,293 vertices) are the\n" +
			"streets of a part of Helsinki unrolled in time, © OpenStreetMap contributors, ODbL 1.0;\n" +
			"example is the graph of the paper's figure 1; dna is the lattice of the DNA sequences of a\n" +
			"length, behind a source, without the pairs of letters that --forbid names; city, drawn from a\n" +
			"seed, too, is that of walks of --depth layers in a made-up grid of streets with parks, gaps,\n" +
			"diagonals and one-ways: 2,000 vertices at a depth of 15, a million at 111.\n" +
			"'ddps graph make sequences' makes one of recorded walks.",
		Example: `  ddps graph make toy -o toy.json
  ddps graph make city --depth 30 -o city.json
  ddps graph make toy --seed 7 | ddps graph info -
  ddps graph make heights -o heights.json
  ddps graph make dna --length 60 --forbid CG --forbid AG@4 -o dna.json`,
		Args:      cli.WantArgs("NAME"),
		ValidArgs: append(cli.GraphNames(), "city"),
		RunE: func(cmd *cobra.Command, args []string) error {
			g, err := makeGraph(args[0], &o, cmd.Flags().Changed)
			if err != nil {
				return err
			}
			return writeGraph(a, o.out, g)
		},
	}
	cli.SeedVar(cmd, &o.seed, 0, fmt.Sprintf("seed of toy (default %d), rq1 (default %d) and city (default 0)",
		datasets.ToySeed, datasets.RQ1Seed))
	cli.CountVar(cmd, &o.depth, "depth", "", 15, 2, "layers of city")
	cli.CountVar(cmd, &o.length, "length", "", datasets.DNALength, 1, "letters of dna")
	cmd.Flags().StringArrayVar(&o.forbid, "forbid", nil, "of dna, two `letters` that may not follow each other: CG "+
		"anywhere, AG@4 with the A at position 4; may be repeated")
	cli.OutVar(cmd, &o.out, "JSON `file` to write (default standard output)", "json")
	cmd.AddCommand(newMakeSequencesCmd(a))
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

// Sizes of what a graph takes while it is made and written, in bytes, and of a city's vertices by the cube of its
// depth.
const (
	vertexBytes, edgeBytes = 350, 40
	cityVertices           = 0.6
)

// makeGraph returns the graph called name; set tells which flags were given.
func makeGraph(name string, o *graphMakeOptions, set func(flag string) bool) (*ddps.LayeredGraph, error) {
	switch {
	case name != "dna" && (set("length") || set("forbid")):
		return nil, cli.Usagef("--length and --forbid are of dna")
	case name != "city" && set("depth"):
		return nil, cli.Usagef("--depth: only city has one to choose")
	case name == "city":
		if most := math.Cbrt(float64(ram.Machine()) / (cityVertices * vertexBytes)); most > 0 && float64(o.depth) > most {
			return nil, fmt.Errorf("a city of %s layers does not fit into this machine's memory: --depth %.0f does",
				cli.Whole(o.depth), most/2)
		}
		return datasets.CityGraph(o.depth, o.seed)
	case name == "dna" && !set("seed"):
		var forbidden []datasets.ForbiddenPair
		for _, s := range o.forbid {
			f, err := datasets.ParseForbidden(s)
			if err != nil {
				return nil, cli.Usagef("--forbid: %w", err)
			}
			forbidden = append(forbidden, f)
		}
		if err := ram.Check(ram.Machine(), "letters", "--length", float64(o.length), 4*vertexBytes+16*edgeBytes); err != nil {
			return nil, err
		}
		return datasets.DNA(o.length, forbidden...)
	case set("seed") && name == "toy":
		return datasets.Toy(o.seed)
	case set("seed") && name == "rq1":
		return datasets.RQ1(o.seed)
	case set("seed"):
		return nil, cli.Usagef("--seed: only toy, rq1 and city are drawn from one")
	}
	if slices.Contains(cli.GraphNames(), name) {
		return cli.LoadGraph(name)
	}
	return nil, cli.Usagef("no graph is called %q: want %s or city", name, strings.Join(cli.GraphNames(), ", "))
}

func newGraphValidateCmd(a *cli.App) *cobra.Command {
	return &cobra.Command{
		Use:   "validate GRAPH",
		Short: "Check that a file holds a layered graph",
		Long: "Check that a file holds a layered graph: edges go from each layer to the next, the first\n" +
			"layer has one vertex, no edge leads into a dead end, some path exists. The status is 0\n" +
			"if it does; otherwise 1, and the error names the line, or layer and vertex. Names of vertices\n" +
			"that files may mistake for others are a warning.",
		Example: `  ddps graph validate town.json`,
		Args:    cli.WantArgs("GRAPH"), ValidArgsFunction: cli.CompleteGraph,
		RunE: func(_ *cobra.Command, args []string) error {
			g, err := cli.LoadGraph(args[0])
			if err != nil {
				return err
			}
			for _, text := range pathfile.NameNotes(g) {
				a.Notef("%s: %s", args[0], text)
			}
			_, err = fmt.Fprintf(a.Stdout, "%s: valid: %s\n", args[0], summary(g))
			return err
		},
	}
}
