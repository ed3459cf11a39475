package tracks

import (
	"os"
	"strings"
	"testing"
)

// May 1 2026 written in many ways, and places in as many.
func TestTimesAndPlaces(t *testing.T) {
	for _, c := range []struct{ text, note string }{
		{"track;time;lat;lon\na;01/05/2026 10:00;60,1;24,9\na;13/05/2026 10:00;60,2;24,9\n", "dates have the day first"},
		{"track;time;lat;lon\na;05/01/2026 10:00 AM;60,1;24,9\na;05/13/2026 10:00;60,2;24,9\n", "dates have the month first"},
		{"track;time;lat;lon\na;01.05.2026 10:00;60,1;24,9\n", "latitudes and longitudes with a decimal comma: 2"},
		{"id,UTC_Date,UTC_Time,Latitude[°],Longitude[°]\na,2026-05-01,10:00,60°6'N,24.9°E\n", `date from "UTC_Date"`},
		{"guard,time,lat,lon\na,2026-05-01 10:00,60.1,24.9\n", `track from "guard"`},
		{"track,time,latlon\na,2026-05-01 10:00,\"60.1, 24.9\"\n", "latlon"},
		{"track,time,\"lon,lat\"\na,2026-05-01 10:00,\"24.9,60.1\"\n", `lonlat from "lon,lat"`},
		{"event-id,timestamp,location-long,location-lat,individual-local-identifier\n1,2026-05-01 10:00:00.000,24.9,60.1,a\n",
			`track from "individual-local-identifier"`},
	} {
		got, err := ReadCSV("f", strings.NewReader(c.text))
		if err != nil {
			t.Errorf("%.30q: %v", c.text, err)
			continue
		}
		f := got.Fixes[0]
		if f.Track != "a" || f.Time != tenOClock || f.Lat != 60.1 || f.Lon != 24.9 {
			t.Errorf("%.30q: %+v", c.text, f)
		}
		if said := strings.Join(got.Layout, "\n"); !strings.Contains(said, c.note) {
			t.Errorf("%.30q: %s", c.text, said)
		}
	}
	for text, want := range map[string]string{
		"track,time,lat,lon\na,01/05/2026 10:00,60.1,24.9\n":                      "say --dates day or --dates month",
		"track,time,lat,lon\na,13/05/2026,1,2\na,05/13/2026,1,2\n":                "some dates have the day first",
		"track,time,latlon\na,1,\"60.1,24.9,3\"\n":                                `latlon "60.1,24.9,3" is not two numbers`,
		"track,time,lat,lon\na,1,60.1E,24.9\n":                                    `latitude "60.1E" is not a number`,
		"track,time,lat,lon\na,23:50,60.1E,24.9\na,1/2/26,1,2\n":                  "none of its 2 fixes",
		"track,time,lat,lon\na,2024-02-30,60.1,24.9\na,2024-02-30 1:00,60,24.9\n": "there is no day 30 of a month 2",
	} {
		if _, err := ReadCSV("f", strings.NewReader(text)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%.40q: %v, expected %s", text, err, want)
		}
	}
}

// A row that is no fix changes nothing about the next, and times of day are not counted from 1970.
func TestTimesAfterBadRows(t *testing.T) {
	got, err := ReadCSV("f", strings.NewReader("track,time,place\n,05/01/2026 10:00,A\na,100000,B\na,01/13/2026,C\n"))
	if err != nil || len(got.Fixes) != 2 || got.Fixes[0].Time != 100000 {
		t.Errorf("%+v: %v", got, err)
	}
	for _, rows := range []string{"a,9:00,A\na,1000,B\n", "a,1000,A\na,9:00,B\n"} {
		got, err := ReadCSV("f", strings.NewReader("track,time,place\n"+rows))
		if err != nil || len(got.Bad) != 1 || !strings.Contains(got.Bad[0].Detail, "times of day") {
			t.Errorf("%q: %+v: %v", rows, got, err)
		}
	}
}

// Times of day go on, to the next day from 24:00 on; a fix before the one before is not used.
func TestTimesOfDay(t *testing.T) {
	got, err := ReadCSV("f",
		strings.NewReader("track,time,place\na,23:50,A\nb,9:00,A\na,24:10,B\nb,8:00,C\na,2026-01-01,B\n"))
	if err != nil || len(got.Fixes) != 3 || got.Fixes[2].Time-got.Fixes[0].Time != 1200 || len(got.Bad) != 2 {
		t.Fatal(got, err)
	}
	if s := got.Bad[0].String(); !strings.Contains(s, "past midnight (24:00 and more), or out of order?") {
		t.Error(s)
	}
	if s := got.Bad[1].String(); !strings.Contains(s, "some times of the file are dates and others are times of day") {
		t.Error(s)
	}
}

// Routes, and tracks without times, are passed at a steady pace; beside those with times they are left out.
func TestRoutes(t *testing.T) {
	const (
		route = "<rte><name>r</name><rtept lat='60' lon='24'/><rtept lat='60.001' lon='24'/></rte>"
		plan  = "<trk><trkseg><trkpt lat='60' lon='24'/><trkpt lat='60.001' lon='24'/></trkseg></trk>"
		timed = "<rte><rtept lat='1' lon='2'><time>2026-05-01T10:00:00Z</time></rtept></rte>"
		point = "<wpt lat='1' lon='2'><time>2026-05-01T10:00:00Z</time></wpt>"
	)
	got, err := ReadGPX("f", strings.NewReader("<gpx>"+point+route+plan+"</gpx>"))
	if err != nil || len(got.Fixes) != 4 {
		t.Fatal(got, err)
	}
	for i, f := range got.Fixes {
		if name := []string{"r", "2"}[i/2]; f.Track != name || i%2 == 0 && f.Time != 0 ||
			i%2 == 1 && (f.Time < 111 || f.Time > 112) {
			t.Errorf("%+v", f)
		}
	}
	said := strings.Join(got.Layout, "\n")
	for _, want := range []string{"waypoints, which are left out: 1", "without times, whose points are taken to be " +
		"passed at 1 m/s: 2"} {
		if !strings.Contains(said, want) {
			t.Errorf("%s lacks %s", said, want)
		}
	}
	got, err = ReadGPX("f", strings.NewReader("<gpx>"+route+timed+"</gpx>"))
	if err != nil || len(got.Fixes) != 1 || got.Fixes[0].Time != tenOClock {
		t.Fatal(got, err)
	}
	if said := strings.Join(got.Layout, "\n"); !strings.Contains(said, "left out beside those with times: 1") {
		t.Error(said)
	}
	if _, err := ReadGPX("f", strings.NewReader("<gpx>"+point+"</gpx>")); err == nil ||
		!strings.Contains(err.Error(), "no track and no route in the file, but 1 waypoint") {
		t.Error(err)
	}
	t.Chdir(t.TempDir())
	os.WriteFile("a.gpx", []byte("<gpx>"+route+"</gpx>"), 0o600)
	os.WriteFile("b.gpx", []byte("<gpx>"+timed+"</gpx>"), 0o600)
	if _, err := Read("a.gpx", "b.gpx"); err == nil || !strings.Contains(err.Error(), "import them one by one") {
		t.Error(err)
	}
	os.WriteFile("c.txt", []byte("time\tplace\n02/01/2026\tA\n"), 0o600)
	if d, err := (ReadOptions{Dates: "day"}).Read("c.txt"); err != nil || d.Fixes[0].Time != tenOClock-119*86400-36000 {
		t.Error(d, err)
	}
}
