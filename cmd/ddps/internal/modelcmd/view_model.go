package modelcmd

import (
	"fmt"
	"math"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/ddps-go/ddps/cmd/ddps/internal/cli"
	"github.com/ddps-go/ddps/ddps"
	"github.com/ddps-go/ddps/ddps/query"
	"github.com/ddps-go/ddps/ddps/run"
	"github.com/ddps-go/ddps/plots/page"
)

// viewModel draws the samples of a model.
func viewModel(a *cli.App, cmd *cobra.Command, args []string, o *viewOptions) (*page.Page, error) {
	m, r, err := a.OpenModel(args[0])
	if err != nil {
		return nil, err
	}
	stepsFor(cmd, &o.steps, m)
	if err := checkSteps(m, o.steps); err != nil {
		return nil, err
	}
	cfg := run.SetsConfig{Samples: o.n, Steps: o.steps, Where: o.where, Seed: o.seed}
	if cfg.Lambdas, err = parseLambdas(o.lambdas); err != nil {
		return nil, err
	}
	if cmd.Flags().Changed("lambda") && (o.reward == "" || o.reward == noReward) {
		return nil, cli.Usagef("--lambda is the scale of a --reward's gradient, and there is none")
	}
	if len(o.where) == 0 && (o.cost != "" || o.aliases != "") {
		return nil, cli.Usagef("--cost and --aliases are for --where")
	}
	if o.reward, cfg.Reward, err = viewReward(a, m.Graph, o.reward); err != nil {
		return nil, err
	}
	if _, cfg.Cost, err = a.LoadTotals("", o.cost, m.Graph); err != nil {
		return nil, err
	}
	if err := checkPaths(m.Graph, o.n, 2*(2+len(cfg.Lambdas)+len(cfg.Where))); err != nil {
		return nil, err
	}
	if cfg.Alias, err = loadAliases(a, o.aliases, m.Graph); err != nil {
		return nil, err
	}
	if len(cfg.Where) == 0 {
		if text := conditionOf(a, cmd, "", r); text != "" {
			cfg.Where = []string{text}
		}
	}
	p := &page.Page{Title: placeTitle(filepath.Base(args[0]), m.Graph), Graph: m.Graph, Reward: cfg.Reward,
		Notes: []string{
			fmt.Sprintf("Samples: %s paths each, %s, seed %d%s.", cli.Whole(o.n), stepsText(o.steps), o.seed,
				rewardText(o.reward))}}
	given := page.Page{}
	if strings.HasPrefix(args[0], run.ShippedPrefix) { // its data are made anew
		if r, err = run.Open(args[0]); err != nil {
			return nil, err
		}
	}
	g := m.Graph
	if r != nil {
		g = r.Data.Graph
		d := r.Data.Prune()
		given.Sets = append(given.Sets, page.Set{Name: "data", Paths: d.Paths, Counts: d.Counts})
	}
	if err := addFiles(a, &given, g, args[1:], o.by); err != nil {
		return nil, err
	}
	sets, err := cfg.Draw(cmd.Context(), m, cli.NewStages(a))
	if err != nil {
		return nil, badWhere(a, cmd, err)
	}
	for _, s := range sets {
		p.Sets = append(p.Sets, pageSet(s))
	}
	p.Sets = append(p.Sets, given.Sets...)
	return p, nil
}

// pageSet is a sample as the page has it.
func pageSet(s run.Set) page.Set {
	out := page.Set{Name: s.Guide.Title(""), Sample: true, Paths: s.Paths}
	switch {
	case s.Guide.Name == query.Algorithm2:
		out.Name, out.Guide, out.Lambda = "Algorithm 2", s.Guide.Name, s.Guide.Lambda
	case s.LogProb < 0: // no condition, or a sure one, needs no probability
		out.Prob = math.Exp(s.LogProb)
	}
	return out
}

// viewReward loads the reward, and says what it is; by default there is none.
func viewReward(a *cli.App, g *ddps.LayeredGraph, arg string) (name string, u []float64, err error) {
	if arg == "" || arg == noReward {
		return noReward, nil, nil
	}
	u, err = a.LoadReward(arg, g)
	return arg, u, err
}

// maxLambdas is the most guidance scales that view takes.
const maxLambdas = 100

// parseLambdas reads guidance scales with commas between; "" is what shows a curve.
func parseLambdas(text string) ([]float64, error) {
	if text == "" {
		return []float64{0, 1, 3, 10, 30, 100, 300, 1e3, 1e4}, nil
	}
	var list []float64
	for _, field := range strings.Split(text, ",") {
		x, err := cli.ParseScale(field)
		if err != nil {
			return nil, cli.Usagef("--lambda: %v", err)
		}
		list = append(list, x)
	}
	if len(list) > maxLambdas {
		return nil, cli.Usagef("--lambda: %d values, want %d or less", len(list), maxLambdas)
	}
	return list, nil
}

// rewardText names a reward, where there is one.
func rewardText(name string) string {
	if name == noReward {
		return ""
	}
	return "; the reward: " + name
}

// stepsText names the reverse steps of samples, where 0 leaves their number to the sampler.
func stepsText(steps int) string {
	if steps == 0 {
		return "reverse steps where a guide needs them"
	}
	return fmt.Sprintf("%d reverse steps", steps)
}
