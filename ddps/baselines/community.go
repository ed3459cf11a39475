package baselines

import (
	"math/rand/v2"

	"github.com/ddps-go/ddps/ddps"
)

// Communities draws n graphs like those of the data set community_small (You et al. 2018, GraphRNN; 100 graphs in Niu
// et al. 2020): an even number of vertices in 12…20, two halves, an edge within a half with probability 0.7 and between
// them with 0.05·N/(N/2)², so that 0.05·N are expected, and one at least. The vertices are in a random order. Graph i
// depends on seed and i alone. See FixedCommunities for what the program of Niu et al. makes.
func Communities(n int, seed uint64) []Graph {
	list := make([]Graph, n)
	for i := range list {
		rng := ddps.Rand(seed, uint64(i))
		half := 6 + rng.IntN(5)
		list[i] = community(half, rng, func(u, v int) bool { return rng.Float64() < withinHalf })
	}
	return list
}

// FixedCommunities is Communities with halves that are the same two graphs in all graphs of a size, as the published
// program of Niu et al. makes its data: it seeds the graph of a half by the half's number, so only the edges between
// them differ. There the number of vertices is one of 12…20, made even, and 20 is half as frequent as the others. The
// ten halves depend on seed.
func FixedCommunities(n int, seed uint64) []Graph {
	halves := map[int][]bool{} // by size: [N, N] whether an edge joins two vertices of a half
	for half := 6; half <= 10; half++ {
		rng, N := ddps.Rand(seed^halvesSeed, uint64(half)), 2*half
		x := make([]bool, N*N)
		for i := range x {
			x[i] = rng.Float64() < withinHalf
		}
		halves[half] = x
	}
	list := make([]Graph, n)
	for i := range list {
		rng := ddps.Rand(seed, uint64(i))
		half := (12 + rng.IntN(9)) / 2
		list[i] = community(half, rng, func(u, v int) bool { return halves[half][u*2*half+v] })
	}
	return list
}

// CommunityProbabilities returns the probability of an edge within a half of so many vertices, and of one between it
// and the other, before there is one at least.
func CommunityProbabilities(half int) (within, between float64) {
	return withinHalf, 0.05 * float64(2*half) / float64(half*half)
}

// withinHalf is the probability of an edge within a half.
const withinHalf = 0.7

// halvesSeed sets the streams of fixed halves apart from those of graphs.
const halvesSeed = 0x13198a2e03707344

// community draws a graph of two halves: within them, edges are those that within says of two vertices u < v before the
// vertices are put in a random order.
func community(half int, rng *rand.Rand, within func(u, v int) bool) Graph {
	N := 2 * half
	place := rng.Perm(N)
	g, crossed := Graph{N: N}, false
	add := func(u, v int) {
		a, b := place[u], place[v]
		g.Edges = append(g.Edges, Edge{min(a, b), max(a, b)})
	}
	_, between := CommunityProbabilities(half)
	for u := range N {
		for v := u + 1; v < N; v++ {
			switch cross := u < half && v >= half; {
			case cross && rng.Float64() < between:
				add(u, v)
				crossed = true
			case !cross && within(u, v):
				add(u, v)
			}
		}
	}
	if !crossed {
		add(0, half)
	}
	return g
}
