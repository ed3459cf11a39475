package oracle

import (
	"math"
	"math/rand/v2"

	"github.com/ddps-go/ddps/ddps"
)

// RandomGraph draws a small layered graph; some vertices are out of reach or have no edges at all.
func RandomGraph(rng *rand.Rand) *ddps.LayeredGraph {
	sizes := []int{1}
	for range 1 + rng.IntN(5) {
		sizes = append(sizes, 1+rng.IntN(4))
	}
	var heads [][]int
	lo := 0
	for l, n := range sizes {
		for range n {
			var h []int
			if l+1 < len(sizes) {
				for w := range sizes[l+1] {
					if rng.IntN(2) == 0 {
						h = append(h, lo+n+w)
					}
				}
				if h == nil {
					h = []int{lo + n + rng.IntN(sizes[l+1])}
				}
				rng.Shuffle(len(h), func(i, j int) { h[i], h[j] = h[j], h[i] })
			}
			heads = append(heads, h)
		}
		lo += n
	}
	return must(ddps.New(sizes, heads))
}

// RandomRows draws rows by edge of g that sum to 1; about one edge in five has probability 0.
func RandomRows(g *ddps.LayeredGraph, rng *rand.Rand) []float64 {
	p := make([]float64, g.NumEdges())
	for e := range p {
		if p[e] = 2 * rng.NormFloat64(); rng.IntN(5) == 0 {
			p[e] = math.Inf(-1)
		}
	}
	for v := range g.NumVertices() {
		lo, hi := g.Edges(v)
		softmax(p[lo:hi])
	}
	return p
}

// softmax is uniform where no entry is finite.
func softmax(row []float64) {
	top, sum := math.Inf(-1), 0.0
	for _, x := range row {
		top = max(top, x)
	}
	for i, x := range row {
		if row[i] = math.Exp(x - top); math.IsInf(top, -1) {
			row[i] = 1
		}
		sum += row[i]
	}
	for i := range row {
		row[i] /= sum
	}
}

// Places returns a graph of two places, each in four layers.
func Places() *ddps.LayeredGraph {
	g := must(ddps.New([]int{1, 2, 2, 2, 2}, [][]int{{1, 2}, {3, 4}, {3, 4}, {5, 6}, {5, 6}, {7, 8}, {7, 8}, nil, nil}))
	return must(g.WithMeta(ddps.Meta{Place: []int{-1, 0, 1, 0, 1, 0, 1, 0, 1}}))
}

// Wide returns a graph of about E edges: 20 layers, three out-edges a vertex.
func Wide(E int) *ddps.LayeredGraph {
	const L, D = 20, 3
	n := max(E/D/(L-1), D)
	sizes, heads := []int{1}, [][]int{{1, 2, 3}}
	for l := 1; l < L; l++ {
		lo := 1 + (l-1)*n
		sizes = append(sizes, n)
		for i := range n {
			var h []int
			for d := range D {
				if l+1 < L {
					h = append(h, lo+n+(3*i+d*d)%n)
				}
			}
			heads = append(heads, h)
		}
	}
	return must(ddps.New(sizes, heads))
}

func must(g *ddps.LayeredGraph, err error) *ddps.LayeredGraph {
	if err != nil {
		panic(err)
	}
	return g
}
