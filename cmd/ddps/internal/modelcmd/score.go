package modelcmd

import (
	"encoding/csv"
	"fmt"
	"io"
	"math"
	"strconv"

	"github.com/spf13/cobra"

	"github.com/ddps-go/ddps/cmd/ddps/internal/cli"
	"github.com/ddps-go/ddps/ddps"
	"github.com/ddps-go/ddps/ddps/d3pm"
	"github.com/ddps-go/ddps/ddps/guide"
	"github.com/ddps-go/ddps/ddps/guide/where"
	"github.com/ddps-go/ddps/ddps/model"
	"github.com/ddps-go/ddps/ddps/run"
)

// scoreOptions are the flags of score.
type scoreOptions struct {
	steps, draws int
	seed         uint64
	by, out      string
	given        string
	reward, cost string
	aliases      string
}

// NewScore returns the command ddps score.
func NewScore(a *cli.App) *cobra.Command {
	var o scoreOptions
	cmd := &cobra.Command{
		Use:   "score RUN FILE",
		Short: "Tell how likely each path of a file is under a model",
		Long: "Tell how likely each path of a file is under a model, in nats: an upper bound on −log p(path),\n" +
			"with its standard error over draws of the noise, beside the fitted chain's −log p. Low is likely.\n" +
			"The result is CSV: the path, bound, stderr, chain, and bound − chain. With --given they are those given\n" +
			"a condition, exact for a model without a network: empty for paths that do not meet it.\n\n" + whereHelp,
		Example: `  ddps score runs/heights plans.csv -o scores.csv
  ddps score runs/toy plans.csv --steps 64 --draws 16
  ddps score runs/heights plans.csv --given 'visit(place 30) and avoid(place 7)'`,
		Args: cli.WantArgs("RUN", "FILE"),
		RunE: func(cmd *cobra.Command, args []string) error { return score(a, cmd, args[0], args[1], &o) },
	}
	cli.CountVar(cmd, &o.steps, "steps", "S", d3pm.DefaultSteps, 1, "reverse steps S")
	cli.CountVar(cmd, &o.draws, "draws", "", 8, 1, "draws of the noise, a path")
	cli.SeedVar(cmd, &o.seed, 0, "seed of the noise")
	f := cmd.Flags()
	f.StringVar(&o.given, "given", "", "`condition` that the paths meet")
	f.StringVar(&o.reward, "reward", "", "`reward` that --given may name: a CSV file, random:R[:SEED] or rare:R[:SEED]")
	f.StringVar(&o.cost, "cost", "", "`cost` that --given may name: as --reward")
	aliasVar(cmd, &o.aliases)
	cli.ByVar(cmd, &o.by, "vertices", "how FILE, if CSV, calls vertices")
	cli.OutVar(cmd, &o.out, "`file` to write (default standard output)", "csv")
	return cmd
}

func score(a *cli.App, cmd *cobra.Command, path, file string, o *scoreOptions) error {
	if err := a.CheckOut(o.out); err != nil {
		return err
	}
	m, r, err := run.OpenModel(path, a.Warn)
	if err != nil {
		return err
	}
	stepsFor(cmd, &o.steps, m)
	given, err := scoreGiven(a, m, o)
	if err != nil {
		return err
	}
	full := m.Graph
	if r != nil {
		full = r.Data.Graph
	}
	d, err := a.ReadPaths(file, full, o.by)
	if err != nil {
		return err
	}
	paths := d.Prune().Paths
	if r == nil {
		paths = d.Paths
	}
	b := &d3pm.Bound{Graph: m.Graph, Denoiser: m, Schedule: m.Schedule, Steps: o.steps, Draws: o.draws}
	p := a.NewProgress("paths scored", 0, len(paths))
	b.Progress = func(done, _ int) { p.Set(done, "") }
	nats, err := b.Score(cmd.Context(), paths, o.seed)
	p.Done()
	if err != nil {
		return err
	}
	chain := make([]float64, len(paths))
	diff, n := 0.0, 0.0
	for i, p := range paths {
		lp, err := m.Chain.LogProb(p)
		if err != nil {
			return err
		}
		chain[i] = 0 - lp // not −0
		given.shift(p, &nats[i].Mean, &chain[i])
		diff += float64(d.Counts[i]) * (nats[i].Mean - chain[i])
		n += float64(d.Counts[i])
	}
	if err := a.WriteFile(o.out, func(w io.Writer) error { return writeScores(w, m.Graph, paths, nats, chain) }); err != nil {
		return err
	}
	if !math.IsNaN(diff) && !math.IsInf(diff, 0) {
		what := "bound"
		if m.Law() != nil || m.Stack != nil {
			what = "−log p, exact without a network,"
		}
		a.Notef("the model's %s lies %.4f nats per path %s the chain's −log p", what, math.Abs(diff/n), belowOrAbove(diff))
	}
	return nil
}

// givenScore is a condition that paths are scored given, with its logarithmic probability under the model and its chain.
type givenScore struct {
	condition    guide.Condition // nil: none
	model, chain float64
}

// scoreGiven reads the condition of --given.
func scoreGiven(a *cli.App, m *model.Model, o *scoreOptions) (g givenScore, err error) {
	if o.given == "" {
		if o.reward != "" || o.cost != "" || o.aliases != "" {
			return g, cli.Usagef("--reward, --cost and --aliases are for --given")
		}
		return g, nil
	}
	if m.Law() == nil && m.Stack == nil {
		return g, fmt.Errorf("--given takes a model whose distribution is known: one without a network")
	}
	reward, cost, err := a.LoadTotals(o.reward, o.cost, m.Graph)
	if err != nil {
		return g, err
	}
	alias, err := loadAliases(o.aliases)
	if err != nil {
		return g, err
	}
	x, err := where.Parse(o.given)
	if err == nil {
		g.condition, err = x.Compile(m.Graph, run.Env(reward, cost, alias))
	}
	if err != nil {
		return g, badCondition(a, "--given", err)
	}
	if g.model, _, err = run.LogProb(m, g.condition); err != nil {
		return g, err
	}
	if math.IsInf(g.model, -1) {
		return g, fmt.Errorf("--given: no path of the model meets %s", x)
	}
	g.chain = g.condition.Tilt(m.Chain.P, make([]float64, m.Graph.NumEdges()))
	if m.Stack != nil {
		return g, tellStack(a, m, g.condition, false)
	}
	a.Notef("the condition's probability under the model: %s", probability(g.model))
	tellProduct(a, g.condition.Product(), largeProduct)
	return g, nil
}

// shift turns −log p of a path into −log p given the condition: NaN where the path does not meet it.
func (g givenScore) shift(p ddps.Path, model, chain *float64) {
	if g.condition == nil {
		return
	}
	w := g.condition.LogWeight(p)
	if math.IsInf(w, -1) {
		w = math.NaN()
	}
	*model += g.model - w
	*chain += g.chain - w
}

func belowOrAbove(x float64) string {
	if x < 0 {
		return "below"
	}
	return "above"
}

// writeScores writes a row a path.
func writeScores(w io.Writer, g *ddps.LayeredGraph, paths []ddps.Path, nats []d3pm.Nats, chain []float64) error {
	c := csv.NewWriter(w)
	var row []string
	for l := range g.NumLayers() {
		row = append(row, fmt.Sprintf("v%d", l+1))
	}
	c.Write(append(row, "bound", "stderr", "chain", "difference")) // its error stays and shows below
	number := func(x float64) string {
		if math.IsNaN(x) {
			return "" // unknown
		}
		return strconv.FormatFloat(x, 'f', 6, 64)
	}
	for i, p := range paths {
		row = row[:0]
		for _, v := range p {
			row = append(row, g.Name(v))
		}
		c.Write(append(row, number(nats[i].Mean), number(nats[i].StdErr), number(chain[i]), number(nats[i].Mean-chain[i])))
	}
	c.Flush()
	return c.Error()
}
