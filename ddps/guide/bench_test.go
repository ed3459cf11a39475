package guide

import (
	"fmt"
	"testing"

	"github.com/ddps-go/ddps/ddps"
	"github.com/ddps-go/ddps/ddps/chain"
)

// The cost of a condition is linear in the edges of its product with the graph: ns/edge holds from 10³ to 10⁷ of them.
// make builds the condition (3 to 5 states a vertex), given conditions a chain, sample draws a path.
func BenchmarkProduct(b *testing.B) {
	for _, width := range []int{4, 13, 40, 130, 400} { // 10³ … 10⁷ edges of the product
		g := grid(b, 21, width)
		dist := chain.Uniform(g).Distribution()
		var x, y Stop
		for l := 1; l < 21; l++ {
			lo, _ := g.Layer(l)
			x.Vertices, y.Vertices = append(x.Vertices, lo), append(y.Vertices, lo+1, lo+2)
		}
		build := func() Condition {
			d := NewDiagrams(g)
			d.limit = 1 << 26
			var parts []Part
			for name, f := range map[string]func() (Automaton, error){"visits": func() (Automaton, error) {
				return Visits(g, x,
					2, 3)
			},
				"before": func() (Automaton, error) { return Before(g, x, y) }} {
				a, err := f()
				if err != nil {
					b.Fatal(err)
				}
				s, err := d.Read(a)
				if err != nil {
					b.Fatal(err)
				}
				parts = append(parts, Part{name, s})
			}
			c, err := d.Condition("bench", parts)
			if err != nil {
				b.Fatal(err)
			}
			return c
		}
		c := build()
		edges := c.Product().Edges()
		perEdge := func(b *testing.B) {
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(edges), "ns/edge")
		}
		b.Run(fmt.Sprintf("make/%d", edges), func(b *testing.B) {
			for b.Loop() {
				build()
			}
			perEdge(b)
		})
		b.Run(fmt.Sprintf("given/%d", edges), func(b *testing.B) {
			for b.Loop() {
				if _, _, err := GivenDistribution(dist, c); err != nil {
					b.Fatal(err)
				}
			}
			perEdge(b)
		})
		given, _, err := GivenDistribution(dist, c)
		if err != nil {
			b.Fatal(err)
		}
		b.Run(fmt.Sprintf("sample/%d", edges), func(b *testing.B) {
			rng := ddps.Rand(1, 0)
			for b.Loop() {
				given.Sample(rng)
			}
		})
	}
}
