package d3pm_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/ddps-go/ddps/datasets"
	"github.com/ddps-go/ddps/ddps"
	"github.com/ddps-go/ddps/ddps/chain"
	"github.com/ddps-go/ddps/ddps/d3pm"
	"github.com/ddps-go/ddps/ddps/guide"
	"github.com/ddps-go/ddps/ddps/guide/where"
	"github.com/ddps-go/ddps/ddps/model"
	"github.com/ddps-go/ddps/ddps/query"
)

// exampleModel returns the uniform chain of the example graph.
func exampleModel(t *testing.T) *model.Model {
	t.Helper()
	cfg := model.DefaultConfig()
	cfg.Network = model.NetworkNone
	m, err := model.New(chain.Uniform(ddps.Example()), cfg, 0)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// What is of another graph than the sampler, and a scale without a guide, is an error of Check and of Sample,
// whatever the sizes of the two graphs.
func TestCheckGraphs(t *testing.T) {
	toy, err := datasets.Toy(1)
	if err != nil {
		t.Fatal(err)
	}
	m := exampleModel(t)
	g := m.Graph
	plain, err := g.WithMeta(ddps.Meta{})
	if err != nil {
		t.Fatal(err)
	}
	for name, other := range map[string]*ddps.LayeredGraph{"Toy": toy, "its edges without names": plain} {
		best, err := guide.MaxReward(other, make([]float64, other.NumEdges()))
		if err != nil {
			t.Fatal(err)
		}
		reward, err := guide.RewardGradient(other, make([]float64, other.NumEdges()))
		if err != nil {
			t.Fatal(err)
		}
		for what, set := range map[string]func(s *d3pm.Sampler){
			"condition": func(s *d3pm.Sampler) { s.Condition = best },
			"guide":     func(s *d3pm.Sampler) { s.Guide, s.Scale = reward, 1 },
			"denoiser":  func(s *d3pm.Sampler) { s.Denoiser = chain.NewDenoiser(chain.Uniform(other), m.Schedule.Abar) },
		} {
			s := m.Sampler()
			set(s)
			_, err := s.Sample(t.Context(), 1, 1)
			for _, err := range []error{err, s.Check()} {
				if err == nil || !strings.Contains(err.Error(), what) || !strings.Contains(err.Error(), "m.Graph") {
					t.Errorf("%s of %s: error %v", what, name, err)
				}
			}
		}
	}
	same, u := ddps.Example(), make([]float64, g.NumEdges()) // a graph read again is the same
	s := m.Sampler()
	if s.Condition, err = guide.MaxReward(same, u); err != nil {
		t.Fatal(err)
	}
	if s.Guide, err = guide.RewardGradient(same, u); err != nil {
		t.Fatal(err)
	}
	s.Denoiser = chain.NewDenoiser(chain.Uniform(same), m.Schedule.Abar)
	if _, err := s.Sample(t.Context(), 2, 1); err != nil {
		t.Errorf("all of an equal graph: %v", err)
	}
	s = m.Sampler()
	if s.Scale = 2; s.Check() == nil || !strings.Contains(s.Check().Error(), "no guide") {
		t.Errorf("a scale without a guide: error %v", s.Check())
	}
}

// A guide that does not tell its graph is an error, and no panic, where it is of a larger or a smaller graph.
func TestCheckGradientFunctions(t *testing.T) {
	small, err := ddps.New([]int{1, 2}, [][]int{{1, 2}, {}, {}})
	if err != nil {
		t.Fatal(err)
	}
	toy, err := datasets.Toy(1)
	if err != nil {
		t.Fatal(err)
	}
	m := exampleModel(t)
	for name, g := range map[string]*ddps.LayeredGraph{"its own": m.Graph, "a smaller": small, "a larger": toy} {
		s := m.Sampler()
		if s.Guide, err = guide.NewGradient(g, make([]float64, g.NumEdges())); err != nil {
			t.Fatal(err)
		}
		_, err := s.Sample(t.Context(), 2, 1)
		if own := name == "its own"; (err == nil) != own || !own && !strings.Contains(err.Error(), "m.Graph") {
			t.Errorf("%s: error %v", name, err)
		}
	}
	s := m.Sampler()
	s.Guide = guide.Gradient(func([]float64, []float64) { panic("mine") })
	defer func() {
		if v := recover(); v != "mine" {
			t.Errorf("recovered %v: a guide's own panic must pass", v)
		}
	}()
	s.Check()
}

// A condition that no path of the model meets is chain.ErrImpossible, whoever finds it.
func TestImpossible(t *testing.T) {
	g := ddps.Example()
	p := make([]float64, g.NumEdges()) // the first edge of each vertex
	for v := range g.NumVertices() {
		if lo, hi := g.Edges(v); lo < hi {
			p[lo] = 1
		}
	}
	c, err := chain.New(g, p)
	if err != nil {
		t.Fatal(err)
	}
	cfg := model.DefaultConfig()
	cfg.Network = model.NetworkNone
	m, err := model.New(c, cfg, 0)
	if err != nil {
		t.Fatal(err)
	}
	d, err := guide.MustVisit(g, 3)
	if err != nil {
		t.Fatal(err)
	}
	never, err := guide.Avoid(g, guide.Stop{Vertices: []int{3}})
	if err != nil {
		t.Fatal(err)
	}
	s := m.Sampler()
	s.Condition = d
	_, direct := s.Sample(t.Context(), 1, 1)
	_, _, given := guide.Given(g, p, d)
	_, _, mixed := query.GivenMixture(m.Mixture, d)
	_, parts := guide.All(d, never)
	_, text := query.ParseWhere(`visit("B") and visit("D")`, g, nil, nil)
	_, term := query.ParseWhere("length 50..50", g, nil, nil)
	for name, err := range map[string]error{"sampler": direct, "check": s.Check(), "given": given, "mixture": mixed,
		"all": parts, "where": text, "term": term} {
		if !errors.Is(err, chain.ErrImpossible) {
			t.Errorf("%s: error %v", name, err)
		}
	}
	var at *where.Error
	if !errors.As(term, &at) || at.At != 0 || term.Error() != "where: length 50..50: no path meets it" {
		t.Errorf("term: error %v", term)
	}
}
