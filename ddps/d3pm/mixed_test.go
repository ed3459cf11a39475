package d3pm_test

import (
	"context"
	"math"
	"testing"

	"github.com/ddps-go/ddps/ddps"
	"github.com/ddps-go/ddps/ddps/chain"
	"github.com/ddps-go/ddps/ddps/d3pm"
	"github.com/ddps-go/ddps/ddps/guide"
	"github.com/ddps-go/ddps/ddps/internal/oracle"
	"github.com/ddps-go/ddps/ddps/mixture"
	"github.com/ddps-go/ddps/ddps/model"
	"github.com/ddps-go/ddps/ddps/net/nettest"
)

// twoHabits returns a model on a mixture of two chains on the example graph, whose network, if there is one, says
// something.
func twoHabits(t *testing.T, network string) *model.Model {
	t.Helper()
	g, rng := ddps.Example(), ddps.Rand(4, 0)
	p, first := make([]float64, 2*g.NumEdges()), make([]float64, g.NumEdges())
	for v := range g.NumVertices() {
		lo, hi := g.Edges(v)
		for k := range 2 {
			sum := 0.0
			for e := lo; e < hi; e++ {
				p[2*e+k] = math.Exp(2 * rng.NormFloat64())
				sum += p[2*e+k]
			}
			for e := lo; e < hi; e++ {
				p[2*e+k] /= sum
				first[e] += p[2*e+k] / 2
			}
		}
	}
	c, err := chain.New(g, first)
	if err != nil {
		t.Fatal(err)
	}
	mix, err := mixture.New(chain.Identity(g), []float64{0.4, 0.6}, p)
	if err != nil {
		t.Fatal(err)
	}
	cfg := model.DefaultConfig()
	cfg.Network, cfg.T, cfg.Mixture.Classes, cfg.MLP.Hidden = network, 6, 2, 8
	m, err := model.NewOn(c, mix, cfg, 1)
	if err != nil {
		t.Fatal(err)
	}
	if m.Net != nil {
		nettest.Randomise(m.Net.Params(), 0.25, 4)
	}
	return m
}

// conditionsOf returns conditions of the example graph: none, by weights of edges, and with a memory.
func conditionsOf(t *testing.T, g *ddps.LayeredGraph) map[string]guide.Condition {
	t.Helper()
	u := make([]float64, g.NumEdges())
	u[0], u[3], u[5], u[9] = 1, 1, 1, 1
	warm, err := guide.Boltzmann(g, u, 0.7)
	if err != nil {
		t.Fatal(err)
	}
	exactly, err := guide.Exactly(g, u, 1)
	if err != nil {
		t.Fatal(err)
	}
	return map[string]guide.Condition{"none": nil, "Boltzmann": warm, "Exactly": exactly}
}

// Without a network Joint() draws from a mixture, conditioned or not, exactly, in one step or several; its bound is
// −log p and a particle's weight the condition's probability, but for what x_T knows of the path.
func TestMixtureIsExact(t *testing.T) {
	m := twoHabits(t, model.NetworkNone)
	g, dist := m.Graph, oracle.NewDistribution(m.Graph)
	p := make([]float64, len(dist.Paths))
	for i, q := range dist.Paths {
		lp, err := m.Mixture.LogProb(q)
		if err != nil {
			t.Fatal(err)
		}
		p[i] = math.Exp(lp)
	}
	for _, denoiser := range []d3pm.Denoiser{m, m.Exact()} {
		for _, steps := range []int{1, 3} {
			b := &d3pm.Bound{Graph: g, Denoiser: denoiser, Schedule: m.Schedule, Steps: steps}
			scores, err := b.Score(context.Background(), dist.Paths, 1)
			if err != nil {
				t.Fatal(err)
			}
			for i, q := range dist.Paths {
				if want := -math.Log(p[i]) + d3pm.BoundPrior(b, q); math.Abs(scores[i].Mean-want) > 1e-3 {
					t.Errorf("%d steps: the bound of %v is %v, want %v", steps, q, scores[i].Mean, want)
				}
			}
			for name, c := range conditionsOf(t, g) {
				s := &d3pm.Sampler{Graph: g, Denoiser: denoiser, Schedule: m.Schedule, Steps: steps}
				want, z := make([]float64, len(p)), 0.0
				for i, q := range dist.Paths {
					if want[i] = p[i]; c != nil {
						want[i] *= math.Exp(c.LogWeight(q))
					}
					z += want[i]
				}
				for i := range want {
					want[i] /= z
				}
				if c != nil {
					s.Condition = c
				}
				const n = 4000
				if err := fits(want, dist.Shares(draw(t, s, n, 7)), n); err != nil {
					t.Errorf("%d steps, %s: %v", steps, name, err)
				}
				if c == nil {
					continue
				}
				_, rep, err := (&d3pm.Particles{Sampler: s, K: 3}).Sample(context.Background(), 5, 1)
				if err != nil || math.Abs(rep.LogZ-math.Log(z)) > 1e-4 {
					t.Errorf("%d steps, %s: log Z is %v, want %v (%v)", steps, name, rep.LogZ, math.Log(z), err)
				}
			}
		}
	}
}

// With a network, particles give the model's own distribution so conditioned, and the condition's probability: what
// many of its unguided paths show. So they do for guided paths, and for kernels that go row by row; with few particles
// and with many, for which the draws of a group must stay independent of those of the next.
func TestMixtureParticles(t *testing.T) {
	m := twoHabits(t, model.NetworkMLP)
	g, dist := m.Graph, oracle.NewDistribution(m.Graph)
	u := make([]float64, g.NumEdges())
	u[1], u[4] = 1, 1
	ascend, err := guide.NewGradient(g, u)
	if err != nil {
		t.Fatal(err)
	}
	for kernel, k := range map[string]d3pm.Kernel{"Joint": d3pm.Joint(), "Occupancy": d3pm.Occupancy()} {
		const many = 200_000
		sampler := func() *d3pm.Sampler {
			return &d3pm.Sampler{Graph: g, Denoiser: m, Schedule: m.Schedule, Kernel: k, Steps: 3}
		}
		shared := sampler()
		shared.Engine = m.Sampler().Engine // the same paths, sooner
		model := dist.Shares(draw(t, shared, many, 3))
		for i := range model { // half a draw more for each path: none has probability 0
			model[i] = (model[i]*many + 0.5) / (many + 0.5*float64(len(model)))
		}
		for name, c := range conditionsOf(t, g) {
			if c == nil {
				continue
			}
			want, z, z2 := make([]float64, len(model)), 0.0, 0.0
			for i, q := range dist.Paths {
				w := math.Exp(c.LogWeight(q))
				want[i] = model[i] * w
				z += want[i]
				z2 += want[i] * w
			}
			if z == 0 {
				t.Fatalf("%s, %s: none of the unguided paths meets it", kernel, name)
			}
			for i := range want {
				want[i] /= z
			}
			conditioned, guided, alone := sampler(), sampler(), sampler()
			conditioned.Condition, guided.Condition = c, c
			guided.Guide, guided.Scale = ascend, 1
			alone.Guide, alone.Scale = ascend, 1
			large, n := *shared, 800
			large.Condition = c
			for how, p := range map[string]*d3pm.Particles{"conditioned": {Sampler: conditioned, K: 16},
				"conditioned and guided": {Sampler: guided, K: 16}, "guided alone": {Sampler: alone, K: 16, Target: c},
				"conditioned, many": {Sampler: &large, K: 512}} {
				paths, rep, err := p.Sample(context.Background(), n, 5)
				if err != nil {
					t.Fatal(err)
				}
				se := math.Hypot(rep.StdErr, math.Sqrt((z2/z/z-1)/many))
				if d := math.Exp(rep.LogZ)/z - 1; math.Abs(d) > 4.5*se {
					t.Errorf("%s, %s, %s: probability %.5f, want %.5f, relative standard error %.5f", kernel, name, how,
						math.Exp(rep.LogZ), z, se)
				}
				if err := fits(want, dist.Shares(paths), n); err != nil {
					t.Errorf("%s, %s, %s: %v", kernel, name, how, err)
				}
			}
		}
	}
}

// A condition is met whatever the mixture and its network.
func TestMixtureConditionIsMet(t *testing.T) {
	m := twoHabits(t, model.NetworkMLP)
	for name, c := range conditionsOf(t, m.Graph) {
		if c == nil {
			continue
		}
		s := m.Sampler()
		s.Condition, s.Steps = c, 2
		for _, p := range draw(t, s, 200, 1) {
			if math.IsInf(c.LogWeight(p), -1) {
				t.Fatalf("%s: %v does not meet it", name, p)
			}
		}
	}
}
