package main

import (
	"errors"
	"fmt"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"github.com/ddps-go/ddps/datasets"
	"github.com/ddps-go/ddps/ddps"
	"github.com/ddps-go/ddps/ddps/d3pm"
	"github.com/ddps-go/ddps/ddps/experiment"
)

// trainOptions are the flags of train.
type trainOptions struct {
	graph, paths, by, config, out string
	resume, residual              bool
	network, backend              string
	hold, lr, kappa, gamma        float64
	steps, batch, hidden          int
	seed                          uint64
}

func newTrainCmd(a *app) *cobra.Command {
	var o trainOptions
	cmd := &cobra.Command{
		Use:   "train",
		Short: "Train a model of a graph's paths",
		Long: "Train a model of a graph's paths in a run folder, which holds all that belongs to it: graph,\n" +
			"paths, settings, log, checkpoints, model. Ctrl-C stops after the step at hand with a checkpoint;\n" +
			"--resume goes on from the newest good one and ends in the same bytes as if it had not stopped.\n" +
			"Settings come from the network's defaults, then --config, then the other flags.",
		Example: `  ddps train --graph toy --paths toy.csv -o runs/toy
  ddps train --graph heights --paths heights.csv --network pair --steps 3000 -o runs/heights
  ddps train --resume -o runs/heights`,
		Args: wantArgs(),
		RunE: func(cmd *cobra.Command, _ []string) error { return a.train(cmd, &o) },
	}
	def := experiment.DefaultConfig()
	f := cmd.Flags()
	f.StringVarP(&o.out, "output", "o", "", "run folder")
	f.StringVar(&o.graph, "graph", "", "graph: a file or a name")
	f.StringVar(&o.paths, "paths", "", "file of paths to learn from (CSV or JSON Lines)")
	byVar(cmd, &o.by, "vertices", "how a CSV file calls vertices")
	f.StringVar(&o.config, "config", "", "TOML file of settings, as config.toml of a run folder")
	f.BoolVar(&o.resume, "resume", false, "go on in a run folder")
	choiceVar(cmd, &o.network, "network", "", d3pm.NetworkMLP, d3pm.NetworkNames(), "network; none is the fitted chain alone")
	f.StringVar(&o.backend, "backend", "", "what trains the network: go, xla:cpu, xla:cuda, auto")
	numberVar(cmd, &o.hold, "hold", "", def.Hold, 0, "share of the paths held out to evaluate on, below 1")
	numberVar(cmd, &o.lr, "lr", "", def.Train.Optim.LR, 0, "learning rate")
	numberVar(cmd, &o.kappa, "kappa", "", def.Model.Kappa, 0, "pseudo-count of the fitted chain, in paths")
	numberVar(cmd, &o.gamma, "gamma", "", 0, 0, "weight γ of the variational bound in the loss of mlp and unet")
	f.BoolVar(&o.residual, "residual", false, "mlp and unet correct the chain (=false: plain networks)")
	countVar(cmd, &o.steps, "steps", "", def.Train.Steps, 1, "training steps")
	countVar(cmd, &o.batch, "batch", "", def.Train.Batch, 1, "paths a step")
	countVar(cmd, &o.hidden, "hidden", "", def.Model.MLP.Hidden, 1, "width of the network; channels of unet")
	seedVar(cmd, &o.seed, 0, "seed of weights, batches and the paths held out")
	for _, name := range []string{"output", "config", "paths", "graph"} {
		fileFlag(cmd, name)
	}
	completeWords(cmd, "backend", "go", "xla:cpu", "xla:cuda", "auto")
	requireFlags(cmd, "output")
	return cmd
}

// settings returns the configuration that the flags ask for.
func (o *trainOptions) settings(cmd *cobra.Command) (experiment.Config, error) {
	set := cmd.Flags().Changed
	cfg := experiment.ConfigOf(o.network)
	var err error
	if o.config != "" {
		if cfg, err = experiment.ReadConfig(o.config, cfg); err != nil {
			return cfg, err
		}
		if !set("network") { // the file's network has defaults of its own
			if cfg, err = experiment.ReadConfig(o.config, experiment.ConfigOf(cfg.Model.Network)); err != nil {
				return cfg, err
			}
		}
	}
	for name, apply := range map[string]func(){
		"network": func() { cfg.Model.Network = o.network },
		"hold":    func() { cfg.Hold = o.hold },
		"lr":      func() { cfg.Train.Optim.LR = o.lr },
		"kappa":   func() { cfg.Model.Kappa = o.kappa },
		"gamma":   func() { cfg.Model.MLP.Gamma, cfg.Model.UNet.Gamma = o.gamma, o.gamma },
		"steps":   func() { cfg.Train.Steps = o.steps },
		"batch":   func() { cfg.Train.Batch = o.batch },
		"seed":    func() { cfg.Train.Seed, cfg.HoldSeed, cfg.InitSeed = o.seed, o.seed, o.seed },
	} {
		if set(name) {
			apply()
		}
	}
	return cfg, o.apply(cmd, &cfg.Model)
}

// apply sets what depends on the network.
func (o *trainOptions) apply(cmd *cobra.Command, m *d3pm.ModelConfig) error {
	set := cmd.Flags().Changed
	if set("residual") && m.Network != d3pm.NetworkMLP && m.Network != d3pm.NetworkUNet {
		return usagef("--residual is a choice that mlp and unet have, not %s", m.Network)
	}
	if set("backend") {
		m.SetBackend(o.backend)
	}
	if set("residual") { // the bound's weight goes with it
		m.MLP.Residual, m.UNet.Residual = o.residual, o.residual
		if gamma := d3pm.PlainGamma; !set("gamma") {
			if o.residual {
				gamma = 0
			}
			m.MLP.Gamma, m.UNet.Gamma = gamma, gamma
		}
	}
	if !set("hidden") {
		return nil
	}
	switch m.Network {
	case d3pm.NetworkPair:
		m.Pair.Hidden = o.hidden
	case d3pm.NetworkUNet:
		m.UNet.Channels = o.hidden
	default:
		m.MLP.Hidden = o.hidden
	}
	return nil
}

// openRun makes the run folder, or opens it to go on.
func (a *app) openRun(cmd *cobra.Command, o *trainOptions) (*experiment.Run, error) {
	if o.out == "" {
		return nil, usagef("--output is empty")
	}
	if o.resume {
		var given []string
		for _, name := range []string{"graph", "paths", "vertices", "config", "network", "backend", "hold", "lr", "kappa", "gamma", "residual", "steps", "batch", "hidden", "seed"} {
			if cmd.Flags().Changed(name) {
				given = append(given, "--"+name)
			}
		}
		if len(given) > 0 {
			return nil, usagef("--resume takes all settings from the run folder: leave out %s", strings.Join(given, ", "))
		}
		return experiment.OpenRun(o.out)
	}
	if o.graph == "" || o.paths == "" {
		return nil, usagef("--graph and --paths are needed, or --resume")
	}
	cfg, err := o.settings(cmd)
	if err != nil {
		return nil, err
	}
	data, err := loadPaths(o.graph, o.paths, o.by)
	if err != nil {
		return nil, err
	}
	if data.Graph.Meta().Place == nil {
		cfg.Model.Pair.Shared = false
	}
	return experiment.Create(o.out, cfg, data)
}

func (a *app) train(cmd *cobra.Command, o *trainOptions) error {
	r, err := a.openRun(cmd, o)
	if err != nil {
		return err
	}
	r.Warn = a.warn
	var p *progress
	gain := ""
	m, err := r.Train(cmd.Context(), o.resume, d3pm.Hooks{
		Step: func(s d3pm.StepInfo) {
			if p == nil {
				p = a.newProgress("train", s.Step-1, s.Steps)
			}
			p.Set(s.Step, fmt.Sprintf("loss %.3f%s", s.Loss.Total, gain))
		},
		Eval: func(e d3pm.EvalInfo) {
			gain = fmt.Sprintf(", held-out gain %+.4f", e.Gain())
			if p != nil {
				mark := ""
				if e.Best {
					mark = ", the best so far"
				}
				p.Logf("step %s: held-out loss %.4f, the chain's %.4f, gain %+.4f nats a path%s", whole(e.Step), e.CE, e.ChainCE, e.Gain(), mark)
			}
		},
	})
	if p != nil {
		p.Done()
	}
	if errors.Is(err, d3pm.ErrStopped) {
		a.notef("%s; go on with: ddps train --resume -o %s", message(err), o.out)
		return cmd.Context().Err()
	}
	if err != nil {
		return err
	}
	if _, evals, err := r.Log(); err == nil && len(evals) > 0 {
		a.notef("%s", kept(evals))
	}
	_, err = fmt.Fprintf(a.stdout, "%s: %s network on %s vertices, %s edges; %s distinct paths\n", o.out, r.Config.Model.Network,
		whole(m.Graph.NumVertices()), whole(m.Graph.NumEdges()), whole(len(r.Data.Paths)))
	return err
}

// loadModel returns the model of a run folder, or of a file of weights.
func (a *app) loadModel(path string) (*d3pm.Model, *experiment.Run, error) {
	if info, err := os.Stat(path); err == nil && !info.IsDir() {
		m, err := experiment.LoadModel(path)
		return m, nil, err
	}
	r, err := experiment.OpenRun(path)
	if err != nil {
		return nil, nil, err
	}
	r.Warn = a.warn
	m, err := r.Model()
	return m, r, err
}

// loadReward returns a reward of g by edge: of a file, or random:R[:SEED] or rare:R[:SEED].
func loadReward(arg string, g *ddps.LayeredGraph) ([]float64, error) {
	kind, rest, ok := strings.Cut(arg, ":")
	if !ok || (kind != "random" && kind != "rare") {
		return datasets.ReadRewardFile(arg, g)
	}
	var r int
	var seed uint64
	text, seedText, hasSeed := strings.Cut(rest, ":")
	if _, err := fmt.Sscanf(text+"\n", "%d\n", &r); err != nil {
		return nil, usagef("reward %q: want %s:R or %s:R:SEED, R a whole number", arg, kind, kind)
	}
	if hasSeed {
		if _, err := fmt.Sscanf(seedText+"\n", "%d\n", &seed); err != nil {
			return nil, usagef("reward %q: the seed is not a whole number", arg)
		}
	}
	if kind == "rare" {
		return datasets.RareReward(g, r, seed)
	}
	return datasets.RewardInstance(g, r, seed)
}
