package tracks

import (
	"io"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/ddps-go/ddps/internal/names"
)

const someGPX = `<?xml version="1.0"?>
<gpx version="1.1" xmlns="http://www.topografix.com/GPX/1/1">
 <wpt lat="1" lon="2"><name>home</name></wpt>
 <trk><name>walk</name><extensions><x/></extensions>
  <trkseg><trkpt lat="60.1" lon="24.9"><ele>3</ele><time>2026-05-01T10:00:00Z</time></trkpt>
   <trkpt lat="60.2" lon="24.9"><time>2026-05-01T10:01:00.5+00:00</time></trkpt></trkseg>
  <trkseg><trkpt lat="91" lon="24.9"><time>2026-05-01T10:02:00Z</time></trkpt>
   <trkpt lat="60.3" lon="24.9"/></trkseg></trk>
 <trk><name> walk </name><trkseg><trkpt lat="1" lon="2"><time>2026-05-01T10:00:00Z</time></trkpt></trkseg></trk>
</gpx>
`

// May 1 2026, 10 o'clock UTC.
const tenOClock = 1777629600

func TestReadTracks(t *testing.T) {
	for _, c := range []struct {
		read   func(string, io.Reader) (*Tracks, error)
		text   string
		want   []Fix
		bad    string // lines and details
		layout string
		steps  bool
	}{
		{ReadCSV, "\ufefftrip_id,Latitude,x,lng,Timestamp\na,60.1,,24.9,2026-05-01T10:00:00Z\na,60.2,,24.9,2026-05-01 " +
			"12:00:10+02:00\n",
			[]Fix{{"a", tenOClock, 24.9, 60.1, "", "f", 2}, {"a", tenOClock + 10, 24.9, 60.2, "", "f", 3}}, "",
			`f: track from "trip_id", time from "Timestamp", lat from "Latitude", lon from "lng"; not used: x`, false},
		{ReadCSV, "7,100.5,60.1,24.9\n7,2026-05-01T10:00:00,60.1,24.9\n7,noon,60.1,24.9\n7,1,95,24.9\n8,1,x,NaN\n7,2,1\n",
			[]Fix{{"7", 100.5, 24.9, 60.1, "", "f", 1}, {"7", tenOClock, 24.9, 60.1, "", "f", 2}},
			`3 time "noon" is neither a number nor a date, like 2006-01-02 15:04:05; 4 latitude "95" is not a number within ±90 degrees; 5 latitude "x" is not a number within ±90 degrees; 6 longitude "" is not a number within ±180 degrees`,
			"f: no header, so track, time, lat, lon|f: times without a time zone are taken as UTC: 1 of 2|f: 1 times are " +
				"seconds and 1 are dates: seconds are taken as those since 1970", false},
		{ReadCSV, "t,3,\"Dock 4\"\nu,4,Dock 5\n", []Fix{{"t", 3, 0, 0, "Dock 4", "f", 1}, {"u", 4, 0, 0, "Dock 5", "f", 2}},
			"", "f: no header, so track, time, place", false},
		{ReadCSV, "step,track,stop,id\n0,a,X,9\n1,b,Y,9\n1.5,a,Z,9\n2,a,,9\n", []Fix{{"a", 0, 0, 0, "X", "f", 2},
			{"b", 1, 0, 0, "Y", "f", 3}},
			`4 step "1.5" is not a whole number; 5 no place`, `f: track, step, place from "stop"; not used: id`, true},
		{ReadCSV, "node\nX\nY\n", []Fix{{"", 0, 0, 0, "X", "f", 2}, {"", 1, 0, 0, "Y", "f", 3}}, "",
			`f: place from "node", all one track`, true},
		{ReadJSONL, "\n{\"user\": 5, \"time\": 1.5, \"lat\": 60, \"lon\": \"24.5\", \"more\": [1, {}]}\n{\"lon\": 1, " +
			"\"lat\": 2, \"time\": null}\n",
			[]Fix{{"5", 1.5, 24.5, 60, "", "f", 2}}, `3 no time`,
			`f: track from "user", time, lat, lon; not used: more`, false},
		{ReadJSONL, `{"track": "a", "place": 297100377}` + "\n" + `{"track": "a", "place": "X"}`,
			[]Fix{{"a", 0, 0, 0, "297100377", "f", 1}, {"a", 1, 0, 0, "X", "f", 2}}, "", "f: track, place", true},
		{ReadGPX, someGPX, []Fix{{"walk", tenOClock, 24.9, 60.1, "", "f", 5}, {"walk", tenOClock + 60.5, 24.9, 60.2, "", "f",
			6}, {"2", tenOClock, 2, 1, "", "f", 9}},
			`7 latitude "91" is not a number within ±90 degrees; 8 no time`,
			"f: track, time, lat, lon of GPX|f: waypoints, which are left out: 1", false},
	} {
		got, err := c.read("f", strings.NewReader(c.text))
		if err != nil {
			t.Errorf("%.30q: %v", c.text, err)
			continue
		}
		var bad []string
		for _, o := range got.Bad {
			bad = append(bad, strings.TrimPrefix(o.String(), "f:"))
		}
		if text := strings.ReplaceAll(strings.Join(bad, "; "), ": unreadable:", ""); text != c.bad {
			t.Errorf("%.30q: bad %s, want %s", c.text, text, c.bad)
		}
		if !slices.Equal(got.Fixes, c.want) || got.Steps != c.steps || strings.Join(got.Layout, "|") != c.layout {
			t.Errorf("%.30q: %+v, want %+v, %s", c.text, got, c.want, c.layout)
		}
	}
}

func TestReadTracksErrors(t *testing.T) {
	t.Chdir(t.TempDir())
	for name, c := range map[string]struct{ text, want string }{
		"a.csv": {"", "a.csv: no fix in the file"},
		"b.csv": {"track,time,lat,lon\n", "b.csv: no fix in the file"},
		"c.csv": {"track,time,lat\n1,2,3\n", "c.csv:1: there are neither lat and lon nor place"},
		"d.csv": {"track,lat,lon\n1,2,3\n", "d.csv:1: there is no time, nor step (or timestamp"},
		"e.csv": {"1,2\n", "e.csv:1: no header that names columns (track, time, lat, lon, or place), and 2 columns"},
		"f.csv": {"track,place\na,\"x\n", `f.csv:2: column 6: extraneous or missing " in quoted-field`},
		"g.csv": {"time,place\nx,A\ny,B\n",
			`g.csv:2: time "x" is neither a number nor a date, like 2006-01-02 15:04:05; none of its 2 fixes can be read`},
		"h.jsonl": {"{\"place\": \"A\"}\n[1]\n", "h.jsonl:2: no JSON object"},
		"i.jsonl": {"{\"place\": \"A\"", "i.jsonl:1: the JSON object ends too early"},
		"j.jsonl": {"{\"place\": \"A\"} 3", "j.jsonl:1: more than one JSON value"},
		"k.jsonl": {"{\"place\": }", "k.jsonl:1: the value of \"place\""},
		"l.jsonl": {"{\"name\": \"A\"}", "l.jsonl:1: there are neither"},
		"m.gpx":   {"<gpx><trk><trkpt lat='1' lon='2'></trk>", "m.gpx:1: XML syntax error"},
		"n.gpx":   {"<gpx/>", "n.gpx: no fix in the file"},
		"o.kml":   {"", "o.kml: ends in none of .csv, .tsv, .txt, .jsonl, .ndjson, .gpx"},
	} {
		if err := os.WriteFile(name, []byte(c.text), 0o644); err != nil {
			t.Fatal(err)
		}
		if _, err := Read(name); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: error %v, want %q", name, err, c.want)
		}
	}
	if _, err := Read("none.csv"); err == nil || !strings.Contains(err.Error(), "none.csv") {
		t.Error(err)
	}
	os.WriteFile("p.csv", []byte("time,place\n1,A\n"), 0o644)
	os.WriteFile("q.csv", []byte("place\nA\n"), 0o644)
	os.WriteFile(filepath.Join("r.GPX"), []byte(someGPX), 0o644)
	if _, err := Read("p.csv", "q.csv"); err == nil || !strings.Contains(err.Error(),
		"q.csv: counts steps, or has times") {
		t.Error(err)
	}
	if all, err := Read("p.csv", "r.GPX"); err != nil || len(all.Fixes) != 4 || len(all.Bad) != 2 || len(all.Layout) != 3 {
		t.Error(all, err)
	}
}

// Wherever a line of JSON ends within its object, that is what the error says.
func TestReadTrackJSONLCut(t *testing.T) {
	const text = `{"place": "A\u00e4", "more": [1.5, {"x": null}, true], "time": -2e3 }`
	for n := 1; n < len(text); n++ {
		if text[n-1] == ' ' {
			continue // trimmed
		}
		_, err := ReadJSONL("f", strings.NewReader(text[:n]+"\n"))
		if want := "datasets: f:1: the JSON object ends too early"; err == nil || err.Error() != want {
			t.Errorf("%s: error %v, expected %q", text[:n], err, want)
		}
	}
}

// A key that stands twice in an object is an error: which of the values is meant cannot be known.
func TestReadTrackJSONLTwice(t *testing.T) {
	const first = `{"place": "A", "time": 1}`
	_, err := ReadJSONL("f", strings.NewReader(first+"\n"+`{"place": "A", "time": 1, "place": "B"}`))
	if want := `datasets: f:2: an object has the key "place" twice`; err == nil || err.Error() != want {
		t.Errorf("error %v, expected %q", err, want)
	}
}

// Steps that a float64 takes for one are refused: their order would be lost.
func TestReadStepsTooLarge(t *testing.T) {
	all, err := ReadCSV("f", strings.NewReader("track,step,place\na,9007199254740993,B\na,9007199254740992,A\na,7,C\n"))
	if err != nil || len(all.Fixes) != 1 || len(all.Bad) != 2 || !strings.Contains(all.Bad[0].Detail, "9007199254740993") {
		t.Error(all, err)
	}
}

// readAny checks what a reader makes of any bytes, and that all of it can be matched.
func readAny(t *testing.T, tracks *Tracks, err error) {
	if err != nil {
		if !strings.HasPrefix(err.Error(), "datasets: fuzz") {
			t.Errorf("error %q", err)
		}
		return
	}
	for _, f := range tracks.Fixes {
		if math.IsNaN(f.Time) || math.IsInf(f.Time, 0) || !(math.Abs(f.Lat) <= 90 && math.Abs(f.Lon) <= 180) || f.Line < 1 {
			t.Fatalf("fix %+v", f)
		}
	}
	rereadTracks(t, tracks)
	if _, r, err := Match(grid(t), tracks, Options{}); r != nil {
		accounts(t, r)
	} else if err == nil {
		t.Error("no report")
	}
}

// rereadTracks writes fixes as CSV and compares what is read of it.
func rereadTracks(t *testing.T, tracks *Tracks) {
	t.Helper()
	places := len(tracks.Fixes) > 0 && tracks.Fixes[0].Place != ""
	text := "track,time,lat,lon\n"
	if places {
		text = "track,time,place\n"
	}
	number := func(x float64) string { return strconv.FormatFloat(x, 'f', -1, 64) }
	var want []Fix
	for _, f := range tracks.Fixes {
		if (f.Place != "") != places || f.Track == "" || strings.ContainsAny(f.Track+f.Place, "\"\r\n") ||
			names.Normal(f.Track) != f.Track || names.Normal(f.Place) != f.Place {
			continue
		}
		row := []string{number(f.Lat), number(f.Lon)}
		if places {
			row = []string{"\"" + f.Place + "\""}
		}
		text += "\"" + f.Track + "\"," + number(f.Time) + "," + strings.Join(row, ",") + "\n"
		f.File, f.Line = "back", len(want)+2
		want = append(want, f)
	}
	if len(want) == 0 {
		return
	}
	back, err := ReadCSV("back", strings.NewReader(text))
	if err != nil || !slices.Equal(back.Fixes, want) {
		t.Fatalf("%q: read %+v, %v, want %+v", text, back, err, want)
	}
}

// FuzzReadTrackCSV: any text gives an error or fixes, all of which are accounted for.
func FuzzReadTrackCSV(f *testing.F) {
	f.Add("track,time,lat,lon\na,0,0,0\na,10,0,0.0009\na,40,0,0.001\nb,x,1,2\n")
	f.Add("a,1,1\na,2,2\na,2,3\n")
	f.Add("place\n1\n2\n3\n3\n\"3\"\n")
	f.Fuzz(func(t *testing.T, text string) {
		tracks, err := ReadCSV("fuzz", strings.NewReader(text))
		readAny(t, tracks, err)
	})
}

// FuzzReadTrackJSONL: as FuzzReadTrackCSV.
func FuzzReadTrackJSONL(f *testing.F) {
	f.Add("{\"track\":1,\"time\":0,\"lat\":0,\"lon\":0}\n{\"track\":1,\"time\":1e3,\"lat\":0,\"lon\":0}")
	f.Add("{\"place\":\"1\",\"step\":0}\n{\"place\":\"1\",\"step\":4}")
	f.Fuzz(func(t *testing.T, text string) {
		tracks, err := ReadJSONL("fuzz", strings.NewReader(text))
		readAny(t, tracks, err)
	})
}

// FuzzReadGPX: as FuzzReadTrackCSV.
func FuzzReadGPX(f *testing.F) {
	f.Add(someGPX)
	f.Add("<trk><trkpt lat='0' lon='0'><time>2026-05-01T10:00:00Z</time></trkpt></trk>")
	f.Fuzz(func(t *testing.T, text string) {
		tracks, err := ReadGPX("fuzz", strings.NewReader(text))
		readAny(t, tracks, err)
	})
}

// Rows that cannot be used shift and join no others; tracks of a GPX file that share a name stay apart.
func TestTracksKeepApart(t *testing.T) {
	read := func(name, text string) *Tracks {
		file := filepath.Join(t.TempDir(), name)
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		tracks, err := Read(file)
		if err != nil {
			t.Fatal(err)
		}
		return tracks
	}
	got := read("a.csv", "track,place\na,X\na,\na,Z\n")
	if len(got.Fixes) != 2 || got.Fixes[1].Time-got.Fixes[0].Time != 2 || len(got.Bad) != 1 {
		t.Errorf("an empty place: %+v, bad %+v", got.Fixes, got.Bad)
	}
	if got = read("b.csv", "track,place\n,X\n,Y\na,Z\n"); len(got.Fixes) != 1 || len(got.Bad) != 2 {
		t.Errorf("no track: %+v, bad %+v", got.Fixes, got.Bad)
	}
	trk := func(name string) string {
		return "<trk>" + name + `<trkseg><trkpt lat="1" lon="2"><time>2020-01-01T00:00:00Z</time></trkpt></trkseg></trk>`
	}
	got = read("c.gpx", `<gpx xmlns="http://www.topografix.com/GPX/1/1">`+trk("<name>3</name>")+trk("")+trk(
		"<name>3</name>")+trk("<name>2</name>")+"</gpx>")
	names := map[string]bool{}
	for _, f := range got.Fixes {
		names[f.Track] = true
	}
	if len(names) != 4 {
		t.Errorf("tracks %v", names)
	}
}
