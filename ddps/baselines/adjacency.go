package baselines

import (
	"fmt"
	"math/rand/v2"

	"github.com/ddps-go/ddps/ddps"
)

// Edge joins two vertices, U < V, in either direction.
type Edge struct{ U, V int }

// SetPath sets x, [n, n] row-major with n = g.NumVertices(), to the symmetric adjacency matrix of p's edges: 1 where
// two vertices are joined, else 0. The error is a *ddps.PathError if p is no path of g, or says that x has another
// size.
func SetPath(x []float32, g *ddps.LayeredGraph, p ddps.Path) error {
	n := g.NumVertices()
	if len(x) != n*n {
		return fmt.Errorf("baselines: a matrix of %d entries for %d vertices, expected %d", len(x), n, n*n)
	}
	edges, err := PathGraph(g, p)
	if err != nil {
		return err
	}
	edges.Set(x, n)
	return nil
}

// ToSigned maps 0 and 1 to −1 and 1 (x ↦ 2x−1) off the diagonal of x, [n, n], which it sets to 0.
func ToSigned(x []float32, n int) {
	for i := range x {
		x[i] = 2*x[i] - 1
	}
	for v := range n {
		x[v*n+v] = 0
	}
}

// FromSigned undoes ToSigned.
func FromSigned(x []float32, n int) {
	for i := range x {
		x[i] = (x[i] + 1) / 2
	}
	for v := range n {
		x[v*n+v] = 0
	}
}

// Threshold returns the edges of x, [n, n], in ascending order: u and v are joined where the mean of x[u, v] and x[v,
// u] is above at, which is 1/2 for entries about 0 and 1, and 0 for those of ToSigned. The diagonal is not read; a
// number that is none is no edge.
func Threshold(x []float32, n int, at float32) []Edge {
	var edges []Edge
	for u := range n {
		for v := u + 1; v < n; v++ {
			if (x[u*n+v]+x[v*n+u])/2 > at {
				edges = append(edges, Edge{u, v})
			}
		}
	}
	return edges
}

// Noise sets z, [n, n], to symmetric Gaussian noise: for u < v z[u, v] = z[v, u] is drawn from the normal distribution
// of mean 0 and deviation sigma, row by row; the diagonal is 0. It takes n(n−1)/2 draws.
func Noise(z []float32, n int, sigma float64, rng *rand.Rand) {
	for u := range n {
		z[u*n+u] = 0
		for v := u + 1; v < n; v++ {
			x := float32(sigma * rng.NormFloat64())
			z[u*n+v], z[v*n+u] = x, x
		}
	}
}
