package baselines

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/ddps-go/ddps/ddps"
)

// diamond is 0 → {1, 2} → {3, 4} → {5, 6} without the edges 2→3 and 4→5.
func diamond(t *testing.T) *ddps.LayeredGraph {
	t.Helper()
	g, err := ddps.New([]int{1, 2, 2, 2}, [][]int{{1, 2}, {3, 4}, {4}, {5, 6}, {6}, nil, nil})
	if err != nil {
		t.Fatal(err)
	}
	return g
}

// byDefinition says what edges are by going through all paths.
func byDefinition(g *ddps.LayeredGraph, edges []Edge) Outcome {
	for _, e := range edges {
		if _, ok := g.EdgeBetween(e.U, e.V); !ok {
			return Foreign
		}
	}
	contains, lies := false, false
	for p := range g.Paths() {
		common := 0
		for l := 1; l < len(p); l++ {
			if slices.Contains(edges, Edge{p[l-1], p[l]}) {
				common++
			}
		}
		contains = contains || common == len(p)-1
		lies = lies || common == len(edges)
		if common == len(p)-1 && common == len(edges) {
			return Valid
		}
	}
	switch {
	case contains:
		return Extra
	case lies:
		return Broken
	}
	return Scattered
}

// All sets of edges of a small graph, with a foreign edge and without, against the definitions.
func TestCheck(t *testing.T) {
	g := diamond(t)
	var all []Edge
	for v := range g.NumVertices() {
		for _, w := range g.From(v) {
			all = append(all, Edge{v, w})
		}
	}
	all = append(all, Edge{0, 3}) // skips a layer
	var count Counts
	for set := range 1 << len(all) {
		var edges []Edge
		for k, e := range all {
			if set>>k&1 == 1 {
				edges = append(edges, e)
			}
		}
		p, got := Check(g, edges)
		if want := byDefinition(g, edges); got != want {
			t.Fatalf("%v: %v, want %v", edges, got, want)
		}
		if (got == Valid) != (p != nil) || p != nil && g.Check(p) != nil {
			t.Fatalf("%v: path %v, outcome %v", edges, p, got)
		}
		count.Outcomes[got]++
	}
	paths := 0
	for range g.Paths() {
		paths++
	}
	if count.Outcomes[Valid] != paths || count.Outcomes[Foreign] != 1<<(len(all)-1) || slices.Contains(count.Outcomes[:],
		0) {
		t.Errorf("outcomes %v of all sets, %d paths", count.Outcomes, paths)
	}
}

// A path's matrix is symmetric and its edges are that path again, from either range and behind noise.
func TestAdjacency(t *testing.T) {
	g := diamond(t)
	n := g.NumVertices()
	x, z := make([]float32, n*n), make([]float32, n*n)
	for p := range g.Paths() {
		if err := SetPath(x, g, p); err != nil {
			t.Fatal(err)
		}
		Noise(z, n, 0.05, rand.New(rand.NewPCG(1, 2)))
		ToSigned(x, n)
		signed := Threshold(x, n, 0)
		for i := range x {
			if d := x[i] - x[i%n*n+i/n]; d != 0 || i%n == i/n && x[i] != 0 {
				t.Fatalf("entry %d: %v, its mirror differs by %v", i, x[i], d)
			}
		}
		FromSigned(x, n)
		for i := range x {
			if z[i] != z[i%n*n+i/n] || i%n == i/n && z[i] != 0 || i%n != i/n && z[i] == 0 {
				t.Fatalf("noise %v at %d", z[i], i)
			}
			x[i] += z[i]
		}
		for _, edges := range [][]Edge{signed, Threshold(x, n, 0.5)} {
			if q, o := Check(g, edges); o != Valid || !slices.Equal(p, q) {
				t.Errorf("%v came back as %v, %v", p, q, o)
			}
		}
	}
	if SetPath(x, g, ddps.Path{0, 2, 3, 5}) == nil || SetPath(x[1:], g, ddps.Path{0, 1, 3, 5}) == nil {
		t.Error("no path, or a matrix of another size, was taken")
	}
	x[1] = float32(math.NaN())
	if slices.Contains(Threshold(x, n, 0.5), Edge{0, 1}) {
		t.Error("NaN is an edge")
	}
}

// The ends of Wilson's interval solve |k/n − p| = z·√(p(1−p)/n).
func TestWilson(t *testing.T) {
	for _, c := range [][2]int{{0, 1}, {0, 8192}, {1, 10}, {5, 10}, {8170, 8192}, {7, 7}} {
		lo, hi := Wilson(c[0], c[1], Z95)
		n, rate := float64(c[1]), float64(c[0])/float64(c[1])
		for _, p := range []float64{lo, hi} {
			gap := math.Abs(rate-p) - Z95*math.Sqrt(p*(1-p)/n)
			if math.Abs(gap) > 1e-12 || lo > rate || hi < rate {
				t.Errorf("%v: interval %v %v", c, lo, hi)
			}
		}
	}
	if lo, hi := Wilson(0, 0, Z95); lo != 0 || hi != 1 {
		t.Errorf("of nothing: %v %v", lo, hi)
	}
}

func TestTally(t *testing.T) {
	g := diamond(t)
	tally := NewTally(g, []ddps.Path{{0, 1, 3, 5}})
	for range 2 {
		tally.Add([]Edge{{0, 1}, {1, 3}, {3, 5}}) // known, twice
		if err := tally.AddPath(ddps.Path{0, 2, 4, 6}); err != nil {
			t.Fatal(err)
		}
	}
	tally.Add(nil)
	if tally.AddPath(ddps.Path{0, 2, 3, 6}) == nil {
		t.Error("no path was counted as one")
	}
	c := tally.Counts()
	if want := (Counts{Outcomes: [NumOutcomes]int{Valid: 4, Broken: 1}, Unique: 2, Novel: 2}); c != want {
		t.Errorf("%+v, want %+v", c, want)
	}
	rate, lo, hi := c.ValidRate()
	novel, _, _ := c.NovelShare()
	if rate != 0.8 || !(lo < rate && rate < hi) || c.UniqueShare() != 0.5 || novel != 0.5 {
		t.Errorf("rate %v in %v…%v, unique %v, novel %v", rate, lo, hi, c.UniqueShare(), novel)
	}
}
