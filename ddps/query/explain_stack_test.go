package query_test

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/stat"

	"github.com/ddps-go/ddps/ddps"
	"github.com/ddps-go/ddps/ddps/chain"
	"github.com/ddps-go/ddps/ddps/guide/where"
	"github.com/ddps-go/ddps/ddps/model"
	"github.com/ddps-go/ddps/ddps/query"
	"github.com/ddps-go/ddps/ddps/run"
	"github.com/ddps-go/ddps/ddps/run/toytest"
	"github.com/ddps-go/ddps/ddps/stack"
)

// halfNetwork returns a model of Toy that is a stack of a first-order chain and a GRU, half each: no part alone has
// its probabilities. logp are those of all paths.
func halfNetwork(t *testing.T) (m *model.Model, all []ddps.Path, logp []float64) {
	t.Helper()
	data, err := run.MakeData("toy", run.PresetQuick)
	if err != nil {
		t.Fatal(err)
	}
	cfg := run.StackConfig()
	cfg.Model.Stack.Parts = "gru"
	if m, err = run.Fit(data, cfg); err != nil {
		t.Fatal(err)
	}
	network := m.Stack.Parts[0]
	network.Weight = .5
	s, err := stack.New([]stack.Part{{Name: "first-order", Distribution: stack.Chain(m.Chain.Distribution()), Weight: .5},
		network})
	if err != nil {
		t.Fatal(err)
	}
	if m, err = model.NewStack(m.Chain, s, m.Config); err != nil {
		t.Fatal(err)
	}
	all = slices.Collect(m.Graph.Paths())
	logp = make([]float64, len(all))
	if err := m.Stack.LogProb(all, logp); err != nil {
		t.Fatal(err)
	}
	return m, all, logp
}

// The terms of a condition on a stack are those of the whole stack, by enumeration, not those of one of its parts.
func TestExplainTermsOfStack(t *testing.T) {
	m, all, logp := halfNetwork(t)
	x, err := where.Parse(`visit(vertex 5) and avoid(vertex 12)`)
	if err != nil {
		t.Fatal(err)
	}
	probability := func(x *where.Expr) (p float64) {
		c, err := x.Condition(m.Graph, nil)
		if err != nil {
			t.Fatal(err)
		}
		for i, q := range all {
			p += math.Exp(logp[i] + c.LogWeight(q))
		}
		return p
	}
	e, err := query.Explain(context.Background(), m, nil, x, query.ExplainConfig{})
	if err != nil {
		t.Fatal(err)
	}
	if e.Of != "the model" || len(e.Terms) != 2 {
		t.Fatalf("terms of %s: %+v", e.Of, e.Terms)
	}
	for i, term := range e.Terms {
		alone, given := probability(x.Split()[i]), probability(x)/probability(x.Split()[1-i])
		if tol := 5*term.StdErr + 1e-4; math.Abs(term.LogModel-math.Log(alone)) > tol ||
			math.Abs(term.LogGiven-math.Log(given)) > tol || !(term.StdErr > 0) {
			t.Errorf("%s: probability %v, %v ± %v given the other; expected %v, %v", term.Text, math.Exp(term.LogModel),
				math.Exp(term.LogGiven), term.StdErr, alone, given)
		}
	}
}

// A term that needs too many states by itself has no numbers but those beside the others.
func TestExplainTooLargeAlone(t *testing.T) {
	m, _, _ := toytest.Exact(t)
	second := m.Graph.ID(m.Graph.Head(0))
	var some []string // every third vertex
	for v := 2; v < m.Graph.NumVertices(); v += 3 {
		some = append(some, fmt.Sprintf("vertex %d", m.Graph.ID(v)))
	}
	x, err := where.Parse(fmt.Sprintf("visit(vertex %d) and visits({%s}) = 2", second, strings.Join(some, ", ")))
	if err != nil {
		t.Fatal(err)
	}
	seen := false
	for limit := 10; limit < 400 && !seen; limit++ {
		e, err := query.Explain(context.Background(), m, nil, x, query.ExplainConfig{Env: where.Env{MaxEdges: limit}})
		if err != nil {
			continue
		}
		for _, term := range e.Terms {
			if term.Paths != nil {
				continue
			}
			seen = true
			if !math.IsNaN(term.LogModel) || !math.IsNaN(term.Chain) ||
				math.Abs(term.LogGiven+term.LogOthers-e.LogModel) > 1e-12 {
				t.Errorf("in %d edges: %+v", limit, term)
			}
		}
	}
	if !seen {
		t.Error("no limit at which a term is too large alone")
	}
}

// What paths of a stack are like, given a condition and without it, are the whole stack's, by enumeration.
func TestExplainPathsOfStack(t *testing.T) {
	m, all, logp := halfNetwork(t)
	u := make([]float64, m.Graph.NumEdges())
	rng := ddps.Rand(1, 1)
	for e := range u {
		u[e] = rng.Float64()
	}
	x, err := where.Parse(`visit(vertex 5) and avoid(vertex 12)`)
	if err != nil {
		t.Fatal(err)
	}
	c, err := x.Condition(m.Graph, nil)
	if err != nil {
		t.Fatal(err)
	}
	const draws = 8192
	e, err := query.Explain(context.Background(), m, nil, x, query.ExplainConfig{Env: query.Env(u, nil, nil), Best: 3,
		Draws: draws, Seed: 2})
	if err != nil {
		t.Fatal(err)
	}
	for _, of := range []struct {
		visits, uses []float64
		mean, se     float64
		given        bool
	}{{e.Visits, e.Uses, e.Totals[0].Given, e.Totals[0].GivenErr, true},
		{e.AllVisit, e.AllUses, e.Totals[0].All, e.Totals[0].AllErr, false}} {
		visits, uses := make([]float64, m.Graph.NumVertices()), make([]float64, m.Graph.NumEdges())
		sum, mean := 0.0, 0.0
		for i, p := range all {
			w := math.Exp(logp[i])
			if of.given {
				w *= math.Exp(c.LogWeight(p))
			}
			sum, mean = sum+w, mean+w*m.Graph.Total(u, p)
			for l, v := range p {
				if visits[v] += w; l+1 < len(p) {
					k, _ := m.Graph.EdgeBetween(v, p[l+1])
					uses[k] += w
				}
			}
		}
		floats.Scale(1/sum, visits)
		floats.Scale(1/sum, uses)
		if d := floats.Distance(of.visits, visits, math.Inf(1)); d > .02 {
			t.Errorf("given %v: visits are off by up to %v", of.given, d)
		}
		if d := floats.Distance(of.uses, uses, math.Inf(1)); d > .02 {
			t.Errorf("given %v: uses are off by up to %v", of.given, d)
		}
		if off := (of.mean - mean/sum) / of.se; !(math.Abs(off) < 4) || of.se > .02 {
			t.Errorf("given %v: the mean reward is %v ± %v, by enumeration %v", of.given, of.mean, of.se, mean/sum)
		}
	}
	best := []float64{}
	for i, p := range all {
		if c.LogWeight(p) == 0 {
			best = append(best, logp[i])
		}
	}
	slices.Sort(best)
	for i, b := range e.Best {
		if want := best[len(best)-1-i]; math.Abs(b.LogProb-want) > 1e-9 || b.Sure {
			t.Errorf("path %d: log p %v, sure: %v; by enumeration %v", i+1, b.LogProb, b.Sure, want)
		}
	}
	if len(e.Best) != 3 || e.Of != "the model" || e.Draws != draws {
		t.Errorf("%d best paths of %s, %d draws", len(e.Best), e.Of, e.Draws)
	}
}

// The standard error of a mean under a stack holds over seeds where the parts differ, so that their shares given the
// condition count.
func TestExplainErrors(t *testing.T) {
	g := ddps.Example()
	one := chain.Uniform(g)
	other := &chain.Chain{Graph: g, P: slices.Clone(one.P)}
	for v := range g.NumVertices() { // the first edge three times as likely
		lo, hi := g.Edges(v)
		for e := lo; e < hi; e++ {
			if other.P[e] = 1 / float64(hi-lo+2); e == lo {
				other.P[e] *= 3
			}
		}
	}
	cfg := run.StackConfig().Model
	hidden := struct{ stack.Distribution }{stack.Chain(other.Distribution())} // not known to be tractable
	s, err := stack.New([]stack.Part{{Name: "one", Distribution: stack.Chain(one.Distribution()), Weight: .5},
		{Name: "other", Distribution: hidden, Weight: .5}})
	if err != nil {
		t.Fatal(err)
	}
	u := make([]float64, g.NumEdges())
	for e := range u {
		u[e] = float64(e % 3)
	}
	x, err := where.Parse(`visit(vertex 2)`)
	if err != nil {
		t.Fatal(err)
	}
	m, err := model.NewStack(one, s, cfg)
	if err != nil {
		t.Fatal(err)
	}
	var means, errs []float64
	for seed := range uint64(150) {
		e, err := query.Explain(context.Background(), m, nil, x, query.ExplainConfig{Env: query.Env(u, nil, nil),
			Draws: 256, Seed: seed})
		if err != nil {
			t.Fatal(err)
		}
		means, errs = append(means, e.Totals[0].Given), append(errs, e.Totals[0].GivenErr)
	}
	if sd, said := stat.StdDev(means, nil), stat.Mean(errs, nil); math.Abs(sd/said-1) > .25 {
		t.Errorf("standard deviation over seeds %v, standard error %v", sd, said)
	}
}
