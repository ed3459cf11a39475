package markov

import (
	"math"
	"testing"

	"github.com/ddps-go/ddps/ddps"
	"github.com/ddps-go/ddps/ddps/chain"
)

// grid returns a graph of a source, layers that each have copies of n places, and END from the fourth layer on. Some
// moves are left out; a place may be stayed in.
func grid(t testing.TB, layers, n int) *ddps.LayeredGraph {
	t.Helper()
	sizes, place, heads := []int{1}, []int{n + 1}, [][]int{nil}
	first := 1
	for v := range n {
		heads[0] = append(heads[0], first+v)
	}
	for l := 1; l <= layers; l++ {
		size := n
		if l > 2 {
			size++ // END
		}
		next := first + size
		for x := range size {
			place = append(place, x)
			var h []int
			for y := range n {
				if l < layers && x < n && (x+2*y)%5 != 1 {
					h = append(h, next+y)
				}
			}
			if l < layers && l > 1 {
				h = append(h, next+n)
			}
			heads = append(heads, h)
		}
		sizes = append(sizes, size)
		first = next
	}
	g, err := ddps.New(sizes, heads)
	if err != nil {
		t.Fatal(err)
	}
	if g, err = g.WithMeta(ddps.Meta{Place: place}); err != nil {
		t.Fatal(err)
	}
	return g
}

// walks returns n paths of a graph that like to go back and to stay, as a weighted sample.
func walks(g *ddps.LayeredGraph, n int, seed uint64) chain.Sample {
	place := g.Meta().Place
	var s chain.Sample
	for i := range n {
		rng := ddps.Rand(seed, uint64(i))
		p := ddps.Path{0}
		for len(p) < g.NumLayers() {
			heads := g.From(p[len(p)-1])
			w, sum := make([]float64, len(heads)), 0.0
			for d, v := range heads {
				w[d] = 1 + float64(place[v])
				for _, u := range p {
					if place[u] == place[v] {
						w[d] *= 3
					}
				}
				sum += w[d]
			}
			p = append(p, heads[chain.Pick(w, sum*rng.Float64())])
		}
		s.Paths, s.Weights = append(s.Paths, p), append(s.Weights, float64(1+i%3))
	}
	return s
}

// configs are settings of all kinds.
func configs() []Config {
	return []Config{
		{Order: 1, MinCount: 1, Ridge: 1},
		{Order: 1, MinCount: 1, Start: true, Position: true, Ridge: 3},
		{Order: 3, MinCount: 2, Ridge: 3},
		{Order: 2, MinCount: 1, Position: true, Ridge: 3},
		{Order: 4, MinCount: 1, Start: true, Ridge: 3},
		{Order: 2, MinCount: 3, Start: true, Position: true, Visited: true, Ridge: 3},
		{Order: 2, MinCount: 1, Position: true, Run: 2, Ridge: 3},
		{Order: 3, MinCount: 1, Start: true, Position: true, Visited: true, Run: 3, Ridge: .1},
	}
}

func fitted(t testing.TB, g *ddps.LayeredGraph, cfg Config) *Model {
	t.Helper()
	m, err := Fit(g, walks(g, 60, 1), cfg)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// all returns all paths of a graph and their log-probabilities.
func all(t testing.TB, m *Model) (paths []ddps.Path, logp []float64) {
	t.Helper()
	for p := range m.g.Paths() {
		paths = append(paths, p)
	}
	logp = make([]float64, len(paths))
	if err := m.LogProb(paths, logp); err != nil {
		t.Fatal(err)
	}
	return paths, logp
}

func near(a, b float64) bool { return math.Abs(a-b) <= 1e-9*max(1, math.Abs(b)) }
