package pathcmd

import (
	"github.com/spf13/cobra"

	"github.com/ddps-go/ddps/cmd/ddps/internal/cli"
	"github.com/ddps-go/ddps/datasets/pathfile"
	"github.com/ddps-go/ddps/datasets/sequences"
)

func newPathsConvertCmd(a *cli.App) *cobra.Command {
	var format, from, to string
	var walks cli.WalkFlags
	cmd := &cobra.Command{
		Use:   "convert [GRAPH] IN OUT",
		Short: "Convert a file of paths: CSV, JSON Lines, Parquet, FASTA, GeoJSON, names and numbers",
		Long: "Convert a file of paths: from CSV, JSON Lines, Parquet or, of DNA, FASTA to one of these or\n" +
			"to GeoJSON, a line a path or, as geojson-edges, a line a street with the number of times it is taken; and\n" +
			"names to numbers, and back. Repeated paths are added up. Every path is checked against the\n" +
			"graph. OUT may be - for standard output. Without a GRAPH the files are of walks, as for 'ddps graph make\n" +
			"sequences', and nothing is checked: every format of walks is read, and .csv, .jsonl, .parquet, .fasta, .txt,\n" +
			".ngram or .xes written; --format events writes a row a place.",
		Example: `  ddps paths convert heights heights.csv heights.jsonl
  ddps paths convert heights heights.csv streets.geojson --format geojson-edges
  ddps paths convert heights numbers.csv names.csv --from number
  ddps paths convert events.csv walks.txt --case case --time time --place activity`,
		Args: cli.WantArgs("[GRAPH]", "IN", "OUT"), ValidArgsFunction: cli.CompleteGraph,
		RunE: func(cmd *cobra.Command, args []string) error {
			switch {
			case len(args) == 2 && (from != "name" || to != "name"):
				return cli.Usagef("--from and --to number vertices, which walks without a GRAPH have not")
			case len(args) == 2:
				return convertWalks(a, args[0], args[1], format, &walks)
			}
			out, err := cli.PathFormat(args[2], format)
			if err != nil {
				return err
			}
			d, err := walks.LoadPaths(a, cmd, args[0], args[1], from)
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
	cli.ChoiceVar(cmd, &format, "format", "", "", outFormats(), "format of OUT, by default what its ending says")
	walks.ReadVarsOf(cmd, "input-format")
	cli.ByVar(cmd, &from, "from", "how IN, if CSV or Parquet, calls vertices")
	cli.ByOutVar(cmd, &to, "to", "how OUT calls vertices")
	cli.LastIsOutput(cmd)
	return cmd
}

// outFormats are the formats that are written: of paths, and of walks.
func outFormats() []string {
	list := pathfile.Formats()
	for _, f := range []sequences.Format{sequences.NGram, sequences.Events, sequences.XES} {
		list = append(list, string(f))
	}
	return list
}
