package datasets

import (
	"bytes"
	"os"
	"strings"
	"testing"
)

func TestReadMapCross(t *testing.T) {
	w := cross(t, MapOptions{})
	if len(w.Nodes) != 5 || len(w.Edges) != 4 || w.Directed {
		t.Fatalf("%d nodes, %d edges, want 5, 4", len(w.Nodes), len(w.Edges))
	}
	if want := (Skipped{Missing: 1, Loops: 1, Duplicates: 1}); w.Skipped != want {
		t.Errorf("skipped %+v, want %+v", w.Skipped, want)
	}
	// 0.001 degrees of longitude at 60° N: R·cos 60°·0.001·π/180.
	if d := w.Edges[0].Length; d < 55.59 || d > 55.61 {
		t.Errorf("length %v m, want 55.6", d)
	}
	d := cross(t, MapOptions{Direction: Directed})
	if len(d.Edges) != 6 { // both ways of 1–2–3, one of 4→2→5
		t.Errorf("directed: %d edges, want 6", len(d.Edges))
	}
	i, _ := d.Find(5)
	if len(d.Heads(i)) != 0 {
		t.Errorf("directed: the end of the one-way street leads to %v", d.Heads(i))
	}
}

func TestReadMapErrors(t *testing.T) {
	for _, c := range []struct {
		name, text string
		format     Format
		want       []string
	}{
		{"empty", "", Sniff, []string{"empty: the file is empty"}},
		{"text", "hello", Sniff, []string{"neither OpenStreetMap (.osm.pbf, .osm", `"hello"`}},
		{"cut.osm", crossXML[:len(crossXML)/2], Sniff, []string{"cut.osm", "osm: line ", "the file ends too early"}},
		{"no street", `<osm><node id="1" lat="0" lon="0"/></osm>`, Sniff, []string{"no street: 0 ways"}},
		{"all outside", `<osm><way id="1"><nd ref="1"/><nd ref="2"/><tag k="highway" v="x"/></way></osm>`, Sniff, []string{"no street: 1 ways", "1 pieces"}},
		{"lat", strings.Replace(crossXML, `lat="60.0010"`, `lat="NaN"`, 1), Sniff, []string{"osm: line 6: node 4", `lat "NaN"`}},
		{"lon", strings.Replace(crossXML, `lon="24.0030"`, `lon="224"`, 1), Sniff, []string{"node 3", `lon "224"`}},
		{"not pbf", crossXML, PBF, []string{"pbf: block at byte 0"}},
		{"not bzip2", crossXML, XMLBzip, []string{"bzip2"}},
		{"broken bzip2", "BZh9 no", Sniff, []string{"bzip2"}},
		{"bad format", crossXML, 9, []string{"format 9"}},
	} {
		_, err := ReadMap(c.name, strings.NewReader(c.text), MapOptions{Format: c.format})
		wantError(t, c.name, err, append(c.want, "datasets: "+c.name)...)
	}
	_, err := ReadMapFile("testdata/none.osm", MapOptions{})
	wantError(t, "no file", err, "datasets: ", "none.osm")
}

// TestTruncated cuts the shipped map at many places: never a panic, always one
// error, but where the cut falls between blocks and no street is left either.
func TestTruncated(t *testing.T) {
	for n := 0; n < len(helsinki); n += 1 + len(helsinki)/97 {
		_, err := ReadMap("cut.osm.pbf", bytes.NewReader(helsinki[:n]), MapOptions{})
		wantError(t, "truncated", err, "datasets: cut.osm.pbf: ")
	}
	for n := range 200 {
		bad := bytes.Clone(helsinki)
		bad[n*len(bad)/200] ^= 0x55
		ReadMap("bad.osm.pbf", bytes.NewReader(bad), MapOptions{}) // any result but a panic
	}
}

func TestTruncatedBzip(t *testing.T) {
	data, err := os.ReadFile(shared(t, "west-oakland.osm.bz2"))
	if err != nil {
		t.Fatal(err)
	}
	_, err = ReadMap("cut.osm.bz2", bytes.NewReader(data[:len(data)/2]), MapOptions{})
	wantError(t, "truncated", err, "datasets: cut.osm.bz2: ")
}

// TestShippedMap regenerates the map that ships from the extract it was cut from.
func TestShippedMap(t *testing.T) {
	f, err := os.Open(shared(t, "Helsinki.osm.pbf"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	var cut bytes.Buffer
	if err := CutStreets(&cut, "test", "Helsinki.osm.pbf", f, Sniff); err != nil {
		t.Fatal(err)
	}
	a := must[*World](t)(ReadMap("cut", &cut, MapOptions{}))
	b := must[*World](t)(ReadMap("shipped", bytes.NewReader(HelsinkiMap()), MapOptions{}))
	sameWorld(t, a, b)
	sameWorld(t, b, must[*World](t)(ReadMapFile(shared(t, "Helsinki.osm.pbf"), MapOptions{})))
}

func sameWorld(t *testing.T, a, b *World) {
	t.Helper()
	if len(a.Nodes) != len(b.Nodes) || len(a.Edges) != len(b.Edges) {
		t.Fatalf("%d nodes, %d edges against %d, %d", len(a.Nodes), len(a.Edges), len(b.Nodes), len(b.Edges))
	}
	for i, n := range a.Nodes {
		if m := b.Nodes[i]; n.ID != m.ID || Distance(n, m) > 0.02 {
			t.Fatalf("node %d: %+v against %+v", i, n, m)
		}
	}
	for i, e := range a.Edges {
		if f := b.Edges[i]; e.From != f.From || e.To != f.To {
			t.Fatalf("edge %d: %+v against %+v", i, e, f)
		}
	}
}

func TestCutStreetsErrors(t *testing.T) {
	var out bytes.Buffer
	err := CutStreets(&out, "", "x.osm", strings.NewReader("<osm></osm>"), Sniff)
	wantError(t, "no street", err, "datasets: x.osm: no street")
	err = CutStreets(&out, "", "x.osm", strings.NewReader("<osm>"), Sniff)
	wantError(t, "broken", err, "datasets: x.osm: ")
}
