package query_test

import (
	"errors"
	"math"
	"testing"

	"github.com/ddps-go/ddps/ddps"
	"github.com/ddps-go/ddps/ddps/chain"
	"github.com/ddps-go/ddps/ddps/mixture"
	"github.com/ddps-go/ddps/ddps/query"
	"github.com/ddps-go/ddps/ddps/run"
	"github.com/ddps-go/ddps/ddps/run/runtest"
)

// The next vertex's distribution after each beginning is the share of the paths with that beginning, by enumeration,
// for mixtures of first-order chains and of second-order moves.
func TestNext(t *testing.T) {
	g := ddps.Example()
	for name, lift := range map[string]*chain.Product{"first": chain.Identity(g), "second": chain.Line(g)} {
		rng, K := ddps.Rand(5, 0), 3
		p := make([]float64, lift.Graph.NumEdges()*K)
		for s := range lift.Graph.NumVertices() {
			lo, hi := lift.Graph.Edges(s)
			for k := range K {
				sum := 0.0
				for e := lo; e < hi; e++ {
					p[e*K+k] = rng.Float64()
					sum += p[e*K+k]
				}
				for e := lo; e < hi; e++ {
					p[e*K+k] /= sum
				}
			}
		}
		m, err := mixture.New(lift, []float64{.5, .2, .3}, p)
		if err != nil {
			t.Fatal(err)
		}
		checkNext(t, name, g, query.NextOf(g, m), 1e-12, m.LogProb)
	}
	// a beginning of probability 0
	p := make([]float64, g.NumEdges())
	for v := range g.NumVertices() {
		if lo, hi := g.Edges(v); lo < hi {
			p[lo] = 1
		}
	}
	m, err := mixture.New(chain.Identity(g), []float64{1}, p)
	if err != nil {
		t.Fatal(err)
	}
	_, hi := g.Edges(0)
	if _, _, err := query.NextOf(g, m).After(ddps.Path{0, g.Head(hi - 1)}); !errors.Is(err, query.ErrNoBeginning) {
		t.Errorf("probability 0: %v", err)
	}
	for _, p := range []ddps.Path{{0, 99999}, {-1}, {1}, {0, 4}, {0, 1, 6}, {}, {0, 1, 4, 7}} {
		var at *ddps.PathError
		if _, _, err := query.NextOf(g, m).After(p); err == nil || len(p) > 0 && len(p) < 4 && !errors.As(err, &at) {
			t.Errorf("%v: error %v", p, err)
		}
	}
}

// checkNext compares the distribution of the next vertex after each beginning with the share of the paths that have it.
func checkNext(t *testing.T, name string, g *ddps.LayeredGraph, next *query.Next, tol float64,
	logProb func(ddps.Path) (float64, error)) {
	t.Helper()
	mass := map[string]float64{}
	for q := range g.Paths() {
		lp, err := logProb(q)
		if err != nil {
			t.Fatal(err)
		}
		for l := range q {
			mass[pathKey(q[:l+1])] += math.Exp(lp)
		}
	}
	for q := range g.Paths() {
		for l := range len(q) - 1 {
			row, logp, err := next.After(q[:l+1])
			if err != nil {
				t.Fatal(err)
			}
			if math.Abs(math.Exp(logp)-mass[pathKey(q[:l+1])]) > tol {
				t.Errorf("%s: %v: probability %v, expected %v", name, q[:l+1], math.Exp(logp), mass[pathKey(q[:l+1])])
			}
			lo, _ := g.Edges(q[l])
			for k, got := range row {
				longer := append(append(ddps.Path{}, q[:l+1]...), g.Head(lo+k))
				want := mass[pathKey(longer)] / mass[pathKey(q[:l+1])]
				if math.Abs(got-want) > tol {
					t.Errorf("%s: %v: %v, expected %v", name, longer, got, want)
				}
			}
		}
	}
	if _, _, err := next.After(nil); err == nil {
		t.Error("no beginning")
	}
}

// The parts of a stack are weighted by what the beginning says of them.
func TestNextOfStack(t *testing.T) {
	m, err := run.Fit(runtest.Example(t), run.StackConfig())
	if err != nil {
		t.Fatal(err)
	}
	checkNext(t, "stack", m.Graph, query.NewNext(m), 1e-5, func(p ddps.Path) (float64, error) {
		out := []float64{0}
		err := m.Stack.LogProb([]ddps.Path{p}, out)
		return out[0], err
	})
}
