package chain

import (
	"math/rand/v2"
	"slices"
	"testing"
)

// The kernels give the bits of the plain ones, whatever the number of pieces, with weights and without.
func TestLanes(t *testing.T) {
	g := Line(benchGraph(300)).Graph
	rng := rand.New(rand.NewPCG(1, 2))
	numbers := func(n int) []float64 {
		x := make([]float64, n)
		for i := range x {
			x[i] = rng.ExpFloat64()
		}
		return x
	}
	pieces := func(n int) []lane {
		x := make([]lane, n)
		for i := range x {
			x[i] = lane(numbers(4))
		}
		return x
	}
	V, E := g.NumVertices(), g.NumEdges()
	f, lo, hi := numbers(V), 1, 0
	_, hi = g.Layer(1)
	for n := 1; n <= 5; n++ {
		for range 4 {
			l := &lanes{g: g, into: make([]int32, V), n: n, p: pieces(E * n)}
			for s := range l.into {
				l.into[s] = int32(s - 1)
			}
			if n%2 == 0 {
				l.w = numbers(E)
			}
			if n%3 == 0 {
				for range E {
					l.at = append(l.at, int32(rng.IntN(E)))
				}
			}
			m, r := pieces(V*n), pieces(V*n)
			for _, c := range []struct {
				name       string
				fast, slow func(x []lane) lane
			}{
				{"back", func(x []lane) lane { return l.back(x, f, lo, hi) }, func(x []lane) lane { return l.backPlain(x, f, lo, hi) }},
				{"ahead", func(x []lane) lane { return l.ahead(x, f, lo, hi) }, func(x []lane) lane { return l.aheadPlain(x, f, lo, hi) }},
			} {
				got, want := slices.Clone(m), slices.Clone(m)
				if a, b := c.fast(got), c.slow(want); a != b || !slices.Equal(got, want) {
					t.Fatalf("%d pieces: %s differs: greatest %v and %v", n, c.name, a, b)
				}
			}
			got, want := make([]float64, V+1), make([]float64, V+1)
			l.meet(r, m, got, lo, hi)
			l.meetPlain(r, m, want, lo, hi)
			if !slices.Equal(got[:hi], want[:hi]) {
				t.Fatalf("%d pieces: meet differs", n)
			}
		}
	}
}
