package datasets_test

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"io"
	"strings"
	"testing"

	"github.com/klauspost/compress/zstd"
	"github.com/parquet-go/parquet-go"
	"github.com/parquet-go/parquet-go/compress"
	"github.com/parquet-go/parquet-go/compress/brotli"
	gz "github.com/parquet-go/parquet-go/compress/gzip"
	"github.com/parquet-go/parquet-go/compress/lz4"
	zs "github.com/parquet-go/parquet-go/compress/zstd"

	"github.com/ddps-go/ddps/datasets/internal/fixture"
	"github.com/ddps-go/ddps/datasets/maps"
	"github.com/ddps-go/ddps/datasets/pathfile"
	"github.com/ddps-go/ddps/datasets/tracks"
	"github.com/ddps-go/ddps/ddps"
)

// TestSecondDocument: what follows a whole document is refused by every reader of one.
func TestSecondDocument(t *testing.T) {
	for what, text := range map[string]string{"overpass": fixture.TownJSON, "graphml": fixture.TriangleML,
		"xml": fixture.CrossXML} {
		for _, more := range []string{"x", text[strings.Index(text, "?>")+1:]} {
			more = strings.TrimPrefix(more, ">")
			if _, err := maps.Read(what, strings.NewReader(text+more), maps.Options{}); err == nil {
				t.Errorf("%s: no error with %.10q after it", what, more)
			}
		}
		if _, err := maps.Read(what, strings.NewReader(text+"\n \n"), maps.Options{}); err != nil {
			t.Errorf("%s: space after it: %v", what, err)
		}
	}
}

// TestEncodings: a byte-order mark of UTF-8 is skipped by every reader of text, UTF-16 decoded.
func TestEncodings(t *testing.T) {
	g := ddps.Example()
	graph := func() string {
		var b bytes.Buffer
		if err := pathfile.WriteGraph(&b, g, pathfile.GraphJSON); err != nil {
			t.Fatal(err)
		}
		return b.String()
	}()
	stops := fixture.BusFeed()
	readers := map[string]struct {
		text string
		read func(r io.Reader) error
	}{
		"overpass": {fixture.TownJSON, func(r io.Reader) error {
			_, err := maps.Read("x", r, maps.Options{Format: maps.Overpass})
			return err
		}},
		"xml": {fixture.CrossXML, func(r io.Reader) error {
			_, err := maps.Read("x", r,
				maps.Options{Format: maps.XML})
			return err
		}},
		"graphml": {fixture.TriangleML, func(r io.Reader) error {
			_, err := maps.Read("x", r, maps.Options{Format: maps.GraphML})
			return err
		}},
		"edges": {"a,b\nb,c\n", func(r io.Reader) error {
			_, err := maps.Read("x", r, maps.Options{Format: maps.EdgeList})
			return err
		}},
		"sniffed": {fixture.TownJSON, func(r io.Reader) error { _, err := maps.Read("x", r, maps.Options{}); return err }},
		"graph":   {graph, func(r io.Reader) error { _, err := pathfile.ReadGraph("x", r); return err }},
		"csv": {"A,C,G,H\n", func(r io.Reader) error {
			_, err := pathfile.ReadCSV("x", r, g,
				pathfile.ByName)
			return err
		}},
		"jsonl": {`{"path": ["A", "C", "G", "H"]}`, func(r io.Reader) error {
			_, err := pathfile.ReadJSONL("x", r,
				g)
			return err
		}},
		"rewards": {"1,A,C,2\n", func(r io.Reader) error { _, err := pathfile.ReadRewards("x", r, g); return err }},
		"fasta":   {">a\nACGT\n", func(r io.Reader) error { _, err := pathfile.ReadSequences("x", r); return err }},
		"track csv": {"track,time,lat,lon\na,1,60,24\n", func(r io.Reader) error {
			_, err := tracks.ReadCSV("x",
				r)
			return err
		}},
		"track jsonl": {`{"track": "a", "time": 1, "lat": 60, "lon": 24}`,
			func(r io.Reader) error { _, err := tracks.ReadJSONL("x", r); return err }},
		"gpx": {`<gpx><trk><trkpt lat="60" lon="24"><time>2024-01-01T00:00:00Z</time></trkpt></trk></gpx>`,
			func(r io.Reader) error { _, err := tracks.ReadGPX("x", r); return err }},
		"gtfs": {stops["stops.txt"], func(r io.Reader) error {
			text, _ := io.ReadAll(r)
			stops["stops.txt"] = string(text)
			_, err := maps.Read("x", bytes.NewReader(fixture.ZipOf(t, stops)), maps.Options{})
			return err
		}},
	}
	for what, c := range readers {
		if err := c.read(strings.NewReader("\ufeff" + c.text)); err != nil {
			t.Errorf("%s: UTF-8 with a mark: %v", what, err)
		}
		var wide bytes.Buffer
		wide.WriteString("\xff\xfe")
		for _, r := range c.text {
			wide.Write([]byte{byte(r), byte(r >> 8)})
		}
		if err := c.read(&wide); err != nil {
			t.Errorf("%s: UTF-16: %v", what, err)
		}
	}
	latin := `<?xml version="1.0" encoding="ISO-8859-1"?>` + fixture.TriangleML[strings.Index(fixture.TriangleML,
		"<graphml"):]
	_, err := maps.Read("latin", strings.NewReader(latin), maps.Options{})
	fixture.WantError(t, "latin", err, "the encoding is ISO-8859-1: save the file as UTF-8")
}

// TestMissingNumbers: an element without a number or a place is refused, not put at 0.
func TestMissingNumbers(t *testing.T) {
	for _, c := range []struct{ text, from, to, want string }{
		{fixture.CrossXML, ` lat="60.0010"`, "", `node 4: lat ""`},
		{fixture.CrossXML, `id="3" `, "", `"" is not a whole number`},
		{fixture.CrossXML, `<nd ref="5"/>`, "<nd/>", `way 11: node number 3`},
		{fixture.CrossXML, "<osm ", "<osmChange ", "the outermost element is osmChange"},
		{`{"elements":[{"type":"node","id":1,"lat":1,"lon":2}]}`, `"id":1,`, "", "elements[0]: a node without id"},
		{`{"elements":[{"type":"way","id":1,"geometry":[{"lat":1,"lon":2}]}]}`, `"lat":1,`, "",
			"(way 1): geometry[0]: no lat and lon"},
		{`{"elements":[{"type":"node","id":1,"lat":1,"lon":2}]}`, `"lat":1`, `"lat":"1"`, "field lat: string is no"},
		{fixture.CrossXML, `<node id="2"`, `<node id="1"`, "node 1 is at [24 60] and at [24.001 60]"},
	} {
		text := strings.Replace(c.text, c.from, c.to, 1)
		if strings.HasPrefix(c.from, "<osm ") {
			text = strings.Replace(text, "</osm>", "</osmChange>", 1)
		}
		_, err := maps.Read("x", strings.NewReader(text), maps.Options{})
		fixture.WantError(t, c.want, err, c.want)
	}
	gone := strings.Replace(fixture.CrossXML, "<osm version=\"0.6\">",
		`<osm version="0.6"><node id="77" visible="false"/><way id="78" action="delete"/>`, 1)
	if _, err := maps.Read("deleted", strings.NewReader(gone), maps.Options{}); err != nil {
		t.Error(err)
	}
}

// TestLoneQuote: a quote without end must not swallow the rows after it.
func TestLoneQuote(t *testing.T) {
	feed := fixture.BusFeed()
	feed["stops.txt"] = strings.Replace(feed["stops.txt"], `"B, east"`, `"B, east`, 1)
	_, err := maps.Read("x", bytes.NewReader(fixture.ZipOf(t, feed)), maps.Options{})
	fixture.WantError(t, "lone quote", err, "stops.txt:3: a value continues in the next line")
}

// TestBombs: small files that unpack to very much are refused by every reader of packed data.
func TestBombs(t *testing.T) {
	pack := func(head, unit string, n int) []byte {
		var b bytes.Buffer
		z := gzip.NewWriter(&b)
		io.WriteString(z, head)
		unit = strings.Repeat(unit, 1<<16)
		for range n {
			io.WriteString(z, unit)
		}
		z.Close()
		return b.Bytes()
	}
	for what, text := range map[string][]byte{"line": pack(">a\n", "A", 400), "header": pack(">", "a", 400),
		"comment": pack(";", "a", 400)} {
		_, err := pathfile.ReadSequences(what, bytes.NewReader(text))
		fixture.WantError(t, what, err, "unpack to more than")
	}
	feed := fixture.BusFeed()
	feed["stop_times.txt"] += strings.Repeat("none,,,a,1\n", 4<<20)
	_, err := maps.Read("calls", bytes.NewReader(fixture.ZipOf(t, feed)), maps.Options{})
	fixture.WantError(t, "calls", err, "stop_times.txt", "has more than")
	feed["stop_times.txt"] = fixture.BusFeed()["stop_times.txt"] + strings.Repeat("t1,,,a,1\n", 1<<17)
	_, err = maps.Read("trip", bytes.NewReader(fixture.ZipOf(t, feed)), maps.Options{})
	fixture.WantError(t, "trip", err, "stop_times.txt", "trip t1: more than 100000 calls")
	feed = fixture.BusFeed()
	feed["agency.txt"] += strings.Repeat("a\n", 1<<20)
	_, err = maps.Read("agencies", bytes.NewReader(fixture.ZipOf(t, feed)), maps.Options{})
	fixture.WantError(t, "agencies", err, "agency.txt:10002: more than 10000 agencies")
}

// packed is a codec of Parquet that packs other bytes than it is given.
type packed struct {
	compress.Codec
	pack func(src []byte) []byte
}

func (c packed) Encode(_, src []byte) ([]byte, error) { return c.pack(src), nil }

func parquetOf(t *testing.T, codec compress.Codec, version int) []byte {
	t.Helper()
	type row struct {
		V1    string `parquet:"v1"`
		V2    string `parquet:"v2"`
		V3    string `parquet:"v3"`
		V4    string `parquet:"v4"`
		Count int64  `parquet:"count"`
	}
	var b bytes.Buffer
	w := parquet.NewGenericWriter[row](&b, parquet.Compression(codec), parquet.DataPageVersion(version))
	rows := make([]row, 50)
	for i := range rows {
		rows[i] = row{"A", "C", "G", "H", 2}
	}
	if _, err := w.Write(rows); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// TestParquetCodecs: every codec is read, in both versions of pages, and a page that unpacks to more than it says
// refused.
func TestParquetCodecs(t *testing.T) {
	zeros := make([]byte, 32<<20)
	var z bytes.Buffer
	w := gzip.NewWriter(&z)
	w.Write(zeros)
	w.Close()
	enc := fixture.Must[*zstd.Encoder](t)(zstd.NewWriter(nil))
	long := fixture.Must[[]byte](t)((&lz4.Codec{}).Encode(nil, zeros))
	br := fixture.Must[[]byte](t)((&brotli.Codec{}).Encode(nil, zeros[:1<<20]))
	for _, c := range []struct {
		codec compress.Codec
		bomb  []byte
	}{
		{&parquet.Uncompressed, nil}, {&parquet.Snappy, []byte("\xff\xff\xff\x7f\x00")}, {&gz.Codec{}, z.Bytes()},
		{&zs.Codec{}, enc.EncodeAll(zeros, nil)}, {&lz4.Codec{}, long}, {&lz4.Codec{}, []byte("\xff\xff")},
		{&brotli.Codec{}, br},
	} {
		for version := 1; version <= 2; version++ {
			what := fmt.Sprintf("%s, version %d", c.codec, version)
			data := parquetOf(t, c.codec, version)
			d, err := pathfile.ReadParquet(what, bytes.NewReader(data), int64(len(data)), ddps.Example(), pathfile.ByName)
			if err != nil || d.Total() != 100 {
				t.Errorf("%s: %v", what, err)
			}
			if c.bomb == nil {
				continue
			}
			data = parquetOf(t, packed{c.codec, func([]byte) []byte { return bytes.Clone(c.bomb) }}, version)
			_, err = pathfile.ReadParquet(what, bytes.NewReader(data), int64(len(data)), ddps.Example(), pathfile.ByName)
			fixture.WantError(t, what, err, "page at byte")
		}
	}
}
