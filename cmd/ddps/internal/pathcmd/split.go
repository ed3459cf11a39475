package pathcmd

import (
	"fmt"

	"github.com/spf13/cobra"

	"github.com/ddps-go/ddps/cmd/ddps/internal/cli"
	"github.com/ddps-go/ddps/datasets/pathfile"
	"github.com/ddps-go/ddps/datasets/sequences"
)

// splitOptions are the flags of paths split.
type splitOptions struct {
	hold            float64
	seed            uint64
	train, held, by string
	unit            string // walk or path
	walks           cli.WalkFlags
}

// What a split keeps together.
const (
	byWalk = "walk"
	byPath = "path"
)

func newPathsSplitCmd(a *cli.App) *cobra.Command {
	var o splitOptions
	cmd := &cobra.Command{
		Use:   "split [GRAPH] IN --train FILE --held FILE",
		Short: "Split data at random in two, to train and to test",
		Long: "Split a file of paths in two: --held takes the share --hold of the walks, drawn from the seed, --train the\n" +
			"others. Equal walks may be in both, as what is walked often will be walked again; with --by path they stay\n" +
			"together, and no path is in both. Without a GRAPH the file is of walks, as for 'ddps graph make sequences'.",
		Example: `  ddps paths split walks.txt --hold 0.2 --train train.txt --held test.txt
  ddps paths split heights heights.csv --hold 0.1 --seed 1 --by path --train train.csv --held held.csv`,
		Args: cli.WantArgs("[GRAPH]", "IN"), ValidArgsFunction: cli.CompleteGraph,
		RunE: func(cmd *cobra.Command, args []string) error { return pathsSplit(a, cmd, args, &o) },
	}
	cli.NumberVar(cmd, &o.hold, "hold", "", 0.1, 0, "share of the walks that --held takes")
	cli.SeedVar(cmd, &o.seed, 0, "seed of the split")
	cli.ChoiceVar(cmd, &o.unit, "by", "", byWalk, []string{byWalk, byPath}, "what is drawn")
	cli.ByVar(cmd, &o.by, "vertices", "how a CSV file calls vertices, read and written")
	cmd.Flags().StringVar(&o.train, "train", "", "`file` to write: .csv, .jsonl, .parquet, .fasta, without GRAPH also "+
		".txt, .ngram, .xes (required)")
	cmd.Flags().StringVar(&o.held, "held", "", "`file` to write: as --train (required)")
	cli.RequireFlags(cmd, "train", "held")
	cli.FileFlag(cmd, "train", cli.PathEndings()...)
	cli.FileFlag(cmd, "held", cli.PathEndings()...)
	cli.Outputs(cmd, "train", "held")
	o.walks.ReadVars(cmd)
	return cmd
}

// pathsSplit runs paths split.
func pathsSplit(a *cli.App, cmd *cobra.Command, args []string, o *splitOptions) error {
	if o.hold <= 0 || o.hold >= 1 {
		return cli.Usagef("--hold: %v is not between 0 and 1", o.hold)
	}
	if err := cli.CheckApart(o.train, o.held); err != nil {
		return err
	}
	switch {
	case len(args) == 1 && o.unit == byPath:
		return cli.Usagef("--by path wants a GRAPH, whose paths are meant")
	case len(args) == 1 && o.by == "number":
		return cli.Usagef("--vertices number wants a GRAPH")
	case len(args) == 1:
		return splitWalks(a, args[0], o)
	}
	return splitPaths(a, cmd, args[0], args[1], o)
}

// splitPaths splits paths of a graph.
func splitPaths(a *cli.App, cmd *cobra.Command, graph, file string, o *splitOptions) error {
	trainFormat, err := pathfile.FormatOf(o.train) // --format is of what is read
	if err != nil {
		return cli.Usagef("--train %w", err)
	}
	heldFormat, err := pathfile.FormatOf(o.held)
	if err != nil {
		return cli.Usagef("--held %w", err)
	}
	d, err := o.walks.LoadPaths(a, cmd, graph, file, o.by)
	if err != nil {
		return err
	}
	train, held := d.Split(o.hold, o.seed)
	if o.unit == byWalk {
		train, held = sequences.SplitWalks(d, o.hold, o.seed)
	}
	if train == nil || held == nil || len(held.Paths) == 0 {
		return fmt.Errorf("%s: %s walks of %s distinct paths: nothing to hold out at --hold %v by %s", file,
			cli.Whole(d.Total()),
			cli.Whole(len(d.Paths)), o.hold, o.unit)
	}
	by := cli.Vertices(o.by)
	if err := a.WriteFiles(cli.OutFile{Path: o.train, Write: cli.WritePaths(train, trainFormat, by)},
		cli.OutFile{Path: o.held, Write: cli.WritePaths(held, heldFormat, by)}); err != nil {
		return err
	}
	a.Notef("%s: %s paths, %s in all; %s: %s paths, %s in all", o.train, cli.Whole(len(train.Paths)),
		cli.Whole(train.Total()),
		o.held, cli.Whole(len(held.Paths)), cli.Whole(held.Total()))
	if known, total := sequences.KnownWalks(train, held); o.unit == byWalk {
		a.Notef("%s: %s of %s walks (%s) are of paths in %s, too", o.held, cli.Whole(known), cli.Whole(total),
			cli.Percent(float64(known)/float64(total)), o.train)
	}
	return nil
}

// splitWalks splits walks without a graph.
func splitWalks(a *cli.App, file string, o *splitOptions) error {
	trainFormat, err := cli.WalksFormat(o.train)
	if err != nil {
		return err
	}
	heldFormat, err := cli.WalksFormat(o.held)
	if err != nil {
		return err
	}
	w, err := o.walks.Read(a, file)
	if err != nil {
		return err
	}
	train, held := w.Split(o.hold, o.seed)
	if train.Total() == 0 || held.Total() == 0 {
		return fmt.Errorf("%s: %s walks: nothing is left for one of the parts", file, cli.Whole(w.Total()))
	}
	if err := a.WriteFiles(cli.WalksFile(o.train, trainFormat, train), cli.WalksFile(o.held, heldFormat,
		held)); err != nil {
		return err
	}
	a.Notef("%s: %s walks; %s: %s walks", o.train, cli.Whole(train.Total()), o.held, cli.Whole(held.Total()))
	return nil
}
