package maps

import (
	"bytes"
	"strings"
	"testing"

	"github.com/paulmach/osm"

	"github.com/ddps-go/ddps/datasets/internal/fixture"
	"github.com/ddps-go/ddps/datasets/internal/pbf"
)

// crossPBF is a small map in the binary format.
func crossPBF(t testing.TB) []byte {
	var b bytes.Buffer
	err := pbf.Write(&b, "test", []osm.Node{{ID: 1, Lat: 60, Lon: 24}, {ID: 2, Lat: 60, Lon: 24.001},
		{ID: 3, Lat: 60.001, Lon: 24}},
		[]osm.Way{{ID: 7, Tags: osm.Tags{{Key: "highway", Value: "path"}}, Nodes: osm.WayNodes{{ID: 1}, {ID: 2}, {ID: 3}}}})
	if err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// FuzzReadMap: any bytes, in any format, give an error or a sound world, which
// merges, splits and unrolls.
func FuzzReadMap(f *testing.F) {
	for _, seed := range []string{fixture.CrossXML, string(crossPBF(f)), "BZh91AY&SY", "\x00\x00\x00\x0b\x0a\x09OSMHeader",
		fixture.TownJSON,
		fixture.TriangleML, string(fixture.ZipOf(f, fixture.BusFeed())), "a,b,2\nb;c\n",
		"from,to,from_lon,from_lat,to_lon,to_lat\np,q,24,60,24.1,60\n"} {
		for format := range byte(len(FormatNames())) {
			if format == byte(Sniff) || len(seed) < 100 {
				f.Add([]byte(seed), format)
			}
		}
	}
	f.Fuzz(func(t *testing.T, data []byte, format byte) {
		o := Options{Format: Format(format), Direction: Direction(len(data) % 3)}
		w, err := Read("fuzz", bytes.NewReader(data), o)
		if err != nil {
			if !strings.HasPrefix(err.Error(), "datasets: ") {
				t.Errorf("error %q", err)
			}
			return
		}
		m := w
		if !w.Unplaced {
			if m, err = w.Merge(10); err != nil {
				t.Fatal(err)
			}
		}
		for _, e := range m.Edges {
			if e.From == e.To || !(e.Length >= 0) || max(e.From, e.To) >= len(m.Nodes) {
				t.Fatalf("edge %+v", e)
			}
		}
		if _, err := Expand(m, ExpandOptions{Start: m.Nodes[0].ID, Depth: 3}); err != nil {
			t.Fatal(err)
		}
	})
}
