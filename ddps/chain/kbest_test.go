package chain

import (
	"cmp"
	"math"
	"slices"
	"testing"

	"github.com/ddps-go/ddps/ddps"
	"github.com/ddps-go/ddps/ddps/internal/oracle"
)

// wantBest compares KBest with the sorted enumeration: descending, ties by the order of the enumeration.
func (f fixture) wantBest(t *testing.T, k int) {
	t.Helper()
	var order []int
	for i, p := range f.p {
		if p > 0 {
			order = append(order, i)
		}
	}
	slices.SortStableFunc(order, func(i, j int) int {
		if math.Abs(f.p[i]-f.p[j]) <= 1e-11*f.p[i] {
			return 0
		}
		return cmp.Compare(f.p[j], f.p[i])
	})
	got := f.dist.KBest(k)
	if len(got) != min(k, len(order)) {
		t.Fatalf("%s: %d best paths, want %d of %d", f.name, len(got), k, len(order))
	}
	for n, b := range got {
		i := order[n]
		if !slices.Equal(b.Path, f.paths[i]) || !close9(b.LogProb, math.Log(f.p[i])) {
			t.Fatalf("%s: path %d is %v (%v), want %v (%v)", f.name, n, b.Path, b.LogProb, f.paths[i], math.Log(f.p[i]))
		}
	}
}

func TestKBest(t *testing.T) {
	for _, f := range fixtures() {
		for _, k := range []int{0, 1, 2, 7, 100, 5000} {
			f.wantBest(t, k)
		}
		if p, lp := f.dist.MostLikely(); !slices.Equal(p, f.dist.KBest(1)[0].Path) || !close9(lp, math.Log(slices.Max(f.p))) {
			t.Errorf("%s: most likely %v (%v)", f.name, p, lp)
		}
	}
}

// Ties: uniform rows, rows of powers of ½, and the distribution that is uniform over all paths.
func TestKBestTies(t *testing.T) {
	_, _, toy := oracle.Load()
	graphs := []*ddps.LayeredGraph{ddps.Example(), toy}
	for i := range uint64(20) {
		graphs = append(graphs, oracle.RandomGraph(ddps.Rand(31, i)))
	}
	for i, g := range graphs {
		lines := Line(g)
		halves, even := make([]float64, lines.Graph.NumEdges()), make([]float64, g.NumEdges())
		for s := range lines.Graph.NumVertices() {
			lo, hi := lines.Graph.Edges(s)
			left := 1.0
			for k := lo; k < hi-1; k++ {
				left /= 2
				halves[k] = left
			}
			if hi > lo {
				halves[hi-1] = left
			}
		}
		for e := range even {
			even[e] = 1 / float64(g.Degree(g.Tail(e)))
		}
		uniform := fixtureOf("uniform paths", Uniform(g).Distribution())
		for _, f := range []fixture{fixtureOf("even rows", (&Chain{g, even}).Distribution()),
			fixtureOf("halves", &Distribution{lines, halves}), uniform} {
			for _, k := range []int{1, 3, 50, 2000} {
				f.wantBest(t, k)
			}
		}
		best := uniform.dist.KBest(10)
		for n := range best {
			if !slices.Equal(best[n].Path, uniform.paths[n]) {
				t.Errorf("graph %d: path %d of equally likely ones is %v, want %v", i, n, best[n].Path, uniform.paths[n])
			}
		}
	}
}
