package datasets

import (
	"math"
	"testing"

	"github.com/ddps-go/ddps/datasets/internal/fixture"
	"github.com/ddps-go/ddps/ddps"
)

// TestMapGraphs holds Heights and Ridge to the sizes of the paper's §5 and to
// our own counts.
func TestMapGraphs(t *testing.T) {
	for _, c := range []struct {
		name                                          string
		make                                          func() (*ddps.LayeredGraph, error)
		layers, vertices, edges, reached, paths, maxD int
		mostly                                        float64
	}{
		{"Heights", HeightsGraph, 12, 423, 933, 317, 1217906, 7, .85},
		{"Ridge", RidgeGraph, 13, 4293, 6023, 2023, 36607667, 13, .85},
	} {
		g := fixture.Must[*ddps.LayeredGraph](t)(c.make())
		if g.NumLayers() != c.layers || g.NumVertices() != c.vertices || g.NumEdges() != c.edges || g.MaxDegree() != c.maxD {
			t.Errorf("%s: L=%d V=%d E=%d D=%d", c.name, g.NumLayers(), g.NumVertices(), g.NumEdges(), g.MaxDegree())
		}
		if n := ddps.NewIndex(g).Count().Int64(); n != int64(c.paths) {
			t.Errorf("%s: %d paths, want %d", c.name, n, c.paths)
		}
		p := g.Prune()
		if p.NumVertices() != c.reached || p.NumEdges() != c.edges {
			t.Errorf("%s: %d reached vertices, %d edges", c.name, p.NumVertices(), p.NumEdges())
		}
		few, tails := 0.0, 0.0
		for v := range p.NumVertices() {
			if d := p.Degree(v); d > 0 {
				tails++
				if d < 6 {
					few++
				}
			}
		}
		if few/tails < c.mostly {
			t.Errorf("%s: %.2f of the out-degrees are under 6", c.name, few/tails)
		}
		a := g.Meta().Attr
		if a["name"] != c.name || a["attribution"] == "" || a["licence"] == "" || a["start"] != "297100377" {
			t.Errorf("%s: attributes %v", c.name, a)
		}
	}
}

// TestHeightsData checks the data at the paper's size against the distribution that made
// it, over all paths.
func TestHeightsData(t *testing.T) {
	d := fixture.Must[*Data](t)(Heights(HeightsPaths, 0))
	if len(d.Paths) != HeightsPaths || d.Total() != 600601 {
		t.Errorf("%d paths, mass %d, want 120000, 600601", len(d.Paths), d.Total())
	}
	m := fixture.Must[*Memory](t)(NewMemory(d.Graph, d.Paths))
	all := fixture.Must[*Data](t)(All(d.Graph, 2_000_000))
	dist := m.Distribution(all.Graph, all.Paths)
	districts := fixture.Must[[]int](t)(Districts(d.Graph, NumDistricts, DistrictSeed))
	a := fixture.Must[[]float64](t)(DistrictDistribution(d.Graph, districts, d.Paths, d.Weights()))
	b := fixture.Must[[]float64](t)(DistrictDistribution(d.Graph, districts, all.Paths, dist))
	u := fixture.Must[[]float64](t)(DistrictDistribution(d.Graph, districts, d.Paths, nil))
	if tv := halfL1(a, b); tv > .03 {
		t.Errorf("districts: data against its distribution %.3f", tv)
	}
	if tv := halfL1(a, u); tv < .2 {
		t.Errorf("districts: repetition changes the distribution by %.3f only", tv)
	}
	a = fixture.Must[[]float64](t)(RevisitDistribution(d.Graph, d.Paths, d.Weights()))
	b = fixture.Must[[]float64](t)(RevisitDistribution(d.Graph, all.Paths, dist))
	if tv := halfL1(a, b); tv > .03 {
		t.Errorf("revisits: data against its distribution %.3f", tv)
	}
}

func TestRidgeData(t *testing.T) {
	a := fixture.Must[*Data](t)(Ridge(2000, 3))
	b := fixture.Must[*Data](t)(Ridge(2000, 3))
	if a.Total() != b.Total() || pathKey(a.Paths[77]) != pathKey(b.Paths[77]) {
		t.Error("equal seeds give different data")
	}
	p := a.Prune()
	for i, q := range p.Paths {
		if err := p.Graph.Check(q); err != nil {
			t.Fatalf("pruned path %d: %v", i, err)
		}
	}
	m := fixture.Must[*Memory](t)(NewMemory(a.Graph, a.Paths))
	for i := range 100 {
		if s, u := m.Score(a.Graph, a.Paths[i]), m.Score(p.Graph, p.Paths[i]); s != u {
			t.Fatalf("path %d scores %v, pruned %v", i, s, u)
		}
	}
	_, err := Ridge(0, 1)
	fixture.WantError(t, "no paths", err, "draw 0 distinct paths", "36607667")
}

func halfL1(p, q []float64) (d float64) {
	for i := range p {
		d += math.Abs(p[i]-q[i]) / 2
	}
	return d
}
