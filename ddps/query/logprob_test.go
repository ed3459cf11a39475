package query_test

import (
	"math"
	"testing"

	"github.com/ddps-go/ddps/ddps"
	"github.com/ddps-go/ddps/ddps/chain"
	"github.com/ddps-go/ddps/ddps/d3pm"
	"github.com/ddps-go/ddps/ddps/guide/where"
	"github.com/ddps-go/ddps/ddps/model"
	"github.com/ddps-go/ddps/ddps/query"
	"github.com/ddps-go/ddps/ddps/run/runtest"
	"github.com/ddps-go/ddps/ddps/stack"
)

// opaque is a distribution that does not condition, as a GRU's.
type opaque struct{ stack.Distribution }

func stackOf(t *testing.T, parts ...stack.Part) *model.Model {
	t.Helper()
	s, err := stack.New(parts)
	if err != nil {
		t.Fatal(err)
	}
	cfg := model.DefaultConfig()
	cfg.Network, cfg.Stack.Parts = model.NetworkNone, model.PartFirst
	m, err := model.NewStack(chain.Uniform(ddps.Example()), s, cfg)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// The probability of a condition is exact just where its standard error is 0.
func TestLogProbExact(t *testing.T) {
	first := stack.Chain(chain.Uniform(ddps.Example()).Distribution())
	whole := stackOf(t, stack.Part{Name: "first-order", Distribution: first, Weight: 1})
	line := chain.Line(ddps.Example()) // which no first-order chain is
	p := make([]float64, line.Graph.NumEdges())
	for k := range p {
		p[k] = float64(k % 3)
	}
	chain.Softmax(line.Graph, p, p)
	second, err := chain.NewDistribution(line, p)
	if err != nil {
		t.Fatal(err)
	}
	other := stack.Chain(second)
	half := stackOf(t, stack.Part{Name: "first-order", Distribution: first, Weight: .5},
		stack.Part{Name: "gru", Distribution: opaque{other}, Weight: .5})
	for name, m := range map[string]*model.Model{"tractable": whole, "with another part": half} {
		c, err := query.ParseWhere(`visit("F")`, m.Graph, nil, nil)
		if err != nil {
			t.Fatal(err)
		}
		logp, exact, err := query.LogProb(m, c)
		if err != nil || exact != (name == "tractable") || math.Abs(logp) > 3 {
			t.Errorf("%s: log p %v, exact %v, %v", name, logp, exact, err)
		}
	}
}

// Explain of a model with a network says that it needs particles.
func TestExplainWithoutParticles(t *testing.T) {
	m, err := model.New(chain.Uniform(ddps.Example()), model.DefaultConfig(), 0)
	if err != nil {
		t.Fatal(err)
	}
	x, err := where.Parse(`visit("F")`)
	if err != nil {
		t.Fatal(err)
	}
	for _, cfg := range []query.ExplainConfig{{}, {Particles: &d3pm.Particles{K: 2}, Groups: 1}} {
		_, err := query.Explain(t.Context(), m, nil, x, cfg)
		runtest.Has(t, "no particles", err, "Particles", "Sampler", "Groups")
	}
}
