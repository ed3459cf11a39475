package graphcmd

import (
	"bytes"
	"io"

	"github.com/spf13/cobra"

	"github.com/ddps-go/ddps/cmd/ddps/internal/cli"
	"github.com/ddps-go/ddps/datasets/pathfile"
)

func newGraphConvertCmd(a *cli.App) *cobra.Command {
	var format string
	cmd := &cobra.Command{
		Use:   "convert GRAPH OUT",
		Short: "Write a layered graph as GraphML, DOT or JSON",
		Long: "Write a layered graph as GraphML, which NetworkX, igraph and Gephi read and this program, too,\n" +
			"as DOT for Graphviz, or as JSON. OUT may be - for standard output.",
		Example: `  ddps graph convert heights heights.graphml
  ddps graph convert example - --format dot
  ddps graph convert heights.graphml heights.json`,
		Args: cli.WantArgs("GRAPH", "OUT"), ValidArgsFunction: cli.CompleteGraph,
		RunE: func(_ *cobra.Command, args []string) error {
			if format == "" {
				var err error
				if format, err = graphFormat(args[1]); err != nil {
					return err
				}
			}
			g, err := cli.LoadGraph(args[0])
			if err != nil {
				return err
			}
			var buf bytes.Buffer // what fails before is no failure of the file
			if err := pathfile.WriteGraph(&buf, g, format); err != nil {
				return err
			}
			return a.WriteFile(args[1], func(w io.Writer) error { _, err := buf.WriteTo(w); return err })
		},
	}
	cli.ChoiceVar(cmd, &format, "format", "", "", pathfile.GraphFormats(),
		"format, by default what the ending of OUT says")
	cli.LastIsOutput(cmd)
	return cmd
}

// graphFormat returns the format of a file to write.
func graphFormat(path string) (string, error) {
	if path == "-" {
		return pathfile.GraphJSON, nil
	}
	format, err := pathfile.GraphFormatOf(path)
	if err != nil {
		return "", cli.Usagef("%w: name the format with --format", err)
	}
	return format, nil
}
