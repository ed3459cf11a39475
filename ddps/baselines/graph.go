package baselines

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"

	"github.com/ddps-go/ddps/ddps"
)

// Graph is an undirected graph of vertices 0…N−1, each edge once.
type Graph struct {
	N     int
	Edges []Edge
}

// PathGraph returns p's edges among all vertices of g. The error is a *ddps.PathError if p is no path of g.
func PathGraph(g *ddps.LayeredGraph, p ddps.Path) (Graph, error) {
	if err := g.Check(p); err != nil {
		return Graph{}, fmt.Errorf("baselines: %w", err)
	}
	x := Graph{N: g.NumVertices()}
	for l := 1; l < len(p); l++ {
		x.Edges = append(x.Edges, Edge{p[l-1], p[l]})
	}
	return x, nil
}

// PathGraphs returns PathGraph for each path. The error names the path, from 1.
func PathGraphs(g *ddps.LayeredGraph, paths []ddps.Path) ([]Graph, error) {
	list := make([]Graph, len(paths))
	for i, p := range paths {
		x, err := PathGraph(g, p)
		if err != nil {
			return nil, fmt.Errorf("path %d: %w", i+1, err)
		}
		list[i] = x
	}
	return list, nil
}

// Check returns an error that names the edge out of range or given twice.
func (g Graph) Check() error {
	seen := map[Edge]bool{}
	for _, e := range g.Edges {
		if e.U < 0 || e.U >= e.V || e.V >= g.N {
			return fmt.Errorf("edge %d–%d of a graph of %d vertices: expected two of them, the less first", e.U, e.V, g.N)
		}
		if seen[e] {
			return fmt.Errorf("edge %d–%d occurs twice", e.U, e.V)
		}
		seen[e] = true
	}
	return nil
}

// Set sets x, [n, n] with n ≥ N, to the symmetric adjacency matrix, 0 beyond vertex N−1.
func (g Graph) Set(x []float32, n int) {
	clear(x)
	for _, e := range g.Edges {
		x[e.U*n+e.V], x[e.V*n+e.U] = 1, 1
	}
}

// Fingerprint identifies a list of graphs, in its order: 16 hexadecimal digits.
func Fingerprint(graphs []Graph) string {
	h := sha256.New()
	for _, g := range graphs {
		fmt.Fprintln(h, g.N, g.Edges)
	}
	return hex.EncodeToString(h.Sum(nil))[:16]
}
