package main

import (
	"fmt"

	"github.com/spf13/cobra"
)

// splitOptions are the flags of paths split.
type splitOptions struct {
	hold            float64
	seed            uint64
	train, held, by string
}

func newPathsSplitCmd(a *app) *cobra.Command {
	var o splitOptions
	cmd := &cobra.Command{
		Use:   "split GRAPH IN --train FILE --held FILE",
		Short: "Hold out a share of the data by distinct paths",
		Long: "Split a file of paths in two: --held takes distinct paths, drawn from the seed, until they\n" +
			"hold the share --hold of the mass, --train the others. No path is in both.",
		Example: `  ddps paths split heights heights.csv --hold 0.1 --seed 1 --train train.csv --held held.csv`,
		Args:    wantArgs("GRAPH", "IN"), ValidArgsFunction: completeGraph,
		RunE: func(_ *cobra.Command, args []string) error { return a.pathsSplit(args[0], args[1], &o) },
	}
	numberVar(cmd, &o.hold, "hold", "", 0.1, 0, "share of the mass to hold out")
	seedVar(cmd, &o.seed, 0, "seed of the split")
	byVar(cmd, &o.by, "vertices", "how a CSV file calls vertices, read and written")
	cmd.Flags().StringVar(&o.train, "train", "", "`file` to write: .csv, .jsonl, .parquet, .fasta (required)")
	cmd.Flags().StringVar(&o.held, "held", "", "`file` to write: .csv, .jsonl, .parquet, .fasta (required)")
	requireFlags(cmd, "train", "held")
	fileFlag(cmd, "train", pathEndings...)
	fileFlag(cmd, "held", pathEndings...)
	return cmd
}

// pathsSplit runs paths split.
func (a *app) pathsSplit(graph, file string, o *splitOptions) error {
	if o.hold <= 0 || o.hold >= 1 {
		return usagef("--hold: %v is not between 0 and 1", o.hold)
	}
	if err := checkApart(o.train, o.held); err != nil {
		return err
	}
	trainFormat, err := pathFormat(o.train, "")
	if err != nil {
		return err
	}
	heldFormat, err := pathFormat(o.held, "")
	if err != nil {
		return err
	}
	d, err := a.loadPaths(graph, file, o.by)
	if err != nil {
		return err
	}
	if len(d.Paths) < 2 {
		return fmt.Errorf("%s: one distinct path: nothing to hold out", file)
	}
	train, held := d.Split(o.hold, o.seed)
	by := vertices(o.by)
	if err := a.writeFiles(outFile{o.train, writePaths(train, trainFormat, by)},
		outFile{o.held, writePaths(held, heldFormat, by)}); err != nil {
		return err
	}
	a.notef("%s: %s paths, %s in all; %s: %s paths, %s in all", o.train, whole(len(train.Paths)), whole(train.Total()),
		o.held, whole(len(held.Paths)), whole(held.Total()))
	return nil
}
