package datasets

import (
	"math"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
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

// TestOSMCases: OpenStreetMap files that are no plain maps.
func TestOSMCases(t *testing.T) {
	_, err := caseMap(t, "overpass-remark.osm")
	wantError(t, "remark", err, "the server's remark: runtime error: Query timed out")
	_, err = caseMap(t, "history.osm")
	wantError(t, "history", err, "way 2 is deleted and there", "is the file a history")
	w := must[*World](t)(caseMap(t, "locations-on-ways.osm.pbf"))
	if len(w.Nodes) != 5 || len(w.Edges) != 4 || w.Skipped.Missing != 0 {
		t.Errorf("locations on ways: %d nodes, %d edges", len(w.Nodes), len(w.Edges))
	}
	const highway = `<tag k="highway" v="path"/></way>`
	for what, c := range map[string]struct {
		text         string
		nodes, edges int
		err          string
	}{
		"out geom":     {`<way id="1"><nd ref="7" lat="1" lon="1"/><nd ref="8" lat="1" lon="1.1"/><nd ref="9"/>` + highway, 2, 1, ""},
		"out ids geom": {`<way id="1"><nd lat="1" lon="1"/><nd lat="1" lon="1.1"/>` + highway + `<way id="2"><nd lat="1" lon="1.1"/><nd lat="2" lon="2"/>` + highway, 3, 2, ""},
		"out tags":     {`<way id="1">` + highway, 0, 0, "none of 1 ways with a highway tag has nodes"},
		"changes":      {`<action type="create"><node id="1" lat="1" lon="1"/></action>`, 0, 0, "element action: the file lists changes"},
		"versions":     {`<node id="1" lat="1" lon="1"/><node id="2" lat="1" lon="2"/><node id="3" lat="1" lon="3"/><way id="1" version="1"><nd ref="1"/><nd ref="2"/>` + highway + `<way id="1" version="2"><nd ref="1"/><nd ref="3"/>` + highway, 0, 0, "way 1 is there in versions 1 and 2"},
		"twice":        {`<node id="1" lat="1" lon="1"/><node id="2" lat="1" lon="2"/><way id="1" version="1"><nd ref="1"/><nd ref="2"/>` + highway + `<way id="1" version="1"><nd ref="1"/><nd ref="2"/>` + highway, 2, 1, ""},
		"node revived": {`<node id="1" visible="false"/><node id="1" lat="1" lon="1"/>`, 0, 0, "node 1 is deleted and there"},
		"half a place": {`<way id="1"><nd ref="7" lat="1"/><nd ref="8" lat="1" lon="1.1"/>` + highway, 0, 0, `node number 1 of it: lat "1", lon ""`},
	} {
		w, err := ReadMap("x", strings.NewReader("<osm>"+c.text+"</osm>"), MapOptions{})
		if c.err != "" {
			wantError(t, what, err, c.err)
		} else if err != nil || len(w.Nodes) != c.nodes || len(w.Edges) != c.edges || w.Skipped.Duplicates > 0 {
			t.Errorf("%s: %+v, %v", what, w, err)
		}
	}
	for what, text := range map[string]string{
		"deleted and there": `{"elements":[{"type":"way","id":1,"visible":false},{"type":"way","id":1,"nodes":[1,2],"tags":{"highway":"x"}}]}`,
		"in versions":       `{"elements":[{"type":"way","id":1,"version":1,"nodes":[2,3],"tags":{"highway":"x"}},{"type":"way","id":1,"version":2,"nodes":[1,2],"tags":{"highway":"x"}}]}`,
	} {
		_, err := ReadMap("x", strings.NewReader(text), MapOptions{})
		wantError(t, what, err, what, "is the file a history")
	}
}

// TestEdgeListCases: headers that are not known, and lengths of 0.
func TestEdgeListCases(t *testing.T) {
	w := must[*World](t)(caseMap(t, "unknown-header.csv"))
	if len(w.Nodes) != 3 || len(w.Edges) != 2 {
		t.Errorf("origin, destination: %d nodes, %d edges", len(w.Nodes), len(w.Edges))
	}
	w = must[*World](t)(caseMap(t, "zero-length.csv"))
	a, _ := w.FindLabel("A")
	near := must[*World](t)(w.Near(a, 2))
	if near.Nodes[0].Name != "A" || near.Nodes[1].Name != "B" || near.Edges[0].Length != 0 {
		t.Errorf("%+v", near)
	}
	_, err := ReadMap("x", strings.NewReader("Eins,Zwei\nA,B\nB,C\n"), MapOptions{})
	wantError(t, "unknown header", err, "edge list: line 1", `is "Eins,Zwei" a header?`, "name the columns from, to, [length]")
	_, err = ReadMap("x", strings.NewReader("frm,to\nA,B\nB,C\n"), MapOptions{})
	wantError(t, "near miss", err, `no column from: is "frm" to be it?`)
	_, err = ReadMap("x", strings.NewReader("from,to,From\nA,B,C\n"), MapOptions{})
	wantError(t, "twice", err, "columns 1 and 3 are both called from")
	for what, c := range map[string]struct {
		text  string
		nodes string
		notes string
	}{
		"data":            {"A,B\nB,C\n", "A B C", ""},
		"one row":         {"A,B\n", "A B", ""},
		"lengths":         {"A,B,2\nC,D,3\n", "A B C D", "a move takes one step"},
		"semicolons":      {"To ; From;Metres\nB ; A ;2\n", "A B", "a move takes one step"},
		"tabs, CRLF":      {"from\tto\r\nA B\tC\r\n", "A B C", ""},
		"CR":              {"from,to\rA,B\rB,C\r", "A B C", "lines end in CR alone"},
		"unused":          {"from,to,travel_time,surface\nA,B,3,x\n", "A B", "columns not used: travel_time, surface"},
		"case":            {"from,to\nMarket,B\nmarket,C\n", "Market B market C", `differ only by case are different nodes: "Market" and "market"`},
		"normal form":     {"from,to\nKa\u0308pyla\u0308,B\nKäpylä,C\n", "Käpylä B C", `1 name is in another form of Unicode, like "Käpylä"`},
		"a semicolon":     {"from,to\nA;1,B;2\nB;2,C\n", "A;1 B;2 C", ""},
		"some lengths":    {"from,to,length\nA,B,3\nB,C,\n", "A B C", "1 edge has no length: it is taken as 1"},
		"trailing commas": {"from,to,\nA,B,\n", "A B", ""},
	} {
		w, err := ReadMap("x", strings.NewReader(c.text), MapOptions{Format: EdgeList})
		if err != nil {
			t.Errorf("%s: %v", what, err)
			continue
		}
		var list []string
		for _, n := range w.Nodes {
			list = append(list, n.Name)
		}
		if got := strings.Join(list, " "); got != c.nodes || !strings.Contains(strings.Join(w.Notes, "\n"), c.notes) || c.notes == "" && len(w.Notes) > 0 {
			t.Errorf("%s: %s, notes %q", what, got, w.Notes)
		}
	}
	w = must[*World](t)(ReadMap("x", strings.NewReader("Käpylä,Market\nMarket,C\n"), MapOptions{}))
	if i, ok := w.FindLabel(" Ka\u0308pyla\u0308"); !ok || i != 0 || w.NearLabel("kapyla") != "Käpylä" || w.NearLabel("Nowhere") != "" {
		t.Error("labels")
	}
	w = must[*World](t)(ReadMap("x", strings.NewReader("from,to,length\nA,B,10\n"), MapOptions{}))
	if s := must[*World](t)(w.Split(3)); len(s.Nodes) != 5 || s.Edges[0].Length != 2.5 {
		t.Errorf("split by lengths: %+v", s)
	}
}

// TestGraphMLCases: directed is xs:boolean; prefixes and what stands before the graph do not matter.
func TestGraphMLCases(t *testing.T) {
	w := must[*World](t)(caseMap(t, "directed-0.graphml"))
	if len(w.Nodes) != 2 || len(w.Heads(0)) != 1 || len(w.Heads(1)) != 1 {
		t.Errorf("directed 0: %+v", w)
	}
	text := strings.Replace(triangleML, `directed="false"`, `directed=" 1 "`, 1)
	if w := must[*World](t)(ReadMap("x", strings.NewReader(text), MapOptions{})); len(w.Edges) != 2 {
		t.Errorf("directed 1: %+v", w.Edges)
	}
	long := strings.Replace(triangleML, "<graphml", "<!-- "+strings.Repeat("x <osm> ", 10_000)+"--><!DOCTYPE graphml [<!ENTITY a \"b\">]><graphml", 1)
	if w := must[*World](t)(ReadMap("x", strings.NewReader(long), MapOptions{})); len(w.Nodes) != 3 {
		t.Errorf("a long prologue: %+v", w)
	}
	tag := regexp.MustCompile(`<(/?)([a-z])`)
	prefixed := strings.Replace(tag.ReplaceAllString(triangleML, "<${1}g:$2"), "xmlns=", "xmlns:g=", 1)
	if w := must[*World](t)(ReadMap("x", strings.NewReader(prefixed), MapOptions{})); len(w.Nodes) != 3 {
		t.Errorf("a prefix: %+v", w)
	}
	zero := strings.Replace(triangleML, ">150<", ">0<", 1)
	if w := must[*World](t)(ReadMap("x", strings.NewReader(zero), MapOptions{})); w.Edges[0].Length != 0 {
		t.Errorf("length 0: %+v", w.Edges)
	}
}
