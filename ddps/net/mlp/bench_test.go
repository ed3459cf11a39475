package mlp

import (
	"os"
	"testing"

	"github.com/ddps-go/ddps/ddps/internal/vec"
	"github.com/ddps-go/ddps/ddps/net/nettest"
)

// The graphs' sizes: Toy has 41 vertices and 74 edges, a Heights-like map 219 and about 800.
func mlpBenchStep(b *testing.B, layers, width, degree, n int) {
	g := nettest.Graph(b, layers, width, degree, 2)
	cfg := DefaultConfig()
	cfg.Backend = os.Getenv("DDPS_BENCH_BACKEND")
	m := newNetwork(b, g, cfg)
	random(m, 1)
	batch, grads := nettest.Batch(b, g, n, 256, 3), nettest.Zeros(m.params)
	if _, err := m.LossGrad(batch, grads); err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		if _, err := m.LossGrad(batch, grads); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(g.NumEdges()), "edges")
}

func BenchmarkMLPLossGradToy(b *testing.B) { mlpBenchStep(b, 11, 4, 3, 256) }
func BenchmarkMLPLossGradMap(b *testing.B) { mlpBenchStep(b, 11, 22, 7, 64) }

func mlpBenchForward(b *testing.B, layers, width, degree int) {
	g := nettest.Graph(b, layers, width, degree, 2)
	m := newNetwork(b, g, DefaultConfig())
	random(m, 1)
	xt := nettest.PALMs(g, 256, 6)
	out := make([]float32, len(xt)*m.edges)
	for b.Loop() {
		m.Forward(out, xt, 100)
	}
	b.ReportMetric(float64(b.N*len(xt))/b.Elapsed().Seconds(), "samples/s")
}

func BenchmarkMLPForwardToy(b *testing.B) { mlpBenchForward(b, 11, 4, 3) }
func BenchmarkMLPForwardMap(b *testing.B) { mlpBenchForward(b, 11, 22, 7) }

// BenchmarkMLPDense is the dense kernel on a layer of 192 × 192: with -cpu 1, what a core reaches of its peak.
func BenchmarkMLPDense(b *testing.B) {
	const n = 192
	w, bias, x, y := make([]float32, n*n), make([]float32, n), make([]vec.Block, n), make([]vec.Block, n)
	for i := range w {
		w[i] = float32(i%7) / 100
	}
	for b.Loop() {
		vec.Dense(y, w, bias, x)
	}
	b.ReportMetric(2*n*n*vec.Lanes*float64(b.N)/b.Elapsed().Seconds()/1e9, "Gflop/s")
}
