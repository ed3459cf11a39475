package baselines

import "github.com/ddps-go/ddps/ddps"

// Communities draws n graphs like those of the data set community_small (You et al. 2018, GraphRNN; 100 graphs in Niu et
// al. 2020): an even number of vertices in 12…20, two halves, an edge within a half with probability 0.7 and between
// them with 0.05·N/(N/2)², so that 0.05·N are expected, and one at least. The vertices are in a random order. Graph i depends
// on seed and i alone.
func Communities(n int, seed uint64) []Graph {
	list := make([]Graph, n)
	for i := range list {
		rng := ddps.Rand(seed, uint64(i))
		half := 6 + rng.IntN(5)
		N := 2 * half
		place := rng.Perm(N)
		g, crossed := Graph{N: N}, false
		add := func(u, v int) {
			a, b := place[u], place[v]
			g.Edges = append(g.Edges, Edge{min(a, b), max(a, b)})
		}
		between := 0.05 * float64(N) / float64(half*half)
		for u := range N {
			for v := u + 1; v < N; v++ {
				cross := u < half && v >= half
				if p := rng.Float64(); cross && p < between || !cross && p < 0.7 {
					add(u, v)
					crossed = crossed || cross
				}
			}
		}
		if !crossed {
			add(0, half)
		}
		list[i] = g
	}
	return list
}
