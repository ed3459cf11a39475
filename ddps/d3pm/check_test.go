package d3pm_test

import (
	"strings"
	"testing"

	"github.com/ddps-go/ddps/datasets"
	"github.com/ddps-go/ddps/ddps"
	"github.com/ddps-go/ddps/ddps/chain"
	"github.com/ddps-go/ddps/ddps/d3pm"
	"github.com/ddps-go/ddps/ddps/guide"
	"github.com/ddps-go/ddps/ddps/model"
)

// What is of another graph than the sampler, and a scale without a guide, is an error of Check and of Sample,
// whatever the sizes of the two graphs.
func TestCheckGraphs(t *testing.T) {
	toy, err := datasets.Toy(1)
	if err != nil {
		t.Fatal(err)
	}
	g := ddps.Example()
	cfg := model.DefaultConfig()
	cfg.Network = model.NetworkNone
	m, err := model.New(chain.Uniform(g), cfg, 0)
	if err != nil {
		t.Fatal(err)
	}
	for name, other := range map[string]*ddps.LayeredGraph{"Toy": toy, "its like": ddps.Example()} {
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
	s := m.Sampler()
	if s.Scale = 2; s.Check() == nil || !strings.Contains(s.Check().Error(), "no guide") {
		t.Errorf("a scale without a guide: error %v", s.Check())
	}
}
