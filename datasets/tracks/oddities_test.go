package tracks

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/ddps-go/ddps/datasets/internal/fixture"
)

// What other matchers of tracks had trouble with: a last fix that is repeated, one that goes back in place or in time,
// a loop that ends where it began, several tracks in a file, and times across a change of the clocks.
func TestOddTracks(t *testing.T) {
	g := grid(t)
	const head = "track,time,place\n"
	for what, c := range map[string]struct {
		text string
		want string // the paths, by track
		note string
	}{
		"repeated last fix": {head + "a,0,1\na,10,2\na,20,3\na,30,2\na,40,2\na,40,2\n", "1 2 3 2 2", ""},
		"stands at the end": {head + "a,0,1\na,10,2\na,20,3\na,30,3\na,40,3\na,50,3\n", "1 2 3 3 3", ""},
		"one back":          {head + "a,0,1\na,10,2\na,20,1\na,30,2\na,40,3\n", "1 2 1 2 3", ""},
		"loop":              {head + "a,0,1\na,10,4\na,20,5\na,30,4\na,40,1\n", "1 4 5 4 1", ""},
		"back in time": {head + "a,0,1\na,10,2\na,30,2\na,20,3\na,40,1\n", "1 2 3 2 1",
			"fixes with an earlier time than the one before them in their track: 1"},
		"two tracks": {head + "a,0,1\nb,0,1\na,10,2\nb,10,4\na,20,3\nb,20,5\na,30,5\nb,30,3\na,40,4\nb,40,2\n",
			"1 2 3 5 4|1 4 5 3 2", ""},
		"zones": {head + "a,2026-10-25T03:59:40+03:00,1\na,2026-10-25T03:59:50+03:00,2\na,2026-10-25T03:00:00+02:00,3\n" +
			"a,2026-10-25T01:00:10Z,2\na,2026-10-25 03:00:20+02:00,1\n", "1 2 3 2 1", ""},
		"no zone": {head + "a,2026-10-25T03:59:40,1\na,2026-10-25T03:59:50,2\na,2026-10-25T04:00:00,3\n" +
			"a,2026-10-25T04:00:10,2\na,2026-10-25T04:00:20,1\n", "1 2 3 2 1",
			"times without a time zone are taken as UTC: 5 of 5"},
	} {
		read, err := ReadCSV("t.csv", strings.NewReader(c.text))
		if err != nil {
			t.Fatalf("%s: %v", what, err)
		}
		d, r, err := Match(g, read, Options{Every: 10})
		if err != nil {
			t.Errorf("%s: %v, %v", what, err, r)
			continue
		}
		accounts(t, r)
		var got []string
		for _, p := range d.Paths {
			got = append(got, fixture.CalledBy(g, p))
		}
		if slices.Sort(got); strings.Join(got, "|") != c.want {
			t.Errorf("%s: %q, want %s", what, got, c.want)
		}
		if notes := strings.Join(read.Layout[1:], "|"); !strings.Contains(notes, c.note) || c.note == "" && notes != "" {
			t.Errorf("%s: notes %q", what, notes)
		}
	}
	mixed, err := ReadCSV("t.csv", strings.NewReader(head+"a,5,1\na,2026-10-25T03:59:50Z,2\n"))
	if err != nil || !strings.Contains(mixed.Layout[1], "1 times are seconds and 1 are dates") {
		t.Errorf("%v, %v", mixed, err)
	}
}

// TestLargeTimes: seconds, milliseconds, microseconds and nanoseconds since 1970 are the same times.
func TestLargeTimes(t *testing.T) {
	read := func(zeros, fraction string) *Tracks {
		text := "track,time,place\n"
		for i, place := range strings.Fields("1 2 3") {
			text += fmt.Sprintf("a,17000000%d0%s%s,%s\n", i, zeros, fraction, place)
		}
		return fixture.Must[*Tracks](t)(ReadCSV("t.csv", strings.NewReader(text)))
	}
	want := read("", ".5")
	if len(want.Layout) != 1 {
		t.Error(want.Layout)
	}
	for unit, zeros := range map[string]string{"milli": "500", "micro": "500000", "nano": "500000000"} {
		got := read(zeros, "")
		if !slices.Equal(got.Fixes, want.Fixes) || len(got.Layout) != 2 ||
			!strings.HasSuffix(got.Layout[1], "taken as "+unit+"seconds since 1970: 3 of 3") {
			t.Errorf("%s: %+v", unit, got)
		}
	}
	_, err := ReadCSV("t.csv", strings.NewReader("track,time,place\na,1e21,1\n"))
	fixture.WantError(t, "too late", err, `time "1e21" is neither seconds nor a date`)
}

// TestSwappedCoordinates: where latitudes are called longitudes the error says so, and not where tracks are elsewhere.
func TestSwappedCoordinates(t *testing.T) {
	g := town(t)
	list, _ := noisyWalks(t, g, 3, 10, 2)
	for i, f := range list.Fixes {
		list.Fixes[i].Lon, list.Fixes[i].Lat = f.Lat, f.Lon
	}
	_, _, err := Match(g, list, Options{})
	fixture.WantError(t, "swapped", err, fmt.Sprintf("; none of %d fixes is near a place, and %[1]d are with latitude "+
		"and longitude swapped", len(list.Fixes)))
	for i := range list.Fixes {
		list.Fixes[i].Lat++
	}
	if _, _, err = Match(g, list, Options{}); err == nil || strings.Contains(err.Error(), "swapped") {
		t.Error(err)
	}
}
