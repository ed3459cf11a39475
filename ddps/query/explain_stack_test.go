package query_test

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/ddps-go/ddps/ddps/guide/where"
	"github.com/ddps-go/ddps/ddps/model"
	"github.com/ddps-go/ddps/ddps/query"
	"github.com/ddps-go/ddps/ddps/run"
	"github.com/ddps-go/ddps/ddps/run/toytest"
	"github.com/ddps-go/ddps/ddps/stack"
)

// The terms of a condition on a stack are those of the whole stack, by enumeration, not those of one of its parts.
func TestExplainTermsOfStack(t *testing.T) {
	data, err := run.MakeData("toy", run.PresetQuick)
	if err != nil {
		t.Fatal(err)
	}
	cfg := run.StackConfig()
	cfg.Model.Stack.Parts = "gru"
	m, err := run.Fit(data, cfg)
	if err != nil {
		t.Fatal(err)
	}
	network := m.Stack.Parts[0] // neither part alone has the probabilities that are expected
	network.Weight = .5
	s, err := stack.New([]stack.Part{{Name: "first-order", Distribution: stack.Chain(m.Chain.Distribution()), Weight: .5},
		network})
	if err != nil {
		t.Fatal(err)
	}
	if m, err = model.NewStack(m.Chain, s, m.Config); err != nil {
		t.Fatal(err)
	}
	all := slices.Collect(m.Graph.Paths())
	logp := make([]float64, len(all))
	if err := m.Stack.LogProb(all, logp); err != nil {
		t.Fatal(err)
	}
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
	if e.TermsOf != "the model" || len(e.Terms) != 2 {
		t.Fatalf("terms of %s: %+v", e.TermsOf, e.Terms)
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
