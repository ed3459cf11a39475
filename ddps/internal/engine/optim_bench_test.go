package engine

import (
	"math/rand/v2"
	"testing"
)

// BenchmarkUpdate is a step of the optimiser on 100,000 weights, as many as the MLP of Toy has.
func BenchmarkUpdate(b *testing.B) {
	rng := rand.New(rand.NewPCG(1, 2))
	p := []Param{{Name: "w", Data: make([]float32, 100_000)}}
	g := [][]float32{make([]float32, len(p[0].Data))}
	for i := range g[0] {
		p[0].Data[i], g[0][i] = rng.Float32(), rng.Float32()-.5
	}
	o := NewOptimizer(OptimConfig{LR: 1e-3, WeightDecay: .1, Beta1: .9, Beta2: .999, Eps: 1e-8, Clip: 1, EMA: .999}, p)
	k := 0
	for b.Loop() {
		if _, err := o.Update(p, g, k, 1e-3); err != nil {
			b.Fatal(err)
		}
		k++
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*len(g[0])), "ns/weight")
}
