package d3pm

import (
	"context"
	"slices"
	"testing"

	"github.com/ddps-go/ddps/datasets"
	"github.com/ddps-go/ddps/ddps"
	"github.com/ddps-go/ddps/ddps/chain"
	"github.com/ddps-go/ddps/ddps/guide"
)

// laneModels are models on Toy and on a map, with and without networks of drawn weights.
func laneModels(t *testing.T) map[string]*Model {
	g, err := datasets.Toy(datasets.ToySeed)
	if err != nil {
		t.Fatal(err)
	}
	toy, err := datasets.All(g, 2000)
	if err != nil {
		t.Fatal(err)
	}
	heights, err := datasets.Heights(200, 0)
	if err != nil {
		t.Fatal(err)
	}
	models := map[string]*Model{}
	for name, c := range map[string]struct {
		data  *datasets.Data
		kappa float64 // with 0 many edges have probability 0
		set   func(*ModelConfig)
	}{
		"chain":    {toy, 1, func(c *ModelConfig) { c.Network = NetworkNone }},
		"map":      {heights.Prune(), 0, func(c *ModelConfig) { c.Network = NetworkNone }},
		"mlp":      {toy.Prune(), 1, func(c *ModelConfig) {}},
		"odd mlp":  {toy, 1, func(c *ModelConfig) { c.MLP.Hidden, c.MLP.Layers = 37, 1 }},
		"bare mlp": {toy, 1, func(c *ModelConfig) { c.MLP.Residual = false }},
		"pair":     {heights.Prune(), 0, func(c *ModelConfig) { c.Network = NetworkPair }},
		"odd pair": {toy, 1, func(c *ModelConfig) { c.Network, c.Pair.Hidden, c.Pair.Shared = NetworkPair, 13, false }},
	} {
		models[name] = laneModel(t, c.data, c.kappa, c.set)
	}
	return models
}

// laneModel makes a model whose network has drawn weights.
func laneModel(t *testing.T, data *datasets.Data, kappa float64, set func(*ModelConfig)) *Model {
	cfg := DefaultModel()
	set(&cfg)
	p, err := chain.Fit(data.Graph, data.Paths, data.Weights(), kappa)
	if err != nil {
		t.Fatal(err)
	}
	m, err := NewModel(p, cfg, 1)
	if err != nil {
		t.Fatal(err)
	}
	if m.Net != nil {
		for _, p := range m.Net.Params() {
			for i := range p.Data {
				p.Data[i] += float32(i%17-8) / 50
			}
		}
	}
	return m
}

// Groups give the paths that samples one by one give, whatever the kernel, the network, the signal and the batch.
func TestLanes(t *testing.T) {
	kernels := map[string]Kernel{"Joint": nil, "Undivided": Undivided, "Mixture": Mixture, "Occupancy": Occupancy, "Algorithm2": Algorithm2}
	for name, m := range laneModels(t) {
		u := make([]float64, m.Graph.NumEdges())
		for e := range u {
			u[e] = float64(e / 2 % 3)
		}
		signal, _ := guide.Ascend(m.Graph, u)
		signals, err := guide.Ascends(m.Graph, u)
		if err != nil {
			t.Fatal(err)
		}
		for kernel, k := range kernels {
			s := m.Sampler()
			s.Kernel, s.Steps = k, 4
			laneCheck(t, name+", "+kernel, s)
			s.Signal, s.Lambda = signal, 3
			laneCheck(t, name+", "+kernel+", signal", s)
			s.Signals = signals
			laneCheck(t, name+", "+kernel+", signals", s)
		}
	}
}

func laneCheck(t *testing.T, name string, s *Sampler) {
	t.Helper()
	const n = 43
	draw := func(single bool, batch int) []ddps.Path {
		s.single, s.Batch = single, batch
		paths, err := s.Sample(context.Background(), n, 3)
		if err != nil {
			t.Fatal(err)
		}
		return paths
	}
	want := draw(true, 0)
	for _, batch := range []int{0, 7, 1} {
		if !slices.EqualFunc(draw(false, batch), want, func(a, b ddps.Path) bool { return slices.Equal(a, b) }) {
			t.Errorf("%s, batches of %d: other paths than one by one", name, batch)
		}
	}
}
