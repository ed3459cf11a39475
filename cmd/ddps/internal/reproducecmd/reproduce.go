package reproducecmd

import (
	"context"
	"errors"
	"math"
	"path/filepath"
	"slices"

	"github.com/spf13/cobra"

	"github.com/ddps-go/ddps/cmd/ddps/internal/cli"
	"github.com/ddps-go/ddps/ddps/model"
	"github.com/ddps-go/ddps/ddps/run"
	"github.com/ddps-go/ddps/ddps/study"
	memstudy "github.com/ddps-go/ddps/ddps/study/memory"
	"github.com/ddps-go/ddps/ddps/train"
)

// New returns the command ddps reproduce.
func New(a *cli.App) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "reproduce",
		Short: "Run the experiments again",
		Example: "  ddps reproduce all\n  ddps reproduce fig:reward --graph toy\n  ddps reproduce table1\n  ddps " +
			"reproduce memory --seeds 1",
	}
	cmd.AddCommand(newFiguresCmds(a)...)
	cmd.AddCommand(newAllCmd(a), newReportCmd(a), newTable1Cmd(a), newValidityCmd(a), newMemoryCmd(a), newPathsCmd(a),
		newStepsCmd(a))
	return cmd
}

// memoryOptions are the flags of reproduce memory.
type memoryOptions struct {
	graph, preset, network, out string
	first                       uint64 // of the seeds
	seeds, particles            int
	dryRun                      bool
	shard                       *sharding
}

func newMemoryCmd(a *cli.App) *cobra.Command {
	o := memoryOptions{shard: new(sharding)}
	cmd := &cobra.Command{
		Use:   "memory",
		Short: "How much of a distribution's memory models and chains learn",
		Long: "Measure, on the data of Heights or Ridge, how much of the memory of the true distribution is\n" +
			"learned by the model, by the mixture of chains that it is the diffusion of (drawn from directly),\n" +
			"and by chains of first and second order: nats per path, and the distributions of districts and revisits, " +
			"unguided, given the\n" +
			"greatest of a random reward, and given a visit. Each seed makes its own data and its own model.\n" +
			"Results are rows of memory.csv; a study that was stopped resumes, and finds what is there.",
		Example: `  ddps reproduce memory
  ddps reproduce memory --graph ridge --preset paper --seeds 5 -o out/memory
  ddps reproduce memory --network mlp -o out/mlp`,
		Args: cli.WantArgs(),
		RunE: func(cmd *cobra.Command, _ []string) error {
			if o.dryRun {
				return dryRun(a, cmd.Context(), func() ([]estimator, error) { return []estimator{o.estimator()}, nil })
			}
			return o.shard.run(a, cmd, &o.out, func() error { return memory(a, cmd.Context(), &o) })
		},
	}
	cli.ChoiceVar(cmd, &o.graph, "graph", "", "heights", []string{"heights", "ridge"}, "data")
	cli.ChoiceVar(cmd, &o.preset, "preset", "", run.PresetQuick, run.Presets(),
		"size: 20,000 paths, or the paper's number")
	cli.CountVar(cmd, &o.seeds, "seeds", "", 1, 1, "how many seeds, from 0")
	cli.NetworkVar(cmd, &o.network, model.NetworkNone, model.NetworkNames(), "the model's network, which then corrects "+
		"a chain, not the mixture")
	cli.CountVar(cmd, &o.particles, "particles", "", 0, 0, "particles a path of one more distribution, the model "+
		"corrected under a condition; 0 for none")
	o.shard.flag(cmd)
	dryRunVar(cmd, &o.dryRun)
	cmd.Flags().StringVarP(&o.out, "output", "o", "memory", "`directory` to write to")
	cli.FileFlag(cmd, "output")
	return cmd
}

func memory(a *cli.App, ctx context.Context, o *memoryOptions) (err error) {
	if o.out == "" {
		return cli.Usagef("--output is empty")
	}
	results, err := openTable[memstudy.Row](a, o.shard, filepath.Join(o.out, "memory.csv"))
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, results.Close()) }()
	for k := range o.seeds {
		r, err := memstudy.New(o.graph, o.preset, o.network, o.first+uint64(k))
		if err != nil {
			return err
		}
		r.Particles = o.particles
		err = a.Costed(ctx, o.out, "memory, "+o.graph, o.preset, func() int { return len(results.Rows) }, func() error {
			return r.Run(ctx, o.out, results, cli.NewStages(a))
		})
		if errors.Is(err, train.ErrStopped) {
			a.Notef("%s; the same command resumes from there", cli.Message(err))
			return ctx.Err()
		}
		if err != nil {
			return err
		}
	}
	if o.shard.on() {
		return nil
	}
	rows := slices.DeleteFunc(slices.Clone(results.Rows), func(r memstudy.Row) bool {
		return r.Graph != o.graph || r.Seed-o.first >= uint64(o.seeds) || r.Paths != study.MapPaths(o.graph, o.preset) ||
			r.Network != o.network
	})
	return cli.PrintTable(a.Stdout, memoryHeader, memoryCells(memstudy.Means(rows)))
}

var memoryHeader = []string{"given", "distribution", "seeds", "districts ½L1", "revisits ½L1",
	"NLL above the true distribution"}

// memoryCells are the rows of the table: means over the seeds ± their standard deviation, with the floor in brackets.
func memoryCells(means []memstudy.Mean) (cells [][]string) {
	spread := func(m study.Spread) string { return cli.WithError(m.Mean, m.Std) }
	for _, m := range means {
		nats := ""
		if !math.IsNaN(m.NLL.Mean) {
			nats = spread(m.NLL)
		}
		cells = append(cells, []string{m.Condition, m.Distribution, cli.Whole(m.Seeds), spread(m.Districts) + " (" +
			cli.Real3(m.DistrictFloor) + ")",
			spread(m.Revisits) + " (" + cli.Real3(m.RevisitFloor) + ")", nats})
	}
	return cells
}
