package edpgnn

import (
	"os"
	"testing"

	"github.com/ddps-go/ddps/ddps"
)

// benchBatch is a batch of so many matrices without an edge at all levels, of the paper's size.
func benchBatch(b *testing.B, N int) (*Model, *batch) {
	b.Helper()
	cfg := Small()
	cfg.Backend = os.Getenv("DDPS_BENCH_BACKEND") // "": go:large
	m, err := New(37, cfg, 1)
	if err != nil {
		b.Fatal(err)
	}
	x := newBatch(N, m.N, len(cfg.Sigmas))
	for i := range N {
		s := i % x.S
		x.set(i, make([]float32, m.N*m.N), vertices(m.N, m.N), s, cfg.Sigmas[s], 1/float32(N), ddps.Rand(1, uint64(i)))
	}
	return m, x
}

// BenchmarkStep is the loss and gradient of four graphs at six levels.
func BenchmarkStep(b *testing.B) {
	m, x := benchBatch(b, 24)
	var grads [][]float32
	for _, p := range m.params {
		grads = append(grads, make([]float32, len(p.Data)))
	}
	for b.Loop() {
		if _, err := m.lossGrad(x, grads); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkScores is a step of the dynamics of 32 samples, without the noise.
func BenchmarkScores(b *testing.B) {
	m, x := benchBatch(b, 32)
	s := make([]float32, len(x.x))
	for b.Loop() {
		if err := m.scores(s, x); err != nil {
			b.Fatal(err)
		}
	}
}
