package maps_test

import (
	"bytes"
	"compress/gzip"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/ddps-go/ddps/datasets"
	"github.com/ddps-go/ddps/datasets/internal/fixture"
	"github.com/ddps-go/ddps/datasets/maps"
	"github.com/ddps-go/ddps/ddps"
)

func readText(t testing.TB, text string, o maps.Options) *maps.World {
	t.Helper()
	return fixture.Must[*maps.World](t)(maps.Read("map", strings.NewReader(text), o))
}

func TestGraphML(t *testing.T) {
	w := readText(t, fixture.TriangleML, maps.Options{})
	if len(w.Nodes) != 3 || !w.Directed || w.Nodes[0].ID != 10 || w.Nodes[1].Lat != 60.001 || w.Nodes[2].Lat != 60 {
		t.Fatalf("%+v", w.Nodes)
	}
	if want := (maps.Skipped{Missing: 1, Loops: 1, Duplicates: 1}); w.Skipped != want {
		t.Errorf("skipped %+v, want %+v", w.Skipped, want)
	}
	if len(w.Edges) != 3 || w.Edges[0].Length != 150 || w.Attr["licence"] != "ODbL 1.0" { // 10→20, 20→30, 30→20
		t.Errorf("edges %+v, attributes %v", w.Edges, w.Attr)
	}
	if u := readText(t, fixture.TriangleML, maps.Options{Direction: maps.Undirected}); len(u.Edges) != 2 || u.Directed {
		t.Errorf("undirected: %+v", u.Edges)
	}
	plain := strings.Replace(fixture.TriangleML, `"directed">`, `"undirected">`, 1)
	if u := readText(t, strings.Replace(plain, ` directed="false"`, "", 1), maps.Options{}); len(u.Edges) != 2 ||
		u.Directed {
		t.Errorf("edgedefault undirected: %+v", u.Edges)
	}
	if d := readText(t, plain, maps.Options{Direction: maps.Directed}); len(d.Edges) != 4 || !d.Directed {
		t.Errorf("undirected both ways: %+v", d.Edges)
	}
	named := readText(t, strings.NewReplacer(`"10"`, `"x"`, `"20"`, `"20"`).Replace(fixture.TriangleML), maps.Options{})
	if named.Nodes[1].Label() != "x" || named.Nodes[0].Label() != "30" || named.Nodes[0].ID != 0 {
		t.Errorf("names: %+v", named.Nodes)
	}
	g := fixture.Must[*ddps.LayeredGraph](t)(maps.Expand(named, maps.ExpandOptions{Start: 1, Depth: 3}))
	if g.Name(0) != "x" || g.Meta().Attr["start"] != "x" {
		t.Errorf("the start is called %s, %s", g.Name(0), g.Meta().Attr["start"])
	}
}

// TestGzip: packed maps are read as those that are not.
func TestGzip(t *testing.T) {
	pack := func(text string) string {
		var b bytes.Buffer
		z := gzip.NewWriter(&b)
		if _, err := z.Write([]byte(text)); err != nil || z.Close() != nil {
			t.Fatal(err)
		}
		return b.String()
	}
	for _, text := range []string{"from,to\nA,B\nB,C\n", fixture.TriangleML, fixture.TownJSON} {
		for _, o := range []maps.Options{{}, {Direction: maps.Directed}} {
			if got, want := readText(t, pack(text), o), readText(t, text, o); !reflect.DeepEqual(got, want) {
				t.Errorf("%.20q: %+v, want %+v", text, got, want)
			}
		}
	}
	packed := pack("from,to\nA,B\nB,C\n")
	for _, damaged := range []string{packed[:5], packed[:len(packed)-9], packed[:len(packed)-1] + "!"} {
		_, err := maps.Read("m.csv.gz", strings.NewReader(damaged), maps.Options{})
		fixture.WantError(t, "damaged", err, "m.csv.gz: ")
	}
}

func TestGraphMLOneNode(t *testing.T) {
	w := fixture.Must[*maps.World](t)(maps.ReadFile(fixture.SharedMap(t, "short.graphml"), maps.Options{}))
	if len(w.Nodes) != 1 || len(w.Edges) != 0 || !w.Directed {
		t.Fatalf("%d nodes, %d edges", len(w.Nodes), len(w.Edges))
	}
	g := fixture.Must[*ddps.LayeredGraph](t)(maps.Expand(w, maps.ExpandOptions{Start: 178877282, Depth: 3}))
	if g.NumVertices() != 3 || g.NumEdges() != 2 {
		t.Errorf("%d vertices, %d edges, want waiting alone: 3, 2", g.NumVertices(), g.NumEdges())
	}
	_, err := maps.Expand(w, maps.ExpandOptions{Start: 178877282, Depth: 3, NoWait: true})
	fixture.WantError(t, "no waiting", err, "no way on")
}

func TestOverpass(t *testing.T) {
	w := readText(t, fixture.TownJSON, maps.Options{})
	// 1–2, 2–4 and, of the last, one street there and back.
	if len(w.Nodes) != 5 || len(w.Edges) != 3 || w.Skipped != (maps.Skipped{Missing: 2, Duplicates: 1}) ||
		w.Nodes[0].ID != -2 {
		t.Fatalf("%+v, %+v, %+v", w.Nodes, w.Edges, w.Skipped)
	}
	if d := readText(t, fixture.TownJSON, maps.Options{Direction: maps.Directed}); len(d.Edges) != 5 { // 2→4 is one way
		t.Errorf("directed: %+v", d.Edges)
	}
	if w.Attr["attribution"] == "" {
		t.Error("no attribution")
	}
	mid := fixture.Must[*maps.World](t)(maps.ReadFile(fixture.SharedMap(t, "manhattan-midtown.overpass.json"),
		maps.Options{}))
	if len(mid.Nodes) != 4224 || mid.Skipped.Missing != 0 {
		t.Errorf("midtown: %d nodes, %d missing", len(mid.Nodes), mid.Skipped.Missing)
	}
}

func TestStopGraph(t *testing.T) {
	data := fixture.ZipOf(t, fixture.BusFeed())
	dir := t.TempDir()
	for name, text := range fixture.BusFeed() {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	sub := map[string]string{}
	for name, text := range fixture.BusFeed() {
		sub["feed/"+name] = text
	}
	for what, w := range map[string]*maps.World{
		"zip":       fixture.Must[*maps.World](t)(maps.Read("z", bytes.NewReader(data), maps.Options{})),
		"directory": fixture.Must[*maps.World](t)(maps.ReadFile(dir, maps.Options{})),
		"sub":       fixture.Must[*maps.World](t)(maps.Read("z", bytes.NewReader(fixture.ZipOf(t, sub)), maps.Options{})),
	} {
		// a→b→c, c→d; the way back over a stop that is not there is no edge.
		if len(w.Nodes) != 4 || len(w.Edges) != 3 || !w.Directed || w.Skipped.Missing != 2 || w.Nodes[2].Label() != "c" {
			t.Errorf("%s: %+v, %+v, %+v", what, w.Nodes, w.Edges, w.Skipped)
		}
		if w.Attr["attribution"] != "Bus & Co" || w.Attr["licence"] == "" {
			t.Errorf("%s: attributes %v", what, w.Attr)
		}
	}
}

func TestEdgeList(t *testing.T) {
	for _, c := range []struct {
		what, text   string
		o            maps.Options
		nodes, edges int
		first        maps.Edge
		skipped      maps.Skipped
	}{
		{"commas", "a,b\nb,c,2.5\nc,a\n", maps.Options{}, 3, 3, maps.Edge{From: 0, To: 1, Length: 1}, maps.Skipped{}},
		{"header", "length;to;note;from\n7;b;x;a\n", maps.Options{Direction: maps.Directed}, 2, 1,
			maps.Edge{From: 0, To: 1, Length: 7}, maps.Skipped{}},
		{"tabs", "# roads\nsource\ttarget\n10\t5\n5\t10\n5\t5\n", maps.Options{}, 2, 1, maps.Edge{From: 0, To: 1, Length: 1},
			maps.Skipped{Loops: 1, Duplicates: 1}},
		{"directed", "10 5\n5  10 3\n", maps.Options{Direction: maps.Directed}, 2, 2,
			maps.Edge{From: 0, To: 1, Length: 3}, maps.Skipped{}},
		{"byte-order mark", "\ufefffrom,to\n1,2\n", maps.Options{}, 2, 1,
			maps.Edge{From: 0, To: 1, Length: 1}, maps.Skipped{}},
	} {
		w := readText(t, c.text, c.o)
		if len(w.Nodes) != c.nodes || len(w.Edges) != c.edges || w.Edges[0] != c.first || w.Skipped != c.skipped ||
			!w.Unplaced {
			t.Errorf("%s: %+v, %+v, %+v", c.what, w.Nodes, w.Edges, w.Skipped)
		}
	}
	w := readText(t, "b,a\na,x,9\n",
		maps.Options{Coordinates: strings.NewReader("node,lat,lon\na,60,24\nb,60,24.001\nc,61,24\n")})
	if w.Unplaced || len(w.Nodes) != 3 || len(w.Edges) != 1 || w.Skipped.Missing != 1 || w.Edges[0].Length < 55 {
		t.Errorf("with a table: %+v, %+v, %+v", w.Nodes, w.Edges, w.Skipped)
	}
	w = readText(t, "from,to,from_lon,from_lat,to_lon,to_lat\np,q,24,60,24.001,60\nq,r,24.001,60,24,60.001\n",
		maps.Options{})
	if w.Unplaced || len(w.Nodes) != 3 || w.Nodes[2].Lat != 60.001 {
		t.Errorf("with columns: %+v", w.Nodes)
	}
}

func TestUnplaced(t *testing.T) {
	w := readText(t, "a,b\nb,c\n", maps.Options{})
	g := fixture.Must[*ddps.LayeredGraph](t)(maps.Expand(w, maps.ExpandOptions{Start: 0, Depth: 3, Dummies: true,
		All: true, Nodes: 2}))
	if g.Meta().XY != nil || g.Meta().Attr["crs"] != "" || g.NumVertices() != 3+3*2 {
		t.Errorf("%v", g.Meta())
	}
	for what, f := range map[string]func(float64) (*maps.World, error){"merge": w.Merge, "split": w.Split,
		"consolidate": w.Consolidate} {
		_, err := f(10)
		fixture.WantError(t, what, err, what, "no coordinates")
		if same, err := f(0); err != nil || same != w {
			t.Errorf("%s: %v", what, err)
		}
	}
	_, err := datasets.NewMemory(g, fixture.Must[[]ddps.Path](t)(datasets.Draw(g, 2, 0)))
	fixture.WantError(t, "memory", err, "no places with longitude")
}

// A prologue of any length is passed over where the format is named.
func TestLongPrologue(t *testing.T) {
	text := strings.Replace(fixture.TriangleML, "<graphml", "<!--"+strings.Repeat("x", 1<<20)+"--><graphml", 1)
	w := fixture.Must[*maps.World](t)(maps.Read("x", strings.NewReader(text), maps.Options{Format: maps.GraphML}))
	want := readText(t, fixture.TriangleML, maps.Options{})
	if len(w.Nodes) != len(want.Nodes) || len(w.Edges) != len(want.Edges) {
		t.Errorf("%d nodes, %d edges", len(w.Nodes), len(w.Edges))
	}
}

func TestReadMapBad(t *testing.T) {
	feed := func(name, text string) string {
		files := map[string]string{}
		for k, v := range fixture.BusFeed() {
			files[k] = v
		}
		if files[name] = text; text == "" {
			delete(files, name)
		}
		return string(fixture.ZipOf(t, files))
	}
	ml := func(old, new string) string { return strings.Replace(fixture.TriangleML, old, new, 1) }
	for _, c := range []struct {
		what, text string
		o          maps.Options
		want       []string
	}{
		{"no coordinates", ml(`<data key="d1">24.000</data>`, ""), maps.Options{},
			[]string{"graphml: node 10: no coordinates"}},
		{"projected", ml("24.000", "586400.2"), maps.Options{}, []string{"node 10", `"586400.2"`, "not degrees",
			"unprojected"}},
		{"twice", ml(`id="10"`, `id="20"`), maps.Options{}, []string{"node 20 occurs twice"}},
		{"length", ml(">200<", ">[1, 2]<"), maps.Options{}, []string{"edge 10 → 20", `length "[1, 2]"`}},
		{"edgedefault", ml(`"directed">`, `"yes">`), maps.Options{}, []string{"line 7", "edgedefault"}},
		{"key", ml(`key="d1"`, `key="d9"`), maps.Options{}, []string{"node 30", `"d9"`, "not declared"}},
		{"cut", fixture.TriangleML[:700], maps.Options{}, []string{"graphml: line", "ends too early"}},
		{"long prologue", "<!--" + strings.Repeat("x", 1<<20) + "-->" + fixture.TriangleML, maps.Options{},
			[]string{"the format must be named"}},
		{"no graph", "<graphml></graphml>", maps.Options{}, []string{"no graph"}},
		{"remark", `{"elements": [], "remark": "runtime error: Query timed out"}`, maps.Options{},
			[]string{"overpass", "timed out"}},
		{"cut answer", fixture.TownJSON[:300], maps.Options{}, []string{"overpass: byte", "ends too early"}},
		{"json", `{"format": "ddps-graph"}`, maps.Options{}, []string{"no list called elements"}},
		{"geometry", strings.Replace(fixture.TownJSON, "[2, 4, 5]", "[2, 4]", 1), maps.Options{},
			[]string{"way 8", "2 nodes, but 3 places"}},
		{"no place", `{"elements": [{"type": "node", "id": 5}]}`, maps.Options{},
			[]string{"elements[0] (node 5): no lat and lon"}},
		{"no stops", feed("stops.txt", ""), maps.Options{}, []string{"no stops.txt"}},
		{"no trips", feed("trips.txt", ""), maps.Options{}, []string{"trips.txt"}},
		{"no column", feed("trips.txt", "trip_id\nt1\n"), maps.Options{}, []string{"trips.txt: no column service_id"}},
		{"latitude", feed("stops.txt", "stop_id,stop_lat,stop_lon\na,,24\n"), maps.Options{}, []string{"stops.txt:2: stop a",
			"degrees"}},
		{"time", feed("stop_times.txt", "trip_id,arrival_time,departure_time,stop_id,stop_sequence\nt1,8:60:00,,a,1\n"),
			maps.Options{}, []string{"stop_times.txt:2", `"8:60:00"`}},
		{"backwards", feed("stop_times.txt",
			"trip_id,arrival_time,departure_time,stop_id,stop_sequence\nt1,8:00:00,,a,1\nt1,7:00:00,,b,2\n"), maps.Options{},
			[]string{"trip t1", "backwards"}},
		{"no zip", "PK\x03\x04", maps.Options{}, []string{"gtfs", "zip"}},
		{"no field", "a,b\nc,\n", maps.Options{}, []string{"edge list: line 2: no to"}},
		{"negative", "a,b,-1\n", maps.Options{}, []string{"line 1", `length "-1"`}},
		{"moved", "from,to,from_lon,from_lat,to_lon,to_lat\np,q,24,60,24.1,60\nq,p,24.1,60,25,60\n", maps.Options{},
			[]string{"line 3: node p is at 25, 60 here and at 24, 60"}},
		{"mixed", "from,to,from_lon,from_lat,to_lon,to_lat\np,q,24,60,24.1,60\nq,p\n", maps.Options{},
			[]string{"line 3", "some rows"}},
		{"table", "a,b\n", maps.Options{Coordinates: strings.NewReader("a,24,95\n")}, []string{"coordinates: line 1",
			`"95"`}},
		{"nothing placed", "a,b\n", maps.Options{Coordinates: strings.NewReader("c,24,60\n")},
			[]string{"no edge; 1 with an end"}},
		{"table of streets", fixture.CrossXML, maps.Options{Coordinates: strings.NewReader("")},
			[]string{"goes with an edge list, not with xml"}},
		{"as graphml", fixture.CrossXML, maps.Options{Format: maps.GraphML}, []string{"outermost element is not graphml"}},
		{"as edges", "PK", maps.Options{Format: maps.EdgeList}, []string{"line 1: no to"}},
	} {
		_, err := maps.Read("bad", strings.NewReader(c.text), c.o)
		fixture.WantError(t, c.what, err, append(c.want, "datasets: bad: ")...)
	}
	if _, err := maps.ParseFormat("shp"); err == nil || maps.Format(99).String() != "format 99" ||
		maps.GTFS.String() != "gtfs" {
		t.Error("format names")
	}
}
