package pathcmd

import (
	"fmt"
	"io"
	"math/big"
	"strings"

	"github.com/spf13/cobra"

	"github.com/ddps-go/ddps/cmd/ddps/internal/cli"
	"github.com/ddps-go/ddps/datasets"
	"github.com/ddps-go/ddps/datasets/pathfile"
	"github.com/ddps-go/ddps/ddps"
)

func newPathsListCmd(a *cli.App) *cobra.Command {
	var n int
	var format, by string
	var walks cli.WalkFlags
	cmd := &cobra.Command{
		Use:   "list [GRAPH] [FILE]",
		Short: "List the first paths of a graph, or of a file",
		Long: "List the first paths of a graph, in the order of its edges and without making the others,\n" +
			"or of a file of paths with their counts; without a GRAPH the file is of walks, which nothing checks.",
		Example: `  ddps paths list toy
  ddps paths list heights heights.csv -n 5
  ddps paths list example -n 3 --format jsonl
  ddps paths list walks.txt -n 5`,
		Args: cli.WantArgs("GRAPH", "[FILE]"), ValidArgsFunction: cli.CompleteGraph,
		RunE: func(cmd *cobra.Command, args []string) error {
			reading, _ := walks.Given(cmd)
			switch {
			case len(args) == 1 && (args[0] == "-" && len(reading) > 0 || a.IsWalks(args[0])):
				return listWalks(a, args[0], n, format, &walks)
			case len(args) == 1 && len(reading) > 0:
				return cli.Usagef("%s: of files of walks, and there is no FILE", strings.Join(reading, ", "))
			}
			d, more, err := firstPaths(a, cmd, args, n, by, &walks)
			if err != nil {
				return err
			}
			write := cli.WritePaths(d, format, pathfile.ByName)
			if format == "text" {
				write = func(w io.Writer) error { return textPaths(w, d) }
			}
			if err := a.WriteFile("", write); err != nil {
				return err
			}
			if more.Sign() > 0 {
				a.Notef("%s more; -n shows more of them", cli.WholeBig(more))
			}
			return nil
		},
	}
	cli.CountVar(cmd, &n, "number", "n", 20, 1, "number of paths to list")
	cli.ChoiceVar(cmd, &format, "format", "", "text", []string{"text", "csv", "jsonl"}, "format")
	walks.ReadVarsOf(cmd, "input-format")
	cli.ByVar(cmd, &by, "vertices", "how a CSV file calls vertices")
	return cmd
}

// firstPaths returns the first n paths of the graph args[0], or of the file
// args[1], and how many there are beyond them.
func firstPaths(a *cli.App, cmd *cobra.Command, args []string, n int, by string, walks *cli.WalkFlags) (*datasets.Data,
	*big.Int, error) {
	if len(args) == 2 {
		d, err := walks.LoadPaths(a, cmd, args[0], args[1], by)
		if err != nil {
			return nil, nil, err
		}
		more := len(d.Paths) - n
		if more > 0 {
			d.Paths, d.Counts = d.Paths[:n], d.Counts[:n]
		}
		return d, big.NewInt(int64(more)), nil
	}
	g, err := a.LoadGraph(args[0])
	if err != nil {
		return nil, nil, err
	}
	d := &datasets.Data{Graph: g}
	for p := range g.Paths() {
		d.Paths, d.Counts = append(d.Paths, p), append(d.Counts, 1)
		if len(d.Paths) == n {
			break
		}
	}
	more := ddps.NumPaths(g)
	return d, more.Sub(more, big.NewInt(int64(len(d.Paths)))), nil
}

// textPaths writes paths for people: A → C → G → H ×3.
func textPaths(w io.Writer, d *datasets.Data) error {
	text := cli.PathTexter(d.Graph)
	for i, p := range d.Paths {
		times := ""
		if d.Counts[i] > 1 {
			times = fmt.Sprintf("  ×%d", d.Counts[i])
		}
		if _, err := fmt.Fprintf(w, "%s%s\n", text(p), times); err != nil {
			return err
		}
	}
	return nil
}
