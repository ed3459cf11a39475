package maps_test

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/ddps-go/ddps/datasets/maps"
)

// edgesOf lists a world's edges by the labels of their ends.
func edgesOf(w *maps.World) string {
	var list []string
	for _, e := range w.Edges {
		list = append(list, fmt.Sprintf("%s-%s", w.Nodes[e.From].Label(), w.Nodes[e.To].Label()))
	}
	slices.Sort(list)
	return strings.Join(list, " ")
}

// lineOf is a Feature.
func lineOf(properties, coordinates string) string {
	kind := "LineString"
	if strings.HasPrefix(coordinates, "[[[") {
		kind = "MultiLineString"
	}
	return fmt.Sprintf(`{"type":"Feature","properties":%s,"geometry":{"type":%q,"coordinates":%s}}`, properties, kind,
		coordinates)
}

func collection(features ...string) string {
	return `{"type":"FeatureCollection","name":"roads","features":[` + strings.Join(features, ",") + "]}"
}

// Lines of GeoJSON are streets.
func TestReadGeoJSON(t *testing.T) {
	const ab, bc, abc = "[[24,60],[24.1,60]]", "[[24.1,60],[24.1,60.1,7]]", "[[24,60],[24.1,60],[24.1,60.1]]"
	const point = `{"type":"Feature","properties":{},"geometry":{"type":"Point","coordinates":[1,2]}}`
	const none = `{"type":"Feature","properties":{},"geometry":null}`
	square := collection(lineOf(`{"name":"Main","oneway":"yes"}`, ab), lineOf(`{"oneway":"no"}`, bc))
	ends := collection(lineOf(`{"u":7,"v":"Dock","oneway":false,"length":5.5,"travel_time":9}`, abc),
		lineOf(`{"u":"Dock","v":8,"oneway":true}`, "[[24.1,60.1],[24.2,60.1]]"))
	for name, c := range map[string]struct {
		text, want, note string
		direction        maps.Direction
	}{
		"one way":    {square, "1-2 2-3 3-2", `one way by property "oneway": 1 of 2 (--undirected drops that)`, maps.AsFile},
		"undirected": {square, "1-2 2-3", "which --undirected drops", maps.Undirected},
		"none":       {collection(lineOf("null", abc)), "1-2 2-3", "", maps.AsFile},
		"directed":   {collection(lineOf("{}", ab)), "1-2 2-1", "", maps.Directed},
		"against":    {collection(lineOf(`{"oneway":-1}`, ab)), "2-1", "one way", maps.AsFile},
		"several":    {collection(lineOf("{}", "["+ab+","+bc+"]")), "1-2 2-3", "", maps.AsFile},
		"lines":      {lineOf("{}", ab) + "\n" + lineOf("{}", bc) + "\n", "1-2 2-3", "", maps.AsFile},
		"sequence":   {"\x1e" + lineOf("{}", ab) + "\n\x1e" + lineOf("{}", bc) + "\n", "1-2 2-3", "", maps.AsFile},
		"geometry":   {`{"coordinates":` + abc + `,"type":"LineString"}`, "1-2 2-3", "", maps.AsFile},
		"geometries": {`{"type":"GeometryCollection","geometries":[{"type":"LineString","coordinates":` + ab + `}]}`,
			"1-2", "", maps.AsFile},
		"ends":         {ends, "7-Dock Dock-7 Dock-8", "points between, which are no places: 1", maps.AsFile},
		"other":        {collection(lineOf("{}", ab), point, none), "1-2", "1 of type Point, 1 of type null", maps.AsFile},
		"travel times": {ends, "7-Dock Dock-7 Dock-8", "travel times from the property", maps.AsFile},
	} {
		w, err := maps.Read("x.geojson", strings.NewReader(c.text), maps.Options{Direction: c.direction})
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if got, said := edgesOf(w), strings.Join(w.Notes, "\n"); got != c.want || !strings.Contains(said, c.note) {
			t.Errorf("%s: %s, expected %s; said %s", name, got, c.want, said)
		}
	}
	var packed bytes.Buffer
	z := gzip.NewWriter(&packed)
	z.Write([]byte(ends))
	z.Close()
	w, err := maps.Read("x.geojson.gz", &packed, maps.Options{})
	if err != nil || w.Edges[0].Length != 5.5 || w.Edges[0].Time != 9 {
		t.Error(w, err)
	}
}

func TestReadGeoJSONErrors(t *testing.T) {
	const ab = "[[24,60],[24.1,60]]"
	for text, want := range map[string]string{
		collection(): "x.geojson: geojson: no line",
		collection(lineOf("{}", "[[385000,6672000],[1,2]]")): "features[0]: place 1, [385000,6672000], is not longitude",
		`{"type":"FeatureCollection","crs":{"type":"name","properties":{"name":"EPSG::3067"}},"features":[` +
			lineOf("{}", "[[385000,6672000],[1,2]]") + `]}`: `the file's crs is "EPSG::3067": write it in EPSG:4326`,
		collection(lineOf("{}", "[[24,60]]")):                                      "features[0]: a line of 1 places",
		collection(lineOf("{}", `["a"]`)):                                          "its coordinates are not those of a LineString",
		collection(lineOf(`{"oneway":"maybe"}`, ab)):                               `oneway "maybe" is none of yes, no and -1`,
		collection(lineOf(`{"u":1,"v":2}`, ab), lineOf("{}", ab)):                  "some lines name their ends",
		collection(lineOf(`{"u":1,"v":2,"length":-1}`, ab)):                        `length "-1" is not a finite number`,
		collection(lineOf(`{"u":1,"v":2}`, "["+ab+","+ab+"]")):                     "2 lines from 1 to 2 in one feature",
		collection(lineOf(`{"u":1,"v":2}`, ab), lineOf(`{"u":2,"v":3}`, ab)):       "node 2 is at 24, 60 here and at 24.1, 60 before",
		collection(`{"type":"Feature","geometry":{"type":"Bow","coordinates":1}}`): `type "Bow" is none of GeoJSON`,
		collection(lineOf("{}", ab))[:90]:                                          "geojson: the file ends too early",
		collection(lineOf(`{"u":1,"u":2}`, ab)):                                    `has the key "u" twice`,
		`{"type":"FeatureCollection","features":7}`:                                "member features: number is not what GeoJSON has there",
	} {
		if _, err := maps.Read("x.geojson", strings.NewReader(text), maps.Options{}); err == nil ||
			!strings.Contains(err.Error(), want) {
			t.Errorf("%.80s: %v, expected %s", text, err, want)
		}
	}
}

// A column oneway says in which direction a row may be used.
func TestOneWayColumn(t *testing.T) {
	const rows = "from,to,length,oneway\nA,B,1,yes\nB,C,2,no\nC,D,3,-1\nD,A,4,\n"
	for _, c := range []struct {
		text      string
		direction maps.Direction
		want      string
	}{
		{rows, maps.AsFile, "A-B A-D B-C C-B D-A D-C"}, {rows, maps.Directed, "A-B A-D B-C C-B D-A D-C"},
		{rows, maps.Undirected, "A-B A-D B-C C-D"},
		{"from,to,directed\nA,B,True\nB,C,False\n", maps.AsFile, "A-B B-C C-B"},
		{"from,to,oneway\nA,B,0\n", maps.AsFile, "A-B"}, {"from,to,oneway\nA,B,0\n", maps.Directed, "A-B B-A"},
		{"from,to\nA,B\n", maps.Directed, "A-B"},
	} {
		w, err := maps.Read("x.csv", strings.NewReader(c.text), maps.Options{Direction: c.direction})
		if err != nil || edgesOf(w) != c.want {
			t.Errorf("%q: %s, %v, expected %s", c.text, edgesOf(w), err, c.want)
		}
		if said := strings.Join(w.Notes, "\n"); strings.Contains(said, "no length") {
			t.Error(said)
		}
	}
	if _, err := maps.Read("x.csv", strings.NewReader("from,to,oneway\nA,B,west\n"), maps.Options{}); err == nil ||
		!strings.Contains(err.Error(), `line 2: oneway "west" is none of yes, no and -1`) {
		t.Error(err)
	}
}

// Numbers may have decimal commas; where these may group thousands the error says so.
func TestDecimalCommas(t *testing.T) {
	w, err := maps.Read("x.csv", strings.NewReader("from;to;length;travel_time;from_lon;from_lat;to_lon;to_lat\n"+
		"A;B;12,5;0,5;24,95;60,17;24° 57′ E;60.18 N\n"), maps.Options{})
	if err != nil || w.Edges[0].Length != 12.5 || w.Edges[0].Time != .5 || w.Nodes[0].Lon != 24.95 ||
		w.Nodes[1].Lon != 24.95 || w.Nodes[1].Lat != 60.18 {
		t.Fatal(w, err)
	}
	if said := strings.Join(w.Notes, "\n"); !strings.Contains(said, "numbers with a decimal comma: 2") {
		t.Error(said)
	}
	_, err = maps.Read("x.csv", strings.NewReader("from;to;length\nA;B;1,250\nB;C;2,000\n"), maps.Options{})
	if err == nil || !strings.Contains(err.Error(), `"1,250" has a comma before three digits`) {
		t.Error(err)
	}
}

// One-way streets of OpenStreetMap that nobody honours are counted.
func TestOneWayNote(t *testing.T) {
	const streets = `<osm version="0.6"><node id="1" lat="60" lon="24"/><node id="2" lat="60" lon="24.1"/>` +
		`<way id="1"><nd ref="1"/><nd ref="2"/><tag k="highway" v="primary"/><tag k="oneway" v="yes"/></way></osm>`
	const note = "one-way streets, which are walked both ways: 1 (--directed honours them)"
	for d, want := range map[maps.Direction]bool{maps.AsFile: true, maps.Directed: false, maps.Undirected: false} {
		w, err := maps.Read("x.osm", strings.NewReader(streets), maps.Options{Direction: d})
		if err != nil || slices.Contains(w.Notes, note) != want {
			t.Errorf("%v: %v, %v", d, w, err)
		}
	}
}

// A null is no 0, and numbers that name nodes keep all of their digits.
func TestReadGeoJSONNumbers(t *testing.T) {
	for _, places := range []string{"[[24,60],[3,null]]", "[[24,60],[null,60]]", "[[24,60],null]", "null", "[[24,60,1]]"} {
		text := collection(lineOf("{}", "[[24,60],[25,60]]"), lineOf("{}", places))
		_, err := maps.Read("a.geojson", strings.NewReader(text), maps.Options{})
		if err == nil || !strings.Contains(err.Error(), "features[1]: ") {
			t.Errorf("%s: %v", places, err)
		}
	}
	text := collection(lineOf(`{"u":617700169958293503,"v":7.0}`, "[[24,60],[24.1,60]]"),
		lineOf(`{"u":7,"v":617700169958293505}`, "[[24.1,60],[24.2,60]]"))
	w, err := maps.Read("a.geojson", strings.NewReader(text), maps.Options{})
	if want := "7-617700169958293503 7-617700169958293505"; err != nil || edgesOf(w) != want {
		t.Errorf("%s, expected %s: %v", edgesOf(w), want, err)
	}
}

// A way of two directions is as long each way as its own row or line says, and truth values in a list are in doubt.
func TestOneWayBothListed(t *testing.T) {
	for name, text := range map[string]string{
		"w.csv": "from,to,length,oneway\na,b,5,no\nb,a,6,no\nb,c,4,yes\n",
		"w.geojson": collection(lineOf(`{"u":"a","v":"b","length":5,"oneway":"no"}`, "[[24,60],[24.1,60]]"),
			lineOf(`{"u":"b","v":"a","length":6,"oneway":"no"}`, "[[24.1,60],[24,60]]"),
			lineOf(`{"u":"b","v":"c","length":4,"oneway":true}`, "[[24.1,60],[24.2,60]]")),
	} {
		w, err := maps.Read(name, strings.NewReader(text), maps.Options{})
		if err != nil {
			t.Fatal(name, err)
		}
		got := map[string]float64{}
		for _, e := range w.Edges {
			got[w.Nodes[e.From].Label()+w.Nodes[e.To].Label()] = e.Length
		}
		if len(got) != 3 || got["ab"] != 5 || got["ba"] != 6 || got["bc"] != 4 || w.Skipped.Duplicates != 0 {
			t.Errorf("%s: %v, skipped %+v", name, got, w.Skipped)
		}
	}
	_, err := maps.Read("w.geojson", strings.NewReader(lineOf(`{"oneway":[true,false]}`, "[[24,60],[24.1,60]]")),
		maps.Options{})
	if err == nil || !strings.Contains(err.Error(), `oneway "true, false"`) {
		t.Error(err)
	}
}
