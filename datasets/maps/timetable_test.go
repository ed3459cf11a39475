package maps

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/ddps-go/ddps/datasets/internal/fixture"
	"github.com/ddps-go/ddps/ddps"
)

// feedFile writes fixture.BusFeed with some files changed and returns its path.
func feedFile(t testing.TB, change map[string]string) string {
	t.Helper()
	files := map[string]string{}
	for k, v := range fixture.BusFeed() {
		files[k] = v
	}
	for k, v := range change {
		if files[k] = v; v == "" {
			delete(files, k)
		}
	}
	path := filepath.Join(t.TempDir(), "feed.zip")
	if err := os.WriteFile(path, fixture.ZipOf(t, files), 0o644); err != nil {
		t.Fatal(err)
	}
	return path
}

// moves lists the edges of a graph by names, a layer a line.
func moves(g *ddps.LayeredGraph) []string {
	lines := make([]string, g.NumLayers()-1)
	for e := range g.NumEdges() {
		l := g.LayerOf(g.Tail(e))
		lines[l] += g.Name(g.Tail(e)) + ">" + g.Name(g.Head(e)) + " "
	}
	return lines
}

// t1 leaves a at 8:01, is at b at 8:10:30 (between its neighbours) and at c at 8:20; b is 557 m from a, c 1,112 m from
// b.
func TestTimetable(t *testing.T) {
	path := feedFile(t, nil)
	g := fixture.Must[*ddps.LayeredGraph](t)(Timetable(path, TimetableOptions{Start: "a", From: "8:00", Slot: 300,
		Depth: 5, Date: "2024-01-03"}))
	want := []string{"a>a a>on t1 ", "a>a on t1>on t1 ", "a>a on t1>b on t1>on t1 ", "a>a b>b on t1>c "}
	if got := moves(g); !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
	m := g.Meta()
	i := slices.Index(m.Names, "on t1") // at 8:05, 4 of 9½ minutes on the way from a to b, 0.01 degrees
	if x := m.XY[i]; m.Place[i] != 4 || x[1] != 60 || x[0] < 24.0042 || x[0] > 24.00422 {
		t.Errorf("the bus is at %v, place %d", x, m.Place[i])
	}
	if m.Attr["date"] != "20240103" || m.Attr["slot"] != "300" || m.Attr["attribution"] != "Bus & Co" {
		t.Errorf("%v", m.Attr)
	}
	long := fixture.Must[*ddps.LayeredGraph](t)(Timetable(path, TimetableOptions{Start: "a", From: "8:00", Slot: 1800,
		Depth: 2, Walk: 600, Date: "20240103"}))
	if got := moves(long); !slices.Equal(got, []string{"a>a a>b a>c "}) {
		t.Errorf("in half an hour, with a walk: %q", got)
	}
	walk := fixture.Must[*ddps.LayeredGraph](t)(Timetable(path, TimetableOptions{Start: "a", From: "8:00", Slot: 60,
		Depth: 2, Walk: 600, Date: "20240103"}))
	if got := moves(walk); !slices.Equal(got, []string{"a>a a>b "}) { // t1 leaves at 8:01, in the next slot
		t.Errorf("in a minute: %q", got)
	}
}

func TestTimetableDays(t *testing.T) {
	path := feedFile(t, nil)
	o := TimetableOptions{Start: "c", From: "9:00", Slot: 300, Depth: 2}
	_, err := Timetable(path, TimetableOptions{Start: "c", From: "9:00", Slot: 300, Depth: 2, Date: "20240102"})
	fixture.WantError(t, "an exception", err, "feed.zip: timetable: no trip",
		"on 20240102 (the feed's days are 20240101 to 20240131)")
	o.Date = "20240107" // a Sunday
	if got := moves(fixture.Must[*ddps.LayeredGraph](t)(Timetable(path, o))); !slices.Equal(got, []string{"c>c c>d "}) {
		t.Errorf("on Sunday: %q", got)
	}
	o.Date, o.From = "", "8:30" // the busiest day is the first Monday
	g := fixture.Must[*ddps.LayeredGraph](t)(Timetable(path, o))
	if g.Meta().Attr["date"] != "20240101" || !slices.Equal(moves(g), []string{"c>c c>on t2 "}) {
		t.Errorf("%v, %q", g.Meta().Attr, moves(g))
	}
	every := feedFile(t, map[string]string{
		"frequencies.txt": "trip_id,start_time,end_time,headway_secs\nt1,7:00:00,10:00:00,600\n",
		"calendar.txt":    "", "calendar_dates.txt": ""})
	g = fixture.Must[*ddps.LayeredGraph](t)(Timetable(every, TimetableOptions{Start: "a", From: "9:00", Slot: 600,
		Depth: 3}))
	want := []string{"a>a a>b a>on t1@9:00:00 ", "a>a a>b a>on t1@9:10:00 b>b b>on t1@9:10:00 on t1@9:00:00>c "}
	if got := moves(g); !slices.Equal(got, want) {
		t.Errorf("every ten minutes: %q, want %q", got, want)
	}
}

// TestTimetableCases: the first weeks off; calls that are skipped are said; the busiest day of years is found, and by
// departures; a feed without a day that anything runs on.
func TestTimetableCases(t *testing.T) {
	var notes []string
	o := TimetableOptions{Start: "A", From: "8:00", Slot: 600, Depth: 4, Note: func(s string) { notes = append(notes, s) }}
	g := fixture.Must[*ddps.LayeredGraph](t)(Timetable("testdata/cases/gtfs-first-weeks-off", o))
	if g.Meta().Attr["date"] != "20240129" || len(notes) != 1 || !said(notes, "taken as UTC") {
		t.Errorf("first weeks off: %v, %q", g.Meta().Attr, notes)
	}
	notes = nil
	g = fixture.Must[*ddps.LayeredGraph](t)(Timetable("testdata/cases/gtfs-missing-call", o))
	if len(notes) != 3 || notes[2] != "the feed has no days: all its trips run every day" ||
		notes[0] != "3 calls name a stop or a trip that is not in the feed, and are skipped" || g.Meta().Attr["date"] != "" {
		t.Errorf("missing calls: %q", notes)
	}
	calendar := "service_id,start_date,end_date,monday,tuesday,wednesday,thursday,friday,saturday,sunday\n"
	trips := "route_id,service_id,trip_id\nr,w,t1\nr,x,t2\nr,x,t3\n"
	late := feedFile(t, map[string]string{"calendar.txt": calendar +
		"w,20200101,20291231,1,1,1,1,1,1,1\nx,20280301,20280331,0,0,1,0,0,0,0\n",
		"calendar_dates.txt": "service_id,date,exception_type\nx,20280301,2\nw,20280308,2\nx,20280306,1\n",
		"trips.txt":          trips,
		"stop_times.txt": "trip_id,arrival_time,departure_time,stop_id,stop_sequence\n" +
			"t1,8:00:00,,a,1\nt1,8:20:00,,b,2\nt2,8:00:00,,a,1\nt2,8:20:00,,b,2\nt3,8:00:00,,a,1\nt3,8:20:00,,b,2\n"})
	o = TimetableOptions{Start: "a", From: "8:00", Slot: 600, Depth: 3}
	// both, on a Monday added
	if g := fixture.Must[*ddps.LayeredGraph](t)(Timetable(late, o)); g.Meta().Attr["date"] != "20280306" {
		t.Errorf("the busiest: %v", g.Meta().Attr)
	}
	headway := feedFile(t, map[string]string{"calendar.txt": calendar +
		"w,20200101,20201231,1,0,0,0,0,0,0\nx,20200101,20201231,0,1,0,0,0,0,0\n", "calendar_dates.txt": "",
		"trips.txt": "route_id,service_id,trip_id\nr,w,t1\nr,w,t2\nr,x,t3\n",
		"frequencies.txt": "trip_id,start_time,end_time,headway_secs\n" +
			"t3,6:00:00,7:00:00,600\nt3,7:00:00,9:00:00,600\nnone,6:00:00,7:00:00,600\n",
		"stop_times.txt": "trip_id,arrival_time,departure_time,stop_id,stop_sequence\n" +
			"t1,8:00:00,,a,1\nt1,8:20:00,,b,2\nt2,8:00:00,,a,1\nt2,8:20:00,,b,2\nt3,6:00:00,,a,1\nt3,6:20:00,,b,2\n"})
	notes = nil
	o.Note = func(s string) { notes = append(notes, s) }
	g = fixture.Must[*ddps.LayeredGraph](t)(Timetable(headway, o))
	if g.Meta().Attr["date"] != "20200107" || len(notes) != 3 || !strings.HasPrefix(notes[0], "1 headway is of a trip") {
		t.Errorf("headways: %v, %q", g.Meta().Attr, notes)
	}
	notes = nil
	where := feedFile(t, map[string]string{"agency.txt": "agency_name,agency_timezone\nx,Europe/Helsnki\n"})
	fixture.Must[*ddps.LayeredGraph](t)(Timetable(where, o))
	if !slices.Contains(notes, `agency_timezone "Europe/Helsnki" is not known: each day is taken to have 24 hours`) {
		t.Errorf("an unknown zone: %q", notes)
	}
	idle := feedFile(t, map[string]string{"calendar.txt": calendar + "w,20200101,20201231,0,0,0,0,0,0,0\n",
		"calendar_dates.txt": ""})
	_, err := Timetable(idle, o)
	fixture.WantError(t, "no day", err, "no trip runs on any day of the feed")
}

// TestTimetableMidnight: what left the day before is under way after midnight, and what leaves the day after at 24:22;
// where the clocks change a day has 25 hours.
func TestTimetableMidnight(t *testing.T) {
	feed := func(zone string) string {
		return feedFile(t, map[string]string{
			"calendar.txt": "service_id,start_date,end_date,monday,tuesday,wednesday,thursday,friday,saturday,sunday\n" +
				"w,20241001,20241231,1,1,1,1,1,1,1\n",
			"calendar_dates.txt": "", "agency.txt": "agency_name,agency_timezone\nx," + zone + "\n",
			"trips.txt":      "route_id,service_id,trip_id\nr,w,t1\n",
			"stop_times.txt": "trip_id,arrival_time,departure_time,stop_id,stop_sequence\nt1,24:12:00,,a,1\nt1,24:22:00,,b,2\n"})
	}
	for _, c := range []struct {
		zone, date, from string
		want             string
	}{
		{"", "20241030", "0:10", "a>a a>on t1 of 20241029 "},
		{"", "20241030", "24:10", "a>a a>on t1 "},
		{"", "20241030", "48:10", "a>a a>on t1 of 20241031 "},
		{"Europe/Helsinki", "20241027", "0:10", ""}, // noon − 12 h is 1:00 by the new time
		{"Europe/Helsinki", "20241028", "0:10", "a>a a>on t1 of 20241027 "},
	} {
		g, err := Timetable(feed(c.zone), TimetableOptions{Start: "a", From: c.from, Slot: 300, Depth: 2, Date: c.date})
		if c.want == "" {
			fixture.WantError(t, c.date, err, "no trip is under way")
		} else if err != nil || moves(g)[0] != c.want {
			t.Errorf("%+v: %v, %v", c, g, err)
		}
	}
}

func TestTimetableErrors(t *testing.T) {
	path := feedFile(t, nil)
	good := TimetableOptions{Start: "a", From: "8:00", Slot: 300, Depth: 5, Date: "20240103"}
	for what, c := range map[string]struct {
		change func(*TimetableOptions)
		want   string
	}{
		"start": {func(o *TimetableOptions) { o.Start = "S" }, `start "S" is none of the 4 stops, of which "`},
		"from":  {func(o *TimetableOptions) { o.From = "8.00" }, `from "8.00" is not a time`},
		"date":  {func(o *TimetableOptions) { o.Date = "20240230" }, `"20240230" is not a date`},
		"slot":  {func(o *TimetableOptions) { o.Slot = 0 }, "every 0 s"},
		"depth": {func(o *TimetableOptions) { o.Depth = 1 }, "1 layers"},
		"late":  {func(o *TimetableOptions) { o.From = "25:00" }, "no trip is under way"},
		"huge":  {func(o *TimetableOptions) { o.Depth = 1 << 40 }, "at most"},
		"memory": {func(o *TimetableOptions) { o.Memory = 3000 }, "of 5 layers take more than the 2.79e-06 GiB of memory " +
			"that there are: a depth of "},
		"walks": {func(o *TimetableOptions) { o.Memory, o.Walk = 30, 1e5 }, "pairs of stops lie within 100000 m"},
	} {
		o := good
		c.change(&o)
		_, err := Timetable(path, o)
		fixture.WantError(t, what, err, "feed.zip: timetable: ", c.want)
	}
	_, err := Timetable(filepath.Join(t.TempDir(), "none.zip"), good)
	fixture.WantError(t, "no file", err, "none.zip")
	_, err = Timetable(feedFile(t, map[string]string{"frequencies.txt": "trip_id,start_time,end_time,headway_secs\n" +
		strings.Repeat("t1,0:00:00,999:00:00,1\n", 2)}), TimetableOptions{Start: "a", From: "0:00", Slot: 86400, Depth: 100,
		Date: "20240103"})
	fixture.WantError(t, "headways", err, "more than 262144 runs")
}

// A real feed: the same graph each time.
func TestTimetableReal(t *testing.T) {
	g := fixture.Must[*ddps.LayeredGraph](t)(Timetable(fixture.SharedMap(t, "cairns_gtfs.zip"),
		TimetableOptions{Start: "750000", From: "8:00", Slot: 600, Depth: 10, Walk: 300}))
	if n := ddps.NewIndex(g).Count().Int64(); g.NumVertices() != 423 || g.NumEdges() != 1480 || n != 292591 ||
		g.Meta().Attr["date"] != "20140530" {
		t.Errorf("%d vertices, %d edges, %d paths on %s", g.NumVertices(), g.NumEdges(), n, g.Meta().Attr["date"])
	}
	again := fixture.Must[*ddps.LayeredGraph](t)(Timetable(fixture.SharedMap(t, "cairns_gtfs.zip"),
		TimetableOptions{Start: "750000", From: "8:00", Slot: 600, Depth: 10, Walk: 300}))
	var a, b bytes.Buffer
	g.WriteTo(&a)
	again.WriteTo(&b)
	if a.String() != b.String() {
		t.Error("the same arguments give another graph")
	}
}

// FuzzTimetable: any feed gives an error or a sound graph.
func FuzzTimetable(f *testing.F) {
	f.Add(fixture.ZipOf(f, fixture.BusFeed()), "a", "8:00", 300)
	f.Add([]byte("PK\x03\x04"), "a", "8:00:00", 60)
	f.Fuzz(func(t *testing.T, data []byte, start, from string, slot int) {
		path := filepath.Join(t.TempDir(), "f.zip")
		if err := os.WriteFile(path, data, 0o644); err != nil {
			t.Fatal(err)
		}
		g, err := Timetable(path, TimetableOptions{Start: start, From: from, Slot: slot, Depth: 4, Walk: 500})
		if err != nil {
			if !strings.HasPrefix(err.Error(), "datasets: ") && !strings.HasPrefix(err.Error(), "ddps: ") {
				t.Errorf("error %q", err)
			}
			return
		}
		if g.NumLayers() != 4 || g.Prune().NumVertices() != g.NumVertices() {
			t.Errorf("%d layers, %d vertices", g.NumLayers(), g.NumVertices())
		}
	})
}

// With several starts there is a source, and behind it the graphs of each start side by side.
func TestTimetableStarts(t *testing.T) {
	path := feedFile(t, nil)
	o := TimetableOptions{From: "8:00", Slot: 300, Depth: 5, Date: "20240103"}
	count := func(starts ...string) (*ddps.LayeredGraph, map[string]bool) {
		o.Start, o.Starts = starts[0], nil
		if len(starts) > 1 {
			o.Starts = starts
		}
		g, err := Timetable(path, o)
		if err != nil {
			t.Fatal(err)
		}
		all := map[string]bool{}
		for p := range g.Paths() {
			name := ""
			for _, v := range p[g.NumLayers()-5:] {
				name += g.Name(v) + " "
			}
			all[name] = true
		}
		return g, all
	}
	g, both := count("c", "a")
	_, a := count("a")
	_, c := count("c")
	if len(both) != len(a)+len(c) || g.Name(0) != ddps.Source || g.Meta().Attr[ddps.AttrFromLayer] != "1" ||
		g.Degree(0) != 2 {
		t.Errorf("%d paths from two starts, %d and %d from each; %v", len(both), len(a), len(c), g.Meta().Attr)
	}
	for p := range both {
		if !a[p] && !c[p] {
			t.Errorf("%s is a path from neither start", p)
		}
	}
	o.Starts = []string{"a", "a"}
	if _, err := Timetable(path, o); err == nil || !strings.Contains(err.Error(), "given twice") {
		t.Errorf("%v", err)
	}
}

// TestTimetableHeadways: of blocks of headways that meet, the run at the seam is there once, and the second block's
// headway holds from there on; the end of a block is no start. A headway of 0 is an error with its line.
func TestTimetableHeadways(t *testing.T) {
	feed := func(headways string) string {
		return feedFile(t, map[string]string{"frequencies.txt": "trip_id,start_time,end_time,headway_secs\n" + headways,
			"calendar.txt": "", "calendar_dates.txt": "", "trips.txt": "route_id,service_id,trip_id\nr,w,t1\n",
			"stop_times.txt": "trip_id,arrival_time,departure_time,stop_id,stop_sequence\nt1,5:00:00,,a,1\nt1,5:04:00,,b,2\n"})
	}
	starts := func(headways string) (list []string) {
		g, err := Timetable(feed(headways), TimetableOptions{Start: "a", From: "6:00", Slot: 60, Depth: 90})
		if err != nil {
			t.Fatal(err)
		}
		for _, name := range g.Meta().Names {
			if at, ok := strings.CutPrefix(name, "on t1@"); ok && !slices.Contains(list, at) {
				list = append(list, at)
			}
		}
		return list
	}
	for headways, want := range map[string]string{
		"t1,6:00:00,6:30:00,900\nt1,6:30:00,7:00:00,600\n": "6:00:00 6:15:00 6:30:00 6:40:00 6:50:00",
		"t1,6:30:00,7:00:00,600\nt1,6:00:00,6:30:00,900\n": "6:00:00 6:15:00 6:30:00 6:40:00 6:50:00",
		"t1,6:00:00,6:40:00,900\nt1,6:30:00,7:00:00,600\n": "6:00:00 6:15:00 6:30:00 6:40:00 6:50:00",
		"t1,6:00:00,6:30:01,900\n":                         "6:00:00 6:15:00 6:30:00",
		"t1,5:00:00,6:05:00,3600\n":                        "6:00:00",
	} {
		if got := strings.Join(starts(headways), " "); got != want {
			t.Errorf("%q: runs at %s, want %s", headways, got, want)
		}
	}
	_, err := Timetable(feed("t1,6:00:00,7:00:00,600\nt1,7:00:00,8:00:00,0\n"), TimetableOptions{Start: "a", From: "6:00",
		Slot: 60, Depth: 5})
	fixture.WantError(t, "headway 0", err, "frequencies.txt:3", `headway_secs "0" is not a whole number of 1…`)
}
