package reproducecmd

import (
	"context"
	"errors"
	"path/filepath"
	"slices"

	"github.com/spf13/cobra"

	"github.com/ddps-go/ddps/cmd/ddps/internal/cli"
	"github.com/ddps-go/ddps/ddps/model"
	"github.com/ddps-go/ddps/ddps/run"
	"github.com/ddps-go/ddps/ddps/study"
	"github.com/ddps-go/ddps/ddps/study/table1"
)

// exampleDir is the directory, in that of the results, of table 1 and figure 3 on the example graph.
const exampleDir = "example"

func newAllCmd(a *cli.App) *cobra.Command {
	o := figuresOptions{shard: new(sharding)}
	backend := ""
	cmd := &cobra.Command{
		Use:   "all",
		Short: "All tables and figures of the paper, and the report",
		Long: "Make figures 4 to 6, the study of memory, table 1 and figure 3, and write the report of all results in the\n" +
			"directory. A run that was stopped resumes; a part that fails is told at the end, and tried again by the same " +
			"command.\n" +
			"At the quick preset it takes minutes on two CPUs. Table 1 and figure 3 are then of the example graph's\n" +
			"ten paths, in the directory example/, unless the directory has rows of a longer run: reproduce table1 and " +
			"validity\n" +
			"with the same -o make them, on RQ1. --preset paper has the paper's samples and instances, " +
			"which\n" +
			"take many hours, and wants a GPU for table 1 and figure 3.",
		Example: "  ddps reproduce all\n  ddps reproduce all --preset paper --backend xla:cuda -o out/paper",
		Args:    cli.WantArgs(),
		RunE: func(cmd *cobra.Command, _ []string) error {
			if o.dryRun {
				return dryRun(a, cmd.Context(), func() ([]estimator, error) { return allEstimators(&o, backend) })
			}
			return o.shard.run(a, cmd, &o.out, func() error { return reproduceAll(a, cmd.Context(), &o, backend) })
		},
	}
	o.flags(cmd, study.Graphs())
	cmd.Flags().StringVar(&backend, "backend", "auto", "`name` of what EDP-GNN and SwinGNN run on: go, xla:cpu, "+
		"xla:cuda, auto")
	cli.CompleteWords(cmd, "backend", "go", "xla:cpu", "xla:cuda", "auto")
	return cmd
}

// reproduceAll does all parts, whatever becomes of those before, and writes the report.
func reproduceAll(a *cli.App, ctx context.Context, o *figuresOptions, backend string) error {
	if _, err := model.CheckBackend(backend); err != nil {
		return err
	}
	parts := []func() error{func() error { return runStudy(a, ctx, o, study.Graphs()) }}
	for _, graph := range o.graphs {
		if graph == "toy" {
			continue // its data have no memory
		}
		r := memoryOptions{graph: graph, preset: o.preset, network: model.NetworkNone, out: o.out, first: o.seed,
			seeds: o.seeds, shard: o.shard}
		parts = append(parts, func() error { return memory(a, ctx, &r) })
	}
	baselineRows, err := baselineParts(o, backend)
	if err != nil {
		return err
	}
	if baselineRows.validity != nil { // its SwinGNN is table 1's too
		parts = append(parts, func() error { return validity(a, ctx, baselineRows.validity) })
	}
	if baselineRows.table != nil {
		parts = append(parts, func() error {
			return runTable1(a, ctx, baselineRows.table, o.seeds, baselineRows.dir, o.shard)
		})
	}
	var errs []error
	for _, part := range parts {
		err := part()
		var usage *cli.UsageError
		if ctx.Err() != nil || errors.As(err, &usage) {
			return err
		}
		errs = append(errs, err)
	}
	if !o.shard.on() {
		errs = append(errs, writeReport(a, o.out))
	}
	return errors.Join(errs...)
}

// baselineRows is what of table 1 and figure 3 is to be run, and where; nil for what a longer run has made.
type baselineRows struct {
	dir      string
	table    *table1.Study
	validity *validityOptions
}

func baselineParts(o *figuresOptions, backend string) (r baselineRows, err error) {
	r.dir = o.out
	lambdas, err := o.scales()
	if err != nil {
		return r, err
	}
	graph, missing, guided := table1.GraphRQ1, table1.Methods(), true
	if o.preset == run.PresetQuick {
		graph = table1.GraphExample
		r.dir = filepath.Join(o.out, exampleDir)
		table, validity, err := readBaselines(o.out)
		if err != nil {
			return r, err
		}
		missing = slices.DeleteFunc(missing, func(m string) bool {
			return slices.ContainsFunc(table, func(row table1.Row) bool { return row.Method == m })
		})
		guided = len(validity) == 0
	}
	if len(missing) > 0 {
		r.table = &table1.Study{Graph: graph, Preset: o.preset, Seed: o.seed, Samples: o.samples, Methods: missing,
			Backend: backend,
			Train:   o.train}
	}
	if guided {
		r.validity = &validityOptions{graph: graph, preset: o.preset, backend: backend, out: r.dir, samples: o.samples,
			lambdas: lambdas,
			seed:    o.seed, train: o.train, shard: o.shard}
	}
	return r, nil
}

// readBaselines returns the rows of table 1 and figure 3 that a directory has.
func readBaselines(dir string) (table []table1.Row, validity []table1.ValidityRow, err error) {
	if table, err = optional[table1.Row](dir, "table1.csv"); err != nil {
		return nil, nil, err
	}
	validity, err = optional[table1.ValidityRow](dir, "validity.csv")
	return table, validity, err
}
