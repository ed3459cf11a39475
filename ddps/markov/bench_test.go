package markov

import (
	"context"
	"testing"

	"github.com/ddps-go/ddps/ddps"
	"github.com/ddps-go/ddps/ddps/chain"
)

// manyWalks returns n walks of a second-order model over so many places, each with twelve places to go to, and their
// graph: a source, ten layers, END from the fourth on.
func manyWalks(t testing.TB, places, n int) (*ddps.LayeredGraph, chain.Sample) {
	t.Helper()
	const layers, moves = 10, 12
	to := func(x, k int) int { return (x*7 + 37*k + 1) % places }
	sizes, place, heads, first := []int{1}, []int{places + 1}, [][]int{nil}, 1
	for x := range places {
		heads[0] = append(heads[0], 1+x)
	}
	for l := range layers {
		size := places
		if l > 2 {
			size++ // END
		}
		next := first + size
		for x := range size {
			place = append(place, x)
			var h []int
			for k := 0; k < moves && x < places && l+1 < layers; k++ {
				h = append(h, next+to(x, k))
			}
			if l > 1 && l+1 < layers {
				h = append(h, next+places)
			}
			heads = append(heads, h)
		}
		sizes, first = append(sizes, size), next
	}
	g, err := ddps.New(sizes, heads)
	if err == nil {
		g, err = g.WithMeta(ddps.Meta{Place: place})
	}
	if err != nil {
		t.Fatal(err)
	}
	var s chain.Sample
	for i := range n {
		rng, p := ddps.Rand(21, uint64(i)), make(ddps.Path, 1, layers+1)
		for len(p) < layers+1 {
			list := g.From(p[len(p)-1])
			d := int(float64(len(list)) * rng.Float64() * rng.Float64()) // the first few mostly, after a place that
			if len(p) > 1 {
				d = (d + place[p[len(p)-2]]) % len(list) // depends on the one before
			}
			p = append(p, list[d])
		}
		s.Paths, s.Weights = append(s.Paths, p), append(s.Weights, 1)
	}
	return g, s
}

// Settings by validation and the fit to all walks: 100,000 walks of 500 places.
func BenchmarkTune(b *testing.B) {
	g, s := manyWalks(b, 500, 100_000)
	train := chain.Sample{Paths: s.Paths[:90_000], Weights: s.Weights[:90_000]}
	held := chain.Sample{Paths: s.Paths[90_000:], Weights: s.Weights[90_000:]}
	for b.Loop() {
		m, _, err := Tune(context.Background(), g, train, held, nil, nil)
		if err == nil {
			_, err = m.Refit(context.Background(), s, nil)
		}
		if err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkCompact(b *testing.B) {
	g, s := manyWalks(b, 500, 100_000)
	cfg := Default()
	cfg.Start, cfg.Order = true, 8
	for b.Loop() {
		if _, err := Compact(context.Background(), g, s, cfg, 1<<19); err != nil {
			b.Fatal(err)
		}
	}
}
