package main

import (
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"github.com/ddps-go/ddps/datasets"
	"github.com/ddps-go/ddps/datasets/pathfile"
	"github.com/ddps-go/ddps/ddps"
)

func newPathsCmd(a *app) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "paths",
		Short: "Count, draw, import, list and convert the paths of a graph",
		Long: "Count, draw, import, list and convert the paths of a graph. Files of paths are CSV, a path a row\n" +
			"and optionally a count, JSON Lines, {\"path\": [\"a\", \"b\", …], \"count\": 2} a line, or\n" +
			"Parquet, with the columns of the CSV; vertices by name, or by number. Paths of DNA may be\n" +
			"FASTA, in files also as .gz. GeoJSON is written, for maps.",
		Example: `  ddps paths count ridge
  ddps paths make heights -n 120000 --how memory -o heights.csv
  ddps paths import town.json tracks.csv -o town.csv
  ddps paths split heights heights.csv --hold 0.1 --train train.csv --held held.csv
  ddps paths list heights heights.csv -n 5`,
	}
	cmd.AddCommand(newPathsCountCmd(a), newPathsMakeCmd(a), newPathsListCmd(a), newPathsConvertCmd(a), newPathsSplitCmd(a), newPathsImportCmd(a))
	return cmd
}

func newPathsCountCmd(a *app) *cobra.Command {
	return &cobra.Command{
		Use:     "count GRAPH",
		Short:   "Print the number of paths, exactly",
		Example: `  ddps paths count ridge`,
		Args:    wantArgs("GRAPH"), ValidArgsFunction: completeGraph,
		RunE: func(_ *cobra.Command, args []string) error {
			g, err := loadGraph(args[0])
			if err != nil {
				return err
			}
			_, err = fmt.Fprintln(a.stdout, ddps.NewIndex(g).Count())
			return err
		},
	}
}

// pathEndings are the endings of path files.
var pathEndings = []string{"csv", "jsonl", "ndjson", "parquet", "fasta", "geojson"}

// pathFormat returns the format of a file to write: what is asked for, or else
// what the ending says, or CSV for standard output.
func pathFormat(path, asked string) (string, error) {
	if asked != "" {
		return asked, nil
	}
	if path == "" || path == "-" {
		return pathfile.CSV, nil
	}
	format, err := pathfile.FormatOf(path)
	if err != nil {
		return "", usagef("%w: name the format with --format", err)
	}
	return format, nil
}

// writePaths returns what writes d in a format, with vertices by name or number.
func writePaths(d *datasets.Data, format string, by pathfile.Vertices) func(io.Writer) error {
	return func(w io.Writer) error {
		out, err := pathfile.NewWriter(w, d.Graph, format, by)
		if err != nil {
			return err
		}
		return pathfile.WritePaths(out, d)
	}
}

// byVar adds a flag for how vertices are called.
func byVar(cmd *cobra.Command, p *string, name, usage string) {
	choiceVar(cmd, p, name, "", "name", []string{"name", "number"}, usage)
}

func vertices(by string) pathfile.Vertices {
	if by == "number" {
		return pathfile.ByNumber
	}
	return pathfile.ByName
}

// loadPaths reads a graph and a file of its paths. "dna" is of the length of the sequences that the file has, if it is FASTA.
func (a *app) loadPaths(graph, file, by string) (*datasets.Data, error) {
	load := func() (*ddps.LayeredGraph, error) { return loadGraph(graph) }
	if format, err := pathFormat(strings.TrimSuffix(file, ".gz"), ""); graph == "dna" && err == nil && format == "fasta" {
		load = func() (*ddps.LayeredGraph, error) { return pathfile.DNAOf(file) }
	}
	g, err := load()
	if err != nil {
		return nil, err
	}
	return a.readPaths(file, g, by)
}

// readPaths reads a file of paths, and notes what was found out.
func (a *app) readPaths(file string, g *ddps.LayeredGraph, by string) (*datasets.Data, error) {
	d, err := pathfile.ReadFile(file, g, vertices(by))
	if err == nil {
		for _, text := range d.Notes {
			a.notef("%s: %s", file, text)
		}
	}
	return d, err
}
