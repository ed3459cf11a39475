package reproducecmd

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/ddps-go/ddps/cmd/ddps/internal/cli"
	"github.com/ddps-go/ddps/ddps/model"
	"github.com/ddps-go/ddps/ddps/query"
	"github.com/ddps-go/ddps/ddps/run"
	"github.com/ddps-go/ddps/ddps/study"
	"github.com/ddps-go/ddps/ddps/train"
	"github.com/ddps-go/ddps/internal/ram"
)

// figuresOptions are the flags of the commands that make figures 4 to 6.
type figuresOptions struct {
	graphs, guides            []string
	preset, network, out      string
	backend, from             string
	lambdas                   []string
	samples, instances, steps int
	train                     int
	seed                      uint64
	seeds                     int
	dryRun                    bool
	shard                     *sharding
}

// studyFigures are the paper's figures that a study makes.
var studyFigures = []struct {
	name, short string
	graphs      []string
}{
	{"fig:reward", "Figure 4: mean reward against λ, on Toy, Heights and Ridge", study.Graphs()},
	{"fig:distributions", "Figure 5: KL, L1, TV and SFD against λ, on Toy", []string{"toy"}},
	{"fig:scores", "Figure 6: IS-L in four variants and FLGD against λ, on all three", study.Graphs()},
}

func newFiguresCmds(a *cli.App) (list []*cobra.Command) {
	for _, f := range studyFigures {
		o := figuresOptions{shard: new(sharding)}
		cmd := &cobra.Command{
			Use:   f.name,
			Short: f.short,
			Long: f.short + ".\n\nThe three commands share their results, rows of cells.csv in the directory: what one has " +
				"measured the\n" +
				"others find, a run that was stopped resumes, and more instances or λ compute only what is new.",
			Example: "  ddps reproduce " + f.name + "\n  ddps reproduce " + f.name + " --graph toy --preset paper -o out/paper",
			Args:    cli.WantArgs(),
			RunE: func(cmd *cobra.Command, _ []string) error {
				if err := o.ofRun(cmd); err != nil {
					return err
				}
				if o.dryRun {
					return dryRun(a, cmd.Context(), func() ([]estimator, error) { return o.estimators(f.graphs) })
				}
				err := o.shard.run(a, cmd, &o.out, func() error { return runStudy(a, cmd.Context(), &o, f.graphs) })
				if err != nil || o.shard.on() {
					return err
				}
				files, err := drawStudy(a, &o, f.name)
				for _, file := range files {
					fmt.Fprintln(a.Stdout, file)
				}
				return err
			},
		}
		o.flags(cmd, f.graphs)
		cli.SamplingBackendVar(cmd, &o.backend)
		cmd.Flags().StringVar(&o.from, "run", "", "`run directory` of a trained model on one of the graphs, whose figure it "+
			"is to be, in place of the preset's model")
		cli.FileFlag(cmd, "run")
		list = append(list, cmd)
	}
	return list
}

// flags adds the flags of a study.
func (o *figuresOptions) flags(cmd *cobra.Command, graphs []string) {
	cmd.Flags().StringSliceVar(&o.graphs, "graph", graphs, "`graphs`")
	cli.CompleteWords(cmd, "graph", graphs...)
	cli.ChoiceVar(cmd, &o.preset, "preset", "", run.PresetQuick, run.Presets(), "size: minutes on two CPUs, or the "+
		"paper's samples, instances and steps")
	cli.NetworkVar(cmd, &o.network, "", append([]string{""}, model.NetworkNames()...), "the model's network; none "+
		"given: mlp and unet on Toy, none on maps")
	cmd.Flags().StringSliceVar(&o.guides, "guide", nil, "`guides`: algorithm2, the paper's, and on Toy eq7 (default all)")
	cli.CompleteWords(cmd, "guide", query.Algorithm2, query.Eq7)
	cmd.Flags().StringSliceVar(&o.lambdas, "lambda", nil, "guidance `scales` λ (default 0, .1, .3, 1, … 1e5)")
	cli.CountVar(cmd, &o.samples, "samples", "n", 0, 0, "samples of each cell; 0: the preset's")
	cli.CountVar(cmd, &o.instances, "instances", "", 0, 0, "rewards of each maximum; 0: the preset's")
	cli.CountVar(cmd, &o.steps, "steps", "S", 0, 0, "reverse steps of guided samplers; 0: the preset's")
	cli.CountVar(cmd, &o.train, "train-steps", "", 0, 0, "training steps of each network that does not ship; 0: the "+
		"preset's")
	cli.SeedVar(cmd, &o.seed, 0, "seed of the samples and, other than 0, of data and training of the model, unless it is "+
		"a --run's")
	cli.CountVar(cmd, &o.seeds, "seeds", "", 1, 1, "how many seeds, from --seed; figures are of the first, the report "+
		"has the spread over all")
	o.shard.flag(cmd)
	dryRunVar(cmd, &o.dryRun)
	cmd.Flags().StringVarP(&o.out, "output", "o", "reproduce", "`directory` to write to")
	cli.FileFlag(cmd, "output")
}

// of returns the studies of a graph, one a network, of a seed.
func (o *figuresOptions) of(graph string, seed uint64) (list []*study.Guidance, err error) {
	networks := study.Networks(graph)
	if o.network != "" {
		networks = []string{o.network}
	}
	lambdas, err := o.scales()
	if err != nil {
		return nil, err
	}
	for _, network := range networks {
		s, err := study.NewGuidance(graph, o.preset)
		if err != nil {
			return nil, cli.Usagef("%s", cli.Message(err))
		}
		s = s.With(network)
		s.Seed, s.Train, s.Built, s.Backend, s.From = seed, o.train, cli.Versions().Built(), o.backend, o.from
		if o.samples > 0 {
			s.Samples = o.samples
		}
		if o.instances > 0 {
			s.Instances = o.instances
		}
		if o.steps > 0 {
			s.Steps = o.steps
		}
		if lambdas != nil {
			s.Lambdas = lambdas
		}
		if err := s.Only(o.guides); err != nil {
			return nil, cli.Usagef("--guide: %s", cli.Message(err))
		}
		if err := s.CheckMemory(ram.Machine()); err != nil {
			return nil, err
		}
		list = append(list, s)
	}
	return list, nil
}

// scales returns the λ asked for, ascending; nil for none.
func (o *figuresOptions) scales() (list []float64, err error) {
	for _, text := range o.lambdas {
		x, err := cli.ParseScale(text)
		if err != nil {
			return nil, cli.Usagef("--lambda: %w", err)
		}
		if !slices.Contains(list, x) {
			list = append(list, x)
		}
	}
	slices.Sort(list)
	return list, nil
}

// studies returns the studies of the graphs asked for, which must be some of those that a command has.
func (o *figuresOptions) studies(graphs []string) (list []*study.Guidance, err error) {
	if o.out == "" {
		return nil, cli.Usagef("--output is empty")
	}
	if err := checkSeeds(o.seed, o.seeds); err != nil {
		return nil, err
	}
	if o.backend != "" {
		if err := cli.CheckSamplingBackend(o.backend); err != nil {
			return nil, err
		}
		if _, err := model.CheckBackend(o.backend); err != nil {
			return nil, err
		}
	}
	for _, g := range o.graphs {
		if !slices.Contains(graphs, g) {
			return nil, cli.Usagef("--graph: expected some of %s, not %q", strings.Join(graphs, ", "), g)
		}
		for k := range o.seeds {
			of, err := o.of(g, o.seed+uint64(k))
			if err != nil {
				return nil, err
			}
			list = append(list, of...)
		}
	}
	return list, nil
}

// runStudy runs what the studies of the graphs lack. One that fails leaves the others to be done.
func runStudy(a *cli.App, ctx context.Context, o *figuresOptions, graphs []string) (err error) {
	list, err := o.studies(graphs)
	if err != nil {
		return err
	}
	cells, err := openTable[study.GuidanceRow](a, o.shard, filepath.Join(o.out, study.GuidanceFile))
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, cells.Close()) }()
	rewards, err := openTable[study.RewardRow](a, o.shard, filepath.Join(o.out, study.RewardFile))
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, rewards.Close()) }()
	rows := func() int { return len(cells.Rows) + len(rewards.Rows) }
	for _, s := range list {
		e := a.Costed(ctx, o.out, s.Part(), s.Preset, rows, func() error {
			err := s.Run(ctx, o.out, cells, cli.NewStages(a))
			if err != nil || s.Seed != o.seed { // the list is of the first seed's model
				return err
			}
			return s.ListRewards(ctx, o.out, rewards, cli.NewStages(a))
		})
		if ctx.Err() != nil || errors.Is(e, train.ErrStopped) {
			a.Notef("stopped; the same command resumes from there")
			return ctx.Err()
		}
		err = errors.Join(err, e)
	}
	return err
}
