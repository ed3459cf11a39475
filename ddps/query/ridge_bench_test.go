package query_test

import (
	"testing"

	"github.com/ddps-go/ddps/datasets"
	"github.com/ddps-go/ddps/ddps"
	"github.com/ddps-go/ddps/ddps/chain"
	"github.com/ddps-go/ddps/ddps/guide"
	"github.com/ddps-go/ddps/ddps/mixture"
	"github.com/ddps-go/ddps/ddps/query"
)

// Samples of a mixture of eight chains on Ridge given a condition of fifty states: set-up, and paths per second.
func BenchmarkRidgeCondition(b *testing.B) {
	graph, err := datasets.RidgeGraph()
	if err != nil {
		b.Fatal(err)
	}
	g, rng := graph.Prune(), ddps.Rand(1, 0)
	const K = 8
	p, row, weight := make([]float64, K*g.NumEdges()), make([]float64, g.NumEdges()), make([]float64, K)
	for k := range K {
		for e := range row {
			row[e] = rng.NormFloat64()
		}
		chain.Softmax(g, row, row)
		weight[k] = 1. / K
		for e, x := range row {
			p[e*K+k] = x
		}
	}
	m, err := mixture.New(chain.Identity(g), weight, p)
	if err != nil {
		b.Fatal(err)
	}
	stop := func(ks ...int) (s guide.Stop) {
		for v := range g.NumVertices() {
			for _, k := range ks {
				if g.Meta().Place[v] == k {
					s.Vertices = append(s.Vertices, v)
				}
			}
		}
		return s
	}
	automaton := guide.Automaton{Next: func(q, e int) (int, float64) {
		return (q*7 + 1 + g.Meta().Place[g.Head(e)]) % 50,
			1
	},
		Accept: func(q int) float64 { return float64(q / 25) }} // a hash of fifty values, half of which will do
	c, err := guide.New(g, "fifty", automaton)
	if err != nil {
		b.Fatal(err)
	}
	avoid, err := guide.Avoid(g, stop(3))
	if err == nil {
		c, err = guide.All(c, avoid)
	}
	if err != nil {
		b.Fatal(err)
	}
	b.Run("set-up", func(b *testing.B) {
		for b.Loop() {
			if _, _, err := query.GivenMixture(m, c); err != nil {
				b.Fatal(err)
			}
		}
		b.ReportMetric(float64(c.Product().Edges()), "edges")
		b.ReportMetric(float64(c.Product().States())/float64(g.NumVertices()), "states/vertex")
	})
	given, _, err := query.GivenMixture(m, c)
	if err != nil {
		b.Fatal(err)
	}
	b.Run("sample", func(b *testing.B) {
		for b.Loop() {
			given.Sample(rng)
		}
		b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "paths/s")
	})
}
