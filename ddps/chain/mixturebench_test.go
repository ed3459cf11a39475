package chain_test

import (
	"fmt"
	"testing"

	"github.com/ddps-go/ddps/datasets"
	"github.com/ddps-go/ddps/ddps"
	"github.com/ddps-go/ddps/ddps/chain"
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

// A round of the default fit on a dense graph and on a made-up city: ns for each product of MixtureFitter.Work.
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
		m, err := chain.NewMixtureFitter(u, train, chain.Sample{}, chain.DefaultMixture())
		if err != nil {
			b.Fatal(err)
		}
		_, edges := chain.DefaultMixture().Size(g)
		b.Run(fmt.Sprintf("%s/%d", name, edges), func(b *testing.B) {
			rounds := 0
			for b.Loop() {
				fit, err := m.Fit(chain.MixtureTrial{Ridge: 10, Smooth: 1, Rounds: 10})
				if err != nil {
					b.Fatal(err)
				}
				rounds += fit.Rounds
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(rounds)/float64(m.Work()), "ns/product")
		})
	}
}
