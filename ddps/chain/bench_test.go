package chain

import (
	"fmt"
	"testing"

	"github.com/ddps-go/ddps/ddps"
)

// benchGraph is a graph of about E edges: 20 layers, three out-edges a vertex.
func benchGraph(E int) *ddps.LayeredGraph {
	const L, D = 20, 3
	n := max(E/D/(L-1), D)
	sizes, heads := []int{1}, [][]int{{1, 2, 3}}
	for l := 1; l < L; l++ {
		lo := 1 + (l-1)*n
		sizes = append(sizes, n)
		for i := range n {
			var h []int
			for d := range D {
				if l+1 < L {
					h = append(h, lo+n+(3*i+d*d)%n)
				}
			}
			heads = append(heads, h)
		}
	}
	g, err := ddps.New(sizes, heads)
	if err != nil {
		panic(err)
	}
	return g
}

// Cost is linear in the edges; ns/edge should hold from 10³ to 10⁶.
func BenchmarkSecondOrder(b *testing.B) {
	for _, E := range []int{1e3, 1e4, 1e5, 1e6} {
		g := benchGraph(E)
		uniform := (&Chain{g, make([]float64, g.NumEdges())}).Law()
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
		law, err := FitSecond(g, paths, nil, SecondConfig{1, 10})
		if err != nil {
			b.Fatal(err)
		}
		c, _, err := Unfold(g, 0, countMod(2), 0)
		if err != nil {
			b.Fatal(err)
		}
		d, x, pi := NewLawDenoiser(law, []float64{1, 0.5}), make(ddps.PALM, g.NumVertices()), make([]float64, g.NumEdges())
		g.Uniform(x, ddps.Rand(2, 0))
		for _, f := range []struct {
			name string
			run  func()
		}{
			{"fit", func() { FitSecond(g, paths, nil, SecondConfig{1, 10}) }},
			{"tune", func() { TuneSecond(g, Sample{Paths: paths}, Sample{Paths: paths}, []float64{1, 10}) }},
			{"tilt", func() { law.Tilt(w) }},
			{"condition", func() { law.Condition(c, nil) }},
			{"marginals", func() { law.Marginals() }},
			{"entropy", func() { law.Entropy() }},
			{"kl", func() { KL(law, uniform) }},
			{"best100", func() { law.KBest(100) }},
			{"posterior", func() { d.Posterior(pi, x, 1) }},
		} {
			b.Run(fmt.Sprintf("%s/%d", f.name, E), func(b *testing.B) {
				for b.Loop() {
					f.run()
				}
				b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(len(law.P)), "ns/pair")
			})
		}
		b.Run(fmt.Sprintf("sample/%d", E), func(b *testing.B) {
			rng := ddps.Rand(3, 0)
			for b.Loop() {
				law.Sample(rng)
			}
		})
	}
}

// What a step of sampling from a mixture of eight second-order chains costs, in ns an edge of their lift, a line graph.
func BenchmarkMixture(b *testing.B) {
	for _, E := range []int{1e3, 1e4, 1e5} {
		g := benchGraph(E)
		l, K := Line(g), 8
		m := &Mixture{Lift: l, P: make([]float64, len(l.Edge)*K)}
		for range K {
			m.Weight = append(m.Weight, 1/float64(K))
		}
		for k := range l.Edge {
			for c := range K {
				m.P[k*K+c] = 1 / float64(l.Graph.Degree(l.Graph.Tail(k)))
			}
		}
		d, x, pi := NewMixtureDenoiser(m, []float64{1, 0.5}), make(ddps.PALM, g.NumVertices()), make([]float64, g.NumEdges())
		rng, p, path := ddps.Rand(2, 0), d.Paths(), make(ddps.Path, g.NumLayers())
		g.Uniform(x, rng)
		for _, f := range []struct {
			name string
			run  func()
		}{
			{"weigh", func() { p.Weigh(x, 1, nil) }},
			{"draw", func() { p.Draw(rng, path) }},
			{"posterior", func() { d.Posterior(pi, x, 1) }},
		} {
			b.Run(fmt.Sprintf("%s/%d", f.name, E), func(b *testing.B) {
				for b.Loop() {
					f.run()
				}
				b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(len(l.Edge)), "ns/pair")
			})
		}
	}
}
