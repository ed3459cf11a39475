package maps

import (
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/ddps-go/ddps/datasets/internal/fixture"
	"github.com/ddps-go/ddps/ddps"
)

func TestNewWorldErrors(t *testing.T) {
	two := []Node{{ID: 1}, {ID: 2, Lon: 1}}
	for _, c := range []struct {
		what  string
		nodes []Node
		edges []Edge
		want  string
	}{
		{"nothing", nil, nil, "no node"},
		{"same id", []Node{{ID: 7}, {ID: 7}}, nil, "nodes 0 and 1 share the id 7"},
		{"latitude", []Node{{ID: 7, Lat: 91}}, nil, "node 0 (id 7)"},
		{"end", two, []Edge{{From: 0, To: 2}}, "edge 0: ends 0, 2"},
		{"length", two, []Edge{{From: 0, To: 1, Length: math.NaN()}}, "edge 0: length NaN"},
		{"negative", two, []Edge{{From: 0, To: 1, Length: 1}, {From: 0, To: 1, Length: -1}}, "edge 1: length -1"},
	} {
		_, err := NewWorld(c.nodes, c.edges, false)
		fixture.WantError(t, c.what, err, "datasets: world: ", c.want)
	}
}

func TestMerge(t *testing.T) {
	w := cross(t, Options{})
	if m := fixture.Must[*World](t)(w.Merge(10)); len(m.Nodes) != 5 {
		t.Errorf("10 m: %d nodes, want all 5", len(m.Nodes))
	}
	// 1 and 2 are 55.6 m apart, 4 and 5 are 111 m from 2, 3 the same.
	m := fixture.Must[*World](t)(w.Merge(60))
	if len(m.Nodes) != 4 || len(m.Edges) != 3 || m.Skipped.Loops != w.Skipped.Loops+1 {
		t.Fatalf("60 m: %d nodes, %d edges, %+v", len(m.Nodes), len(m.Edges), m.Skipped)
	}
	i, ok := m.Find(1)
	if !ok || math.Abs(m.Nodes[i].Lon-24.0005) > 1e-9 || len(m.Heads(i)) != 3 {
		t.Errorf("merged node %+v, heads %v", m.Nodes[i], m.Heads(i))
	}
	for _, bad := range []float64{-1, math.NaN(), math.Inf(1)} {
		_, err := w.Merge(bad)
		fixture.WantError(t, "merge", err, "datasets: merge")
		_, err = w.Split(bad)
		fixture.WantError(t, "split", err, "datasets: split")
	}
}

func TestSplit(t *testing.T) {
	w := cross(t, Options{})
	if s := fixture.Must[*World](t)(w.Split(2000)); len(s.Nodes) != 5 {
		t.Errorf("2,000 m cuts an edge: %d nodes", len(s.Nodes))
	}
	// 2–3, 4–2 and 2–5 measure 111.2 m: two pieces each.
	s := fixture.Must[*World](t)(w.Split(60))
	if len(s.Nodes) != 8 || len(s.Edges) != 7 {
		t.Fatalf("60 m: %d nodes, %d edges, want 8, 7", len(s.Nodes), len(s.Edges))
	}
	sum := func(w *World) (m float64) {
		for _, e := range w.Edges {
			m += e.Length
		}
		return m
	}
	if math.Abs(sum(s)-sum(w)) > 1e-6 {
		t.Errorf("lengths sum to %v, want %v", sum(s), sum(w))
	}
	_, err := w.Split(1e-6)
	fixture.WantError(t, "split", err, "more than a million")
}

func TestNear(t *testing.T) {
	w := cross(t, Options{})
	i, _ := w.Find(1)
	n := fixture.Must[*World](t)(w.Near(i, 2))
	if len(n.Nodes) != 2 || n.Nodes[0].ID != 1 || n.Nodes[1].ID != 2 || len(n.Edges) != 1 {
		t.Errorf("near: %+v, %+v", n.Nodes, n.Edges)
	}
	_, err := w.Near(i, 6)
	fixture.WantError(t, "too many", err, "6 nodes around node 1: 5 are within reach")
	_, err = w.Near(9, 1)
	fixture.WantError(t, "no start", err, "start 9 is not on the map")
	if j := w.Nearest(24.0029, 60); w.Nodes[j].ID != 3 {
		t.Errorf("nearest is %d, want 3", w.Nodes[j].ID)
	}
	dist := fixture.Must[[]float64](t)(w.Distances(i))
	for k, n := range w.Nodes { // the map is a star around 2, at right angles
		direct := Distance(w.Nodes[0], w.Nodes[1])
		if n.ID != 1 && n.ID != 2 {
			direct += Distance(w.Nodes[1], n)
		} else if n.ID == 1 {
			direct = 0
		}
		if math.Abs(dist[k]-direct) > 1e-6 {
			t.Errorf("node %d at %v m, want %v", n.ID, dist[k], direct)
		}
	}
}

func TestExpandCross(t *testing.T) {
	w := cross(t, Options{})
	g := fixture.Must[*ddps.LayeredGraph](t)(Expand(w, ExpandOptions{Start: 1, Depth: 3, Dummies: true, All: true}))
	if g.NumLayers() != 5 || g.NumVertices() != 3+5*3 {
		t.Fatalf("%d layers, %d vertices, want 5, 18", g.NumLayers(), g.NumVertices())
	}
	// From 1: stay or 2; then {1, 2} and {1, 2, 3, 4, 5}.
	if n := ddps.NewIndex(g).Count().Int64(); n != 7 {
		t.Errorf("%d paths, want 7", n)
	}
	plain := fixture.Must[*ddps.LayeredGraph](t)(Expand(w, ExpandOptions{Start: 1, Depth: 3}))
	if plain.NumVertices() != 1+2+5 || plain.NumEdges() != 2+7 {
		t.Errorf("plain: %d vertices, %d edges, want 8, 9", plain.NumVertices(), plain.NumEdges())
	}
	if p := g.Prune(); p.NumVertices() != 2+8 {
		t.Errorf("pruned: %d vertices, want 10", p.NumVertices())
	}
	m := g.Meta()
	if !slices.Equal(m.Place[:5], []int{-1, -1, -1, 0, 1}) || m.Names[4] != "2" || m.Attr["start"] != "1" ||
		m.XY[4][0] != 24.001 {
		t.Errorf("meta: %v %v %v %v", m.Place[:5], m.Names[:5], m.Attr, m.XY[4])
	}
	still := fixture.Must[*ddps.LayeredGraph](t)(Expand(w, ExpandOptions{Start: 1, Depth: 3, NoWait: true}))
	if n := ddps.NewIndex(still).Count().Int64(); n != 4 {
		t.Errorf("without waiting: %d paths, want 4", n)
	}
}

func TestExpandErrors(t *testing.T) {
	w, d := cross(t, Options{}), cross(t, Options{Direction: Directed})
	for _, c := range []struct {
		w    *World
		o    ExpandOptions
		want string
	}{
		{w, ExpandOptions{Start: 1, Depth: 1}, "depth 1, expected at least 2"},
		{w, ExpandOptions{Start: 6, Depth: 3}, "start 6 is not on the map of 5 nodes"},
		{w, ExpandOptions{Start: 1, Depth: math.MaxInt}, "take less depth"},
		{w, ExpandOptions{Start: 1, Depth: 3, Nodes: 9}, "9 nodes around node 1"},
		{d, ExpandOptions{Start: 4, Depth: 4, NoWait: true}, "node 5, after 2 moves: no way on"},
	} {
		_, err := Expand(c.w, c.o)
		fixture.WantError(t, c.want, err, "datasets: ", c.want)
	}
}

// cross returns the world of fixture.CrossXML.
func cross(t testing.TB, o Options) *World {
	t.Helper()
	w, err := Read("cross.osm", strings.NewReader(fixture.CrossXML), o)
	if err != nil {
		t.Fatal(err)
	}
	return w
}
