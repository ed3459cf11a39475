package baselines

import (
	"math"
	"slices"
	"testing"
)

func complete(n int) Graph {
	g := Graph{N: n}
	for v := range n {
		for u := range v {
			g.Edges = append(g.Edges, Edge{u, v})
		}
	}
	return g
}

func star(n int) Graph {
	g := Graph{N: n}
	for v := 1; v < n; v++ {
		g.Edges = append(g.Edges, Edge{0, v})
	}
	return g
}

// Histograms of graphs whose degrees and triangles are known.
func TestHistograms(t *testing.T) {
	kite := complete(4) // one edge missing: degrees 2, 2, 3, 3
	kite.Edges = kite.Edges[1:]
	isolated := star(4)
	isolated.N = 9
	for _, c := range []struct {
		name    string
		g       Graph
		degree  []float64
		cluster map[int]float64 // by bin
	}{
		{"complete", complete(5), []float64{0, 0, 0, 0, 1}, map[int]float64{99: 1}},
		{"star", star(4), []float64{0, 0.75, 0, 0.25}, map[int]float64{0: 1}},
		{"star among isolated", isolated, []float64{0, 0.75, 0, 0.25}, map[int]float64{0: 1}},
		{"kite", kite, []float64{0, 0, 0.5, 0.5}, map[int]float64{99: 0.5, 66: 0.5}}, // 2 of 3 pairs are joined
		{"empty", Graph{N: 3}, []float64{1}, map[int]float64{0: 1}},
	} {
		if got := degrees(c.g); !slices.Equal(got, c.degree) {
			t.Errorf("%s: degrees %v, want %v", c.name, got, c.degree)
		}
		for bin, x := range clustering(c.g) {
			if x != c.cluster[bin] {
				t.Errorf("%s: clustering: bin %d has %v, want %v", c.name, bin, x, c.cluster[bin])
			}
		}
	}
}

// One graph against one: 2 − 2·exp(−d²/2σ²), d the distance of the histograms.
func TestMMD(t *testing.T) {
	a, b := []Graph{complete(5)}, []Graph{star(4)}
	for _, c := range []struct {
		name string
		f    func(a, b []Graph) (float64, error)
		d    float64
	}{{"degree", DegreeMMD, 0.75*3 + 0.25*1}, {"clustering", ClusteringMMD, 0.99 / 0.1}} {
		got, err := c.f(a, b)
		if want := 2 - 2*math.Exp(-c.d*c.d/2); err != nil || math.Abs(got-want) > 1e-12 {
			t.Errorf("%s: %v, %v, want %v", c.name, got, err, want)
		}
		both := append(slices.Clone(a), b...)
		if same, err := c.f(both, both); err != nil || math.Abs(same) > 1e-12 {
			t.Errorf("%s: of a list with itself %v, %v", c.name, same, err)
		}
		// the estimator is quadratic in the difference of the two distributions: half of it gives a quarter
		if half, err := c.f(both, b); err != nil || math.Abs(half-got/4) > 1e-12 {
			t.Errorf("%s: half way %v, want %v", c.name, half, got/4)
		}
		if _, err := c.f(nil, b); err == nil {
			t.Errorf("%s: an empty list was taken", c.name)
		}
	}
}

// Orbits of graphs small enough to count by hand, as sums over vertices.
func TestOrbits(t *testing.T) {
	line := func(n int) Graph {
		g := Graph{N: n}
		for v := range n - 1 {
			g.Edges = append(g.Edges, Edge{v, v + 1})
		}
		return g
	}
	ring := line(4)
	ring.Edges = append(ring.Edges, Edge{0, 3})
	paw := complete(3)
	paw.N, paw.Edges = 4, append(paw.Edges, Edge{2, 3})
	diamond := complete(4)
	diamond.Edges = diamond.Edges[1:]
	apart := Graph{N: 4, Edges: []Edge{{0, 1}, {2, 3}}}
	for _, c := range []struct {
		name string
		g    Graph
		want map[int]float64
	}{
		{"two edges apart", apart, map[int]float64{0: 4}},
		{"line of 4", line(4), map[int]float64{0: 6, 1: 4, 2: 2, 4: 2, 5: 2}},
		{"line of 6", line(6), map[int]float64{0: 10, 1: 8, 2: 4, 4: 6, 5: 6}},
		{"star", star(4), map[int]float64{0: 6, 1: 6, 2: 3, 6: 3, 7: 1}},
		{"ring", ring, map[int]float64{0: 8, 1: 8, 2: 4, 8: 4}},
		{"paw", paw, map[int]float64{0: 8, 1: 4, 2: 2, 3: 3, 9: 1, 10: 2, 11: 1}},
		{"diamond", diamond, map[int]float64{0: 10, 1: 4, 2: 2, 3: 6, 12: 2, 13: 2}},
		{"complete", complete(4), map[int]float64{0: 12, 3: 12, 14: 4}},
		{"complete of 6", complete(6), map[int]float64{0: 30, 3: 60, 14: 60}},
		{"nothing", Graph{N: 3}, nil},
	} {
		for i, x := range orbits(c.g) {
			n := float64(c.g.N)
			if math.Abs(x*n-c.want[i]) > 1e-9 {
				t.Errorf("%s: orbit %d %v times, want %v", c.name, i, x*n, c.want[i])
			}
		}
	}
	d := 0.0 // of the line of 4 and the ring, by vertex
	for i, x := range orbits(line(4)) {
		d += math.Pow(x-orbits(ring)[i], 2)
	}
	got, err := OrbitMMD([]Graph{line(4)}, []Graph{ring})
	if want := 2 - 2*math.Exp(-d/1800); err != nil || math.Abs(got-want) > 1e-12 || got == 0 {
		t.Errorf("discrepancy %v, %v, want %v", got, err, want)
	}
}

// The graphs have the sizes, halves and numbers of edges that the data set's rule says.
func TestCommunities(t *testing.T) {
	const n = 2000
	list := Communities(n, 5)
	sizes, inside, cross := map[int]int{}, 0.0, 0.0
	for _, g := range list {
		if err := g.Check(); err != nil {
			t.Fatal(err)
		}
		sizes[g.N]++
		pairs := float64(g.N/2*(g.N/2-1)) * 0.7
		inside += (float64(len(g.Edges)) - pairs) / float64(g.N)
		cross += 0.05 + math.Pow(1-0.05*float64(g.N)/float64(g.N*g.N/4), float64(g.N*g.N/4))/float64(g.N)
	}
	for _, N := range []int{12, 14, 16, 18, 20} {
		if k := float64(sizes[N]); math.Abs(k-n/5) > 5*math.Sqrt(n/5) {
			t.Errorf("%v graphs of %d vertices", k, N)
		}
	}
	if len(sizes) != 5 || math.Abs(inside-cross)/n > 0.02 {
		t.Errorf("sizes %v; edges a vertex beyond those within halves %v, want %v", sizes, inside/n, cross/n)
	}
	if again := Communities(3, 5); !slices.Equal(again[2].Edges, list[2].Edges) {
		t.Error("a graph depends on how many there are")
	}
}

// Fixed halves: graphs of a size differ by the few edges between their halves, where those of halves of their own
// differ by many; 20 vertices are half as frequent as 12, 14, 16 and 18.
func TestFixedCommunities(t *testing.T) {
	const n = 900
	spread := func(list []Graph) (widest int, sizes map[int]int) {
		least, most := map[int]int{}, map[int]int{}
		sizes = map[int]int{}
		for _, g := range list {
			if err := g.Check(); err != nil {
				t.Fatal(err)
			}
			m := len(g.Edges)
			if sizes[g.N]++; sizes[g.N] == 1 {
				least[g.N], most[g.N] = m, m
			}
			least[g.N], most[g.N] = min(least[g.N], m), max(most[g.N], m)
			widest = max(widest, most[g.N]-least[g.N])
		}
		return widest, sizes
	}
	fixed, sizes := spread(FixedCommunities(n, 3))
	own, _ := spread(Communities(n, 3))
	if fixed > 6 || own < 15 {
		t.Errorf("graphs of a size differ by %d edges with fixed halves, %d with their own", fixed, own)
	}
	for size, share := range map[int]float64{12: 2. / 9, 14: 2. / 9, 16: 2. / 9, 18: 2. / 9, 20: 1. / 9} {
		if sd := math.Sqrt(n * share * (1 - share)); math.Abs(float64(sizes[size])-n*share) > 4*sd {
			t.Errorf("%d graphs of %d vertices, want about %.0f", sizes[size], size, n*share)
		}
	}
	list := FixedCommunities(4, 3)
	if again := FixedCommunities(3, 3); !slices.Equal(again[2].Edges, list[2].Edges) {
		t.Error("graph 2 depends on how many there are")
	}
	if other := FixedCommunities(3, 4); slices.Equal(other[2].Edges, list[2].Edges) {
		t.Error("another seed gives the same graph")
	}
}
