package chain

import (
	"fmt"
	"testing"

	"github.com/ddps-go/ddps/ddps"
	"github.com/ddps-go/ddps/ddps/internal/oracle"
)

// Cost is linear in the edges; ns/edge should hold from 10³ to 10⁶.
func BenchmarkSecondOrder(b *testing.B) {
	for _, E := range []int{1e3, 1e4, 1e5, 1e6} {
		g := oracle.Wide(E)
		uniform := (&Chain{g, make([]float64, g.NumEdges())}).Distribution()
		for e := range uniform.P {
			uniform.P[e] = 1 / float64(g.Degree(g.Tail(e)))
		}
		paths := make([]ddps.Path, 1000)
		for i := range paths {
			paths[i] = uniform.Sample(ddps.Rand(1, uint64(i)))
		}
		w := make([]float64, g.NumEdges())
		for e := range w {
			w[e] = 1 + float64(e%3)
		}
		dist, err := FitSecond(g, paths, nil, SecondConfig{1, 10})
		if err != nil {
			b.Fatal(err)
		}
		c, _, err := Unfold(g, 0, countMod(2), 0)
		if err != nil {
			b.Fatal(err)
		}
		d, x, pi := NewDistributionDenoiser(dist, []float64{1, 0.5}), make(ddps.PALM, g.NumVertices()),
			make([]float64, g.NumEdges())
		g.Uniform(x, ddps.Rand(2, 0))
		for _, f := range []struct {
			name string
			run  func()
		}{
			{"fit", func() { FitSecond(g, paths, nil, SecondConfig{1, 10}) }},
			{"tune", func() { TuneSecond(g, Sample{Paths: paths}, Sample{Paths: paths}, []float64{1, 10}) }},
			{"tilt", func() { dist.Tilt(w) }},
			{"condition", func() { dist.Condition(c, nil) }},
			{"marginals", func() { dist.Marginals() }},
			{"entropy", func() { dist.Entropy() }},
			{"kl", func() { KL(dist, uniform) }},
			{"best100", func() { dist.KBest(100) }},
			{"posterior", func() { d.Posterior(pi, []ddps.PALM{x}, 1) }},
		} {
			b.Run(fmt.Sprintf("%s/%d", f.name, E), func(b *testing.B) {
				for b.Loop() {
					f.run()
				}
				b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(len(dist.P)), "ns/pair")
			})
		}
		b.Run(fmt.Sprintf("sample/%d", E), func(b *testing.B) {
			rng := ddps.Rand(3, 0)
			for b.Loop() {
				dist.Sample(rng)
			}
		})
	}
}
