package modelcmd

import (
	"context"
	"fmt"
	"io"
	"math"

	"github.com/spf13/cobra"

	"github.com/ddps-go/ddps/cmd/ddps/internal/cli"
	"github.com/ddps-go/ddps/ddps"
	"github.com/ddps-go/ddps/ddps/chain"
	"github.com/ddps-go/ddps/ddps/d3pm"
	"github.com/ddps-go/ddps/ddps/guide"
	"github.com/ddps-go/ddps/ddps/guide/where"
	"github.com/ddps-go/ddps/ddps/model"
	"github.com/ddps-go/ddps/ddps/query"
	"github.com/ddps-go/ddps/ddps/stack"
)

// scoreOptions are the flags of score.
type scoreOptions struct {
	steps, draws int
	seed         uint64
	by, out      string
	given        string
	reward, cost string
	aliases      string
	json         bool
	walks        cli.WalkFlags
}

// NewScore returns the command ddps score.
func NewScore(a *cli.App) *cobra.Command {
	var o scoreOptions
	cmd := &cobra.Command{
		Use:   "score RUN FILE",
		Short: "Print how likely each path of a file is under a model",
		Long: "Print how likely each path of a file is under a model: its negative log-likelihood (NLL), −log p(path), in\n" +
			"nats, exact without a network; with one, an upper bound with its standard error over draws of the noise.\n" +
			"Low is likely. The result is CSV, a row each different walk: the path, nll, stderr, chain, the −log p of the\n" +
			"fitted chain, difference, nll − chain, count, how often it stands, line, where it first does, reason, why there\n" +
			"is no number, and of an event log case, of which it first is; or with --json the mean over walks. Walks\n" +
			"that are no paths of the graph are impossible, with an nll of +Inf, and counted; rows that cannot be read are\n" +
			"an error.\n" +
			"With --given all are those given a condition: empty for paths that do not meet it.\n\n" +
			whereHelp,
		Example: `  ddps score runs/heights plans.csv -o scores.csv
  ddps score runs/walks routes.csv --walk route --sep ' > '
  ddps score runs/walks later.csv --json
  ddps score runs/toy plans.csv --steps 64 --draws 16
  ddps score runs/heights plans.csv --given 'visit(place 30) and avoid(place 7)'`,
		Args: cli.WantArgs("RUN", "FILE"),
		RunE: func(cmd *cobra.Command, args []string) error { return score(a, cmd, args[0], args[1], &o) },
	}
	cli.CountVar(cmd, &o.steps, "steps", "S", d3pm.DefaultSteps, 1, "reverse steps S")
	cli.CountVar(cmd, &o.draws, "draws", "", 8, 1, "draws of the noise, a path")
	cli.SeedVar(cmd, &o.seed, 0, "seed of the noise, and of a stack's estimate of --given")
	f := cmd.Flags()
	f.StringVar(&o.given, "given", "", "`condition` that the paths meet")
	f.StringVar(&o.reward, "reward", "", "`reward` that --given may name: a CSV file, random:R[:SEED] or rare:R[:SEED]")
	f.StringVar(&o.cost, "cost", "", "`cost` that --given may name: as --reward")
	cli.Inputs(cmd, "reward", "cost")
	aliasVar(cmd, &o.aliases)
	settingsVar(a, cmd)
	cli.ByVar(cmd, &o.by, "vertices", "how FILE, if CSV, calls vertices")
	f.BoolVar(&o.json, "json", false, "print the mean as JSON: nll per walk, stderr, walks, impossible")
	cli.OutVar(cmd, &o.out, "`file` to write (default standard output)", "csv", "json")
	o.walks.ReadVars(cmd)
	return cmd
}

func score(a *cli.App, cmd *cobra.Command, path, file string, o *scoreOptions) error {
	if err := a.CheckOut(o.out); err != nil {
		return err
	}
	m, r, err := a.OpenModel(path)
	if err != nil {
		return err
	}
	stepsFor(cmd, &o.steps, m)
	if m.Tractable() {
		if notUsed(a, cmd, "draws", "steps"); o.given == "" || m.Left() == "" {
			notUsed(a, cmd, "seed")
		}
	}
	given, err := scoreGiven(cmd.Context(), a, m, o)
	if err != nil {
		return err
	}
	full := m.Graph
	if r != nil {
		full = r.Data.Graph
	}
	d, rows, err := o.walks.ReadRows(a, cmd, file, full, o.by)
	if err != nil {
		return err
	}
	paths := d.Prune().Paths
	if r == nil {
		paths = d.Paths
	}
	nats, err := scores(a, cmd, m, paths, o)
	if err != nil {
		return err
	}
	chain := make([]float64, len(paths))
	for i, p := range paths {
		lp, err := m.Chain.LogProb(p)
		if err != nil {
			return err
		}
		chain[i] = 0 - lp // not −0
		if err := given.shift(p, &nats[i].Mean, &chain[i]); err != nil {
			return err
		}
		nats[i].StdErr = math.Hypot(nats[i].StdErr, given.stdErr)
	}
	s := query.Summarize(nats, d.Counts)
	s.StdErr = math.Hypot(s.StdErr, given.stdErr)
	s.Impossible += rows.Total
	if err := a.WriteFile(o.out, func(w io.Writer) error {
		if o.json {
			return cli.WriteJSON(w, scoreJSON(m, &s, given, chain, d.Counts))
		}
		return writeScores(w, m.Graph, &scored{paths, d.Counts, nats, chain, rows})
	}); err != nil {
		return err
	}
	noteScore(a, m, &s, chain, d.Counts)
	return nil
}

// givenScore is a condition that paths are scored given, with its logarithmic probability under the model and its
// chain.
type givenScore struct {
	condition    guide.Condition // nil: none
	model, chain float64
	stdErr       float64 // of model; 0 where it is exact
	// the conditioned distributions; nil of a stack, and of a chain that cannot meet it
	models *query.Conditioned
	chains *chain.Distribution
}

// scoreGiven reads the condition of --given.
func scoreGiven(ctx context.Context, a *cli.App, m *model.Model, o *scoreOptions) (g givenScore, err error) {
	if o.given == "" {
		if o.reward != "" || o.cost != "" || o.aliases != "" {
			return g, cli.Usagef("--reward, --cost and --aliases are for --given")
		}
		return g, nil
	}
	if !m.Tractable() {
		return g, fmt.Errorf("--given takes a model whose distribution is known: one without a network")
	}
	reward, cost, err := a.LoadTotals(o.reward, o.cost, m.Graph)
	if err != nil {
		return g, err
	}
	alias, err := loadAliases(a, o.aliases, m.Graph)
	if err != nil {
		return g, err
	}
	x, err := where.Parse(o.given)
	if err == nil {
		g.condition, err = x.Compile(m.Graph, query.Env(reward, cost, alias))
	}
	if err != nil {
		return g, a.BadCondition("--given", err)
	}
	g.chain = g.condition.Tilt(m.Chain.P, make([]float64, m.Graph.NumEdges()))
	if m.Stack != nil {
		o := stack.Options{Seed: o.seed}
		if err := tellStack(ctx, a, m, g.condition, o, false, false); err != nil {
			return g, err
		}
		given, err := m.Given(ctx, g.condition, o)
		if err == nil {
			g.model, g.stdErr = given.LogP, given.StdErr
		}
		return g, err
	}
	if g.models, g.model, err = query.GivenMixture(m.Distribution(), g.condition); math.IsInf(g.model, -1) {
		return g, fmt.Errorf("--given: no path of the model meets %s", x)
	}
	if err != nil {
		return g, err
	}
	if !math.IsInf(g.chain, -1) {
		if g.chains, _, err = guide.Given(m.Graph, m.Chain.P, g.condition); err != nil {
			return g, err
		}
	}
	a.Notef("the condition's probability under the model: %s", probability(g.model))
	tellProduct(a, g.condition.Product(), largeProduct)
	return g, nil
}

// shift turns −log p of a path into −log p given the condition: NaN where the path does not meet it. It is that of the
// conditioned distribution, and where that is too small for a float64 −log p + log m − log w, of the condition's
// expectation m and the path's weight w: of weights so large the sum has no digits left for p.
func (g givenScore) shift(p ddps.Path, model, chain *float64) error {
	if g.condition == nil {
		return nil
	}
	w := g.condition.LogWeight(p)
	if math.IsInf(w, -1) {
		*model, *chain = math.NaN(), math.NaN()
		return nil
	}
	*model += g.model - w
	*chain += g.chain - w
	if g.models != nil {
		if err := replace(model, p, g.models.LogProb); err != nil {
			return err
		}
	}
	if g.chains != nil {
		return replace(chain, p, g.chains.LogProb)
	}
	return nil
}

// replace sets nats to −logProb(p) where that is finite.
func replace(nats *float64, p ddps.Path, logProb func(ddps.Path) (float64, error)) error {
	lp, err := logProb(p)
	if err == nil && !math.IsInf(lp, -1) {
		*nats = max(0, -lp) // rounding
	}
	return err
}
