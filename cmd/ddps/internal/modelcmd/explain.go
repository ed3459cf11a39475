package modelcmd

import (
	"cmp"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"github.com/ddps-go/ddps/cmd/ddps/internal/cli"
	"github.com/ddps-go/ddps/datasets"
	"github.com/ddps-go/ddps/ddps"
	"github.com/ddps-go/ddps/ddps/d3pm"
	"github.com/ddps-go/ddps/ddps/guide"
	"github.com/ddps-go/ddps/ddps/guide/where"
	"github.com/ddps-go/ddps/ddps/model"
	"github.com/ddps-go/ddps/ddps/query"
	"github.com/ddps-go/ddps/ddps/run"
	"github.com/ddps-go/ddps/plots"
)

// explainOptions are the flags of explain.
type explainOptions struct {
	where, reward, cost, aliases string
	n, steps, particles, best    int
	seed                         uint64
	json                         bool
	marginals, figure            string
}

// NewExplain returns the command ddps explain.
func NewExplain(a *cli.App) *cobra.Command {
	var o explainOptions
	cmd := &cobra.Command{
		Use:   "explain RUN",
		Short: "Print how likely a condition is among a model's paths, and why",
		Long: "Print how likely a condition is among a model's paths: how many paths meet it, its probability in the\n" +
			"data, under the fitted chain and under the model (exactly, or with a network an estimate with its\n" +
			"standard error), the most likely paths that meet it, the expected reward and cost with and without it,\n" +
			"and of each term its probability alone, that of the others without it, and its probability given the\n" +
			"others: the term with the least makes the condition rare. The size of the product of graph and states\n" +
			"is printed before. A condition that no path meets is an error, which names the terms that are to blame.\n\n" +
			whereHelp,
		Example: `  ddps explain runs/toy --where 'visit(vertex 3) and reward >= 2' --reward random:4
  ddps explain shipped:heights --where 'visit(place 7) then visit(place 0)' --json
  ddps explain shipped:heights --where 'visits(place 30) >= 2 or not visit(place 7)' --best 5 --figure use.png`,
		Args: cli.WantArgs("RUN"),
		RunE: func(cmd *cobra.Command, args []string) error { return explain(a, cmd, args[0], &o) },
	}
	f := cmd.Flags()
	f.StringVar(&o.where, "where", "", "the `condition`; by default that of the run's config.toml")
	f.StringVar(&o.reward, "reward", "", "`reward`: a CSV file, random:R[:SEED] or rare:R[:SEED]")
	f.StringVar(&o.cost, "cost", "", "`cost`: as --reward")
	aliasVar(cmd, &o.aliases)
	cli.CountVar(cmd, &o.best, "best", "k", 1, 1, "how many of the most likely paths to print")
	f.StringVar(&o.marginals, "marginals", "",
		"CSV `file` to write: the probability of each vertex, given the condition and without it, by layer and place")
	cli.FileFlag(cmd, "marginals", "csv")
	f.StringVar(&o.figure, "figure", "", "picture `file` to write: how often paths take each edge, without the "+
		"condition and given it (.png, .svg, .pdf)")
	cli.FileFlag(cmd, "figure", cli.PictureEndings()...)
	cli.Outputs(cmd, "figure", "marginals")
	cli.Inputs(cmd, "reward", "cost")
	cli.CountVar(cmd, &o.n, "number", "n", 0, 0, "groups of particles behind the estimate of a model with a network, 512 "+
		"by default; of a stack, draws behind that of each part that is estimated, 2,048")
	cli.CountVar(cmd, &o.particles, "particles", "", 8, 1, "particles a group")
	cli.CountVar(cmd, &o.steps, "steps", "S", d3pm.DefaultSteps, 1, "reverse steps S")
	cli.SeedVar(cmd, &o.seed, 0, "seed of the estimate")
	f.BoolVar(&o.json, "json", false, "print JSON")
	settingsVar(a, cmd)
	return cmd
}

func explain(a *cli.App, cmd *cobra.Command, path string, o *explainOptions) error {
	if o.particles > maxParticles {
		return cli.Usagef("--particles: want %s or less", cli.Whole(maxParticles))
	}
	if o.figure != "" {
		if err := cli.CheckPicture(o.figure); err != nil {
			return err
		}
	}
	if err := a.CheckOut(o.marginals, o.figure); err != nil {
		return err
	}
	if _, err := where.Parse(o.where); err != nil && cmd.Flags().Changed("where") {
		return badWhere(a, cmd, err)
	}
	m, r, err := a.OpenModel(path)
	if err != nil {
		return err
	}
	if o.where = conditionOf(a, cmd, o.where, r); o.where == "" {
		return cli.Usagef("--where is missing, and the run has no condition of its own")
	}
	x, err := where.Parse(o.where)
	if err != nil {
		return badWhere(a, cmd, err)
	}
	stepsFor(cmd, &o.steps, m)
	reward, cost, err := a.LoadTotals(o.reward, o.cost, m.Graph)
	if err != nil {
		return err
	}
	alias, err := loadAliases(a, o.aliases, m.Graph)
	if err != nil {
		return err
	}
	env := query.Env(reward, cost, alias)
	compiled := a.Working("the condition's product with the graph")
	c, err := x.CompileContext(cmd.Context(), m.Graph, env)
	compiled()
	if err != nil {
		return badWhere(a, cmd, err)
	}
	tellProduct(a, c.Product(), 0)
	if strings.HasPrefix(path, run.ShippedPrefix) { // its data are made anew
		if r, err = run.Open(path); err != nil {
			return err
		}
	}
	var data *datasets.Data
	if r != nil {
		data = r.Data.Prune()
	}
	e, err := explanation(a, cmd, m, data, x, env, c, o)
	if err != nil {
		return err
	}
	files, err := explainFiles(m.Graph, e, o)
	if err != nil {
		return err
	}
	return a.WriteFiles(append(files, cli.OutFile{Path: "", Write: func(w io.Writer) error {
		if o.json {
			return cli.WriteJSON(w, explanationJSON(m.Graph, e, c))
		}
		return explanationTable(w, m.Graph, e, c, m.Tractable())
	}})...)
}

// fewDraws is how many draws, or groups of particles, a standard error wants.
const fewDraws = 32

// explanation runs the particles, with progress.
func explanation(a *cli.App, cmd *cobra.Command, m *model.Model, data *datasets.Data, x *where.Expr, env where.Env,
	c guide.Condition, o *explainOptions) (*query.Explanation, error) {
	s := m.Sampler()
	s.Steps = o.steps
	groups := cmp.Or(o.n, 512)
	if groups < fewDraws && (!m.Tractable() || m.Left() != "") {
		a.Notef("--number %d: the standard error of an estimate from fewer than %d is rough itself", groups, fewDraws)
	}
	cfg := query.ExplainConfig{Env: env, Best: o.best, Particles: &d3pm.Particles{Sampler: s, K: o.particles},
		Groups: groups, Seed: o.seed, Condition: c}
	if m.Tractable() {
		if notUsed(a, cmd, "particles", "steps"); m.Left() == "" {
			notUsed(a, cmd, "number", "seed")
		} else if cmd.Flags().Changed("number") {
			if cfg.Draws = o.n; o.n == 1 {
				return nil, cli.Usagef("--number: want 2 or more draws")
			}
		}
		defer a.Working("probabilities and paths of the condition")()
	} else {
		if err := cmp.Or(checkSteps(m, o.steps), checkPaths(m.Graph, groups, 2)); err != nil {
			return nil, err
		}
		p := a.NewProgress(fmt.Sprintf("%s groups of %d particles × %d steps", cli.Whole(groups), o.particles, o.steps), 0,
			groups*o.steps*o.particles)
		s.Progress = func(done, _ int) { p.Set(done, "") }
		defer p.Done()
	}
	return query.Explain(cmd.Context(), m, data, x, cfg)
}

// explainFiles are the files that the flags ask for.
func explainFiles(g *ddps.LayeredGraph, e *query.Explanation, o *explainOptions) (files []cli.OutFile, err error) {
	if o.marginals == "" && o.figure == "" {
		return nil, nil
	}
	if e.Uses == nil {
		return nil, fmt.Errorf("no path of the model meets the condition: there is nothing for --marginals and --figure")
	}
	if o.marginals != "" {
		files = append(files, cli.OutFile{Path: o.marginals, Write: func(w io.Writer) error {
			return writeMarginals(w, g,
				e)
		}})
	}
	if o.figure != "" {
		f, err := plots.Multiples{Title: e.Text, Columns: 2, Panels: []plots.Edges{{Title: "all paths", Graph: g,
			Uses: e.AllUses},
			{Title: "paths that meet the condition", Graph: g, Uses: e.Uses}}}.Figure()
		if err != nil {
			return nil, err
		}
		picture, err := cli.PictureFile(o.figure, f)
		if err != nil {
			return nil, err
		}
		files = append(files, picture)
	}
	return files, nil
}

// notUsed notes which of the flags were given to a command for a model whose distribution is known.
func notUsed(a *cli.App, cmd *cobra.Command, flags ...string) {
	for _, name := range flags {
		if cmd.Flags().Changed(name) {
			a.Notef("without a network there are no reverse steps: --%s is not used", name)
		}
	}
}
