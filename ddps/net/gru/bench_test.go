//go:build unix

package gru

import (
	"context"
	"fmt"
	"syscall"
	"testing"

	"github.com/ddps-go/ddps/ddps"
)

// letters returns made-up walks like names: 26 letters, 2 to 15 long, 6 on average, any letter after any other.
func letters(t testing.TB) (g *ddps.LayeredGraph, paths []ddps.Path) {
	rng := ddps.Rand(1, 1)
	var walks [][]string
	for range 4000 {
		n := 2
		for n < 15 && rng.IntN(5) > 0 {
			n++
		}
		w := make([]string, n)
		for i := range w {
			w[i] = string(rune('a' + rng.IntN(26)))
		}
		walks = append(walks, w)
	}
	g, path := sequences(t, walks)
	for _, w := range walks {
		paths = append(paths, path(w))
	}
	return g, paths
}

// wide is the network of the benchmarks.
var wide = Shape{Hidden: 128, Embed: 64}

// perSecond reports how many paths a CPU second takes, a number that a busy machine changes little; begin is
// CPU() before.
func perSecond(b *testing.B, paths int, begin float64) {
	b.ReportMetric(float64(paths*b.N)/(CPU()-begin), "paths/cpu-s")
}

// CPU returns the CPU seconds that the process has used.
func CPU() float64 {
	var r syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &r); err != nil {
		return 0
	}
	return float64(r.Utime.Nano()+r.Stime.Nano()) / 1e9
}

// grid returns made-up walks of ten steps on a grid of 64×64 places, from any of them.
func grid(t testing.TB) (g *ddps.LayeredGraph, paths []ddps.Path) {
	const size = 64
	rng := ddps.Rand(1, 2)
	var walks [][]string
	for range 4000 {
		x, y, w := rng.IntN(size), rng.IntN(size), []string(nil)
		for range 10 {
			w = append(w, fmt.Sprint(x, y))
			step := [][2]int{{1, 0}, {size - 1, 0}, {0, 1}, {0, size - 1}}[rng.IntN(4)]
			x, y = (x+step[0])%size, (y+step[1])%size
		}
		walks = append(walks, w)
	}
	g, path := sequences(t, walks)
	for _, w := range walks {
		paths = append(paths, path(w))
	}
	return g, paths
}

// One thread, paths per second of training: forward, backward and the update, batches of 64, dropout 0.2.
func BenchmarkTrain(b *testing.B) { benchmarkTrain(b, letters) }

// BenchmarkTrain of walks that may start from thousands of places.
func BenchmarkTrainGrid(b *testing.B) { benchmarkTrain(b, grid) }

// BenchmarkTrain of walks among places that some hundred others follow.
func BenchmarkTrainCheckins(b *testing.B) { benchmarkTrain(b, checkins) }

func benchmarkTrain(b *testing.B, walks func(testing.TB) (*ddps.LayeredGraph, []ddps.Path)) {
	g, paths := walks(b)
	y := newLayout(g)
	d, err := y.data("training", Sample{Paths: paths})
	if err != nil {
		b.Fatal(err)
	}
	cfg := Setting{Shape: wide, Dropout: 0.2, LR: 1e-3, WeightDecay: 0.01, Batch: 64, Epochs: 100, Average: 0.1}
	t := newTrainer(newNetwork(y, wide), cfg, machine{threads: 1}, 1, d.rows(), nil)
	begin := CPU()
	for b.Loop() {
		if err := t.update(d, 0); err != nil {
			b.Fatal(err)
		}
	}
	perSecond(b, 64, begin)
}

// One thread, paths per second of log-probabilities of walks that may start from thousands of places.
func BenchmarkLogProbGrid(b *testing.B) { benchmarkLogProb(b, grid) }

// BenchmarkLogProbGrid of walks among places that some hundred others follow.
func BenchmarkLogProbCheckins(b *testing.B) { benchmarkLogProb(b, checkins) }

func benchmarkLogProb(b *testing.B, walks func(testing.TB) (*ddps.LayeredGraph, []ddps.Path)) {
	g, paths := walks(b)
	y := newLayout(g)
	m := newGRU(y, wide, []*tables{newTables(newNetwork(y, wide))})
	m.threads = 1
	out, begin := make([]float64, len(paths)), CPU()
	for b.Loop() {
		if err := m.LogProb(paths, out); err != nil {
			b.Fatal(err)
		}
	}
	perSecond(b, len(paths), begin)
}

// wideModel returns a model of the benchmarks' network on one thread, and paths.
func wideModel(b *testing.B) (*GRU, []ddps.Path) {
	g, paths := letters(b)
	y := newLayout(g)
	m := newGRU(y, wide, []*tables{newTables(random(y, wide, 1))})
	m.threads = 1
	return m, paths
}

// One thread, draws per second.
func BenchmarkSample(b *testing.B) {
	m, paths := wideModel(b)
	begin := CPU()
	for b.Loop() {
		if err := m.Sample(context.Background(), paths, 1, 0); err != nil {
			b.Fatal(err)
		}
	}
	perSecond(b, len(paths), begin)
}

// One thread, log-probabilities per second.
func BenchmarkLogProb(b *testing.B) {
	m, paths := wideModel(b)
	out := make([]float64, len(paths))
	begin := CPU()
	for b.Loop() {
		if err := m.LogProb(paths, out); err != nil {
			b.Fatal(err)
		}
	}
	perSecond(b, len(paths), begin)
}
