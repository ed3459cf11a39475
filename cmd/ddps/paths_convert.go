package main

import "github.com/spf13/cobra"

func newPathsConvertCmd(a *app) *cobra.Command {
	var format, from, to string
	cmd := &cobra.Command{
		Use:   "convert GRAPH IN OUT",
		Short: "Convert a file of paths: CSV to JSON Lines, names to numbers, and back",
		Long: "Convert a file of paths: CSV to JSON Lines, names to numbers, and back. Repeated paths are\n" +
			"added up. Every path is checked against the graph. OUT may be - for standard output.",
		Example: `  ddps paths convert heights heights.csv heights.jsonl
  ddps paths convert heights numbers.csv names.csv --from number`,
		Args: wantArgs("GRAPH", "IN", "OUT"), ValidArgsFunction: completeGraph,
		RunE: func(_ *cobra.Command, args []string) error {
			out, err := pathFormat(args[2], format)
			if err != nil {
				return err
			}
			d, err := loadPaths(args[0], args[1], from)
			if err != nil {
				return err
			}
			if err := a.writeFile(args[2], writePaths(d, out, vertices(to))); err != nil {
				return err
			}
			a.notef("%s: %s distinct paths, %s in all", outName(args[2]), whole(len(d.Paths)), whole(d.Total()))
			return nil
		},
	}
	choiceVar(cmd, &format, "format", "", "", pathFormats, "format of OUT, by default what its ending says")
	byVar(cmd, &from, "from", "how IN, if CSV, calls vertices")
	byVar(cmd, &to, "to", "how OUT calls vertices")
	return cmd
}
