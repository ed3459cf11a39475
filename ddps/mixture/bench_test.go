package mixture_test

import (
	"fmt"
	"testing"

	"github.com/ddps-go/ddps/datasets"
	"github.com/ddps-go/ddps/ddps"
	"github.com/ddps-go/ddps/ddps/chain"
	"github.com/ddps-go/ddps/ddps/internal/fast"
	"github.com/ddps-go/ddps/ddps/internal/oracle"
	"github.com/ddps-go/ddps/ddps/internal/vec"
	"github.com/ddps-go/ddps/ddps/mixture"
)

// denseGraph has n places in each of L layers behind a source, and a quarter of all moves between them.
func denseGraph(b *testing.B, n, L int) *ddps.LayeredGraph {
	b.Helper()
	sizes, heads, places := []int{1}, [][]int{nil}, []int{n}
	for i := range n {
		heads[0] = append(heads[0], 1+i)
	}
	for l := range L {
		sizes = append(sizes, n)
		for i := range n {
			var h []int
			for j := 0; l+1 < L && j < n; j++ {
				if (i*i+j*(i+3)+j*j)%4 == 0 || j == i {
					h = append(h, 1+(l+1)*n+j)
				}
			}
			heads, places = append(heads, h), append(places, i)
		}
	}
	g, err := ddps.New(sizes, heads)
	if err == nil {
		g, err = g.WithMeta(ddps.Meta{Place: places})
	}
	if err != nil {
		b.Fatal(err)
	}
	return g
}

// A round of the default fit on a dense graph and on a made-up city: ns for each product of Fitter.Work.
func BenchmarkMixtureFit(b *testing.B) {
	city, err := datasets.CityGraph(30, 0)
	if err != nil {
		b.Fatal(err)
	}
	for name, g := range map[string]*ddps.LayeredGraph{"dense": denseGraph(b, 100, 8), "city": city} {
		u := chain.Uniform(g)
		var train chain.Sample
		for i := range uint64(2000) {
			train.Paths = append(train.Paths, u.Sample(ddps.Rand(1, i)))
		}
		m, err := mixture.NewFitter(u, train, chain.Sample{}, mixture.DefaultConfig())
		if err != nil {
			b.Fatal(err)
		}
		_, edges := mixture.DefaultConfig().Size(g)
		b.Run(fmt.Sprintf("%s/%d", name, edges), func(b *testing.B) {
			rounds := 0
			for b.Loop() {
				fit, err := m.Fit(mixture.Trial{Ridge: 10, Smooth: 1, Rounds: 10})
				if err != nil {
					b.Fatal(err)
				}
				rounds += fit.Rounds
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(rounds)/float64(m.Work()), "ns/product")
		})
	}
}

// What a step of sampling from a mixture of eight second-order chains costs, in ns per edge of their product graph, a
// line graph.
func BenchmarkMixture(b *testing.B) {
	for _, E := range []int{1e3, 1e4, 1e5} {
		g := oracle.Wide(E)
		l, K := chain.Line(g), 8
		m := &mixture.Mixture{Product: l, P: make([]float64, len(l.Edge)*K)}
		for range K {
			m.Weight = append(m.Weight, 1/float64(K))
		}
		for k := range l.Edge {
			for c := range K {
				m.P[k*K+c] = 1 / float64(l.Graph.Degree(l.Graph.Tail(k)))
			}
		}
		d, x, pi := mixture.NewDenoiser(m, []float64{1, 0.5}), make(ddps.PALM, g.NumVertices()), make([]float64, g.NumEdges())
		rng, p, path := ddps.Rand(2, 0), d.Paths(), make(ddps.Path, g.NumLayers())
		g.Uniform(x, rng)
		for _, f := range []struct {
			name string
			run  func()
		}{
			{"weigh", func() { p.Weigh(x, 1, nil) }},
			{"draw", func() { p.Draw(rng, path) }},
			{"posterior", func() { d.Posterior(pi, []ddps.PALM{x}, 1) }},
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

// A step's classes and rows of eight samples on a dense graph: ns for each edge of the product graph and class.
func BenchmarkMixtureLanes(b *testing.B) {
	if !vec.Vectors() {
		b.Skip("no AVX2 with FMA")
	}
	g := denseGraph(b, 40, 11)
	cfg := mixture.DefaultConfig()
	cfg.Rounds = 1
	u := chain.Uniform(g)
	var paths []ddps.Path
	for i := range uint64(200) {
		paths = append(paths, u.Sample(ddps.Rand(1, i)))
	}
	m, err := mixture.Fit(u, paths, nil, cfg, 1, nil)
	if err != nil {
		b.Fatal(err)
	}
	d := mixture.NewDenoiser(m, []float64{1, .5})
	lanes := fast.NewMixture(d.Weighted, vec.NewGraph(g, nil, nil), d.Rows())
	x, pi := make([]vec.Choice, g.NumVertices()), make([]vec.Lane, g.NumEdges())
	for b.Loop() {
		lanes.Weigh(x, d.Ratio(1), nil, vec.Width)
		lanes.Rows(pi)
	}
	n := len(d.Weighted.Product.Edge) * cfg.Classes
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*n), "ns/edge-class")
}
