package datasets

import (
	"archive/zip"
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/ddps-go/ddps/ddps"
)

// triangleML is a directed GraphML file whose keys are strings, with a parallel
// edge, a loop, an edge out of the file and an undirected one.
const triangleML = `<?xml version="1.0"?>
<graphml xmlns="http://graphml.graphdrawing.org/xmlns">
 <key id="d0" for="graph" attr.name="created_with" attr.type="string"/>
 <key id="d1" for="node" attr.name="x" attr.type="string"/>
 <key id="d2" for="node" attr.name="y" attr.type="string"><default>60</default></key>
 <key id="d3" for="edge" attr.name="length" attr.type="string"/>
 <graph edgedefault="directed">
  <data key="d0">OSMnx 1.9.3</data>
  <node id="30"><data key="d1">24.002</data></node>
  <node id="10"><data key="d1">24.000</data></node>
  <node id="20"><data key="d1">24.001</data><data key="d2">60.001</data></node>
  <edge source="10" target="20"><data key="d3">200</data></edge>
  <edge source="10" target="20" id="1"><data key="d3">150</data></edge>
  <edge source="20" target="30" directed="false"/>
  <edge source="30" target="30"/>
  <edge source="30" target="99"/>
 </graph>
</graphml>`

// townJSON is an answer of Overpass: a street 1–2–3 of which 3 is missing, one
// with its geometry, a part of it outside, one with nothing but its geometry.
const townJSON = `{"version": 0.6, "osm3s": {"copyright": "x"}, "elements": [
 {"type": "node", "id": 1, "lat": 60, "lon": 24},
 {"type": "node", "id": 2, "lat": 60, "lon": 24.001, "tags": {"highway": "crossing"}},
 {"type": "way", "id": 7, "nodes": [1, 2, 3], "tags": {"highway": "path"}},
 {"type": "way", "id": 8, "nodes": [2, 4, 5], "geometry": [{"lat": 60, "lon": 24.001}, {"lat": 60.001, "lon": 24.001}, null], "tags": {"highway": "path", "oneway": "yes"}},
 {"type": "way", "id": 9, "geometry": [{"lat": 60.1, "lon": 24}, {"lat": 60.1, "lon": 24.1}, {"lat": 60.1, "lon": 24}], "tags": {"highway": "path"}},
 {"type": "relation", "id": 1, "members": []}
]}`

// busFeed is a small timetable: a loop line a–b–c with a call at a stop that the
// feed lacks, a line back and a station that is no stop.
var busFeed = map[string]string{
	"agency.txt": "agency_name,agency_url\nBus & Co,http://x\n",
	"stops.txt": "stop_id,stop_name,stop_lat,stop_lon,location_type\n" +
		"a,A,60,24,0\nb,\"B, east\",60,24.01,\nc,C,60.01,24.01,0\nd,D,60.02,24.01,0\nS,Station,,,1\n",
	"trips.txt": "route_id,service_id,trip_id\nr,week,t1\nr,week,t2\nr,sun,t3\n",
	"stop_times.txt": "trip_id,arrival_time,departure_time,stop_id,stop_sequence\n" +
		"t1,8:00:00,8:01:00,a,1\nt1,8:20:00,8:20:00,c,7\nt1,,,b,3\nt2,8:30:00,8:30:00,c,1\nt2,8:35:00,8:35:00,ghost,2\nt2,8:40:00,8:40:00,a,3\n" +
		"t3,9:00:00,9:00:00,c,1\nt3,9:05:00,9:05:00,d,2\nnone,9:00:00,9:00:00,a,1\n",
	"calendar.txt": "service_id,monday,tuesday,wednesday,thursday,friday,saturday,sunday,start_date,end_date\n" +
		"week,1,1,1,1,1,0,0,20240101,20240131\nsun,0,0,0,0,0,0,1,20240101,20240131\n",
	"calendar_dates.txt": "service_id,date,exception_type\nweek,20240102,2\n",
}

// zipOf packs files, in the order of their names.
func zipOf(t testing.TB, files map[string]string) []byte {
	t.Helper()
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	for _, name := range sortedKeys(files) {
		w, err := z.Create(name)
		if err == nil {
			_, err = w.Write([]byte(files[name]))
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func readText(t testing.TB, text string, o MapOptions) *World {
	t.Helper()
	return must[*World](t)(ReadMap("map", strings.NewReader(text), o))
}

func TestGraphML(t *testing.T) {
	w := readText(t, triangleML, MapOptions{})
	if len(w.Nodes) != 3 || !w.Directed || w.Nodes[0].ID != 10 || w.Nodes[1].Lat != 60.001 || w.Nodes[2].Lat != 60 {
		t.Fatalf("%+v", w.Nodes)
	}
	if want := (Skipped{Missing: 1, Loops: 1, Duplicates: 1}); w.Skipped != want {
		t.Errorf("skipped %+v, want %+v", w.Skipped, want)
	}
	if len(w.Edges) != 3 || w.Edges[0].Length != 150 || w.Attr["licence"] != "ODbL 1.0" { // 10→20, 20→30, 30→20
		t.Errorf("edges %+v, attributes %v", w.Edges, w.Attr)
	}
	if u := readText(t, triangleML, MapOptions{Direction: Undirected}); len(u.Edges) != 2 || u.Directed {
		t.Errorf("undirected: %+v", u.Edges)
	}
	plain := strings.Replace(triangleML, `"directed">`, `"undirected">`, 1)
	if u := readText(t, strings.Replace(plain, ` directed="false"`, "", 1), MapOptions{}); len(u.Edges) != 2 || u.Directed {
		t.Errorf("edgedefault undirected: %+v", u.Edges)
	}
	if d := readText(t, plain, MapOptions{Direction: Directed}); len(d.Edges) != 4 || !d.Directed {
		t.Errorf("undirected both ways: %+v", d.Edges)
	}
	named := readText(t, strings.NewReplacer(`"10"`, `"x"`, `"20"`, `"20"`).Replace(triangleML), MapOptions{})
	if named.Nodes[1].Label() != "x" || named.Nodes[0].Label() != "30" || named.Nodes[0].ID != 0 {
		t.Errorf("names: %+v", named.Nodes)
	}
	g := must[*ddps.LayeredGraph](t)(Expand(named, ExpandOptions{Start: 1, Depth: 3}))
	if g.Name(0) != "x" || g.Meta().Attr["start"] != "x" {
		t.Errorf("the start is called %s, %s", g.Name(0), g.Meta().Attr["start"])
	}
}

func TestGraphMLOneNode(t *testing.T) {
	w := must[*World](t)(ReadMapFile(shared(t, "short.graphml"), MapOptions{}))
	if len(w.Nodes) != 1 || len(w.Edges) != 0 || !w.Directed {
		t.Fatalf("%d nodes, %d edges", len(w.Nodes), len(w.Edges))
	}
	g := must[*ddps.LayeredGraph](t)(Expand(w, ExpandOptions{Start: 178877282, Depth: 3}))
	if g.NumVertices() != 3 || g.NumEdges() != 2 {
		t.Errorf("%d vertices, %d edges, want waiting alone: 3, 2", g.NumVertices(), g.NumEdges())
	}
	_, err := Expand(w, ExpandOptions{Start: 178877282, Depth: 3, NoWait: true})
	wantError(t, "no waiting", err, "no way on")
}

func TestOverpass(t *testing.T) {
	w := readText(t, townJSON, MapOptions{})
	// 1–2, 2–4 and, of the last, one street there and back.
	if len(w.Nodes) != 5 || len(w.Edges) != 3 || w.Skipped != (Skipped{Missing: 2, Duplicates: 1}) || w.Nodes[0].ID != -2 {
		t.Fatalf("%+v, %+v, %+v", w.Nodes, w.Edges, w.Skipped)
	}
	if d := readText(t, townJSON, MapOptions{Direction: Directed}); len(d.Edges) != 5 { // 2→4 is one way
		t.Errorf("directed: %+v", d.Edges)
	}
	if w.Attr["attribution"] == "" {
		t.Error("no attribution")
	}
	mid := must[*World](t)(ReadMapFile(shared(t, "manhattan-midtown.overpass.json"), MapOptions{}))
	if len(mid.Nodes) != 4224 || mid.Skipped.Missing != 0 {
		t.Errorf("midtown: %d nodes, %d missing", len(mid.Nodes), mid.Skipped.Missing)
	}
}

func TestStopGraph(t *testing.T) {
	data := zipOf(t, busFeed)
	dir := t.TempDir()
	for name, text := range busFeed {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	sub := map[string]string{}
	for name, text := range busFeed {
		sub["feed/"+name] = text
	}
	for what, w := range map[string]*World{
		"zip":    must[*World](t)(ReadMap("z", bytes.NewReader(data), MapOptions{})),
		"folder": must[*World](t)(ReadMapFile(dir, MapOptions{})),
		"sub":    must[*World](t)(ReadMap("z", bytes.NewReader(zipOf(t, sub)), MapOptions{})),
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
		o            MapOptions
		nodes, edges int
		first        Edge
		skipped      Skipped
	}{
		{"commas", "a,b\nb,c,2.5\nc,a\n", MapOptions{}, 3, 3, Edge{0, 1, 1}, Skipped{}},
		{"header", "length;to;note;from\n7;b;x;a\n", MapOptions{Direction: Directed}, 2, 1, Edge{0, 1, 7}, Skipped{}},
		{"tabs", "# roads\nsource\ttarget\n10\t5\n5\t10\n5\t5\n", MapOptions{}, 2, 1, Edge{0, 1, 1}, Skipped{Loops: 1, Duplicates: 1}},
		{"directed", "10 5\n5  10 3\n", MapOptions{Direction: Directed}, 2, 2, Edge{0, 1, 3}, Skipped{}},
		{"byte-order mark", "\ufefffrom,to\n1,2\n", MapOptions{}, 2, 1, Edge{0, 1, 1}, Skipped{}},
	} {
		w := readText(t, c.text, c.o)
		if len(w.Nodes) != c.nodes || len(w.Edges) != c.edges || w.Edges[0] != c.first || w.Skipped != c.skipped || !w.Unplaced {
			t.Errorf("%s: %+v, %+v, %+v", c.what, w.Nodes, w.Edges, w.Skipped)
		}
	}
	w := readText(t, "b,a\na,x,9\n", MapOptions{Coordinates: strings.NewReader("node,lat,lon\na,60,24\nb,60,24.001\nc,61,24\n")})
	if w.Unplaced || len(w.Nodes) != 3 || len(w.Edges) != 1 || w.Skipped.Missing != 1 || w.Edges[0].Length < 55 {
		t.Errorf("with a table: %+v, %+v, %+v", w.Nodes, w.Edges, w.Skipped)
	}
	w = readText(t, "from,to,from_lon,from_lat,to_lon,to_lat\np,q,24,60,24.001,60\nq,r,24.001,60,24,60.001\n", MapOptions{})
	if w.Unplaced || len(w.Nodes) != 3 || w.Nodes[2].Lat != 60.001 {
		t.Errorf("with columns: %+v", w.Nodes)
	}
}

func TestUnplaced(t *testing.T) {
	w := readText(t, "a,b\nb,c\n", MapOptions{})
	g := must[*ddps.LayeredGraph](t)(Expand(w, ExpandOptions{Start: 0, Depth: 3, Dummies: true, All: true, Nodes: 2}))
	if g.Meta().XY != nil || g.Meta().Attr["crs"] != "" || g.NumVertices() != 3+3*2 {
		t.Errorf("%v", g.Meta())
	}
	for what, f := range map[string]func(float64) (*World, error){"merge": w.Merge, "split": w.Split, "consolidate": w.Consolidate} {
		_, err := f(10)
		wantError(t, what, err, what, "no coordinates")
		if same, err := f(0); err != nil || same != w {
			t.Errorf("%s: %v", what, err)
		}
	}
	_, err := NewMemory(g, must[[]ddps.Path](t)(Draw(g, 2, 0)))
	wantError(t, "memory", err, "no places with longitude")
}

func TestReadMapBad(t *testing.T) {
	feed := func(name, text string) string {
		files := map[string]string{}
		for k, v := range busFeed {
			files[k] = v
		}
		if files[name] = text; text == "" {
			delete(files, name)
		}
		return string(zipOf(t, files))
	}
	ml := func(old, new string) string { return strings.Replace(triangleML, old, new, 1) }
	for _, c := range []struct {
		what, text string
		o          MapOptions
		want       []string
	}{
		{"no coordinates", ml(`<data key="d1">24.000</data>`, ""), MapOptions{}, []string{"graphml: node 10: no coordinates"}},
		{"projected", ml("24.000", "586400.2"), MapOptions{}, []string{"node 10", `"586400.2"`, "not degrees", "unprojected"}},
		{"twice", ml(`id="10"`, `id="20"`), MapOptions{}, []string{"node 20 stands twice"}},
		{"length", ml(">200<", ">[1, 2]<"), MapOptions{}, []string{"edge 10 → 20", `length "[1, 2]"`}},
		{"edgedefault", ml(`"directed">`, `"yes">`), MapOptions{}, []string{"line 7", "edgedefault"}},
		{"key", ml(`key="d1"`, `key="d9"`), MapOptions{}, []string{"node 30", `"d9"`, "not declared"}},
		{"cut", triangleML[:700], MapOptions{}, []string{"graphml: line", "ends too early"}},
		{"no graph", "<graphml></graphml>", MapOptions{}, []string{"no graph"}},
		{"remark", `{"elements": [], "remark": "runtime error: Query timed out"}`, MapOptions{}, []string{"overpass", "timed out"}},
		{"cut answer", townJSON[:300], MapOptions{}, []string{"overpass: byte", "ends too early"}},
		{"json", `{"format": "ddps-graph"}`, MapOptions{}, []string{"no list called elements"}},
		{"geometry", strings.Replace(townJSON, "[2, 4, 5]", "[2, 4]", 1), MapOptions{}, []string{"way 8", "2 nodes, but 3 places"}},
		{"no place", `{"elements": [{"type": "node", "id": 5}]}`, MapOptions{}, []string{"elements[0] (node 5): no lat and lon"}},
		{"no stops", feed("stops.txt", ""), MapOptions{}, []string{"no stops.txt"}},
		{"no trips", feed("trips.txt", ""), MapOptions{}, []string{"trips.txt"}},
		{"no column", feed("trips.txt", "trip_id\nt1\n"), MapOptions{}, []string{"trips.txt: no column service_id"}},
		{"latitude", feed("stops.txt", "stop_id,stop_lat,stop_lon\na,,24\n"), MapOptions{}, []string{"stops.txt:2: stop a", "degrees"}},
		{"time", feed("stop_times.txt", "trip_id,arrival_time,departure_time,stop_id,stop_sequence\nt1,8:60:00,,a,1\n"), MapOptions{}, []string{"stop_times.txt:2", `"8:60:00"`}},
		{"backwards", feed("stop_times.txt", "trip_id,arrival_time,departure_time,stop_id,stop_sequence\nt1,8:00:00,,a,1\nt1,7:00:00,,b,2\n"), MapOptions{}, []string{"trip t1", "backwards"}},
		{"no zip", "PK\x03\x04", MapOptions{}, []string{"gtfs", "zip"}},
		{"no field", "a,b\nc,\n", MapOptions{}, []string{"edge list: line 2: no to"}},
		{"negative", "a,b,-1\n", MapOptions{}, []string{"line 1", `length "-1"`}},
		{"moved", "from,to,from_lon,from_lat,to_lon,to_lat\np,q,24,60,24.1,60\nq,p,24.1,60,25,60\n", MapOptions{}, []string{"line 3: node p is at 25, 60 here and at 24, 60"}},
		{"mixed", "from,to,from_lon,from_lat,to_lon,to_lat\np,q,24,60,24.1,60\nq,p\n", MapOptions{}, []string{"line 3", "some rows"}},
		{"table", "a,b\n", MapOptions{Coordinates: strings.NewReader("a,24,95\n")}, []string{"coordinates: line 1", `"95"`}},
		{"nothing placed", "a,b\n", MapOptions{Coordinates: strings.NewReader("c,24,60\n")}, []string{"no edge; 1 with an end"}},
		{"table of streets", crossXML, MapOptions{Coordinates: strings.NewReader("")}, []string{"goes with an edge list, not with xml"}},
		{"as graphml", crossXML, MapOptions{Format: GraphML}, []string{"outermost element is not graphml"}},
		{"as edges", "PK", MapOptions{Format: EdgeList}, []string{"line 1: no to"}},
	} {
		_, err := ReadMap("bad", strings.NewReader(c.text), c.o)
		wantError(t, c.what, err, append(c.want, "datasets: bad: ")...)
	}
	if _, err := ParseFormat("shp"); err == nil || Format(99).String() != "format 99" || GTFS.String() != "gtfs" {
		t.Error("format names")
	}
}
