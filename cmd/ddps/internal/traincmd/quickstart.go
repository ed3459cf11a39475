package traincmd

import (
	"context"
	"errors"
	"fmt"
	"math"
	"path/filepath"
	"time"

	"github.com/spf13/cobra"

	"github.com/ddps-go/ddps/cmd/ddps/internal/cli"
	"github.com/ddps-go/ddps/ddps/compare"
	"github.com/ddps-go/ddps/ddps/study"
	"github.com/ddps-go/ddps/ddps/train"
	"github.com/ddps-go/ddps/internal/atomicfile"
)

// NewQuickstart returns the command ddps quickstart.
func NewQuickstart(a *cli.App) *cobra.Command {
	var out string
	var n int
	var seed uint64
	cmd := &cobra.Command{
		Use:   "quickstart",
		Short: "See it all: data, models, sampling and guidance, on Toy and on a street map",
		Long: "See it all in about a minute on two cores: on Toy and on Heights, the streets round a corner of\n" +
			"Helsinki, it makes data, takes the models that come with the program, draws paths, and guides\n" +
			"them to a reward by the paper's Algorithm 2 and by exact conditioning. It prints a table and\n" +
			"writes figures and a page that shows them (index.html). With --paths it trains the models\n" +
			"anew, that of Heights on so many paths, in run directories, which the other commands take; a second\n" +
			"run finds them there.",
		Example: `  ddps quickstart
  ddps quickstart --paths 20000 -o out/trained`,
		Args: cli.WantArgs(),
		RunE: func(cmd *cobra.Command, _ []string) error {
			if n != 0 && n < 100 {
				return cli.Usagef("--paths %d: want 100 or more, or 0 for the models that come with the program", n)
			}
			return quickstart(a, cmd.Context(), out, n, seed)
		},
	}
	cmd.Flags().StringVarP(&out, "output", "o", "quickstart", "`directory` to write to")
	cli.CountVar(cmd, &n, "paths", "", 0, 0, "paths of Heights to train on; 0 for no training")
	cli.SeedVar(cmd, &seed, 0, "seed of rewards and samples")
	cli.FileFlag(cmd, "output")
	return cmd
}

func quickstart(a *cli.App, ctx context.Context, out string, n int, seed uint64) error {
	began := time.Now()
	if out == "" {
		return cli.Usagef("--output is empty")
	}
	if err := cli.CheckDir(out); err != nil {
		return err
	}
	if err := atomicfile.MakeDir(out); err != nil {
		return fmt.Errorf("cannot write into %s: %w", out, cli.Reason(err))
	}
	toy, err := study.ToyDemo(n > 0, seed)
	if err != nil {
		return err
	}
	heights, err := study.HeightsDemo(n, seed)
	if err != nil {
		return err
	}
	demos := []*study.Demo{toy, heights}
	dirOf := func(d *study.Demo) string { return filepath.Join(out, "run-"+d.Slug()) }
	for _, d := range demos { // before long work
		if err := d.Check(dirOf(d)); err != nil {
			return err
		}
	}
	var reports []*study.Report
	for _, d := range demos {
		d.Warn = a.Warn
		rep, err := d.Run(ctx, dirOf(d), cli.NewStages(a))
		if errors.Is(err, train.ErrStopped) {
			a.Notef("%s; the same command goes on from there", cli.Message(err))
			return ctx.Err()
		}
		if err != nil {
			return err
		}
		reports = append(reports, rep)
		if err := printReport(a, rep); err != nil {
			return err
		}
	}
	page := filepath.Join(out, "index.html")
	if err := writePage(a, page, reports); err != nil {
		return err
	}
	_, err = fmt.Fprintf(a.Stdout, "\nFigures: %s (took %s)\n", page, cli.Duration(time.Since(began)))
	return err
}

// printReport prints the two tables of a demo.
func printReport(a *cli.App, r *study.Report) error {
	d := r.Demo
	fmt.Fprintf(a.Stdout, "\n%s: %s vertices (%s on some path), %s edges, %s distinct paths in the data\n", d.Name,
		cli.Whole(d.Data.Graph.NumVertices()), cli.Whole(r.Graph.NumVertices()), cli.Whole(r.Graph.NumEdges()),
		cli.Whole(len(d.Data.Paths)))
	if len(r.Evals) > 0 {
		fmt.Fprintln(a.Stdout, "Training: "+kept(r.Evals))
	}
	fmt.Fprintf(a.Stdout, "%s samples of each distribution; in brackets the sampling floor: exact samples of the same "+
		"size\n\nUnguided, against the true distribution%s\n", cli.Whole(d.Samples), sparseText(r.Unguided))
	if err := cli.PrintTable(a.Stdout, rowHeader(r.Unguided), rowCells(r.Unguided)); err != nil {
		return err
	}
	fmt.Fprintf(a.Stdout, "\nGuided to reward %d, against it given the maximum (probability %s)%s\n", d.RMax,
		cli.Real3(r.PMax), sparseText(r.Conditioned))
	return cli.PrintTable(a.Stdout, rowHeader(r.Conditioned), rowCells(r.Conditioned))
}

// sparseText says why rows have no distances of whole paths, if they have none.
func sparseText(rows []compare.Row) string {
	if !rows[0].Sparse {
		return ""
	}
	return ", which has more paths than samples: L1 and KL say little"
}

// rowHeader names the columns of rowCells, without distances of whole paths where there are more of them than samples.
func rowHeader(rows []compare.Row) []string {
	h := []string{"distribution", "valid", "mean reward", "at maximum"}
	if !rows[0].Sparse {
		h = append(h, "L1", "KL")
	}
	if !math.IsNaN(rows[0].Districts.Value) {
		h = append(h, "districts ½L1", "revisits ½L1")
	}
	if !math.IsNaN(rows[0].Nats.Value) {
		h = append(h, "nats per path")
	}
	return h
}

func rowCells(rows []compare.Row) [][]string {
	var out [][]string
	for _, r := range rows {
		c := []string{r.Name, cli.Percent(r.Valid), cli.Real3(r.Reward), cli.Percent(r.AtMax)}
		if !r.Sparse {
			c = append(c, floored(r.L1), floored(r.KL))
		}
		if !math.IsNaN(r.Districts.Value) {
			c = append(c, floored(r.Districts), floored(r.Revisits))
		}
		if !math.IsNaN(r.Nats.Value) {
			c = append(c, fmt.Sprintf("%.3f (%.3f)", r.Nats.Value, r.Nats.Floor))
		}
		out = append(out, c)
	}
	return out
}

// floored writes a value with its sampling floor.
func floored(v compare.Value) string {
	return fmt.Sprintf("%s (%s)", cli.Real3(v.Value), cli.Real3(v.Floor))
}

// kept tells which of the evaluated weights the model keeps.
func kept(evals []train.EvalInfo) string {
	for i := len(evals) - 1; i >= 0; i-- {
		if e := evals[i]; e.Best {
			return fmt.Sprintf("validation loss %.4f nats per path, without the network %.4f: gain %+.4f at step %s", e.CE,
				e.BaseCE, e.Gain(), cli.Whole(e.Step))
		}
	}
	return "no gain over the start on validation paths, so the model stays what it was: more paths, or smaller " +
		"settings, may help"
}
