package pathfile

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/ddps-go/ddps/datasets"
	"github.com/ddps-go/ddps/datasets/internal/fixture"
	"github.com/ddps-go/ddps/ddps"
)

func TestReadCSV(t *testing.T) {
	g := ddps.Example()
	for _, c := range []struct {
		what, text string
		by         Vertices
		counts     []int
	}{
		{"plain", "A,C,G,H\nA,B,E,H\n", ByName, []int{1, 1}},
		{"counts, header, CRLF, BOM", "\ufeffv1,V2,v3,v4,COUNT\r\nA,C,G,H,3\r\nA, B, E, H, 2\r\n", ByName, []int{3, 2}},
		{"header without count", "v1,v2,v3,v4\nA,C,G,H,3\nA,B,E,H", ByName, []int{3, 1}},
		{"repeated", "A,C,G,H,3\n\nA,B,E,H\nA,C,G,H\n", ByName, []int{4, 1}},
		{"quotes", `"A","C","G","H",5`, ByName, []int{5}},
		{"numbers", "0,2,6,7\n0,1,4,7,2\n", ByNumber, []int{1, 2}},
	} {
		d, err := ReadCSV("x.csv", strings.NewReader(c.text), g, c.by)
		if err != nil {
			t.Errorf("%s: %v", c.what, err)
			continue
		}
		if !slices.Equal(d.Counts, c.counts) || !slices.Equal(d.Paths[0], ddps.Path{0, 2, 6, 7}) {
			t.Errorf("%s: counts %v, first path %v", c.what, d.Counts, d.Paths[0])
		}
	}
}

func TestReadCSVErrors(t *testing.T) {
	g := ddps.Example()
	for _, c := range []struct {
		text string
		by   Vertices
		want []string
	}{
		{"", ByName, []string{"x.csv: no path"}},
		{"v1,v2,v3,v4\n", ByName, []string{"x.csv: no path"}},
		{"a,b,c,d\nA,C,G,H\n", ByName, []string{"x.csv:1: field 1", `"a"`, "layer 1"}},
		{"A,C,G,H\nA,C,Z,H\n", ByName, []string{"x.csv:2: field 3", `"Z"`, "layer 3"}},
		{"A,C,G,H\nv1,v2,v3,v4\n", ByName, []string{"x.csv:2: field 1"}},
		{"A,C,G\n", ByName, []string{"x.csv:1: 3 fields"}},
		{"A,C,G,H,1,1\n", ByName, []string{"x.csv:1: 6 fields"}},
		{"A,B,G,H\n", ByName, []string{"x.csv:1: ", "no edge from B to G"}},
		{"A,C,G,H,0\n", ByName, []string{"x.csv:1: field 5", `"0"`}},
		{"A,C,G,H,-3\n", ByName, []string{"x.csv:1: field 5", `"-3"`}},
		{"A,C,G,H,2.000\n", ByName, []string{"x.csv:1: field 5", `count "2.000" may be 2 or 2000`}},
		{"A,C,G,H,NaN\n", ByName, []string{"x.csv:1: field 5", `"NaN"`}},
		{"A,C,G,H,1.5\n", ByName, []string{"x.csv:1: field 5"}},
		{"A,C,G,H,9223372036854775807\nA,C,G,H,1\n", ByName, []string{"x.csv:2: ", "sum to more"}},
		{"A,C,G,H,92233720368547758070\n", ByName, []string{"x.csv:1: field 5"}},
		{"A,C,G,\"H\n", ByName, []string{"x.csv:", "quote"}},
		{"0,2,6,x\n", ByNumber, []string{"x.csv:1: field 4", `"x"`}},
		{"0,2,7,7\n", ByNumber, []string{"x.csv:1: field 3", "vertex 7 is not in layer 3"}},
	} {
		_, err := ReadCSV("x.csv", strings.NewReader(c.text), g, c.by)
		fixture.WantError(t, c.text, err, append(c.want, "datasets: x.csv")...)
	}
}

func TestReadJSONL(t *testing.T) {
	g := ddps.Example()
	text := "{\"path\":[\"A\",\"C\",\"G\",\"H\"],\"count\":2}\n\n" +
		"{\"path\":[0,1,4,\"H\"]}\n{\"Path\":[0,2,6,7],\"N\":\"1\"}"
	d := fixture.Must[*datasets.Data](t)(ReadJSONL("x", strings.NewReader(text), g))
	if !slices.Equal(d.Counts, []int{3, 1}) || !slices.Equal(d.Paths[1], ddps.Path{0, 1, 4, 7}) {
		t.Errorf("counts %v, paths %v", d.Counts, d.Paths)
	}
	for _, c := range []struct{ text, want string }{
		{"", "x: no path"},
		{"\n\n{", "x:3: the JSON object ends too early"},
		{`{"path":["A","C","G","H"]} {}`, "x:1: more than one"},
		{`{"path":["A","C","G","H"],"cuont":1}`, `x:1: key "cuont" is neither path nor count, did you mean "count"?`},
		{`{"path":["A","C","G","H"],"id":1}`, `x:1: key "id" is neither path nor count`},
		{`{"path":["A","C","G","H"],"path":["A","B","E","H"]}`, `x:1: an object has the key "path" twice`},
		{`{"path":["A","C","G","H"],"count":2,"count":3}`, `x:1: an object has the key "count" twice`},
		{`{"path":["A","C","G","H"],"count":2,"Count":3}`, `x:1: an object has the key "Count" twice`},
		{`{"path":["A","C","G","H"],"count":null}`, "x:1: field count: it is null"},
		{`{"path":["A","C","G","H"],"count":true}`, "x:1: field count: it is no number"},
		{`{"path":"A C G H"}`, "x:1: field path: it is no list"},
		{`{"path":["A","C","G"]}`, "x:1: field path: 3 vertices, expected 4"},
		{`{"count":1}`, "x:1: field path: 0 vertices"},
		{`{"path":["A","C","Z","H"]}`, `x:1: field path[2]: no vertex "Z" in layer 3`},
		{`{"path":["A","C",null,"H"]}`, "x:1: field path[2]"},
		{`{"path":["A","C",1.5,"H"]}`, "x:1: field path[2]"},
		{`{"path":["A","B","G","H"]}`, "x:1: ddps: not a path"},
		{`{"path":["A","C","G","H"],"count":-1}`, "x:1: field count"},
		{`{"path":["A","C","G","H"],"count":NaN}`, `x:1: the value of "count": invalid character`},
		{`{"path":["A","C","G","H"],"count":0.5}`, "x:1: field count"},
		{`["A","C","G","H"]`, "x:1: "},
	} {
		_, err := ReadJSONL("x", strings.NewReader(c.text), g)
		fixture.WantError(t, c.text, err, "datasets: "+c.want)
	}
}

func TestPathFiles(t *testing.T) {
	full := fixture.Must[*datasets.Data](t)(datasets.Heights(500, 1))
	d := full.Prune()
	if !slices.EqualFunc(datasets.Unprune(full.Graph, d.Paths), full.Paths, slices.Equal) {
		t.Error("Unprune does not undo Prune")
	}
	dir := t.TempDir()
	for _, name := range []string{"p.csv", "p.jsonl", "P.NDJSON"} {
		path := filepath.Join(dir, name)
		for range 2 { // writing over an old file too
			if err := WriteFile(path, d); err != nil {
				t.Fatal(err)
			}
		}
		e := fixture.Must[*datasets.Data](t)(ReadFile(path, d.Graph, ByName))
		if !slices.Equal(d.Counts, e.Counts) || !slices.EqualFunc(d.Paths, e.Paths, slices.Equal) {
			t.Errorf("%s: what was read is not what was written", name)
		}
	}
	if left := fixture.Must[[]os.DirEntry](t)(os.ReadDir(dir)); len(left) != 3 {
		t.Errorf("%d files left, want 3", len(left))
	}
	fixture.WantError(t, "ending", WriteFile(filepath.Join(dir, "p.txt"), d), "p.txt", ".csv")
	_, err := ReadFile(filepath.Join(dir, "none.csv"), d.Graph, ByName)
	if !errors.Is(err, os.ErrNotExist) {
		t.Errorf("a missing file: %v", err)
	}
	if err := os.WriteFile(filepath.Join(dir, "p.txt"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	_, err = ReadFile(filepath.Join(dir, "p.txt"), d.Graph, ByName)
	fixture.WantError(t, "ending", err, "p.txt")
	fixture.WantError(t, "no directory", WriteFile(filepath.Join(dir, "no", "p.csv"), d), "datasets: ")
}

// failing is a writer that takes n bytes.
type failing struct{ n int }

func (f *failing) Write(b []byte) (int, error) {
	if f.n -= len(b); f.n < 0 {
		return 0, errors.New("disk full")
	}
	return len(b), nil
}

func TestWriteErrors(t *testing.T) {
	d := fixture.Must[*datasets.Data](t)(datasets.Heights(500, 1))
	fixture.WantError(t, "csv", WriteCSV(&failing{100}, d, ByName), "datasets: csv", "disk full")
	fixture.WantError(t, "jsonl", WriteJSONL(&failing{100}, d, ByName), "datasets: jsonl", "disk full")
	var w bytes.Buffer
	if err := WriteCSV(&w, d, ByName); err != nil || !strings.HasPrefix(w.String(), "v1,v2,") {
		t.Errorf("csv: %v", err)
	}
}
