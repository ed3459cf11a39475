package pathcmd

import (
	"github.com/spf13/cobra"

	"github.com/ddps-go/ddps/cmd/ddps/internal/cli"
	"github.com/ddps-go/ddps/datasets/pathfile"
)

func newPathsConvertCmd(a *cli.App) *cobra.Command {
	var format, from, to string
	cmd := &cobra.Command{
		Use:   "convert GRAPH IN OUT",
		Short: "Convert a file of paths: CSV, JSON Lines, Parquet, FASTA, GeoJSON, names and numbers",
		Long: "Convert a file of paths: from CSV, JSON Lines, Parquet or, of DNA, FASTA to one of these or\n" +
			"to GeoJSON, a line a path or, as geojson-edges, a line a street with the number of times it is taken; and\n" +
			"names to numbers, and back. Repeated paths are added up. Every path is checked against the\n" +
			"graph. OUT may be - for standard output.",
		Example: `  ddps paths convert heights heights.csv heights.jsonl
  ddps paths convert heights heights.csv streets.geojson --format geojson-edges
  ddps paths convert heights numbers.csv names.csv --from number`,
		Args: cli.WantArgs("GRAPH", "IN", "OUT"), ValidArgsFunction: cli.CompleteGraph,
		RunE: func(_ *cobra.Command, args []string) error {
			out, err := cli.PathFormat(args[2], format)
			if err != nil {
				return err
			}
			d, err := a.LoadPaths(args[0], args[1], from)
			if err != nil {
				return err
			}
			if err := a.WriteFile(args[2], cli.WritePaths(d, out, cli.Vertices(to))); err != nil {
				return err
			}
			a.Notef("%s: %s distinct paths, %s in all", cli.OutName(args[2]), cli.Whole(len(d.Paths)), cli.Whole(d.Total()))
			return nil
		},
	}
	cli.ChoiceVar(cmd, &format, "format", "", "", pathfile.Formats(), "format of OUT, by default what its ending says")
	cli.ByVar(cmd, &from, "from", "how IN, if CSV or Parquet, calls vertices")
	cli.ByOutVar(cmd, &to, "to", "how OUT calls vertices")
	return cmd
}
