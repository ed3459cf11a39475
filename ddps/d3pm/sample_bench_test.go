package d3pm_test

import (
	"context"
	"testing"

	"github.com/ddps-go/ddps/datasets"
	"github.com/ddps-go/ddps/ddps/chain"
	"github.com/ddps-go/ddps/ddps/d3pm"
	"github.com/ddps-go/ddps/ddps/guide"
	"github.com/ddps-go/ddps/ddps/model"
)

// BenchmarkSampleModel is the whole reverse loop of Toy's network with drawn weights and of Heights' chain, at the
// sizes that ship: the time of one step of one sample. With -cpu 1 it is the work of one core.
func BenchmarkSampleModel(b *testing.B) {
	g, err := datasets.Toy(datasets.ToySeed)
	if err != nil {
		b.Fatal(err)
	}
	toy, err := datasets.All(g, 2000)
	if err != nil {
		b.Fatal(err)
	}
	heights, err := datasets.Heights(2000, 0)
	if err != nil {
		b.Fatal(err)
	}
	for _, network := range []struct {
		name string
		data *datasets.Data
	}{{model.NetworkMLP, toy.Prune()}, {model.NetworkNone, heights.Prune()}} {
		m := benchModel(b, network.data, network.name)
		for name, kernel := range map[string]d3pm.Kernel{"Joint": d3pm.Joint(), "Austin": d3pm.Austin()} {
			b.Run(network.name+"/"+name, func(b *testing.B) { benchSampler(b, m, func(s *d3pm.Sampler) { s.Kernel = kernel }) })
		}
		u := make([]float64, m.Graph.NumEdges())
		for e := range u {
			u[e] = float64(e / 2 % 2)
		}
		ascend, err := guide.RewardGradient(m.Graph, u)
		if err != nil {
			b.Fatal(err)
		}
		b.Run(network.name+"/Algorithm2", func(b *testing.B) {
			benchSampler(b, m, func(s *d3pm.Sampler) {
				s.Kernel, s.Guide, s.Scale = d3pm.Algorithm2(), ascend, 30
			})
		})
		for name, c := range benchConditions(b, m) {
			b.Run(network.name+"/Joint, "+name,
				func(b *testing.B) { benchSampler(b, m, func(s *d3pm.Sampler) { s.Condition = c }) })
			b.Run(network.name+"/Particles, "+name, func(b *testing.B) { benchParticles(b, m, c) })
		}
	}
}

// benchModel makes a model of the data's chain, with a network, if there is one, whose last weights are not 0.
func benchModel(b *testing.B, data *datasets.Data, network string) *model.Model {
	c, err := chain.Fit(data.Graph, data.Paths, data.Weights(), 1)
	if err != nil {
		b.Fatal(err)
	}
	cfg := model.DefaultConfig()
	cfg.Network = network
	m, err := model.New(c, cfg, 1)
	if err != nil {
		b.Fatal(err)
	}
	if m.Net == nil {
		return m
	}
	for _, p := range m.Net.Params() {
		for i := range p.Data {
			p.Data[i] += float32(i%17-8) / 500
		}
	}
	return m
}

// benchConditions are one without a memory and one with four states.
func benchConditions(b *testing.B, m *model.Model) map[string]d3pm.Condition {
	paths, err := m.Sampler().Sample(context.Background(), 1, 1)
	if err != nil {
		b.Fatal(err)
	}
	p := paths[0]
	end, err := guide.EndIn(m.Graph, p[len(p)-1])
	if err != nil {
		b.Fatal(err)
	}
	two, err := guide.Through(m.Graph, guide.Stop{Vertices: []int{p[2], p[5]}}, guide.Stop{Vertices: []int{p[4], p[8]}})
	if err != nil {
		b.Fatal(err)
	}
	return map[string]d3pm.Condition{"end": end, "two stops": two}
}

// benchParticles is the time of one step of one particle.
func benchParticles(b *testing.B, m *model.Model, c d3pm.Condition) {
	const n, steps, K = 64, 32, 8
	s := m.Sampler()
	s.Steps, s.Condition = steps, c
	p := d3pm.Particles{Sampler: s, K: K}
	for b.Loop() {
		if _, _, err := p.Sample(context.Background(), n, 1); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(b.Elapsed().Microseconds())/float64(b.N*n*K*steps), "µs/particle-step")
}

func benchSampler(b *testing.B, m *model.Model, set func(*d3pm.Sampler)) {
	const n, steps = 512, 32
	s := m.Sampler()
	s.Steps = steps
	set(s)
	for b.Loop() {
		if _, err := s.Sample(context.Background(), n, 1); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(b.Elapsed().Microseconds())/float64(b.N*n*steps), "µs/sample-step")
}
