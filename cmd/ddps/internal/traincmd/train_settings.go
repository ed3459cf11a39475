package traincmd

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/ddps-go/ddps/cmd/ddps/internal/cli"
	"github.com/ddps-go/ddps/ddps"
	"github.com/ddps-go/ddps/ddps/model"
	"github.com/ddps-go/ddps/ddps/net"
	"github.com/ddps-go/ddps/ddps/run"
)

// settings returns the configuration that the flags ask for, for a graph.
func (o *trainOptions) settings(cmd *cobra.Command, g *ddps.LayeredGraph) (run.Config, error) {
	set := cmd.Flags().Changed
	var err error
	cfg := run.ConfigFor(g)
	if set("model") {
		if cfg, err = o.stack.settings(cmd, g); err != nil {
			return cfg, err
		}
	}
	if set("network") {
		cfg = run.ConfigOf(o.network)
	}
	cfg = cfg.Sized(o.preset)
	if len(o.paths) > 0 && !cfg.Model.Stacked() && cfg.Model.Network == model.NetworkNone && !canMakeData(o.graph) {
		cfg.ValidationBy = run.ByWalk
	}
	if o.config != "" {
		if cfg, err = run.ReadConfig(o.config, cfg); err != nil {
			return cfg, err
		}
		// the file's network has defaults of its own
		if !set("network") && !set("model") && cfg.Model.Network != model.NetworkNone {
			if cfg, err = run.ReadConfig(o.config, run.ConfigOf(cfg.Model.Network).Sized(o.preset)); err != nil {
				return cfg, err
			}
		}
	}
	for name, apply := range map[string]func(){
		"network": func() { cfg.Model.Network = o.network },
		"hold":    func() { cfg.Hold = o.hold },
		"lr":      func() { cfg.Train.Optim.LR = o.lr },
		"kappa":   func() { cfg.Model.Kappa, cfg.TuneKappa = o.kappa, false },
		"steps":   func() { cfg.Train.Steps = o.steps },
		"where":   func() { cfg.Where = o.where },
		"batch":   func() { cfg.Train.Batch = o.batch },
		"seed":    func() { cfg.Train.Seed, cfg.HoldSeed, cfg.InitSeed = o.seed, o.seed, o.seed },
	} {
		if set(name) {
			apply()
		}
	}
	if made := o.graph == "heights" || o.graph == "ridge"; cfg.Model.Stacked() && (made || o.graph == "dna" &&
		len(o.paths) == 0) { // repeats of a made path are no draws of their own
		cfg.ValidationBy = run.ByPath
	}
	if err := o.stack.apply(cmd, &cfg); err != nil {
		return cfg, err
	}
	if cfg.Model.Network == model.NetworkNone {
		for _, name := range []string{"steps", "batch", "lr", "hidden", "gamma", "residual", "backend"} {
			if set(name) {
				return cfg, cli.Usagef("--%s is of a network, and here there is none: choose one by --network", name)
			}
		}
	}
	o.apply(cmd, &cfg.Model)
	return cfg, nil
}

// apply sets what depends on the network: of the one that the model has alone, as its config.toml keeps no other.
func (o *trainOptions) apply(cmd *cobra.Command, m *model.Config) {
	set := cmd.Flags().Changed
	if set("backend") {
		m.SetBackend(o.backend)
	}
	residual, gamma, hidden := &m.MLP.Residual, &m.MLP.Gamma, &m.MLP.Hidden
	if m.Network == model.NetworkUNet {
		residual, gamma, hidden = &m.UNet.Residual, &m.UNet.Gamma, &m.UNet.Channels
	}
	if set("residual") { // the bound's weight goes with it
		if *residual, *gamma = o.residual, net.PlainGamma; o.residual {
			*gamma = 0
		}
	}
	if set("gamma") {
		*gamma = o.gamma
	}
	if set("hidden") {
		*hidden = o.hidden
	}
}

// width is what --hidden sets.
func width(m model.Config) int {
	switch m.Network {
	case model.NetworkUNet:
		return m.UNet.Channels
	case model.NetworkMLP:
		return m.MLP.Hidden
	}
	return 0
}

// showDefaults makes the flags' help show the defaults of the network and the size that are asked for.
func (o *trainOptions) showDefaults(cmd *cobra.Command) {
	network := o.network
	if network == "" {
		network = model.NetworkMLP
	}
	cfg := run.ConfigOf(network).Sized(o.preset)
	number := func(x float64) string { return strconv.FormatFloat(x, 'g', -1, 64) }
	residual := network == model.NetworkMLP && cfg.Model.MLP.Residual || network == model.NetworkUNet &&
		cfg.Model.UNet.Residual
	gamma := map[string]float64{model.NetworkMLP: cfg.Model.MLP.Gamma, model.NetworkUNet: cfg.Model.UNet.Gamma}[network]
	for name, value := range map[string]string{
		"network": o.network, "preset": o.preset, "backend": cfg.Model.Backend(), "hold": number(cfg.Hold),
		"lr":    number(cfg.Train.Optim.LR),
		"kappa": "", "gamma": number(gamma), "residual": strconv.FormatBool(residual), "steps": strconv.Itoa(cfg.Train.Steps),
		"batch": strconv.Itoa(cfg.Train.Batch), "hidden": strconv.Itoa(width(cfg.Model)),
	} {
		cmd.Flags().Lookup(name).DefValue = value
	}
}

// networkDefaults is a line on each network's defaults.
func networkDefaults() string {
	var lines []string
	for _, name := range model.NetworkNames() {
		cfg := run.ConfigOf(name)
		line := fmt.Sprintf("  %-5s", name)
		if name == model.NetworkNone {
			m := cfg.Model.Mixture
			lines = append(lines, line+fmt.Sprintf("a fit and no training: on a map a mixture of %d chains, in at most %d "+
				"rounds a fit, elsewhere the chain", m.Classes, m.Rounds))
			continue
		}
		line += fmt.Sprintf("%s steps of %d paths, learning rate %v, width %d", cli.Whole(cfg.Train.Steps), cfg.Train.Batch,
			cfg.Train.Optim.LR, width(cfg.Model))
		lines = append(lines, line)
	}
	return strings.Join(lines, "\n")
}

// canMakeData reports whether the graph's data come with the program.
func canMakeData(graph string) bool { return slices.Contains(run.DataNames(), graph) }
