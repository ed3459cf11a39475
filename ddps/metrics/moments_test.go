package metrics

import (
	"math"
	"testing"

	"github.com/ddps-go/ddps/ddps"
	"github.com/ddps-go/ddps/ddps/chain"
)

// momentsOf sums a sample up.
func momentsOf(t *testing.T, g *ddps.LayeredGraph, s Sample) *Moments {
	t.Helper()
	E := g.NumEdges()
	m := &Moments{Graph: g, Edge: make([]float64, E), Pair: make([]float64, E*(E-1)/2)}
	for i, p := range s.Paths {
		edges, err := g.PathEdges(nil, p)
		if err != nil {
			t.Fatal(err)
		}
		m.Total += s.Weights[i]
		for k, e := range edges {
			m.Edge[e] += s.Weights[i]
			for _, f := range edges[k+1:] {
				m.Pair[PairIndex(E, e, f)] += s.Weights[i]
			}
		}
	}
	return m
}

func TestPairIndex(t *testing.T) {
	const E = 7
	next := 0
	for e := range E {
		for f := e + 1; f < E; f++ {
			if k := PairIndex(E, e, f); k != next {
				t.Errorf("pair %d, %d stands at %d, expected %d", e, f, k, next)
			}
			next++
		}
	}
}

// FLGD and the layer imitation scores of moments are those of the samples.
func TestMoments(t *testing.T) {
	g := ddps.Example()
	var all []ddps.Path
	for p := range g.Paths() {
		all = append(all, p)
	}
	c := chain.Uniform(g)
	for seed := range uint64(20) {
		rng := ddps.Rand(seed, 1)
		draw := func(n int) (s Sample) {
			for range n {
				s.Paths, s.Weights = append(s.Paths, c.Sample(rng)), append(s.Weights, float64(1+rng.IntN(5)))
			}
			return s
		}
		p, q := draw(1+rng.IntN(30)), draw(40)
		if seed == 0 {
			q = p
		}
		a, b := momentsOf(t, g, p), momentsOf(t, g, q)
		want, err := FLGD(g, p, q)
		if err != nil {
			t.Fatal(err)
		}
		// equal covariances cancel to the root of rounding in both forms
		if got, err := FLGDMoments(a, b); err != nil || !(math.Abs(got-want) <= 1e-9) {
			t.Errorf("seed %d: FLGD %v, expected %v, %v", seed, got, want, err)
		}
		for name, d := range map[string]Distance{"L1": L1, "TV": TVSup, "SF": SFD, "KL": KLFloor(40)} {
			want, err := ISL(g, p, q, d)
			if err != nil {
				t.Fatal(err)
			}
			x, errA := a.Marginals()
			y, errB := b.Marginals()
			got, err := ISLMarginals(x, y, d)
			if err != nil || errA != nil || errB != nil || !(math.Abs(got-want) <= 1e-12) {
				t.Errorf("seed %d: IS-L-%s %v, expected %v, %v", seed, name, got, want, err)
			}
		}
	}
	none := &Moments{Graph: g, Edge: make([]float64, g.NumEdges())}
	if _, err := FLGDMoments(none, none); err == nil {
		t.Error("FLGD of nothing")
	}
	none.Total = 1
	if _, err := FLGDMoments(none, none); err == nil {
		t.Error("FLGD without pairs")
	}
}
