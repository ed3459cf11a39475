package reproducecmd

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"

	"github.com/spf13/cobra"

	"github.com/ddps-go/ddps/cmd/ddps/internal/cli"
	"github.com/ddps-go/ddps/ddps/model"
	"github.com/ddps-go/ddps/ddps/study"
	pathstudy "github.com/ddps-go/ddps/ddps/study/paths"
	"github.com/ddps-go/ddps/ddps/train"
	"github.com/ddps-go/ddps/internal/atomicfile"
)

// pathsOptions are the flags of reproduce paths.
type pathsOptions struct {
	data, out, baselines, doc string
	sets                      []string
	first, seeds              int
	conditions                bool
}

func newPathsCmd(a *cli.App) *cobra.Command {
	var o pathsOptions
	cmd := &cobra.Command{
		Use:   "paths",
		Short: "How well the default model predicts recorded and made paths",
		Long: "Train the default model on each set, for each seed, and measure the NLL of the test paths, of the model\n" +
			"and of its parts, and the samples' lengths, returns and revisits beside the sampling floor. A set is\n" +
			"NAME-train.txt and NAME-test.txt, plain or gzip, of --data; heights and ridge need no file. Results\n" +
			"are rows of ours.csv, each added as soon as it is there; a study that was stopped resumes. --doc writes\n" +
			"their table into a Markdown file, between the lines <!-- paths --> and <!-- /paths -->.",
		Example: `  ddps reproduce paths --data data/paths --sets names,sepsis
  ddps reproduce paths --data data/paths --seeds 5 -o out/paths
  ddps reproduce paths --sets heights --conditions
  ddps reproduce paths --data data/paths --seeds 0 -o docs/paths --doc docs/paths.md`,
		Args: cli.WantArgs(),
		RunE: func(cmd *cobra.Command, _ []string) error { return paths(a, cmd.Context(), &o) },
	}
	f := cmd.Flags()
	f.StringVar(&o.data, "data", "", "`directory` of the sets' files")
	cli.FileFlag(cmd, "data")
	f.StringSliceVar(&o.sets, "sets", []string{"names", "flights", "sepsis", "mvad", "heights", "ridge"}, "`sets`")
	cli.CountVar(cmd, &o.seeds, "seeds", "", 1, 0, "how many seeds; 0 for the table alone")
	cli.CountVar(cmd, &o.first, "first-seed", "", 0, 0, "the first of them")
	f.BoolVar(&o.conditions, "conditions", false, "of heights and ridge, samples given three visits too, beside those "+
		"of the GRU by rejection")
	f.StringVarP(&o.out, "output", "o", "paths", "`directory` to write to")
	cli.FileFlag(cmd, "output")
	f.StringVar(&o.baselines, "baselines", "", "`file` of rows of other programs' models, as bench/torch/paths.py "+
		"writes, for the table")
	cli.FileFlag(cmd, "baselines", ".csv")
	f.StringVar(&o.doc, "doc", "", "Markdown `file` to write the table into")
	cli.FileFlag(cmd, "doc", ".md")
	cli.Outputs(cmd, "doc")
	return cmd
}

func paths(a *cli.App, ctx context.Context, o *pathsOptions) (err error) {
	if o.out == "" {
		return cli.Usagef("--output is empty")
	}
	for _, s := range o.sets {
		if o.data == "" && o.seeds > 0 && s != "heights" && s != "ridge" {
			return cli.Usagef("--data is needed for the set %s: the directory of its files", s)
		}
	}
	results, err := study.OpenTable[pathstudy.Row](filepath.Join(o.out, "ours.csv"))
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, results.Close()) }()
	for seed := o.first; seed < o.first+o.seeds; seed++ {
		for _, set := range o.sets {
			s := pathstudy.New(set, o.data, uint64(seed))
			err := a.Costed(ctx, o.out, "paths, "+set, "", func() int { return len(results.Rows) }, func() error {
				err := s.Run(ctx, o.out, results, cli.NewStages(a))
				if err == nil && o.conditions && (set == "heights" || set == "ridge") {
					err = s.Conditions(ctx, o.out, results)
				}
				return err
			})
			if errors.Is(err, train.ErrStopped) {
				a.Notef("%s; the same command resumes from there", cli.Message(err))
				return ctx.Err()
			}
			if err != nil {
				return err
			}
		}
	}
	others, err := readPathsBaselines(o.baselines)
	if err != nil {
		return err
	}
	means := pathstudy.Means(results.Rows)
	header, cells := pathsCells(means, others)
	madeHeader, made := madeCells(means)
	if o.doc != "" {
		text := markdown(header, cells)
		if len(made) > 0 {
			text += "\n" + markdown(madeHeader, made)
		}
		return writeDoc(o.doc, text)
	}
	if err := cli.PrintTable(a.Stdout, header, cells); err != nil || len(made) == 0 {
		return err
	}
	if _, err := fmt.Fprintln(a.Stdout); err != nil {
		return err
	}
	return cli.PrintTable(a.Stdout, madeHeader, made)
}

// madeCells is the table of made sets: a line a model and condition.
func madeCells(means []pathstudy.Mean) (header []string, cells [][]string) {
	header = []string{"made set", "given", "model", "NLL", "true distribution", "districts", "revisits", "ends",
		"quadrants", "CPU s"}
	for _, m := range means {
		if m.District[0] != m.District[0] && (m.Set != "heights" && m.Set != "ridge") {
			continue
		}
		nll, truth, cpu := "", "", ""
		if m.NLL.Mean == m.NLL.Mean {
			nll = spreadOf(m.NLL)
		}
		if m.True == m.True {
			truth, cpu = fmt.Sprintf("%.3f", m.True), cli.Whole(int(math.Round(m.CPU)))
		}
		cells = append(cells, []string{m.Set, m.Condition, m.Model, nll, truth, rate(m.District), rate(m.Revisit),
			rate(m.End),
			rate(m.Quadrant), cpu})
	}
	return header, cells
}

func readPathsBaselines(file string) ([]pathstudy.BaselineRow, error) {
	if file == "" {
		return nil, nil
	}
	return study.ReadForeign[pathstudy.BaselineRow](file)
}

// pathsCells is the table of recorded sets: a line a set.
func pathsCells(means []pathstudy.Mean, others []pathstudy.BaselineRow) (header []string, cells [][]string) {
	header = []string{"set", "GRU, PyTorch", "transformer, PyTorch", "stack", "its GRU", "its context model",
		"return to the start", "revisits", "length", "CPU s"}
	for _, m := range means {
		if m.Model != "stack" || m.Condition != "" || m.True == m.True {
			continue
		}
		part := func(name string) string {
			i := slices.IndexFunc(means, func(x pathstudy.Mean) bool { return x.Set == m.Set && x.Model == "stack: "+name })
			if i < 0 {
				return ""
			}
			return spreadOf(means[i].NLL)
		}
		cells = append(cells, []string{m.Set, best(others, m.Set, "gru"), best(others, m.Set, "transformer"),
			spreadOf(m.NLL), part(model.PartGRU), part(model.PartContext), rate(m.Return), rate(m.Revisit), rate(m.Length),
			cli.Whole(int(math.Round(m.CPU)))})
	}
	return header, cells
}

// spreadOf writes a mean, its range over seeds, and how many there are.
func spreadOf(s study.Spread) string {
	if s.N == 1 {
		return fmt.Sprintf("%.3f", s.Mean)
	}
	return fmt.Sprintf("%.3f (%.3f–%.3f, %d seeds)", s.Mean, s.Low, s.High, s.N)
}

// rate writes a distance with its floor.
func rate(x [2]float64) string {
	if x[0] != x[0] {
		return ""
	}
	return fmt.Sprintf("%.4f (%.4f)", x[0], x[1])
}

// best returns the test NLL of the setting with the least validation NLL at its first seed.
func best(rows []pathstudy.BaselineRow, set, kind string) string {
	s, ok := pathstudy.BestBaseline(rows, set, kind)
	if !ok {
		return "–"
	}
	return spreadOf(s)
}

// The lines between which a document has the table.
const tableBegin, tableEnd = "<!-- paths -->\n", "<!-- /paths -->\n"

// writeDoc replaces the table of a document.
func writeDoc(file, table string) error {
	text, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	head, rest, ok := bytes.Cut(text, []byte(tableBegin))
	_, tail, closed := bytes.Cut(rest, []byte(tableEnd))
	if !ok || !closed {
		return fmt.Errorf("%s: lines %q and %q are needed: what is between them is replaced", file, tableBegin,
			tableEnd)
	}
	doc := slices.Concat(head, []byte(tableBegin+table+tableEnd), tail)
	return atomicfile.WriteFile(file, doc, 0o644)
}

// markdown writes a table.
func markdown(header []string, cells [][]string) string {
	var b bytes.Buffer
	line := func(row []string) {
		for _, c := range row {
			fmt.Fprintf(&b, "| %s ", c)
		}
		b.WriteString("|\n")
	}
	line(header)
	b.WriteString("|" + string(bytes.Repeat([]byte("---|"), len(header))) + "\n")
	for _, row := range cells {
		line(row)
	}
	return b.String()
}
