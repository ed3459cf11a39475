package datasets

import (
	"math"
	"path/filepath"
	"slices"
	"testing"

	"github.com/ddps-go/ddps/ddps"
)

// caseMap reads a map of testdata/cases.
func caseMap(t *testing.T, name string) (*World, error) {
	t.Helper()
	return ReadMapFile(filepath.Join("testdata", "cases", name), MapOptions{})
}

// TestAntimeridianSplit: a street of 1.07 km across the 180th meridian is split on it.
func TestAntimeridianSplit(t *testing.T) {
	w := must[*World](t)(caseMap(t, "antimeridian-split.osm"))
	if d := w.Edges[0].Length; math.Abs(d-1064.5) > 1 {
		t.Errorf("the street has %v m", d)
	}
	s := must[*World](t)(w.Split(300))
	var lons []float64
	for _, n := range s.Nodes {
		lons = append(lons, n.Lon)
	}
	for i, want := range []float64{179.995, -179.995, 179.9975, 180, -179.9975} {
		if d := math.Abs(lons[i] - want); d > 1e-9 && d < 360-1e-9 {
			t.Errorf("longitudes %v", lons)
		}
	}
	for _, e := range s.Edges {
		a, b := s.Nodes[e.From], s.Nodes[e.To]
		if math.Abs(Distance(a, b)-e.Length) > .01 || math.Abs(math.Hypot(a.X-b.X, a.Y-b.Y)-e.Length) > .01 {
			t.Errorf("%v m from %+v to %+v", e.Length, a, b)
		}
	}
}

// TestAntimeridianTurned: what is made of a town does not depend on its longitude: merging, distances, principal axes,
// districts and the paths of the rule of memory.
func TestAntimeridianTurned(t *testing.T) {
	var made [2]*Data
	var districts [2][]int
	for i, name := range []string{"antimeridian-grid.osm", "antimeridian-grid-shifted.osm"} {
		w := must[*World](t)(caseMap(t, name))
		for _, n := range w.Nodes {
			if math.Hypot(n.X, n.Y) > 300 {
				t.Errorf("%s: %+v is far from the middle", name, n)
			}
		}
		m := must[*World](t)(w.Merge(110))
		c := must[*World](t)(w.Consolidate(51))
		if len(m.Nodes) >= len(w.Nodes) || len(c.Nodes) != 1 || math.Abs(c.Nodes[0].Lon-[]float64{-179.99955, 170.00045}[i]) > 1e-9 {
			t.Errorf("%s: merged to %d, consolidated to %+v", name, len(m.Nodes), c.Nodes)
		}
		g := must[*ddps.LayeredGraph](t)(Expand(w, ExpandOptions{Start: 112, Depth: 6}))
		made[i] = must[*Data](t)(remembered(g, 400, 0))
		districts[i] = must[[]int](t)(Districts(g, 3, 0))
	}
	if made[0].Total() != made[1].Total() || !slices.EqualFunc(made[0].Paths, made[1].Paths, slices.Equal) || !slices.Equal(made[0].Counts, made[1].Counts) {
		t.Errorf("%d and %d paths", made[0].Total(), made[1].Total())
	}
	if !slices.Equal(districts[0], districts[1]) {
		t.Errorf("districts %v, %v", districts[0], districts[1])
	}
	g := geo(t, made[0], PathGeoJSON)
	if len(g.Features) != 400 {
		t.Errorf("%d features", len(g.Features))
	}
}

// TestBridge: a bridge over a crossing is not joined with it, by either rule.
func TestBridge(t *testing.T) {
	w := must[*World](t)(caseMap(t, "bridge.osm"))
	for what, tidy := range map[string]func(float64) (*World, error){"merge": w.Merge, "consolidate": w.Consolidate} {
		m := must[*World](t)(tidy(10))
		i, _ := m.Find(1)
		dist := must[[]float64](t)(m.Distances(i))
		reached := 0
		for _, d := range dist {
			if !math.IsInf(d, 1) {
				reached++
			}
		}
		if len(m.Nodes) != 8 || reached != 4 {
			t.Errorf("%s: %d places, %d of them reached, want 8 and 4", what, len(m.Nodes), reached)
		}
	}
}

// TestMergeConnected: two crossings 8 m apart that a bent piece of street joins are merged; three in a row whose
// middle one is another street's are not joined over it.
func TestMergeConnected(t *testing.T) {
	const m = 180 / (math.Pi * earthRadius)
	at := func(id int64, x, y float64) Node { return Node{ID: id, Lon: 8 + m*x, Lat: m * y} }
	nodes := []Node{at(1, 0, 0), at(2, 8, 0), at(3, 4, 3), at(4, -50, 0), at(5, 0, 50), at(6, 60, 0), at(7, 8, -50), at(8, 4, -1), at(9, 4, 60), at(10, 40, 60), at(11, -40, 60)}
	join := [][2]int{{0, 2}, {2, 1}, {0, 3}, {0, 4}, {1, 5}, {1, 6}, {7, 8}, {7, 9}, {7, 10}}
	var edges []Edge
	for _, e := range join {
		edges = append(edges, Edge{From: e[0], To: e[1]})
	}
	w := must[*World](t)(must[*World](t)(NewWorld(nodes, edges, false)).Merge(10))
	if _, there := w.Find(2); there || len(w.Nodes) != len(nodes)-1 {
		t.Errorf("%d nodes: %+v", len(w.Nodes), w.Nodes)
	}
	if i, there := w.Find(8); !there || len(w.Heads(i)) != 3 {
		t.Error("the other street's crossing is gone")
	}
}
