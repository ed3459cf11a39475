package reproducecmd

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/jedib0t/go-pretty/v6/table"
	"github.com/spf13/cobra"

	"github.com/ddps-go/ddps/cmd/ddps/internal/cli"
	"github.com/ddps-go/ddps/ddps/run"
	"github.com/ddps-go/ddps/ddps/study"
	"github.com/ddps-go/ddps/ddps/study/table1"
	"github.com/ddps-go/ddps/internal/atomicfile"
)

func newTable1Cmd(a *cli.App) *cobra.Command {
	var t table1.Study
	var out string
	var size baselineSize
	var shard sharding
	var dry bool
	seeds := 1
	cmd := &cobra.Command{
		Use:   "table1",
		Short: "How often methods draw a path: table 1, the valid rates",
		Long: "Train EDP-GNN, SwinGNN and DDPS on the same 1,080 of the 1,350 paths of RQ1, draw samples of each and\n" +
			"count which are exactly one path of the graph, and what the others are. Shares are of the samples, with the\n" +
			"95% interval of the valid rate; unique and novel (not trained on) are shares of the valid ones.\n" +
			"--preset paper takes the published settings and 8,192 samples and wants a GPU; quick takes smaller networks,\n" +
			"fewer steps and 512 samples, in an hour or so on two CPUs with XLA (ddps backend install xla:cpu).\n" +
			"--graph example takes the ten paths of the example graph and 64 samples, in minutes and without XLA.\n" +
			"Results are rows of table1.csv, and table1.md; what SwinGNN has learned at each checkpoint goes to swingnn.csv,\n" +
			"with a figure. A study that was stopped resumes, and finds what is there.",
		Example: `  ddps reproduce table1 -o out/table1
  ddps reproduce table1 --graph example
  ddps reproduce table1 --methods ddps,edp-gnn --samples 256
  ddps reproduce table1 --preset paper --backend xla:cuda -o out/table1`,
		Args: cli.WantArgs(),
		RunE: func(cmd *cobra.Command, _ []string) error {
			t.Graph, t.Preset = size.of(a, cmd)
			if dry {
				return dryRun(a, cmd.Context(), func() ([]estimator, error) { return tableEstimators(&t, seeds, out) })
			}
			return shard.run(a, cmd, &out, func() error { return runTable1(a, cmd.Context(), &t, seeds, out, &shard) })
		},
	}
	size.flags(cmd)
	cli.SeedVar(cmd, &t.Seed, 0, "seed of the validation paths, weights, training and samples")
	cli.CountVar(cmd, &seeds, "seeds", "", 1, 1, "how many seeds, from --seed")
	cli.CountVar(cmd, &t.Samples, "samples", "n", 0, 0, "samples of each method (default as the preset says)")
	cli.CountVar(cmd, &t.Train, "train-steps", "", 0, 0, "training steps of each network, over which learning "+
		"rates fall as far as over the preset's; 0: the preset's")
	cmd.Flags().Var(&methodsFlag{&t.Methods}, "methods", "methods, by commas (default all): "+strings.Join(methodWords(),
		","))
	cli.CompleteWords(cmd, "methods", methodWords()...)
	cmd.Flags().StringVar(&t.Backend, "backend", "auto", "`name` of what EDP-GNN and SwinGNN run on: go, xla:cpu, "+
		"xla:cuda, auto")
	cli.CompleteWords(cmd, "backend", "go", "xla:cpu", "xla:cuda", "auto")
	shard.flag(cmd)
	dryRunVar(cmd, &dry)
	cmd.Flags().StringVarP(&out, "output", "o", "table1", "`directory` to write to")
	cli.FileFlag(cmd, "output")
	return cmd
}

// methodWords are the methods as a flag names them.
func methodWords() (words []string) {
	for _, m := range table1.Methods() {
		words = append(words, methodWord(m))
	}
	return words
}

// methodWord is "ddps-no-network" for "DDPS, no network".
func methodWord(method string) string {
	return strings.ReplaceAll(strings.ReplaceAll(strings.ToLower(method), ",", ""), " ", "-")
}

// methodsFlag is a list of methods.
type methodsFlag struct{ p *[]string }

func (f *methodsFlag) Type() string { return "names" }
func (f *methodsFlag) String() string {
	if f.p == nil {
		return ""
	}
	return strings.Join(*f.p, ",")
}

func (f *methodsFlag) Set(s string) error {
	*f.p = nil
	for word := range strings.SplitSeq(s, ",") {
		found := false
		for _, m := range table1.Methods() {
			if methodWord(m) == word {
				*f.p, found = append(*f.p, m), true
			}
		}
		if !found {
			return fmt.Errorf("%q is none of %s", word, strings.Join(methodWords(), ", "))
		}
	}
	return nil
}

// runTable1 runs what the table lacks, for so many seeds, and prints it: the first seed's, then the spread.
func runTable1(a *cli.App, ctx context.Context, t *table1.Study, seeds int, out string, sh *sharding) error {
	if out == "" {
		return cli.Usagef("--output is empty")
	}
	if err := checkSeeds(t.Seed, seeds); err != nil {
		return err
	}
	var curve []table1.SwinRow
	rows, err := baselineRowsOf(ctx, a, sh, t.Backend, filepath.Join(out, "table1.csv"), "table 1", t.Preset,
		func(to *study.Table[table1.Row], w run.Progress) (rows []table1.Row, err error) {
			swin, err := openTable[table1.SwinRow](a, sh, filepath.Join(out, swinFile))
			if err != nil {
				return nil, err
			}
			defer func() { err = errors.Join(err, swin.Close()) }()
			for k := range seeds {
				of := *t
				of.Seed += uint64(k)
				list, err := of.Run(ctx, out, to, swin, w)
				if rows = append(rows, list...); err != nil {
					return rows, err
				}
			}
			curve = swin.Rows
			return rows, nil
		})
	if err != nil || sh.on() {
		return err
	}
	if err := swinFigure(a, out, t.Graph, curve); err != nil {
		return err
	}
	first := slices.DeleteFunc(slices.Clone(rows), func(r table1.Row) bool { return r.Seed != t.Seed })
	if err := writeMarkdown(filepath.Join(out, "table1.md"), table1Header, table1Cells(first)); err != nil {
		return err
	}
	if err := cli.PrintTable(a.Stdout, table1Header, table1Cells(first)); err != nil || seeds == 1 {
		return err
	}
	fmt.Fprintln(a.Stdout)
	return cli.PrintTable(a.Stdout, seedHeader, seedCells(table1.SeedMeans(rows)))
}

var table1Header = []string{"method", "valid", "95% interval", "the paper's", "unique", "novel", "edge not in G",
	"extra edges", "broken", "scattered",
	"edges", "samples", "weights", "trained on", "training", "sampling"}

// table1Cells are the rows of the table.
func table1Cells(rows []table1.Row) (cells [][]string) {
	paper := map[string]string{table1.MethodEDPGNN: "0.00%", table1.MethodSwinGNN: "99.7%", table1.MethodDDPS: "100%"}
	for _, r := range rows {
		c := r.Counts()
		novel, _, _ := c.NovelShare()
		of := func(k int) string { return cli.Percent(float64(k) / float64(r.Samples)) }
		cells = append(cells, []string{r.Method, cli.Percent(r.ValidRate), cli.Bound(r.ValidLow) + " – " +
			cli.Bound(r.ValidHigh), paper[r.Method],
			cli.Percent(c.UniqueShare()), cli.Percent(novel), of(r.Foreign), of(r.Extra), of(r.Broken), of(r.Scattered),
			cli.Real3(r.MeanEdges), cli.Whole(r.Samples), cli.Whole(r.Weights), cli.Whole(r.TrainExamples),
			cli.Real3(r.TrainSeconds) + " s", cli.Real3(r.SampleSeconds) + " s"})
	}
	return cells
}

// writeMarkdown writes rows under a header as a Markdown table, whole or not at all.
func writeMarkdown(path string, header []string, rows [][]string) error {
	t := table.NewWriter()
	t.AppendHeader(cli.Cells(header))
	for _, r := range rows {
		t.AppendRow(cli.Cells(r))
	}
	if err := atomicfile.WriteFile(path, []byte(t.RenderMarkdown()+"\n"), 0o644); err != nil {
		return fmt.Errorf("writing %s: %w", path, err)
	}
	return nil
}
