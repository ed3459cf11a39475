package swingnn

import (
	"fmt"

	"github.com/ddps-go/ddps/ddps"
	"github.com/ddps-go/ddps/ddps/baselines"
)

// entry returns where coordinate (i, j), i < j, of V vertices is.
func entry(V, i, j int) int { return i*(2*V-i-1)/2 + j - i - 1 }

// eachEntry calls f for each coordinate c of V vertices, that of entry (i, j).
func eachEntry(V int, f func(c, i, j int)) {
	c := 0
	for i := range V {
		for j := i + 1; j < V; j++ {
			f(c, i, j)
			c++
		}
	}
}

// Points returns the matrices of paths of g as coordinates, [path, V(V−1)/2]: 1 at a path's edges, else −1. The error
// is a *ddps.PathError, wrapped, and names the path, from 1.
func Points(g *ddps.LayeredGraph, paths []ddps.Path) ([]float64, error) {
	V := g.NumVertices()
	D := V * (V - 1) / 2
	points := make([]float64, len(paths)*D)
	for i := range points {
		points[i] = -1
	}
	for k, p := range paths {
		if err := g.Check(p); err != nil {
			return nil, fmt.Errorf("path %d: %w", k+1, err)
		}
		for l := 1; l < len(p); l++ {
			points[k*D+entry(V, p[l-1], p[l])] = 1
		}
	}
	return points, nil
}

// Edges returns the edges of samples of V vertices, [·, V(V−1)/2]: the coordinates above 0, halfway between none and
// one.
func Edges(V int, samples []float64) [][]baselines.Edge {
	D := V * (V - 1) / 2
	out := make([][]baselines.Edge, len(samples)/D)
	for k := range out {
		eachEntry(V, func(c, i, j int) {
			if samples[k*D+c] > 0 {
				out[k] = append(out[k], baselines.Edge{U: i, V: j})
			}
		})
	}
	return out
}
