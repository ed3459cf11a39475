package baselines

import "math"

// numOrbits is the number of orbits of connected graphs of two to four vertices: the places that a vertex may have in
// one.
const numOrbits = 15

// orbitOf gives the orbit of each vertex of a connected graph of three or four vertices by the vertex's degree in it,
// keyed by the numbers of its vertices and edges and its greatest degree, which tell these graphs apart (Hočevar and
// Demšar 2014, whose numbers these are). Orbit 0 is an edge's end.
func orbitOf(vertices, edges, greatest int) (byDegree [4]int) {
	switch [3]int{vertices, edges, greatest} {
	case [3]int{3, 2, 2}: // path
		return [4]int{1: 1, 2: 2}
	case [3]int{3, 3, 2}: // triangle
		return [4]int{2: 3}
	case [3]int{4, 3, 2}: // path
		return [4]int{1: 4, 2: 5}
	case [3]int{4, 3, 3}: // star
		return [4]int{1: 6, 3: 7}
	case [3]int{4, 4, 2}: // cycle
		return [4]int{2: 8}
	case [3]int{4, 4, 3}: // triangle with a tail
		return [4]int{1: 9, 2: 10, 3: 11}
	case [3]int{4, 5, 3}: // two triangles
		return [4]int{2: 12, 3: 13}
	}
	return [4]int{3: 14} // complete
}

// OrbitMMD is DegreeMMD of how often a vertex, on average over those that have edges, is in each of the 15 orbits of
// connected induced subgraphs of two to four vertices; the kernel is exp(−d²/(2·30²)) of the Euclidean distance d.
// O(N⁴) a graph.
func OrbitMMD(a, b []Graph) (float64, error) {
	return mmd(a, b, orbits, func(p, q []float64) float64 {
		d := 0.0
		for i := range p {
			d += (p[i] - q[i]) * (p[i] - q[i])
		}
		return math.Exp(-d / (2 * 30 * 30))
	})
}

// orbits returns the mean number of times that a vertex with edges is in each orbit.
func orbits(g Graph) []float64 {
	count, joined, with := make([]float64, numOrbits), g.joined(), []int(nil)
	for v, to := range g.neighbours() {
		if len(to) > 0 {
			with = append(with, v)
			count[0] += float64(len(to))
		}
	}
	var set []int
	var choose func(from int)
	choose = func(from int) {
		if len(set) >= 3 {
			addOrbits(count, joined, g.N, set)
		}
		if len(set) == 4 {
			return
		}
		for i := from; i < len(with); i++ {
			set = append(set, with[i])
			choose(i + 1)
			set = set[:len(set)-1]
		}
	}
	choose(0)
	for i := range count {
		count[i] /= float64(max(1, len(with)))
	}
	return count
}

// addOrbits counts the orbits of the subgraph induced by three or four vertices, if it is connected.
func addOrbits(count []float64, joined []bool, n int, set []int) {
	var degree [4]int
	edges, greatest, least := 0, 0, len(set)
	for i, u := range set {
		for _, v := range set {
			if joined[u*n+v] {
				degree[i]++
			}
		}
		edges += degree[i]
		greatest, least = max(greatest, degree[i]), min(least, degree[i])
	}
	// of so few vertices, none of them alone, only two edges apart are not connected
	if edges /= 2; least == 0 || edges < len(set)-1 {
		return
	}
	orbit := orbitOf(len(set), edges, greatest)
	for i := range set {
		count[orbit[degree[i]]]++
	}
}
