package reproducecmd

import (
	"context"
	"math"
	"path/filepath"
	"slices"
	"time"

	"github.com/spf13/cobra"

	"github.com/ddps-go/ddps/cmd/ddps/internal/cli"
	"github.com/ddps-go/ddps/ddps/model"
	"github.com/ddps-go/ddps/ddps/study"
	memstudy "github.com/ddps-go/ddps/ddps/study/memory"
	"github.com/ddps-go/ddps/ddps/study/table1"
	"github.com/ddps-go/ddps/internal/ram"
)

// estimator estimates what a part of the experiments takes.
type estimator func(context.Context) (study.Estimate, error)

// dryRunVar adds --dry-run.
func dryRunVar(cmd *cobra.Command, p *bool) {
	cmd.Flags().BoolVar(p, "dry-run", false, "say how many grid points there are, and about how much CPU time and memory "+
		"they take, and do nothing else")
}

// dryRun prints what the parts take, in a table. The memory is what the process held while pieces of a part were
// measured, or that of the part's arrays if it is more.
func dryRun(a *cli.App, ctx context.Context, parts func() ([]estimator, error)) error {
	list, err := parts()
	if err != nil {
		return err
	}
	w := cli.NewStages(a)
	w.Begin("measuring small pieces", 0, len(list))
	var rows [][]string
	var all study.Estimate
	for i, part := range list {
		var e study.Estimate
		peak, err := ram.PeakOf(func() (err error) {
			e, err = part(ctx)
			return err
		})
		if err != nil {
			w.End()
			return err
		}
		e.Memory = max(e.Memory, float64(peak)) // training takes whole batches while it is measured
		w.Set(i+1, e.Part)
		rows = append(rows, estimateCells(e))
		all.Points, all.Missing = all.Points+e.Points, all.Missing+e.Missing
		all.Training, all.Sampling, all.Memory = all.Training+e.Training, all.Sampling+e.Sampling, max(all.Memory, e.Memory)
	}
	w.End()
	a.Notef("times are rough: they are scaled up from pieces that take seconds, those of baselines from a small network")
	if all.Part = "all"; len(list) > 1 {
		rows = append(rows, estimateCells(all))
	}
	return cli.PrintTable(a.Stdout, []string{"part", "grid points", "without a row", "training, CPU time",
		"sampling, CPU time", "memory, about"}, rows)
}

func estimateCells(e study.Estimate) []string {
	return []string{e.Part, cli.Whole(e.Points), cli.Whole(e.Missing), cpuTime(e.Training), cpuTime(e.Sampling),
		cli.BytesSize(uint64(twoDigits(e.Memory)))}
}

// cpuTime writes seconds, rounded to the two digits that an estimate has.
func cpuTime(seconds float64) string {
	if seconds < 1 {
		return "none"
	}
	return cli.Duration(time.Duration(twoDigits(seconds) * float64(time.Second)))
}

func twoDigits(x float64) float64 {
	if x <= 0 {
		return 0
	}
	unit := math.Pow(10, math.Floor(math.Log10(x))-1)
	return math.Round(x/unit) * unit
}

// estimators are those of the studies of the graphs, a part each.
func (o *figuresOptions) estimators(graphs []string) (list []estimator, err error) {
	studies, err := o.studies(graphs)
	if err != nil {
		return nil, err
	}
	rows, err := optional[study.GuidanceRow](o.out, study.GuidanceFile)
	if err != nil {
		return nil, err
	}
	for _, s := range studies {
		list = append(list, func(ctx context.Context) (study.Estimate, error) { return s.Estimate(ctx, o.out, rows) })
	}
	return list, nil
}

// estimator is that of all seeds.
func (o *memoryOptions) estimator() estimator {
	return func(ctx context.Context) (all study.Estimate, err error) {
		rows, err := optional[memstudy.Row](o.out, "memory.csv")
		if err != nil {
			return all, err
		}
		for k := range o.seeds {
			r, err := memstudy.New(o.graph, o.preset, o.network, o.first+uint64(k))
			if err != nil {
				return all, err
			}
			r.Particles = o.particles
			e, err := r.Estimate(ctx, rows)
			if err != nil {
				return all, err
			}
			all.Part, all.Memory = e.Part, max(all.Memory, e.Memory)
			all.Points, all.Missing = all.Points+e.Points, all.Missing+e.Missing
			all.Training, all.Sampling = all.Training+e.Training, all.Sampling+e.Sampling
		}
		return all, nil
	}
}

// tableEstimators are those of table 1 in a directory, one a seed.
func tableEstimators(t *table1.Study, seeds int, out string) (list []estimator, err error) {
	if err := checkSeeds(t.Seed, seeds); err != nil {
		return nil, err
	}
	for k := range seeds {
		of := *t
		of.Seed += uint64(k)
		list = append(list, tableEstimator(&of, out))
	}
	return list, nil
}

// tableEstimator is that of table 1 in a directory.
func tableEstimator(t *table1.Study, out string) estimator {
	return func(ctx context.Context) (e study.Estimate, err error) {
		if _, err := model.CheckBackend(t.Backend); err != nil {
			return e, err
		}
		rows, err := optional[table1.Row](out, "table1.csv")
		if err != nil {
			return e, err
		}
		return t.Estimate(ctx, rows)
	}
}

// estimator is that of figure 3; trained says that table 1 trains its SwinGNN.
func (o *validityOptions) estimator(trained bool) estimator {
	return func(ctx context.Context) (e study.Estimate, err error) {
		v, err := o.study()
		if err != nil {
			return e, err
		}
		rows, err := optional[table1.ValidityRow](o.out, "validity.csv")
		if err != nil {
			return e, err
		}
		return v.Estimate(ctx, rows, trained)
	}
}

// allEstimators are those of all parts of the paper.
func allEstimators(o *figuresOptions, backend string) ([]estimator, error) {
	list, err := o.estimators(study.Graphs())
	if err != nil {
		return nil, err
	}
	for _, graph := range o.graphs {
		if graph != "toy" {
			m := memoryOptions{graph: graph, preset: o.preset, network: model.NetworkNone, out: o.out, first: o.seed,
				seeds: o.seeds}
			list = append(list, m.estimator())
		}
	}
	r, err := baselineParts(o, backend)
	if err != nil {
		return nil, err
	}
	swin := false
	if r.table != nil {
		of, err := tableEstimators(r.table, o.seeds, filepath.Clean(r.dir))
		if err != nil {
			return nil, err
		}
		list = append(list, of...)
		swin = r.table.Methods == nil || slices.Contains(r.table.Methods, table1.MethodSwinGNN)
	}
	if r.validity != nil {
		list = append(list, r.validity.estimator(swin))
	}
	return list, nil
}
