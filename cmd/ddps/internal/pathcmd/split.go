package pathcmd

import (
	"fmt"

	"github.com/spf13/cobra"

	"github.com/ddps-go/ddps/cmd/ddps/internal/cli"
)

// splitOptions are the flags of paths split.
type splitOptions struct {
	hold            float64
	seed            uint64
	train, held, by string
}

func newPathsSplitCmd(a *cli.App) *cobra.Command {
	var o splitOptions
	cmd := &cobra.Command{
		Use:   "split GRAPH IN --train FILE --held FILE",
		Short: "Hold out a share of the data by distinct paths",
		Long: "Split a file of paths in two: --held takes distinct paths, drawn from the seed, until they\n" +
			"hold the share --hold of the mass, --train the others. No path is in both.",
		Example: `  ddps paths split heights heights.csv --hold 0.1 --seed 1 --train train.csv --held held.csv`,
		Args:    cli.WantArgs("GRAPH", "IN"), ValidArgsFunction: cli.CompleteGraph,
		RunE: func(_ *cobra.Command, args []string) error { return pathsSplit(a, args[0], args[1], &o) },
	}
	cli.NumberVar(cmd, &o.hold, "hold", "", 0.1, 0, "share of the mass to hold out")
	cli.SeedVar(cmd, &o.seed, 0, "seed of the split")
	cli.ByVar(cmd, &o.by, "vertices", "how a CSV file calls vertices, read and written")
	cmd.Flags().StringVar(&o.train, "train", "", "`file` to write: .csv, .jsonl, .parquet, .fasta (required)")
	cmd.Flags().StringVar(&o.held, "held", "", "`file` to write: .csv, .jsonl, .parquet, .fasta (required)")
	cli.RequireFlags(cmd, "train", "held")
	cli.FileFlag(cmd, "train", cli.PathEndings()...)
	cli.FileFlag(cmd, "held", cli.PathEndings()...)
	return cmd
}

// pathsSplit runs paths split.
func pathsSplit(a *cli.App, graph, file string, o *splitOptions) error {
	if o.hold <= 0 || o.hold >= 1 {
		return cli.Usagef("--hold: %v is not between 0 and 1", o.hold)
	}
	if err := cli.CheckApart(o.train, o.held); err != nil {
		return err
	}
	trainFormat, err := cli.PathFormat(o.train, "")
	if err != nil {
		return err
	}
	heldFormat, err := cli.PathFormat(o.held, "")
	if err != nil {
		return err
	}
	d, err := a.LoadPaths(graph, file, o.by)
	if err != nil {
		return err
	}
	if len(d.Paths) < 2 {
		return fmt.Errorf("%s: one distinct path: nothing to hold out", file)
	}
	train, held := d.Split(o.hold, o.seed)
	by := cli.Vertices(o.by)
	if err := a.WriteFiles(cli.OutFile{Path: o.train, Write: cli.WritePaths(train, trainFormat, by)},
		cli.OutFile{Path: o.held, Write: cli.WritePaths(held, heldFormat, by)}); err != nil {
		return err
	}
	a.Notef("%s: %s paths, %s in all; %s: %s paths, %s in all", o.train, cli.Whole(len(train.Paths)), cli.Whole(train.Total()),
		o.held, cli.Whole(len(held.Paths)), cli.Whole(held.Total()))
	return nil
}
