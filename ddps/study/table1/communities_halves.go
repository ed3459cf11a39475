package table1

import (
	"cmp"
	"fmt"
	"math"
	"path/filepath"
	"slices"

	"github.com/ddps-go/ddps/ddps/baselines"
)

// Sampled returns the first n samples of a row of the study in its folder dir.
func (c *Communities) Sampled(dir string, row CommunitiesRow, n int) (list []baselines.Graph, err error) {
	files, err := filepath.Glob(filepath.Join(c.folder(dir, row), samplesDir, "*.json"))
	if err != nil {
		return nil, fmt.Errorf("table1: communities: %w", err)
	}
	slices.Sort(files)
	for _, path := range files {
		var p samplePart
		if err := readJSON(path, &p); err != nil {
			return nil, fmt.Errorf("table1: communities: %w", err)
		}
		for _, edges := range p.Edges {
			if len(list) < n {
				list = append(list, baselines.Graph{N: communityN, Edges: edges})
			}
		}
	}
	if len(list) < n {
		return nil, fmt.Errorf("table1: communities: %d samples in %s, want %d", len(list), c.folder(dir, row), n)
	}
	return list, nil
}

// HalvesOf returns a graph without its vertices that have no edge, the others numbered anew, and its two halves: order lists the
// vertices of one and then of the other, side says by vertex whether it is in the first. They are by the sign of the
// second eigenvector of the normalised Laplacian (Shi and Malik 2000), not by how the graph was made. One vertex is left of a
// graph without an edge.
func HalvesOf(g baselines.Graph) (packed baselines.Graph, order []int, side []bool) {
	if packed = pack(g); packed.N == 0 {
		return baselines.Graph{N: 1}, []int{0}, []bool{false}
	}
	x := secondVector(packed)
	side = make([]bool, packed.N)
	for v := range side {
		side[v] = x[v] > 0
		order = append(order, v)
	}
	slices.SortStableFunc(order, func(u, v int) int { return cmp.Compare(x[v], x[u]) })
	return packed, order, side
}

// secondVector returns the second eigenvector of the normalised Laplacian of a graph whose vertices all have edges, by
// powers of (1 + D^−½AD^−½)/2, whose greatest eigenvector is √degree.
func secondVector(g baselines.Graph) []float64 {
	degree, x := make([]float64, g.N), make([]float64, g.N)
	for _, e := range g.Edges {
		degree[e.U]++
		degree[e.V]++
	}
	for v := range x { // any start that has a share of it
		x[v] = math.Sin(float64(3*v + 1))
	}
	for range 2000 {
		along, norm := 0.0, 0.0
		for v, d := range degree {
			along += x[v] * math.Sqrt(d)
		}
		next := make([]float64, g.N)
		for v, d := range degree {
			x[v] -= along / float64(2*len(g.Edges)) * math.Sqrt(d)
			next[v] += x[v] / 2
		}
		for _, e := range g.Edges {
			w := 1 / (2 * math.Sqrt(degree[e.U]*degree[e.V]))
			next[e.U] += w * x[e.V]
			next[e.V] += w * x[e.U]
		}
		for _, y := range next {
			norm += y * y
		}
		if norm == 0 {
			break
		}
		for v, y := range next {
			x[v] = y / math.Sqrt(norm)
		}
	}
	return x
}

// pack leaves out vertices without an edge.
func pack(g baselines.Graph) baselines.Graph {
	with, to := make([]bool, g.N), make([]int, g.N)
	for _, e := range g.Edges {
		with[e.U], with[e.V] = true, true
	}
	out := baselines.Graph{}
	for v, there := range with {
		if to[v] = out.N; there {
			out.N++
		}
	}
	for _, e := range g.Edges {
		out.Edges = append(out.Edges, baselines.Edge{U: to[e.U], V: to[e.V]})
	}
	return out
}
