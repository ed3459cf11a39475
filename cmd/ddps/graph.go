package main

import (
	"bytes"
	"fmt"
	"io"
	"os"

	"github.com/spf13/cobra"

	"github.com/ddps-go/ddps/datasets"
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
	cmd.AddCommand(newGraphMakeCmd(a), newGraphImportCmd(a), newGraphInfoCmd(a), newGraphDrawCmd(a), newGraphValidateCmd(a))
	return cmd
}

// graphNames are the names by which the program's own graphs are called.
func graphNames() []string { return []string{"toy", "rq1", "heights", "ridge", "example"} }

// loadGraph returns the graph that an argument means: one of graphNames, - for
// standard input, or a file. Errors name the file and, of what is in it, the line
// or the field. A file called like a name is reached as ./toy.
func loadGraph(arg string) (*ddps.LayeredGraph, error) {
	switch arg {
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
	case "-":
		return readGraph("standard input", os.Stdin)
	}
	f, err := os.Open(arg)
	if err != nil {
		return nil, fmt.Errorf("graph %s: %w", arg, reason(err))
	}
	defer f.Close()
	return readGraph(arg, f)
}

func readGraph(name string, r io.Reader) (*ddps.LayeredGraph, error) {
	g, err := ddps.ReadGraph(r)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, reason(err))
	}
	return g, nil
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
	var out string
	var seed uint64
	cmd := &cobra.Command{
		Use:   "make toy|rq1|heights|ridge|example",
		Short: "Make one of the paper's graphs",
		Long: "Make one of the paper's graphs: toy (11 layers, 41 vertices) and rq1 are drawn from a\n" +
			"seed; heights (12 layers, 423 vertices) and ridge (13 layers, 4,293 vertices) are the\n" +
			"streets of a part of Helsinki unrolled in time, © OpenStreetMap contributors, ODbL 1.0;\n" +
			"example is the graph of the paper's figure 1.",
		Example: `  ddps graph make toy -o toy.json
  ddps graph make toy --seed 7 | ddps graph info -
  ddps graph make heights -o heights.json`,
		Args:      wantArgs("NAME"),
		ValidArgs: graphNames(),
		RunE: func(cmd *cobra.Command, args []string) error {
			g, err := makeGraph(args[0], seed, cmd.Flags().Changed("seed"))
			if err != nil {
				return err
			}
			return a.writeGraph(out, g)
		},
	}
	seedVar(cmd, &seed, 0, fmt.Sprintf("seed of toy (default %d) and rq1 (default %d)", datasets.ToySeed, datasets.RQ1Seed))
	outVar(cmd, &out, "JSON `file` to write (default standard output)", "json")
	return cmd
}

// makeGraph returns the graph called name, from a seed of its own if seeded.
func makeGraph(name string, seed uint64, seeded bool) (*ddps.LayeredGraph, error) {
	switch {
	case seeded && name == "toy":
		return datasets.Toy(seed)
	case seeded && name == "rq1":
		return datasets.RQ1(seed)
	case seeded:
		return nil, usagef("--seed: only toy and rq1 are drawn from one")
	}
	for _, n := range graphNames() {
		if n == name {
			return loadGraph(name)
		}
	}
	return nil, usagef("no graph is called %q: want toy, rq1, heights, ridge or example", name)
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
