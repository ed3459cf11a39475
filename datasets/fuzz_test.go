package datasets

import (
	"bytes"
	"io"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/paulmach/osm"

	"github.com/ddps-go/ddps/datasets/internal/pbf"
	"github.com/ddps-go/ddps/ddps"
)

// crossPBF is a small map in the binary format.
func crossPBF(t testing.TB) []byte {
	var b bytes.Buffer
	err := pbf.Write(&b, "test", []osm.Node{{ID: 1, Lat: 60, Lon: 24}, {ID: 2, Lat: 60, Lon: 24.001}, {ID: 3, Lat: 60.001, Lon: 24}},
		[]osm.Way{{ID: 7, Tags: osm.Tags{{Key: "highway", Value: "path"}}, Nodes: osm.WayNodes{{ID: 1}, {ID: 2}, {ID: 3}}}})
	if err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// FuzzReadMap: any bytes, in any format, give an error or a sound world, which
// merges, splits and unrolls.
func FuzzReadMap(f *testing.F) {
	for _, seed := range []string{crossXML, string(crossPBF(f)), "BZh91AY&SY", "\x00\x00\x00\x0b\x0a\x09OSMHeader", townJSON,
		triangleML, string(zipOf(f, busFeed)), "a,b,2\nb;c\n", "from,to,from_lon,from_lat,to_lon,to_lat\np,q,24,60,24.1,60\n"} {
		for format := range byte(len(formatNames)) {
			if format == byte(Sniff) || len(seed) < 100 {
				f.Add([]byte(seed), format)
			}
		}
	}
	f.Fuzz(func(t *testing.T, data []byte, format byte) {
		o := MapOptions{Format: Format(format), Direction: Direction(len(data) % 3)}
		w, err := ReadMap("fuzz", bytes.NewReader(data), o)
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

// FuzzReadCSV: any text gives an error or data that is written and read back.
func FuzzReadCSV(f *testing.F) {
	f.Add("v1,v2,v3,v4,count\nA,C,G,H,3\n", false)
	f.Add("A,B,E,H\nA,\"C\",G,H,2\n", false)
	f.Add("0,2,6,7\n", true)
	f.Add("A,C,G,\"H\n", false)
	f.Fuzz(func(t *testing.T, text string, numbers bool) {
		by := ByName
		if numbers {
			by = ByNumber
		}
		d, err := ReadCSV("fuzz", strings.NewReader(text), ddps.Example(), by)
		readBack(t, d, err, func(d *Data, w io.Writer) error { return d.WriteCSV(w, ByName) }, func(b *bytes.Buffer) (*Data, error) {
			return ReadCSV("back", b, ddps.Example(), ByName)
		})
	})
}

// FuzzReadJSONL: as FuzzReadCSV.
func FuzzReadJSONL(f *testing.F) {
	f.Add("{\"path\":[\"A\",\"C\",\"G\",\"H\"],\"count\":2}\n")
	f.Add("{\"path\":[0,1,4,7]}\n{\"path\":[0,1,4,7]}")
	f.Add("{\"path\":[0,1,")
	f.Fuzz(func(t *testing.T, text string) {
		d, err := ReadJSONL("fuzz", strings.NewReader(text), ddps.Example())
		readBack(t, d, err, func(d *Data, w io.Writer) error { return d.WriteJSONL(w, ByName) }, func(b *bytes.Buffer) (*Data, error) {
			return ReadJSONL("back", b, ddps.Example())
		})
	})
}

func readBack(t *testing.T, d *Data, err error, write func(*Data, io.Writer) error, read func(*bytes.Buffer) (*Data, error)) {
	if err != nil {
		if !strings.HasPrefix(err.Error(), "datasets: fuzz") {
			t.Errorf("error %q", err)
		}
		return
	}
	var b bytes.Buffer
	if err := write(d, &b); err != nil {
		t.Fatal(err)
	}
	back, err := read(&b)
	if err != nil || !slices.Equal(back.Counts, d.Counts) || !slices.EqualFunc(back.Paths, d.Paths, slices.Equal) {
		t.Fatalf("read back %v, %v; want %v", back, err, d)
	}
}

// FuzzReadParquet: as FuzzReadCSV, of any bytes.
func FuzzReadParquet(f *testing.F) {
	for _, name := range []string{"pyarrow", "numbers", "null", "float"} {
		data, err := os.ReadFile("testdata/" + name + ".parquet")
		if err != nil {
			f.Fatal(err)
		}
		f.Add(data)
	}
	var b bytes.Buffer
	if err := (&Data{Graph: ddps.Example(), Paths: []ddps.Path{{0, 2, 6, 7}}, Counts: []int{4}}).WriteParquet(&b, ByName); err != nil {
		f.Fatal(err)
	}
	f.Add(b.Bytes())
	f.Fuzz(func(t *testing.T, data []byte) {
		d, err := ReadParquet("fuzz", bytes.NewReader(data), int64(len(data)), ddps.Example(), ByName)
		readBack(t, d, err, func(d *Data, w io.Writer) error { return d.WriteParquet(w, ByName) }, func(b *bytes.Buffer) (*Data, error) {
			return ReadParquet("back", bytes.NewReader(b.Bytes()), int64(b.Len()), ddps.Example(), ByName)
		})
	})
}
