package main

import (
	"context"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"time"

	"github.com/spf13/cobra"

	"github.com/ddps-go/ddps/ddps/experiment"
	"github.com/ddps-go/ddps/ddps/train"
)

func newQuickstartCmd(a *app) *cobra.Command {
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
			"anew, that of Heights on so many paths, in run folders, which the other commands take; a second\n" +
			"run finds them there.",
		Example: `  ddps quickstart
  ddps quickstart --paths 20000 -o out/trained`,
		Args: wantArgs(),
		RunE: func(cmd *cobra.Command, _ []string) error {
			if n != 0 && n < 100 {
				return usagef("--paths %d: want 100 or more, or 0 for the models that come with the program", n)
			}
			return a.quickstart(cmd.Context(), out, n, seed)
		},
	}
	cmd.Flags().StringVarP(&out, "output", "o", "quickstart", "`folder` to write to")
	countVar(cmd, &n, "paths", "", 0, 0, "paths of Heights to train on; 0 for no training")
	seedVar(cmd, &seed, 0, "seed of rewards and samples")
	fileFlag(cmd, "output")
	return cmd
}

// stages shows the stages of a demo as progress.
type stages struct {
	a *app
	p *progress
}

func (s *stages) Begin(stage string, done, total int) { s.p = s.a.newProgress(stage, done, total) }
func (s *stages) Set(done int, detail string)         { s.p.Set(done, detail) }
func (s *stages) End()                                { s.p.Done() }

func (a *app) quickstart(ctx context.Context, out string, n int, seed uint64) error {
	began := time.Now()
	if out == "" {
		return usagef("--output is empty")
	}
	if err := checkFolder(out); err != nil {
		return err
	}
	if err := os.MkdirAll(out, 0o755); err != nil {
		return fmt.Errorf("cannot write into %s: %w", out, reason(err))
	}
	toy, err := experiment.ToyDemo(n > 0, seed)
	if err != nil {
		return err
	}
	heights, err := experiment.HeightsDemo(n, seed)
	if err != nil {
		return err
	}
	demos := []*experiment.Demo{toy, heights}
	folder := func(d *experiment.Demo) string { return filepath.Join(out, "run-"+d.Slug()) }
	for _, d := range demos { // before long work
		if err := d.Check(folder(d)); err != nil {
			return err
		}
	}
	var reports []*experiment.Report
	for _, d := range demos {
		d.Warn = a.warn
		rep, err := d.Run(ctx, folder(d), &stages{a: a})
		if errors.Is(err, train.ErrStopped) {
			a.notef("%s; the same command goes on from there", message(err))
			return ctx.Err()
		}
		if err != nil {
			return err
		}
		reports = append(reports, rep)
		if err := a.printReport(rep); err != nil {
			return err
		}
	}
	page := filepath.Join(out, "index.html")
	if err := a.writePage(page, reports); err != nil {
		return err
	}
	_, err = fmt.Fprintf(a.stdout, "\nFigures: %s (took %s)\n", page, duration(time.Since(began)))
	return err
}

// printReport prints the two tables of a demo.
func (a *app) printReport(r *experiment.Report) error {
	d := r.Demo
	fmt.Fprintf(a.stdout, "\n%s: %s vertices (%s on some path), %s edges, %s distinct paths in the data\n", d.Name,
		whole(d.Data.Graph.NumVertices()), whole(r.Graph.NumVertices()), whole(r.Graph.NumEdges()), whole(len(d.Data.Paths)))
	if len(r.Evals) > 0 {
		fmt.Fprintln(a.stdout, "Training: "+kept(r.Evals))
	}
	fmt.Fprintf(a.stdout, "%s samples of each distribution; in brackets the sampling floor: exact samples of the same size\n\nUnguided, against the true distribution\n", whole(d.Samples))
	if err := printTable(a.stdout, rowHeader(r.Unguided), rowCells(r.Unguided)); err != nil {
		return err
	}
	fmt.Fprintf(a.stdout, "\nGuided to reward %d, against it given the maximum (probability %s)\n", d.RMax, real3(r.PMax))
	return printTable(a.stdout, rowHeader(r.Conditioned), rowCells(r.Conditioned))
}

// rowHeader names the columns of rowCells.
func rowHeader(rows []experiment.Row) []string {
	h := []string{"distribution", "valid", "mean reward", "at maximum", "L1", "KL"}
	if !math.IsNaN(rows[0].Districts.Value) {
		h = append(h, "districts ½L1", "revisits ½L1")
	}
	if !math.IsNaN(rows[0].Nats.Value) {
		h = append(h, "nats per path")
	}
	return h
}

func rowCells(rows []experiment.Row) [][]string {
	var out [][]string
	for _, r := range rows {
		c := []string{r.Name, percent(r.Valid), real3(r.Reward), percent(r.AtMax), floored(r.L1), floored(r.KL)}
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
func floored(v experiment.Value) string {
	return fmt.Sprintf("%s (%s)", real3(v.Value), real3(v.Floor))
}

// kept tells which of the evaluated weights the model keeps.
func kept(evals []train.EvalInfo) string {
	for i := len(evals) - 1; i >= 0; i-- {
		if e := evals[i]; e.Best {
			return fmt.Sprintf("held-out loss %.4f nats per path, without the network %.4f: gain %+.4f at step %s", e.CE, e.BaseCE, e.Gain(), whole(e.Step))
		}
	}
	return "no gain over the start on held-out paths, so the model stays what it was: more paths, or smaller settings, may help"
}
