package pathfile

import (
	"bytes"
	"encoding/json"
	"io"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/ddps-go/ddps/datasets"
	"github.com/ddps-go/ddps/datasets/internal/fixture"
	"github.com/ddps-go/ddps/datasets/maps"
	"github.com/ddps-go/ddps/ddps"
)

// repeatedPaths returns data of more rows than a row group holds.
func repeatedPaths(t testing.TB) *datasets.Data {
	g := fixture.Full(t, 1, 40, 40, 40)
	d := &datasets.Data{Graph: g, Paths: fixture.Must[[]ddps.Path](t)(datasets.Draw(g, rowGroup+1000, 0))}
	for i := range d.Paths {
		d.Counts = append(d.Counts, 1+i%7)
	}
	return d
}

// Every format that is read gives back what was written, by name and by number.
func TestPathRoundTrips(t *testing.T) {
	d := repeatedPaths(t)
	for _, by := range []Vertices{ByName, ByNumber} {
		for _, format := range []string{CSV, JSONL, Parquet} {
			var b bytes.Buffer
			if err := WritePaths(fixture.Must[Writer](t)(NewWriter(&b, d.Graph, format, by)), d); err != nil {
				t.Fatal(err)
			}
			var back *datasets.Data
			var err error
			switch format {
			case CSV:
				back, err = ReadCSV("x", &b, d.Graph, by)
			case JSONL:
				back, err = ReadJSONL("x", &b, d.Graph)
			case Parquet:
				back, err = ReadParquet("x", bytes.NewReader(b.Bytes()), int64(b.Len()), d.Graph, by)
			}
			if err != nil || !slices.Equal(back.Counts, d.Counts) || !slices.EqualFunc(back.Paths, d.Paths, slices.Equal) {
				t.Errorf("%s by %v: %v", format, by, err)
			}
		}
	}
}

// The same data gives the same bytes.
func TestParquetBytes(t *testing.T) {
	d := repeatedPaths(t)
	var a, b bytes.Buffer
	if err := WriteParquet(&a, d, ByName); err != nil {
		t.Fatal(err)
	}
	if err := WriteParquet(&b, d, ByName); err != nil || !bytes.Equal(a.Bytes(), b.Bytes()) {
		t.Errorf("%d and %d bytes that differ, %v", a.Len(), b.Len(), err)
	}
}

// What PyArrow wrote is read: nullable columns in another order, one more, counts of 32 bits, Zstandard.
func TestParquetOfOthers(t *testing.T) {
	g := ddps.Example()
	d := fixture.Must[*datasets.Data](t)(ReadFile("testdata/pyarrow.parquet", g, ByName))
	if len(d.Paths) != 2 || !slices.Equal(d.Counts, []int{3, 1}) || !slices.Equal(d.Paths[0], ddps.Path{0, 2, 6, 7}) {
		t.Errorf("%v", d)
	}
	n := fixture.Must[*datasets.Data](t)(ReadFile("testdata/numbers.parquet", g, ByNumber))
	if len(n.Paths) != 1 || !slices.Equal(n.Paths[0], d.Paths[0]) {
		t.Errorf("%v", n)
	}
	_, err := ReadFile("testdata/numbers.parquet", g, ByName)
	fixture.WantError(t, "numbers as names", err, "numbers.parquet: parquet: row 1: field 1", `no vertex "0"`)
	_, err = ReadFile("testdata/norows.parquet", g, ByName)
	fixture.WantError(t, "no rows", err, "norows.parquet: no path in the file")
	_, err = ReadFile("testdata/null.parquet", g, ByName)
	fixture.WantError(t, "null", err, "row 2: field 1: empty")
	_, err = ReadFile("testdata/float.parquet", g, ByName)
	fixture.WantError(t, "float", err, "column v1 is neither")
	_, err = ReadFile("testdata/pyarrow.parquet", fixture.Full(t, 1, 1, 1, 1, 1), ByName)
	fixture.WantError(t, "layers", err, "no column v5")
}

func TestParquetDamaged(t *testing.T) {
	data, err := os.ReadFile("testdata/pyarrow.parquet")
	if err != nil {
		t.Fatal(err)
	}
	for n := range data {
		_, err := ReadParquet("cut", bytes.NewReader(data[:n]), int64(n), ddps.Example(), ByName)
		fixture.WantError(t, "cut", err, "datasets: cut: ")
		bad := bytes.Clone(data)
		bad[n] ^= 0x55
		ReadParquet("bad", bytes.NewReader(bad), int64(len(bad)), ddps.Example(), ByName) // any result but a panic
	}
}

// collection is GeoJSON as RFC 7946 defines it, as far as lines go.
type collection struct {
	Type        string
	Attribution string
	Features    []struct {
		Type     string
		Geometry struct {
			Type        string
			Coordinates json.RawMessage
			lines       [][][]float64 // of a LineString one
		}
		Properties map[string]any
	}
}

// geo writes d and checks what the RFC demands of lines.
func geo(t *testing.T, d *datasets.Data, format string) collection {
	t.Helper()
	var b bytes.Buffer
	if err := WritePaths(fixture.Must[Writer](t)(NewWriter(&b, d.Graph, format, ByName)), d); err != nil {
		t.Fatal(err)
	}
	var c collection
	if err := json.Unmarshal(b.Bytes(), &c); err != nil {
		t.Fatal(err)
	}
	if c.Type != "FeatureCollection" {
		t.Errorf("type %q", c.Type)
	}
	for i := range c.Features {
		f := &c.Features[i]
		into := any(&f.Geometry.lines)
		if f.Geometry.Type == "LineString" {
			f.Geometry.lines = make([][][]float64, 1)
			into = &f.Geometry.lines[0]
		}
		err := json.Unmarshal(f.Geometry.Coordinates, into)
		if err != nil || f.Type != "Feature" || f.Geometry.Type != "LineString" && (f.Geometry.Type != "MultiLineString" ||
			len(f.Geometry.lines) < 2) || f.Properties["count"] == nil {
			t.Fatalf("%+v: %v", f, err)
		}
		for _, line := range f.Geometry.lines {
			for k, p := range line {
				if len(p) != 2 || len(line) < 2 || !(math.Abs(p[0]) <= 180 && math.Abs(p[1]) <= 90) {
					t.Fatalf("position %v", p)
				}
				if k > 0 && math.Abs(p[0]-line[k-1][0]) > 180 {
					t.Fatalf("a line across the 180th meridian: %v", line)
				}
			}
		}
	}
	return c
}

func TestGeoJSON(t *testing.T) {
	w := fixture.Must[*maps.World](t)(maps.Read("cross.osm", strings.NewReader(fixture.CrossXML), maps.Options{}))
	w.Attr["attribution"] = `"us" & them`
	g := fixture.Must[*ddps.LayeredGraph](t)(maps.Expand(w, maps.ExpandOptions{Start: 1, Depth: 3, Dummies: true}))
	d := fixture.Must[*datasets.Data](t)(datasets.All(g, 100))
	d.Counts[0] = 5 // 1, 1, 1
	c := geo(t, d, GeoJSON)
	if len(c.Features) != 7 || c.Attribution != w.Attr["attribution"] {
		t.Fatalf("%d lines, %q", len(c.Features), c.Attribution)
	}
	still := c.Features[0]
	if still.Properties["count"] != 5. || len(still.Geometry.lines[0]) != 2 || !slices.Equal(still.Geometry.lines[0][0],
		still.Geometry.lines[0][1]) {
		t.Errorf("a path that waits: %+v", still)
	}
	names := still.Properties["path"].([]any)
	if len(names) != 5 || names[0] != "source" || names[4] != "1" {
		t.Errorf("names %v", names)
	}
	if last := c.Features[6]; len(last.Geometry.lines[0]) != 3 || last.Geometry.lines[0][2][0] != 24.001 {
		t.Errorf("1, 2, 5: %+v", last)
	}
	// 1→2 in 1,1,2 and 1,2,*; back in 1,2,1; then 2→3, 2→4, 2→5.
	count := map[string]float64{}
	for _, f := range geo(t, d, GeoEdges).Features {
		count[f.Properties["from"].(string)+f.Properties["to"].(string)] = f.Properties["count"].(float64)
		if s := f.Properties["share"].(float64); math.Abs(s*11-f.Properties["count"].(float64)) > 1e-9 {
			t.Errorf("share %v of %+v", s, f)
		}
	}
	if len(count) != 5 || count["12"] != 6 || count["21"] != 1 || count["25"] != 1 {
		t.Errorf("streets %v", count)
	}
	_, err := NewGeoJSONWriter(io.Discard, ddps.Example())
	fixture.WantError(t, "no coordinates", err, "no longitude and latitude")
	_, err = NewWriter(io.Discard, g, "shp", ByName)
	fixture.WantError(t, "format", err, `"shp"`, "parquet", "geojson")
}

// full reports a disk that has no space.
type fullDisk struct{ left int }

func (f *fullDisk) Write(p []byte) (int, error) {
	if f.left -= len(p); f.left < 0 {
		return 0, io.ErrShortWrite
	}
	return len(p), nil
}

func TestPathWritersFail(t *testing.T) {
	w := fixture.Must[*maps.World](t)(maps.Read("cross.osm", strings.NewReader(fixture.CrossXML), maps.Options{}))
	g := fixture.Must[*ddps.LayeredGraph](t)(maps.Expand(w, maps.ExpandOptions{Start: 1, Depth: 6}))
	d := fixture.Must[*datasets.Data](t)(datasets.All(g, 100_000))
	for _, format := range Formats() {
		for _, room := range []int{0, 10} {
			out, err := NewWriter(&fullDisk{room}, g, format, ByName)
			if err == nil {
				err = WritePaths(out, d)
			}
			fixture.WantError(t, format, err, "datasets: ")
		}
	}
}

func TestWriteFileFormats(t *testing.T) {
	d := fixture.Must[*datasets.Data](t)(datasets.All(ddps.Example(), 100))
	for _, end := range []string{".csv", ".jsonl", ".ndjson", ".PARQUET"} {
		path := filepath.Join(t.TempDir(), "x"+end)
		if err := WriteFile(path, d); err != nil {
			t.Fatal(err)
		}
		back := fixture.Must[*datasets.Data](t)(ReadFile(path, d.Graph, ByName))
		if !slices.EqualFunc(back.Paths, d.Paths, slices.Equal) {
			t.Errorf("%s: %d paths", end, len(back.Paths))
		}
	}
	path := filepath.Join(t.TempDir(), "x.geojson")
	fixture.WantError(t, "no coordinates", WriteFile(path, d), "no longitude")
	if err := os.WriteFile(path, nil, 0o644); err != nil {
		t.Fatal(err)
	}
	_, err := ReadFile(path, d.Graph, ByName)
	fixture.WantError(t, "geojson", err, "written as GeoJSON, not read")
	fixture.WantError(t, "ending", WriteFile(strings.TrimSuffix(path, "json"), d), "ends in none of")
}
