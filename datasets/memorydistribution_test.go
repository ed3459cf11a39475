package datasets

import (
	"math"
	"testing"

	"github.com/ddps-go/ddps/datasets/internal/fixture"
	"github.com/ddps-go/ddps/ddps"
)

// The distributions by enumeration are those of the listed paths, weighed by Distribution; draws follow them.
func TestMemoryDistributions(t *testing.T) {
	g := fixture.Must[*ddps.LayeredGraph](t)(onMap("Small", 24, 8))
	drawn := fixture.Must[[]ddps.Path](t)(Draw(g, 1000, 9))
	m := fixture.Must[*Memory](t)(NewMemory(g, drawn))
	district := fixture.Must[[]int](t)(Districts(g, NumDistricts, DistrictSeed))
	all := fixture.Must[*Data](t)(All(g.Prune(), 1<<24))
	through := all.Paths[len(all.Paths)/2][4]
	given := []func(ddps.Path) bool{nil, func(p ddps.Path) bool { return p[4] == through }}
	dists, err := m.Distributions(all.Graph, district, given)
	if err != nil {
		t.Fatal(err)
	}
	w := m.Distribution(all.Graph, all.Paths)
	for k, keep := range given {
		kept, n := make([]float64, len(w)), 0
		for i, p := range all.Paths {
			if keep == nil || keep(p) {
				kept[i] = w[i]
				n++
			}
		}
		d := fixture.Must[[]float64](t)(DistrictDistribution(all.Graph, district, all.Paths, kept))
		r := fixture.Must[[]float64](t)(RevisitDistribution(all.Graph, all.Paths, kept))
		if dists[k].Paths != n || halfL1(dists[k].Districts, d) > 1e-9 || halfL1(dists[k].Revisits, r) > 1e-9 {
			t.Errorf("condition %d: %d paths, want %d; distributions differ by %g, %g", k, dists[k].Paths, n,
				halfL1(dists[k].Districts, d), halfL1(dists[k].Revisits, r))
		}
	}
	if p := all.Paths[77]; math.Abs(m.Score(all.Graph, p)-dists[0].LogZ-math.Log(w[77])) > 1e-9 {
		t.Errorf("log Z is %v", dists[0].LogZ)
	}
	const n = 4000
	sample := m.Draw(all.Graph, n, 3)
	d := fixture.Must[[]float64](t)(DistrictDistribution(all.Graph, district, sample, nil))
	if got := halfL1(d, dists[0].Districts); got > 0.06 { // exact draws show 0.038
		t.Errorf("districts of the draws are %v from the distribution", got)
	}
	if again := m.Draw(all.Graph, 10, 3); again[9][5] != sample[9][5] {
		t.Error("draws depend on their number")
	}
	if _, err := m.Distributions(all.Graph, district,
		[]func(ddps.Path) bool{func(ddps.Path) bool { return false }}); err == nil {
		t.Error("a condition that no path meets gave a distribution")
	}
}
