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
		e := fixture.Must[[]float64](t)(EndDistribution(all.Graph, all.Paths, kept))
		q := fixture.Must[[]float64](t)(m.Quadrants(all.Graph, all.Paths, kept))
		if dists[k].Paths != n {
			t.Errorf("condition %d: %d paths, want %d", k, dists[k].Paths, n)
		}
		for i, x := range [][2][]float64{{dists[k].Districts, d}, {dists[k].Revisits, r}, {dists[k].Ends, e},
			{dists[k].Quadrants, q}} {
			if len(x[0]) != len(x[1]) || halfL1(x[0], x[1]) > 1e-9 || math.Abs(total(x[1])-1) > 1e-9 {
				t.Errorf("condition %d: distribution %d is %v, want %v", k, i, x[0], x[1])
			}
		}
		early, late, pair := 0.0, 0.0, 0.0 // of the quadrants beyond x of zero, from the paths themselves
		for i, p := range all.Paths {
			places := Places(nil, all.Graph, p)
			a, b := m.xy[places[3]][0] > 0, m.xy[places[len(places)-1]][0] > 0
			if a {
				early += kept[i]
			}
			if b {
				late += kept[i]
			}
			if a && b {
				pair += kept[i]
			}
		}
		for i, x := range q {
			if i>>2&1 == 1 {
				early -= x * total(kept)
			}
			if i&1 == 1 {
				late -= x * total(kept)
			}
			if i>>2&1 == 1 && i&1 == 1 {
				pair -= x * total(kept)
			}
		}
		if max(math.Abs(early), math.Abs(late), math.Abs(pair)) > 1e-9 {
			t.Errorf("condition %d: quadrants beyond x = 0 are off by %g, %g, %g", k, early, late, pair)
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

func total(x []float64) (sum float64) {
	for _, v := range x {
		sum += v
	}
	return sum
}
