package datasets_test

import (
	"bytes"
	"fmt"
	"math"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/ddps-go/ddps/datasets"
	"github.com/ddps-go/ddps/datasets/internal/earth"
	"github.com/ddps-go/ddps/datasets/internal/fixture"
	"github.com/ddps-go/ddps/datasets/maps"
	"github.com/ddps-go/ddps/datasets/pathfile"
	"github.com/ddps-go/ddps/datasets/tracks"
	"github.com/ddps-go/ddps/ddps"
)

// caseMap reads a map of testdata/cases.
func caseMap(t *testing.T, name string) (*maps.World, error) {
	t.Helper()
	return maps.ReadFile(filepath.Join("testdata", "cases", name), maps.Options{})
}

// TestAntimeridianSplit: a street of 1.07 km across the 180th meridian is split on it.
func TestAntimeridianSplit(t *testing.T) {
	w := fixture.Must[*maps.World](t)(caseMap(t, "antimeridian-split.osm"))
	if d := w.Edges[0].Length; math.Abs(d-1064.5) > 1 {
		t.Errorf("the street has %v m", d)
	}
	s := fixture.Must[*maps.World](t)(w.Split(300))
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
		if math.Abs(maps.Distance(a, b)-e.Length) > .01 || math.Abs(math.Hypot(a.X-b.X, a.Y-b.Y)-e.Length) > .01 {
			t.Errorf("%v m from %+v to %+v", e.Length, a, b)
		}
	}
}

// TestAntimeridianTurned: what is made of a town does not depend on its longitude: merging, distances, principal axes,
// districts and the paths of the rule of memory.
func TestAntimeridianTurned(t *testing.T) {
	var made [2]*datasets.Data
	var districts [2][]int
	for i, name := range []string{"antimeridian-grid.osm", "antimeridian-grid-shifted.osm"} {
		w := fixture.Must[*maps.World](t)(caseMap(t, name))
		for _, n := range w.Nodes {
			if math.Hypot(n.X, n.Y) > 300 {
				t.Errorf("%s: %+v is far from the middle", name, n)
			}
		}
		m := fixture.Must[*maps.World](t)(w.Merge(110))
		c := fixture.Must[*maps.World](t)(w.Consolidate(51))
		if len(m.Nodes) >= len(w.Nodes) || len(c.Nodes) != 1 ||
			math.Abs(c.Nodes[0].Lon-[]float64{-179.99955, 170.00045}[i]) > 1e-9 {
			t.Errorf("%s: merged to %d, consolidated to %+v", name, len(m.Nodes), c.Nodes)
		}
		g := fixture.Must[*ddps.LayeredGraph](t)(maps.Expand(w, maps.ExpandOptions{Start: 112, Depth: 6}))
		paths := fixture.Must[[]ddps.Path](t)(datasets.Draw(g, 400, 0))
		memory := fixture.Must[*datasets.Memory](t)(datasets.NewMemory(g, paths))
		made[i] = &datasets.Data{Graph: g, Paths: paths, Counts: memory.Counts(g, paths)}
		districts[i] = fixture.Must[[]int](t)(datasets.Districts(g, 3, 0))
	}
	if made[0].Total() != made[1].Total() || !slices.EqualFunc(made[0].Paths, made[1].Paths, slices.Equal) ||
		!slices.Equal(made[0].Counts, made[1].Counts) {
		t.Errorf("%d and %d paths", made[0].Total(), made[1].Total())
	}
	if !slices.Equal(districts[0], districts[1]) {
		t.Errorf("districts %v, %v", districts[0], districts[1])
	}
	var b bytes.Buffer
	if err := pathfile.WritePaths(fixture.Must[pathfile.Writer](t)(pathfile.NewWriter(&b, made[0].Graph, pathfile.GeoJSON,
		pathfile.ByName)), made[0]); err != nil {
		t.Fatal(err)
	}
	if n := strings.Count(b.String(), `"type":"Feature"`); n != 400 {
		t.Errorf("%d features", n)
	}
}

// TestBridge: a bridge over a crossing is not joined with it, by either rule.
func TestBridge(t *testing.T) {
	w := fixture.Must[*maps.World](t)(caseMap(t, "bridge.osm"))
	for what, tidy := range map[string]func(float64) (*maps.World, error){"merge": w.Merge, "consolidate": w.Consolidate} {
		m := fixture.Must[*maps.World](t)(tidy(10))
		i, _ := m.Find(1)
		dist := fixture.Must[[]float64](t)(m.Distances(i))
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
	const m = 180 / (math.Pi * earth.Radius)
	at := func(id int64, x, y float64) maps.Node { return maps.Node{ID: id, Lon: 8 + m*x, Lat: m * y} }
	nodes := []maps.Node{at(1, 0, 0), at(2, 8, 0), at(3, 4, 3), at(4, -50, 0), at(5, 0, 50), at(6, 60, 0), at(7, 8, -50),
		at(8, 4, -1), at(9, 4, 60), at(10, 40, 60), at(11, -40, 60)}
	join := [][2]int{{0, 2}, {2, 1}, {0, 3}, {0, 4}, {1, 5}, {1, 6}, {7, 8}, {7, 9}, {7, 10}}
	var edges []maps.Edge
	for _, e := range join {
		edges = append(edges, maps.Edge{From: e[0], To: e[1]})
	}
	w := fixture.Must[*maps.World](t)(fixture.Must[*maps.World](t)(maps.NewWorld(nodes, edges, false)).Merge(10))
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
	fixture.WantError(t, "remark", err, "the server's remark: runtime error: Query timed out")
	_, err = caseMap(t, "history.osm")
	fixture.WantError(t, "history", err, "way 2 is deleted and there", "is the file a history")
	w := fixture.Must[*maps.World](t)(caseMap(t, "locations-on-ways.osm.pbf"))
	if len(w.Nodes) != 5 || len(w.Edges) != 4 || w.Skipped.Missing != 0 {
		t.Errorf("locations on ways: %d nodes, %d edges", len(w.Nodes), len(w.Edges))
	}
	const highway = `<tag k="highway" v="path"/></way>`
	for what, c := range map[string]struct {
		text         string
		nodes, edges int
		err          string
	}{
		"out geom": {`<way id="1"><nd ref="7" lat="1" lon="1"/><nd ref="8" lat="1" lon="1.1"/><nd ref="9"/>` + highway, 2,
			1, ""},
		"out ids geom": {`<way id="1"><nd lat="1" lon="1"/><nd lat="1" lon="1.1"/>` + highway +
			`<way id="2"><nd lat="1" lon="1.1"/><nd lat="2" lon="2"/>` + highway, 3, 2, ""},
		"out tags": {`<way id="1">` + highway, 0, 0, "none of 1 ways with a highway tag has nodes"},
		"changes": {`<action type="create"><node id="1" lat="1" lon="1"/></action>`, 0, 0,
			"element action: the file lists changes"},
		"versions":     {`<node id="1" lat="1" lon="1"/><node id="2" lat="1" lon="2"/><node id="3" lat="1" lon="3"/><way id="1" version="1"><nd ref="1"/><nd ref="2"/>` + highway + `<way id="1" version="2"><nd ref="1"/><nd ref="3"/>` + highway, 0, 0, "way 1 is there in versions 1 and 2"},
		"twice":        {`<node id="1" lat="1" lon="1"/><node id="2" lat="1" lon="2"/><way id="1" version="1"><nd ref="1"/><nd ref="2"/>` + highway + `<way id="1" version="1"><nd ref="1"/><nd ref="2"/>` + highway, 2, 1, ""},
		"node revived": {`<node id="1" visible="false"/><node id="1" lat="1" lon="1"/>`, 0, 0, "node 1 is deleted and there"},
		"half a place": {`<way id="1"><nd ref="7" lat="1"/><nd ref="8" lat="1" lon="1.1"/>` + highway, 0, 0,
			`node number 1 of it: lat "1", lon ""`},
	} {
		w, err := maps.Read("x", strings.NewReader("<osm>"+c.text+"</osm>"), maps.Options{})
		if c.err != "" {
			fixture.WantError(t, what, err, c.err)
		} else if err != nil || len(w.Nodes) != c.nodes || len(w.Edges) != c.edges || w.Skipped.Duplicates > 0 {
			t.Errorf("%s: %+v, %v", what, w, err)
		}
	}
	w = fixture.Must[*maps.World](t)(maps.Read("x", strings.NewReader(`<osm><node id="1" lat="1" lon="1"/><node id="2" `+
		`lat="1" lon="2"/><way id="1"><nd ref="1"/><nd ref="2"/><tag k="highway" v="proposed"/></way></osm>`),
		maps.Options{}))
	if len(w.Notes) != 1 || !strings.HasSuffix(w.Notes[0], "proposed, razed: 1") {
		t.Errorf("proposed: %q", w.Notes)
	}
	w = fixture.Must[*maps.World](t)(maps.Read("x", strings.NewReader(`{"elements":[`+
		`{"type":"node","id":1,"lat":1,"lon":1},{"type":"node","id":2,"lat":1,"lon":2}`+strings.Repeat(
		`,{"type":"way","id":1,"nodes":[1,2],"tags":{"highway":"x"}}`, 2)+`]}`), maps.Options{}))
	if len(w.Edges) != 1 || len(w.Notes) != 1 || w.Notes[0] != "1 way is given twice, alike, and counts once" {
		t.Errorf("a way twice: %+v", w)
	}
	for what, text := range map[string]string{
		"way 1 is there twice": `{"elements":[{"type":"way","id":1,"nodes":[2,3],"tags":{"highway":"x"}},` +
			`{"type":"way","id":1,"nodes":[1,2],"tags":{"highway":"x"}}]}`,
		"way 2 is there twice": `<osm><way id="2"><nd ref="1"/><nd ref="2"/>` + highway +
			`<way id="2"><nd ref="2"/><nd ref="3"/>` + highway + `</osm>`,
		"way 3 is there twice": `<osm><way id="3" version="1"><nd ref="1"/><nd ref="2"/>` + highway +
			`<way id="3" version="1"><nd ref="3"/><nd ref="2"/>` + highway + `</osm>`,
		"way 4 is there twice": `<osm><way id="4"><nd ref="1"/></way>` +
			`<way id="4"><tag k="highway" v="a"/></way><way id="4"><tag k="highway" v="b"/></way></osm>`,
		"way 5 is there twice": `<osm><way id="5"><nd ref="1"/><tag k="name" v="a"/>` + highway +
			`<way id="5"><nd ref="1"/><tag k="name" v="b"/>` + highway + `</osm>`,
		"node 6 is at": `<osm><node id="6" lat="1" lon="1"/><node id="6" lat="1" lon="2"/></osm>`,
		"deleted and there": `{"elements":[{"type":"way","id":1,"visible":false},` +
			`{"type":"way","id":1,"nodes":[1,2],"tags":{"highway":"x"}}]}`,
		"in versions": `{"elements":[{"type":"way","id":1,"version":1,"nodes":[2,3],"tags":{"highway":"x"}},` +
			`{"type":"way","id":1,"version":2,"nodes":[1,2],"tags":{"highway":"x"}}]}`,
	} {
		_, err := maps.Read("x", strings.NewReader(text), maps.Options{})
		fixture.WantError(t, what, err, what, "is the file a history")
	}
}

// TestEdgeListCases: headers that are not known, and lengths of 0.
func TestEdgeListCases(t *testing.T) {
	w := fixture.Must[*maps.World](t)(caseMap(t, "unknown-header.csv"))
	if len(w.Nodes) != 3 || len(w.Edges) != 2 {
		t.Errorf("origin, destination: %d nodes, %d edges", len(w.Nodes), len(w.Edges))
	}
	w = fixture.Must[*maps.World](t)(caseMap(t, "zero-length.csv"))
	a, _ := w.FindLabel("A")
	near := fixture.Must[*maps.World](t)(w.Near(a, 2))
	if near.Nodes[0].Name != "A" || near.Nodes[1].Name != "B" || near.Edges[0].Length != 0 {
		t.Errorf("%+v", near)
	}
	_, err := maps.Read("x", strings.NewReader("Eins,Zwei\nA,B\nB,C\n"), maps.Options{})
	fixture.WantError(t, "unknown header", err, "edge list: line 1", `is "Eins,Zwei" a header?`,
		"name the columns from, to, [length]")
	_, err = maps.Read("x", strings.NewReader("a,b,w\n1,2,3\n"), maps.Options{})
	fixture.WantError(t, "unknown header with lengths", err, `length "w" is not`, `is "a,b,w" a header?`)
	_, err = maps.Read("x", strings.NewReader("frm,to\nA,B\nB,C\n"), maps.Options{})
	fixture.WantError(t, "near miss", err, `no column from: is "frm" to be it?`)
	_, err = maps.Read("x", strings.NewReader("from,to,From\nA,B,C\n"), maps.Options{})
	fixture.WantError(t, "twice", err, "columns 1 and 3 are both called from")
	for what, c := range map[string]struct {
		text  string
		nodes string
		notes string
	}{
		"data":       {"A,B\nB,C\n", "A B C", ""},
		"one row":    {"A,B\n", "A B", ""},
		"lengths":    {"A,B,2\nC,D,3\n", "A B C D", "a move takes one step"},
		"semicolons": {"To ; From;Metres\nB ; A ;2\n", "A B", "a move takes one step"},
		"tabs, CRLF": {"from\tto\r\nA B\tC\r\n", "A B C", ""},
		"CR":         {"from,to\rA,B\rB,C\r", "A B C", "lines end in CR alone"},
		"unused":     {"from,to,travel_time,surface\nA,B,3,x\n", "A B", "columns not used: surface"},
		"case": {"from,to\nMarket,B\nmarket,C\n", "Market B market C",
			`differ only by case, blanks or form of Unicode are different nodes: "Market" and "market"`},
		"near miss":  {"from,to,lenght\nA,B,3\n", "A B", "columns not used: lenght (did you mean length?)"},
		"no width":   {"from,to\nA\u200b,B\nA,C\n", "A\u200b B A C", "are different nodes"},
		"wide space": {"from,to\nA\u00a0 1,B\nA 1,C\n", "A\u00a0 1 B A 1 C", "are different nodes"},
		"comments": {"# roads\nfrom,to\n#1,B\nA,B\n", "A B",
			"lines below the first row that begin with #, which are comments: 1"},
		"head": {"# roads\n\n# of 2026\nA,B\n", "A B", ""},
		"normal form": {"from,to\nKa\u0308pyla\u0308,B\nKäpylä,C\n", "Käpylä B C",
			`1 name is in another form of Unicode, like "Käpylä"`},
		"a semicolon":     {"from,to\nA;1,B;2\nB;2,C\n", "A;1 B;2 C", ""},
		"some lengths":    {"from,to,length\nA,B,3\nB,C,\n", "A B C", "1 edge has no length: it is taken as 1"},
		"trailing commas": {"from,to,\nA,B,\n", "A B", ""},
	} {
		w, err := maps.Read("x", strings.NewReader(c.text), maps.Options{Format: maps.EdgeList})
		if err != nil {
			t.Errorf("%s: %v", what, err)
			continue
		}
		var list []string
		for _, n := range w.Nodes {
			list = append(list, n.Name)
		}
		if got := strings.Join(list, " "); got != c.nodes || !strings.Contains(strings.Join(w.Notes, "\n"), c.notes) ||
			c.notes == "" && len(w.Notes) > 0 {
			t.Errorf("%s: %s, notes %q", what, got, w.Notes)
		}
	}
	w = fixture.Must[*maps.World](t)(maps.Read("x", strings.NewReader("\xff\xfeA\x00,\x00B\x00\n\x00"), maps.Options{}))
	if len(w.Nodes) != 2 || !slices.Contains(w.Notes, "the text is in UTF-16") {
		t.Errorf("UTF-16: %+v", w)
	}
	w = fixture.Must[*maps.World](t)(maps.Read("x", strings.NewReader("Käpylä,Market\nMarket,C\n"), maps.Options{}))
	if i, ok := w.FindLabel(" Ka\u0308pyla\u0308"); !ok || i != 0 || w.NearLabel("kapyla") != "Käpylä" ||
		w.NearLabel("Nowhere") != "" {
		t.Error("labels")
	}
	w = fixture.Must[*maps.World](t)(maps.Read("x", strings.NewReader("from,to,length\nA,B,10\n"), maps.Options{}))
	if s := fixture.Must[*maps.World](t)(w.Split(3)); len(s.Nodes) != 5 || s.Edges[0].Length != 2.5 {
		t.Errorf("split by lengths: %+v", s)
	}
}

// TestGraphMLCases: directed is xs:boolean; prefixes and what is before the graph do not matter.
func TestGraphMLCases(t *testing.T) {
	w := fixture.Must[*maps.World](t)(caseMap(t, "directed-0.graphml"))
	if len(w.Nodes) != 2 || len(w.Heads(0)) != 1 || len(w.Heads(1)) != 1 {
		t.Errorf("directed 0: %+v", w)
	}
	text := strings.Replace(fixture.TriangleML, `directed="false"`, `directed=" 1 "`, 1)
	if w := fixture.Must[*maps.World](t)(maps.Read("x", strings.NewReader(text), maps.Options{})); len(w.Edges) != 2 {
		t.Errorf("directed 1: %+v", w.Edges)
	}
	long := strings.Replace(fixture.TriangleML, "<graphml", "<!-- "+strings.Repeat("x <osm> ",
		10_000)+"--><!DOCTYPE graphml [<!ENTITY a \"b\">]><graphml", 1)
	if w := fixture.Must[*maps.World](t)(maps.Read("x", strings.NewReader(long), maps.Options{})); len(w.Nodes) != 3 {
		t.Errorf("a long prologue: %+v", w)
	}
	tag := regexp.MustCompile(`<(/?)([a-z])`)
	prefixed := strings.Replace(tag.ReplaceAllString(fixture.TriangleML, "<${1}g:$2"), "xmlns=", "xmlns:g=", 1)
	if w := fixture.Must[*maps.World](t)(maps.Read("x", strings.NewReader(prefixed), maps.Options{})); len(w.Nodes) != 3 {
		t.Errorf("a prefix: %+v", w)
	}
	named := strings.NewReplacer(`"10"`, "\"Ka\u0308pyla\u0308\"", `"20"`, `"käpylä"`).Replace(fixture.TriangleML)
	if w := fixture.Must[*maps.World](t)(maps.Read("x", strings.NewReader(named), maps.Options{})); len(w.Notes) != 1 {
		t.Errorf("names that differ by form: %q", w.Notes)
	}
	zero := strings.Replace(fixture.TriangleML, ">150<", ">0<", 1)
	if w := fixture.Must[*maps.World](t)(maps.Read("x", strings.NewReader(zero), maps.Options{})); w.Edges[0].Length != 0 {
		t.Errorf("length 0: %+v", w.Edges)
	}
}

// TestTracksAcross180: tracks of a town on the 180th meridian make the same paths as those of the town further west.
func TestTracksAcross180(t *testing.T) {
	var got [2]string
	for i, name := range []string{"antimeridian-grid.osm", "antimeridian-grid-shifted.osm"} {
		w := fixture.Must[*maps.World](t)(caseMap(t, name))
		g := fixture.Must[*ddps.LayeredGraph](t)(maps.Expand(w, maps.ExpandOptions{Start: 112, Depth: 4}))
		var fixes []tracks.Fix
		for k, id := range []int64{112, 111, 106, 101} {
			n := w.Nodes[fixture.Must[int](t)(at(w, id))]
			fixes = append(fixes, tracks.Fix{Track: "a", Time: float64(60 * k), Lon: n.Lon, Lat: n.Lat + 1e-5, File: "x",
				Line: k + 1})
		}
		d, _, err := tracks.Match(g, &tracks.Tracks{Fixes: fixes}, tracks.Options{})
		if err != nil {
			t.Fatal(err)
		}
		got[i] = fixture.CalledBy(g, d.Paths[0])
	}
	if got[0] != "112 111 106 101" || got[1] != got[0] {
		t.Errorf("%q", got)
	}
}

// at is World.Find with an error.
func at(w *maps.World, id int64) (int, error) {
	i, ok := w.Find(id)
	if !ok {
		return 0, fmt.Errorf("no node %d", id)
	}
	return i, nil
}
