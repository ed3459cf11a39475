package pathcmd

import (
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"github.com/ddps-go/ddps/cmd/ddps/internal/cli"
	"github.com/ddps-go/ddps/ddps"
)

// New returns the command ddps paths.
func New(a *cli.App) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "paths",
		Short: "Count, draw, import, list and convert the paths of a graph",
		Long: "Count, draw, import, list and convert the paths of a graph. Files of paths are CSV, a path a row\n" +
			"and optionally a count, JSON Lines, {\"path\": [\"a\", \"b\", …], \"count\": 2} a line, or\n" +
			"Parquet, with the columns of the CSV; vertices by name, or by number. Paths of DNA may be\n" +
			"FASTA. All that is read but Parquet may be packed by gzip, as .csv.gz. GeoJSON is written, for maps.",
		Example: `  ddps paths count ridge
  ddps paths make heights -n 120000 --how memory -o heights.csv
  ddps paths import town.json tracks.csv -o town.csv
  ddps paths split heights heights.csv --hold 0.1 --train train.csv --held held.csv
  ddps paths list heights heights.csv -n 5`,
	}
	cmd.AddCommand(newPathsCountCmd(a), newPathsMakeCmd(a), newPathsListCmd(a), newPathsConvertCmd(a), newPathsSplitCmd(a),
		newPathsImportCmd(a))
	return cmd
}

func newPathsCountCmd(a *cli.App) *cobra.Command {
	var o countOptions
	cmd := &cobra.Command{
		Use:   "count GRAPH [FILE…]",
		Short: "Print the number of paths, exactly, of a graph or in a file",
		Long: "Print the number of a graph's paths, exactly; or of a FILE how many paths it has with repeats, how many\n" +
			"distinct ones, and how many of them stand more than once. A FILE of walks needs no GRAPH.\n\n" + countLong,
		Example: `  ddps paths count ridge
  ddps paths count heights heights.csv
  ddps paths count heights walks-1.csv walks-2.csv -o counts.csv
  ddps paths count heights walks.csv --shard 3/64 -o shards`,
		Args: cli.WantArgs("GRAPH", "[FILE…]"), ValidArgsFunction: cli.CompleteGraph,
		RunE: func(cmd *cobra.Command, args []string) error {
			if o.writes(cmd) || len(args) > 2 {
				return countFiles(a, cmd, args, &o)
			}
			if len(args) == 1 && a.IsWalks(args[0]) {
				return countWalks(a, args[0])
			}
			if len(args) == 2 {
				return countFile(a, args[0], args[1], o.by)
			}
			g, err := a.LoadGraph(args[0])
			if err != nil {
				return err
			}
			_, err = fmt.Fprintln(a.Stdout, ddps.NumPaths(g))
			return err
		},
	}
	o.flags(cmd)
	return cmd
}

// countFile counts the paths of a file.
func countFile(a *cli.App, graph, file, by string) error {
	d, err := a.LoadPaths(graph, file, by)
	if err != nil {
		return err
	}
	repeated, most := 0, 0
	for _, n := range d.Counts {
		if n > 1 {
			repeated++
		}
		most = max(most, n)
	}
	return a.WriteFile("", func(w io.Writer) error { return countTable(w, d.Total(), len(d.Paths), repeated, most) })
}
