package main

import (
	"errors"
	"fmt"
	"io"
	"math"
	"math/big"
	"strings"

	"github.com/spf13/cobra"

	"github.com/ddps-go/ddps/datasets"
	"github.com/ddps-go/ddps/ddps"
	"github.com/ddps-go/ddps/ddps/d3pm"
	"github.com/ddps-go/ddps/ddps/experiment"
	"github.com/ddps-go/ddps/ddps/guide/where"
)

// whereHelp tells what --where takes.
const whereHelp = "A condition (--where) is one or several of these, joined by and:\n" +
	"  max(reward)  reward >= 3  reward = 3  cost <= 12  boltzmann(2)\n" +
	"  visit(\"A\")  visit({\"A\", \"B\"}, layer 3)  visit(\"A\") then visit(\"B\")  edge(\"A\", \"B\")\n" +
	"  avoid(\"A\")  avoid(edge(\"A\", \"B\"))  end in {\"A\", \"B\"}\n" +
	"  of DNA: motif(\"TATAAT\", 10)  motif(\"GANTC\")  avoid(motif(\"GAATTC\"))  gc <= 12  gc <= 35 %\n" +
	"Vertices go by name, as place N of the map, or as vertex N of the graph; layers, and positions of a\n" +
	"motif, count from 1."

// explainOptions are the flags of explain.
type explainOptions struct {
	where, reward, cost string
	n, steps, particles int
	seed                uint64
	json                bool
}

func newExplainCmd(a *app) *cobra.Command {
	var o explainOptions
	cmd := &cobra.Command{
		Use:   "explain RUN",
		Short: "Tell what a condition asks of a model's paths",
		Long: "Tell what a condition asks of a model's paths: how many meet it, how likely that is in the data,\n" +
			"under the fitted chain and under the model (exactly, or with a network an estimate with its standard\n" +
			"error), the most likely path that meets it, and the same of each part alone. A condition that no path meets is an error,\n" +
			"which says what is to blame.\n\n" + whereHelp,
		Example: `  ddps explain runs/toy --where 'visit(vertex 3) and reward >= 2' --reward random:4
  ddps explain shipped:heights --where 'visit(place 7) then visit(place 0)' --json`,
		Args: wantArgs("RUN"),
		RunE: func(cmd *cobra.Command, args []string) error { return a.explain(cmd, args[0], &o) },
	}
	f := cmd.Flags()
	f.StringVar(&o.where, "where", "", "the `condition`")
	f.StringVar(&o.reward, "reward", "", "`reward`: a CSV file, random:R[:SEED] or rare:R[:SEED]")
	f.StringVar(&o.cost, "cost", "", "`cost`: as --reward")
	countVar(cmd, &o.n, "number", "n", 512, 1, "groups of particles behind the estimate of a model with a network")
	countVar(cmd, &o.particles, "particles", "", 8, 1, "particles a group")
	countVar(cmd, &o.steps, "steps", "S", d3pm.DefaultSteps, 1, "reverse steps S")
	seedVar(cmd, &o.seed, 0, "seed of the estimate")
	f.BoolVar(&o.json, "json", false, "print JSON")
	requireFlags(cmd, "where")
	return cmd
}

func (a *app) explain(cmd *cobra.Command, run string, o *explainOptions) error {
	if o.particles > maxParticles {
		return usagef("--particles: want %s or less", whole(maxParticles))
	}
	x, err := where.Parse(o.where)
	if err != nil {
		return a.badWhere(err)
	}
	m, r, err := experiment.Open(run, a.warn)
	if err != nil {
		return err
	}
	reward, cost, err := a.loadTotals(o.reward, o.cost, m.Graph)
	if err != nil {
		return err
	}
	totals := map[string][]float64{"reward": reward, "cost": cost}
	if _, err := x.Condition(m.Graph, totals); err != nil {
		return a.badWhere(err)
	}
	if strings.HasPrefix(run, experiment.ShippedPrefix) { // its data are made anew
		if r, err = experiment.OpenRun(run); err != nil {
			return err
		}
	}
	var data *datasets.Data
	if r != nil {
		data = r.Data.Prune()
	}
	e, err := a.explanation(cmd, m, data, x, totals, o)
	if err != nil {
		return err
	}
	return a.writeFile("", func(w io.Writer) error {
		if o.json {
			return writeJSON(w, explanationJSON(m.Graph, e))
		}
		return explanationTable(w, m.Graph, e)
	})
}

// explanation runs the particles, with progress.
func (a *app) explanation(cmd *cobra.Command, m *d3pm.Model, data *datasets.Data, x *where.Expr, totals map[string][]float64, o *explainOptions) (*experiment.Explanation, error) {
	s := m.Sampler()
	s.Steps = o.steps
	if m.Law() != nil {
		for _, name := range []string{"number", "particles", "steps", "seed"} {
			if cmd.Flags().Changed(name) {
				a.notef("without a network all is exact: --%s is not used", name)
			}
		}
	} else {
		p := a.newProgress(fmt.Sprintf("%s groups of %d particles × %d steps", whole(o.n), o.particles, o.steps), 0, o.n*o.steps*o.particles)
		s.Progress = func(done, _ int) { p.Set(done, "") }
		defer p.Done()
	}
	return experiment.Explain(cmd.Context(), m, data, x, totals, &d3pm.Particles{Sampler: s, K: o.particles}, o.n, o.seed)
}

// loadTotals loads a reward and a cost, nil where there is none.
func (a *app) loadTotals(reward, cost string, g *ddps.LayeredGraph) (u, c []float64, err error) {
	if reward != "" {
		if u, err = a.loadReward(reward, g); err != nil {
			return nil, nil, err
		}
	}
	if cost != "" {
		c, err = a.loadReward(cost, g)
	}
	return u, c, err
}

// badWhere points at the character of --where that err is about, and names the flag.
func (a *app) badWhere(err error) error {
	var at *where.Error
	if !errors.As(err, &at) {
		return err
	}
	a.notef("%s", at.Caret())
	hint := ""
	if flag, missing := strings.CutPrefix(at.Problem, "no "); missing {
		if flag, missing = strings.CutSuffix(flag, " is given"); missing {
			hint = ": add --" + flag
		}
	}
	return fmt.Errorf("--where: %w%s", err, hint)
}

// explanationTable prints an explanation.
func explanationTable(w io.Writer, g *ddps.LayeredGraph, e *experiment.Explanation) error {
	what := "probability"
	if e.Weighs {
		what = "expected weight"
	}
	model := real3(e.Model)
	if e.Particles != nil {
		model += " ± " + real3(e.StdErr)
	}
	rows := [][]string{{"condition", e.Text}, {"paths that meet it", ofAll(e.Paths, e.All)}, {what + " in the data", real3(e.Data)},
		{what + " under the fitted chain", real3(e.Chain)}, {what + " under the model", model}}
	if e.Chains == nil {
		rows = append(rows, []string{"likeliest under the chain", "none"})
	}
	if e.Models == nil && e.Particles == nil {
		rows = append(rows, []string{"likeliest under the model", "none"})
	}
	for _, l := range []struct {
		law string
		of  *experiment.Likeliest
	}{{"chain", e.Chains}, {"model", e.Models}} {
		if l.of == nil {
			continue
		}
		name := "likeliest under the " + l.law
		if !l.of.Sure {
			name += ", of very many"
		}
		rows = append(rows, []string{name, pathText(g, l.of.Path)}, []string{"its probability there", real3(math.Exp(l.of.LogProb))})
	}
	if err := printTable(w, nil, rows); err != nil || e.Terms == nil {
		return err
	}
	terms := make([][]string, len(e.Terms))
	for i, t := range e.Terms {
		terms[i] = []string{t.Text, wholeBig(t.Paths), real3(t.Data), real3(t.Chain)}
	}
	if _, err := fmt.Fprintln(w); err != nil {
		return err
	}
	return printTable(w, []string{"alone", "paths", "data", "chain"}, terms)
}

// ofAll writes a number of paths and its share of all.
func ofAll(n, all *big.Int) string {
	share, _ := new(big.Rat).SetFrac(n, all).Float64()
	return fmt.Sprintf("%s of %s (%s)", wholeBig(n), wholeBig(all), real3(100*share)+" %")
}

// shareOut is a share as JSON; what is not a finite number is null.
type shareOut struct {
	Condition string   `json:"condition"`
	Paths     *big.Int `json:"paths"`
	Data      any      `json:"data"`
	Chain     any      `json:"chain"`
}

// explanationJSON is an explanation as JSON.
func explanationJSON(g *ddps.LayeredGraph, e *experiment.Explanation) any {
	number := func(x float64) any {
		if math.IsNaN(x) || math.IsInf(x, 0) {
			return nil
		}
		return x
	}
	share := func(s experiment.Share) shareOut { return shareOut{s.Text, s.Paths, number(s.Data), number(s.Chain)} }
	out := struct {
		shareOut
		Weighs bool       `json:"weighs"`
		All    *big.Int   `json:"all_paths"`
		Model  any        `json:"model"`
		StdErr any        `json:"model_stderr"`
		Chains any        `json:"likeliest_under_chain"`
		Models any        `json:"likeliest_under_model"`
		Terms  []shareOut `json:"terms,omitempty"`
	}{shareOut: share(e.Share), Weighs: e.Weighs, All: e.All, Model: number(e.Model), StdErr: number(e.StdErr)}
	likeliest := func(l *experiment.Likeliest) any {
		if l == nil {
			return nil
		}
		var names []string
		for _, v := range l.Path {
			names = append(names, g.Name(v))
		}
		return struct {
			Path    []string `json:"path"`
			LogProb any      `json:"log_probability"`
			Sure    bool     `json:"sure"`
		}{names, number(l.LogProb), l.Sure}
	}
	out.Chains, out.Models = likeliest(e.Chains), likeliest(e.Models)
	for _, t := range e.Terms {
		out.Terms = append(out.Terms, share(t))
	}
	return out
}
