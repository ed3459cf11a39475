package query_test

import (
	"context"
	"errors"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/ddps-go/ddps/datasets"
	"github.com/ddps-go/ddps/ddps"
	"github.com/ddps-go/ddps/ddps/d3pm"
	"github.com/ddps-go/ddps/ddps/guide/where"
	"github.com/ddps-go/ddps/ddps/model"
	"github.com/ddps-go/ddps/ddps/query"
	"github.com/ddps-go/ddps/ddps/run"
	"github.com/ddps-go/ddps/ddps/run/runtest"
	"github.com/ddps-go/ddps/ddps/run/toytest"
)

// An explanation against the enumeration of all paths: without a network the chain is the model.
func TestExplain(t *testing.T) {
	data := runtest.Example(t)
	cfg := toytest.Quick()
	cfg.Model.Mixture.Classes = 1
	near, err := (&run.Run{Config: cfg, Data: data}).NewModel() // no distribution in closed form, and hardly another
	if err != nil {
		t.Fatal(err)
	}
	near.Net.Params()[len(near.Net.Params())-1].Data[0] = 1e-6
	cfg.Model.Network = model.NetworkNone
	m, err := (&run.Run{Config: cfg, Data: data}).NewModel()
	if err != nil {
		t.Fatal(err)
	}
	g, pruned := m.Graph, data.Prune()
	u := make([]float64, g.NumEdges())
	u[0], u[5] = 1, 2
	for _, text := range []string{`visit("E")`, `visit("E") and reward >= 1`, `boltzmann(0.5) and avoid("F")`} {
		x, err := where.Parse(text)
		if err != nil {
			t.Fatal(err)
		}
		totals := map[string][]float64{"reward": u}
		c, err := x.Condition(g, totals)
		if err != nil {
			t.Fatal(err)
		}
		e, err := query.Explain(context.Background(), m, pruned, x, query.ExplainConfig{where.Env{Totals: totals}, 3,
			&d3pm.Particles{Sampler: m.Sampler(), K: 4}, 500, 0, 1, c})
		if err != nil {
			t.Fatal(err)
		}
		want, all, n, best, top := 0.0, int64(0), int64(0), math.Inf(-1), 0.0
		for p := range g.Paths() {
			lp, _ := m.Chain.LogProb(p)
			w := c.LogWeight(p)
			all++
			if want += math.Exp(lp + w); w > math.Inf(-1) {
				n++
			}
			if lp+w > best {
				best, top = lp+w, lp
			}
		}
		share := 0.0
		for i, p := range pruned.Paths {
			share += float64(pruned.Counts[i]) / float64(pruned.Total()) * math.Exp(c.LogWeight(p))
		}
		if math.Abs(e.Chain-want) > 1e-9 || math.Abs(e.Data-share) > 1e-9 || e.All.Int64() != all || e.Paths.Int64() != n ||
			math.Abs(e.Chains.LogProb-top) > 1e-9 {
			t.Errorf("%s: %+v; chain %v, data %v, %d of %d paths, most likely %v", text, e, want, share, n, all, top)
		}
		if math.Abs(e.Model-want) > 1e-9 || e.StdErr != 0 || e.Particles != nil || !e.Models.Sure ||
			math.Abs(e.Models.LogProb-top) > 1e-9 || len(e.Terms) == 1 || e.Weighs != (text[0] == 'b') || e.Text != text {
			t.Errorf("%s: %+v, want %v", text, e, want)
		}
		e, err = query.Explain(context.Background(), near, pruned, x, query.ExplainConfig{where.Env{Totals: totals}, 3,
			&d3pm.Particles{Sampler: near.Sampler(), K: 4}, 500, 0, 1, nil})
		if err != nil || e.Particles == nil || e.Models != nil || math.Abs(e.Model-want) > 5*e.StdErr+0.01 {
			t.Errorf("%s: by particles %+v, %v, want %v", text, e, err, want)
		}
		s := m.Sampler()
		if err := (query.Guide{Where: text}).Apply(s, u); err != nil || s.Condition == nil {
			t.Errorf("%s: %v", text, err)
		}
	}
	mixtureExplained(t, data)
	describedExplained(t, data)
	s := m.Sampler()
	runtest.Has(t, "no cost", query.Guide{Where: "cost <= 3"}.Apply(s, u), "character 1: no cost is given")
	runtest.Has(t, "a conflict", query.Guide{Name: query.MaxReward, Where: "reward <= 1"}.Apply(s, u),
		"no path meets the greatest reward and reward <= 1 together")
}

// What a mixture makes of a condition is exact, and not what the chain does.
func mixtureExplained(t *testing.T, data *datasets.Data) {
	t.Helper()
	m := mixtureOf(t, data)
	x, err := where.Parse(`visit("E")`)
	if err != nil {
		t.Fatal(err)
	}
	c, err := x.Condition(m.Graph, nil)
	if err != nil {
		t.Fatal(err)
	}
	e, err := query.Explain(context.Background(), m, nil, x, query.ExplainConfig{})
	if err != nil {
		t.Fatal(err)
	}
	want, best := 0.0, math.Inf(-1)
	for p := range m.Graph.Paths() {
		if lp, _ := m.Mixture.LogProb(p); c.LogWeight(p) == 0 {
			want += math.Exp(lp)
			best = max(best, lp)
		}
	}
	if math.Abs(e.Model-want) > 1e-9 || math.Abs(e.Models.LogProb-best) > 1e-9 || !e.Models.Sure || e.StdErr != 0 ||
		math.Abs(e.Model-e.Chain) < 1e-6 {
		t.Errorf("%+v, want %v, most likely %v", e, want, best)
	}
	gone, stop := context.WithCancel(context.Background())
	stop()
	if _, err := query.Explain(gone, m, nil, x, query.ExplainConfig{}); !errors.Is(err, context.Canceled) {
		t.Errorf("stopped: %v", err)
	}
}

// Means, visits, uses, the most likely paths and what makes a condition rare, against the enumeration of all paths.
func describedExplained(t *testing.T, data *datasets.Data) {
	t.Helper()
	m := mixtureOf(t, data)
	g := m.Graph
	u := make([]float64, g.NumEdges())
	for e := range u {
		u[e] = float64(e%4) / 4
	}
	parts := []string{`not visit("B")`, `reward >= 0.5`, `visits({"E", "F"}) <= 1`}
	text := strings.Join(parts, " and ")
	env := query.Env(u, nil, nil)
	set := func(text string) func(p ddps.Path) bool {
		x, err := where.Parse(text)
		if err != nil {
			t.Fatal(err)
		}
		c, err := x.Compile(g, env)
		if err != nil {
			t.Fatal(err)
		}
		return func(p ddps.Path) bool { return c.LogWeight(p) == 0 }
	}
	x, _ := where.Parse(text)
	e, err := query.Explain(context.Background(), m, nil, x, query.ExplainConfig{Env: env, Best: 3})
	if err != nil {
		t.Fatal(err)
	}
	all := set(text)
	mass, mean, given, visits, best := 0.0, 0.0, 0.0, make([]float64, g.NumVertices()), []float64{}
	without := make([]float64, len(parts))
	for p := range g.Paths() {
		lp, _ := m.Mixture.LogProb(p)
		q := math.Exp(lp)
		mean += q * g.Total(u, p)
		for i := range parts {
			if set(strings.Join(slices.Delete(slices.Clone(parts), i, i+1), " and "))(p) {
				without[i] += q
			}
		}
		if !all(p) {
			continue
		}
		mass, given, best = mass+q, given+q*g.Total(u, p), append(best, lp)
		for _, v := range p {
			visits[v] += q
		}
	}
	near := func(x, y float64) bool { return math.Abs(x-y) < 1e-9 }
	if !near(math.Exp(e.LogModel), mass) || len(e.Totals) != 1 || !near(e.Totals[0].All, mean) ||
		!near(e.Totals[0].Given, given/mass) {
		t.Errorf("%+v; want %v, means %v and %v", e.Totals, mass, mean, given/mass)
	}
	for v, x := range visits {
		if !near(e.Visits[v], x/mass) {
			t.Errorf("vertex %d: %v, want %v", v, e.Visits[v], x/mass)
		}
	}
	slices.Sort(best)
	slices.Reverse(best)
	for i, l := range e.Best {
		if !near(l.LogProb, best[i]) || !l.Sure {
			t.Errorf("best %d: %+v, want %v", i, l, best[i])
		}
	}
	for i, term := range e.Terms {
		if !near(math.Exp(term.LogOthers), without[i]) || !near(math.Exp(term.LogGiven), mass/without[i]) ||
			term.Text != parts[i] {
			t.Errorf("%+v; others %v, given %v", term, without[i], mass/without[i])
		}
	}
	if len(e.Best) != 3 || len(e.Terms) != 3 {
		t.Errorf("%d best, %d terms", len(e.Best), len(e.Terms))
	}
}

// mixtureOf returns a mixture of three chains, without a network.
func mixtureOf(t *testing.T, data *datasets.Data) *model.Model {
	t.Helper()
	cfg := toytest.Quick()
	cfg.TuneMixture, cfg.Model.Network, cfg.Model.Mixture.Classes, cfg.Model.Mixture.Ridge = false, model.NetworkNone, 3,
		0.01
	m, err := (&run.Run{Config: cfg, Data: data}).NewModel()
	if err != nil {
		t.Fatal(err)
	}
	return m
}
