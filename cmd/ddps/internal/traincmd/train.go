package traincmd

import (
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/ddps-go/ddps/cmd/ddps/internal/cli"
	"github.com/ddps-go/ddps/datasets"
	"github.com/ddps-go/ddps/ddps/model"
	"github.com/ddps-go/ddps/ddps/run"
	"github.com/ddps-go/ddps/ddps/train"
)

// trainOptions are the flags of train.
type trainOptions struct {
	graph, by, config, out   string
	where                    string
	paths, tests             []string
	resume, residual, dryRun bool
	network, backend, preset string
	hold, lr, kappa, gamma   float64
	steps, batch, hidden     int
	seed                     uint64
	walks                    cli.WalkFlags
	test                     *datasets.Data // of tests; nil: none
	impossible               int            // walks of tests that are no path of the graph
	stack                    stackOptions
	shard                    trainShardOptions
}

// NewTrain returns the command ddps train.
func NewTrain(a *cli.App) *cobra.Command {
	var o trainOptions
	cmd := &cobra.Command{
		Use:   "train",
		Short: "Train a model of recorded walks, or of a graph's paths",
		Long: "Train a model of a graph's paths in a run directory, which holds all that belongs to it: graph,\n" +
			"paths, settings, log, checkpoints, model. Without --graph the graph is made of the walks of --paths\n" +
			"(and --test), of any start, end and length, as by 'ddps graph make sequences'. Where vertices have\n" +
			"places, as on maps and of recorded walks, the model is a stack: chains, context models, a mixture\n" +
			"of chains and a GRU, weighted on validation walks and then fitted again to all walks; each part's\n" +
			"validation NLL and weight are printed. It takes seconds to some minutes (--dry-run says how long);\n" +
			"--budget bounds it.\n\n" +
			"Ctrl-C stops after the step at hand with a checkpoint; --resume goes on from the newest good\n" +
			"one and ends in the same bytes as if it had not stopped. Of a stack the part at hand begins\n" +
			"again; another fit that was stopped begins again as a whole.\n" +
			"With more --steps than the run had --resume lengthens the run: its learning rate rises to that\n" +
			"of the longer run there, and falls to 0 at the new end.\n\n" +
			"Settings come from the defaults of the graph or the network, then --config, then the other\n" +
			"flags; a run directory's config.toml shows them all, those of a mixture in [model.mixture] (see\n" +
			"go doc ./ddps/mixture Config). --help --network NAME shows a network's own:\n" + networkDefaults() + "\n" +
			"--preset paper is ten times the steps of a network and, without --paths, all of the paper's\n" +
			"data; quick has 20,000 paths of heights and ridge.\n\n" +
			"The model kept is the one with the least loss on the validation paths, or, where train.bound_every\n" +
			"is set, the least bound on −log p; train.patience ends a run that gets no better.\n\n" +
			"With --shard i/n a range of the bytes of --paths is counted and put into the store -o, of which 'ddps\n" +
			"merge' makes a model of chains, with the pseudo-count --kappa. With --from, too, it is a round of EM of a\n" +
			"mixture of --classes chains, whose statistics are summed under that model; merging gives the next.",
		Example: `  ddps train --graph toy -o runs/toy
  ddps train --paths walks.csv -o runs/walks
  ddps train --paths log.csv --case patient --time at --place activity --test later.csv -o runs/log
  ddps train --graph heights --dry-run -o runs/heights
  ddps train --graph names --budget 60s -o runs/names
  ddps train --graph toy --paths toy.csv -o runs/toy
  ddps train --graph heights --paths heights.csv -o runs/heights
  ddps train --graph toy --network unet --backend auto -o runs/unet
  ddps train --graph dna --paths promoters.fasta -o runs/dna
  ddps train --resume --steps 4000 -o runs/toy
  ddps train --graph heights --paths walks.csv --shard 3/64 -o counts
  ddps train --from chains.safetensors --classes 8 --paths walks.csv --shard 3/64 -o round1`,
		Args: cli.WantArgs(),
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := o.shard.check(cmd, &o); err != nil {
				return err
			}
			if o.shard.shard.Of > 0 {
				return trainShard(a, cmd, &o)
			}
			return runTrain(a, cmd, &o)
		},
	}
	def := run.DefaultConfig()
	f := cmd.Flags()
	f.StringVarP(&o.out, "output", "o", "", "run `directory`")
	f.StringVar(&o.graph, "graph", "", "`graph`: a file or a name; without it one is made of the walks of --paths")
	f.StringArrayVar(&o.paths, "paths", nil, "`file` of paths or walks to learn from; of "+strings.Join(run.DataNames(),
		", ")+" by default their own; may be repeated without --graph")
	cli.ByVar(cmd, &o.by, "vertices", "how a CSV file calls vertices")
	f.StringVar(&o.config, "config", "", "TOML `file` of settings, as config.toml of a run directory")
	f.StringVar(&o.where, "where", "", "`condition` that samples of the run meet unless they are given another; "+
		"it stands in config.toml, and does not change the fit")
	f.BoolVar(&o.resume, "resume", false, "go on in a run directory")
	f.BoolVar(&o.dryRun, "dry-run", false, "check all, say what would be done, and do nothing")
	cli.ChoiceVar(cmd, &o.preset, "preset", "", run.PresetQuick, run.Presets(), "size of the experiment")
	cli.NetworkVar(cmd, &o.network, "", model.NetworkNames(), "network; by default none on a map, mlp elsewhere")
	f.StringVar(&o.backend, "backend", "", "`name` of what trains the network: go, xla:cpu, xla:cuda, auto; none: Go "+
		"made for it, or go:large for unet")
	cli.NumberVar(cmd, &o.hold, "hold", "", def.Hold, 0, "share of the paths for validation, below 1")
	cli.NumberVar(cmd, &o.lr, "lr", "", def.Train.Optim.LR, 0, "learning rate")
	cli.NumberVar(cmd, &o.kappa, "kappa", "", def.Model.Kappa, 0, "pseudo-count of the fitted chain, in paths (by "+
		"default chosen on validation paths)")
	cli.NumberVar(cmd, &o.gamma, "gamma", "", 0, 0, "weight γ of the variational bound in the loss of mlp and unet")
	f.BoolVar(&o.residual, "residual", false, "mlp and unet correct the chain (=false: plain networks)")
	cli.CountVar(cmd, &o.steps, "steps", "", def.Train.Steps, 1, "training steps")
	cli.CountVar(cmd, &o.batch, "batch", "", def.Train.Batch, 1, "paths per step")
	cli.CountVar(cmd, &o.hidden, "hidden", "", def.Model.MLP.Hidden, 1, "width of the network; channels of unet")
	cli.SeedVar(cmd, &o.seed, 0, "seed of weights, batches and validation paths")
	o.walkVars(cmd)
	o.stack.vars(cmd)
	o.shard.vars(cmd)
	for _, name := range []string{"output", "config", "paths", "graph"} {
		cli.FileFlag(cmd, name)
	}
	cli.CompleteWords(cmd, "backend", "go", "xla:cpu", "xla:cuda", "auto")
	cli.RequireFlags(cmd, "output")
	cmd.SetHelpFunc(func(c *cobra.Command, args []string) {
		o.showDefaults(c)
		c.Root().HelpFunc()(c, args)
	})
	return cmd
}

// openRun makes the run, or opens it to go on; with --dry-run nothing is written.
func openRun(a *cli.App, cmd *cobra.Command, o *trainOptions) (*run.Run, error) {
	if o.out == "" {
		return nil, cli.Usagef("--output is empty")
	}
	if o.resume {
		return o.reopen(cmd)
	}
	data, err := o.read(a, cmd)
	if err != nil {
		return nil, err
	}
	cfg, err := o.settings(cmd, data.Graph)
	if err != nil {
		return nil, err
	}
	cfg = cfg.On(data.Graph)
	if o.dryRun {
		return run.Draft(o.out, cfg, data)
	}
	return run.Create(o.out, cfg, data)
}

// reopen opens the run to go on, of more steps where they are given.
func (o *trainOptions) reopen(cmd *cobra.Command) (*run.Run, error) {
	var given []string
	for _, name := range []string{"graph", "paths", "test", "vertices", "config", "where", "preset", "network", "model",
		"validation-by", "no-refit", "budget", "backend", "hold", "lr", "kappa", "gamma", "residual", "batch", "hidden",
		"seed"} {
		if cmd.Flags().Changed(name) {
			given = append(given, "--"+name)
		}
	}
	reading, making := o.walks.Given(cmd)
	if given = append(append(given, making...), reading...); len(given) > 0 {
		return nil, cli.Usagef("--resume takes all settings but --steps from the run directory: leave out %s",
			strings.Join(given, ", "))
	}
	r, err := run.Open(o.out)
	if err != nil || !cmd.Flags().Changed("steps") || o.steps == r.Config.Train.Steps {
		return r, err
	}
	if r.Config.Model.Network == model.NetworkNone {
		return nil, cli.Usagef("--steps is of a network, and the run has none")
	}
	if had := r.Config.Train.Steps; o.steps < had {
		return nil, cli.Usagef("--steps %d: the run has %d already, and can only be lengthened", o.steps, had)
	}
	if o.dryRun {
		r.Config.Train.Steps = o.steps
		return r, nil
	}
	return r, r.Lengthen(o.steps)
}

func runTrain(a *cli.App, cmd *cobra.Command, o *trainOptions) error {
	r, err := openRun(a, cmd, o)
	if err != nil {
		from := "--where"
		if !cmd.Flags().Changed("where") {
			from = "where"
			if !strings.Contains(err.Error(), o.config) {
				from = o.config + ": where"
			}
		}
		return a.BadCondition(from, err)
	}
	r.Warn = a.Warn
	plan, err := r.Plan()
	if err != nil {
		return err
	}
	if o.dryRun && r.Config.Model.Stacked() {
		return o.stack.dryRun(a, r, plan)
	}
	if o.dryRun {
		fit, err := r.FitTime(cmd.Context())
		if err != nil {
			return err
		}
		return cli.PrintTable(a.Stdout, nil, planRows(r, plan, fit))
	}
	if plan.Held != nil && plan.Train.Total()+plan.Held.Total() > r.Data.Total() {
		a.Notef("nearly all paths of the graph are there, each as often: no sample of walks, so that all train and validate")
	}
	noteKnown(a, "validation", plan.Train, plan.Held)
	if plan.Parameters > 0 {
		a.Notef("%s", planLine(plan))
	}
	w := &trainWatch{a: a}
	m, err := r.Train(cmd.Context(), o.resume, train.Hooks{Fit: w.fit, Part: w.part, Parting: w.parting, Step: w.step,
		Eval: w.eval, Bound: w.bound})
	w.done()
	if errors.Is(err, train.ErrStopped) {
		verb := "go on"
		if r.Config.Model.Network == model.NetworkNone && !r.Config.Model.Stacked() {
			verb = "begin it again"
		}
		a.Notef("%s; %s with: ddps train --resume -o %s", cli.Message(err), verb, o.out)
		return cmd.Context().Err()
	}
	if err != nil {
		return err
	}
	if log, err := r.Log(); err == nil {
		a.Notef("%s", strings.Join(outcome(r, log), "\n"))
		if over := overBudget(r.Config.Budget, log); over != "" {
			a.Warn(over)
		}
	}
	_, err = fmt.Fprintf(a.Stdout, "%s: %s on %s vertices, %s edges; %s distinct paths\n", o.out, m.Config.Kind(),
		cli.Whole(m.Graph.NumVertices()), cli.Whole(m.Graph.NumEdges()), cli.Whole(len(r.Data.Paths)))
	if err != nil {
		return err
	}
	return o.testModel(a, cmd, r, m)
}
