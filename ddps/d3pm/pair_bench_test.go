package d3pm_test

import (
	"testing"

	"github.com/ddps-go/ddps/datasets"
	"github.com/ddps-go/ddps/ddps"
	"github.com/ddps-go/ddps/ddps/chain"
	"github.com/ddps-go/ddps/ddps/d3pm"
)

// pairModel makes a model of the chain of the data with a Pair as its network.
func pairModel(tb testing.TB, data *datasets.Data, kappa float64, cfg d3pm.PairConfig) *d3pm.Model {
	tb.Helper()
	c, err := chain.Fit(data.Graph, data.Paths, data.Weights(), kappa/float64(data.Total()))
	if err != nil {
		tb.Fatal(err)
	}
	m, err := d3pm.NewModel(c, d3pm.ModelConfig{Network: d3pm.NetworkNone, T: d3pm.DefaultT}, 1)
	if err != nil {
		tb.Fatal(err)
	}
	if m.Net, err = d3pm.NewPair(data.Graph, m.Exact(), m.Schedule, cfg, 1); err != nil {
		tb.Fatal(err)
	}
	return m
}

func pairSource(tb testing.TB, m *d3pm.Model, data *datasets.Data) *d3pm.Source {
	tb.Helper()
	s, err := d3pm.NewSource(m, data.Paths, data.Weights())
	if err != nil {
		tb.Fatal(err)
	}
	return s
}

// pairBench is a model and a batch of the size of Heights: 317 vertices, 933 edges.
func pairBench(b *testing.B) (*d3pm.Model, *d3pm.Batch, [][]float32) {
	data, err := datasets.Heights(2000, 0)
	if err != nil {
		b.Fatal(err)
	}
	data = data.Prune()
	m := pairModel(b, data, 1, d3pm.DefaultPair())
	batch := new(d3pm.Batch)
	pairSource(b, m, data).Fill(batch, 64, 1, 0)
	var grads [][]float32
	for _, p := range m.Net.Params() {
		grads = append(grads, make([]float32, len(p.Data)))
		for i := range p.Data {
			p.Data[i] = float32(i%17-8) / 50
		}
	}
	return m, batch, grads
}

func perExample(b *testing.B, n int) {
	b.ReportMetric(float64(b.Elapsed().Microseconds())/float64(b.N*n), "µs/example")
}

// With -cpu 1 the time of an example is the work of one.
func BenchmarkPairLossGrad(b *testing.B) {
	m, batch, grads := pairBench(b)
	for b.Loop() {
		if _, err := m.Net.LossGrad(batch, grads); err != nil {
			b.Fatal(err)
		}
	}
	perExample(b, batch.N)
}

func BenchmarkPairLoss(b *testing.B) {
	m, batch, _ := pairBench(b)
	for b.Loop() {
		if _, err := m.Net.LossGrad(batch, nil); err != nil {
			b.Fatal(err)
		}
	}
	perExample(b, batch.N)
}

func BenchmarkPairForward(b *testing.B) {
	m, _, _ := pairBench(b)
	xt := make([]ddps.PALM, 64)
	for i := range xt {
		xt[i] = make(ddps.PALM, m.Graph.NumVertices())
		m.Graph.Uniform(xt[i], ddps.Rand(1, uint64(i)))
	}
	out := make([]float32, len(xt)*m.Graph.NumEdges())
	for b.Loop() {
		m.Net.Forward(out, xt, 100)
	}
	perExample(b, len(xt))
}

func BenchmarkPairChain(b *testing.B) {
	m, _, _ := pairBench(b)
	x, pi := make(ddps.PALM, m.Graph.NumVertices()), make([]float64, m.Graph.NumEdges())
	m.Graph.Uniform(x, ddps.Rand(1, 1))
	for b.Loop() {
		m.Exact().Posterior(pi, x, 100)
	}
	perExample(b, 1)
}
