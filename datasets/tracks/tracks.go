package tracks

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/ddps-go/ddps/datasets/internal/input"
	"github.com/ddps-go/ddps/datasets/internal/instant"
)

// Fix is where something was seen at a time: a point, or a place by its name.
type Fix struct {
	Track    string
	Time     float64 // seconds, from 1970 where the file has dates; or a number of steps
	Lon, Lat float64 // degrees, WGS 84; of a point
	Place    string  // the name of a vertex (ddps.LayeredGraph.Name); "" for a point
	File     string
	Line     int // from 1
}

// Tracks is what track files hold. A track is the fixes of one file that share its name, in whatever order.
type Tracks struct {
	Fixes  []Fix     // in the order of the files and their lines
	Steps  bool      // Time counts steps and not seconds
	Bad    []Outcome // rows that could not be read, all of them Unreadable
	Layout []string  // by file: in words what was taken for what

	forms     [timeForms]int // how often times of each form were read
	times     instant.Column
	open      []int              // fixes whose dates may have day and month the other way round
	swappable bool               // the time just read is one
	paced     bool               // the times are those of pace
	commas    int                // angles with a decimal comma
	clocks    map[string]float64 // by track, the last time of day
}

// newTracks returns no tracks, of a file whose dates have an order.
func newTracks(order instant.Order) *Tracks {
	return &Tracks{times: instant.Column{Order: order, Alike: true}, clocks: map[string]float64{}}
}

// timeForm is how a time is written.
type timeForm int

const (
	inSeconds timeForm = iota
	inMillis
	inMicros
	inNanos
	zoned // a date with a time zone
	local // a date without
	clock // a time of day
	timeForms
)

// Read reads files of tracks by their endings, packed by gzip or not, and adds them up:
//
//   - .csv, .tsv, .txt: a fix a row, separated by commas, semicolons or tabs, with a header that names columns (in
//     any order and case, others are not used, which Layout says) for the track (track, trip, id, user, vehicle,
//     device, trajectory, each with _id too), the time (time, timestamp, datetime) or step (step, layer), and lat
//     and lon (latitude, longitude, lng) or place (place, node, stop, vertex). Without a header the columns are
//     track, time, lat, lon, or track, time, place. A file without a column for the track is one track; places
//     without times follow each other step by step.
//   - .jsonl, .ndjson: the same as an object a line, its keys named like columns.
//   - .gpx: each trk a track, by its name or its number, and each rte; see ReadGPX.
//
// Times are dates with times, UTC where no zone is given, times of day, perhaps beside a column of dates, or seconds;
// numbers of 10¹¹ and more are milliseconds, microseconds or nanoseconds since 1970. A row of which a value cannot be
// read is not an error but in Bad. Errors name the file and the line: what is no CSV, JSON or XML, columns that are
// missing, files without a fix, files of which some count steps and others have times.
func Read(files ...string) (*Tracks, error) { return ReadOptions{}.Read(files...) }

// ReadOptions says how files are read.
type ReadOptions struct {
	// Dates says what comes first in dates whose year comes last: day or month; year refuses them. "": decided by all
	// dates of a file.
	Dates string
}

// Read reads files; see the function Read.
func (o ReadOptions) Read(files ...string) (*Tracks, error) {
	order, err := instant.CheckOrder(o.Dates)
	if err != nil {
		return nil, fmt.Errorf("datasets: %w", err)
	}
	all := &Tracks{}
	for i, file := range files {
		t, err := readTracks(file, order)
		if err != nil {
			return nil, err
		}
		if i > 0 && t.paced != all.paced {
			return nil, fmt.Errorf("datasets: %s: has times, or none, unlike %s: import them one by one", file, files[0])
		}
		all.paced = t.paced
		if i > 0 && t.Steps != all.Steps {
			return nil, fmt.Errorf("datasets: %s: counts steps, or has times, and %s does not: import them one by one", file,
				files[0])
		}
		all.Steps = t.Steps
		all.Fixes, all.Bad = append(all.Fixes, t.Fixes...), append(all.Bad, t.Bad...)
		all.Layout = append(all.Layout, t.Layout...)
	}
	return all, nil
}

// readTracks reads one file.
func readTracks(path string, order instant.Order) (*Tracks, error) {
	t := newTracks(order)
	f, err := os.Open(path)
	if err != nil {
		return nil, fmt.Errorf("datasets: %w", err)
	}
	defer f.Close()
	switch filepath.Ext(strings.TrimSuffix(strings.ToLower(path), ".gz")) {
	case ".csv", ".tsv", ".txt":
		return t.csv(path, f)
	case ".jsonl", ".ndjson":
		return t.jsonl(path, f)
	case ".gpx":
		return t.gpx(path, f)
	}
	head, _ := io.ReadAll(io.LimitReader(f, 1<<10))
	if err := input.Archive(head); err != nil {
		return nil, fmt.Errorf("datasets: %s: %w", path, err)
	}
	return nil, fmt.Errorf("datasets: %s: ends in none of .csv, .tsv, .txt, .jsonl, .ndjson, .gpx, with .gz or without",
		path)
}

// done returns t, or an error if nothing in it can be read.
func (t *Tracks) done(name string) (*Tracks, error) {
	if len(t.Fixes) > 0 {
		swap, note, err := t.times.Done()
		if err != nil {
			return nil, fmt.Errorf("datasets: %s: %w", name, err)
		}
		for _, i := range t.open {
			if swap {
				t.Fixes[i].Time = instant.SwappedSeconds(t.Fixes[i].Time)
			}
		}
		if note != "" {
			t.Layout = append(t.Layout, name+": "+note)
		}
		t.noteTimes(name)
		return t, nil
	}
	if len(t.Bad) > 0 {
		return nil, fmt.Errorf("datasets: %s:%d: %s; none of its %d fixes can be read", name, t.Bad[0].Line, t.Bad[0].Detail,
			len(t.Bad))
	}
	return nil, fmt.Errorf("datasets: %s: no fix in the file", name)
}

// noteTimes says what was taken for granted of the times of a file.
func (t *Tracks) noteTimes(name string) {
	say := func(format string, args ...any) { t.Layout = append(t.Layout, name+": "+fmt.Sprintf(format, args...)) }
	if t.commas > 0 {
		say("latitudes and longitudes with a decimal comma: %d", t.commas)
	}
	if n := t.forms[local]; n > 0 {
		say("times without a time zone are taken as UTC: %d of %d", n, len(t.Fixes))
	}
	for i, unit := range []string{"milliseconds", "microseconds", "nanoseconds"} {
		if n := t.forms[inMillis+timeForm(i)]; n > 0 {
			say("times are so large that they are taken as %s since 1970: %d of %d", unit, n, len(t.Fixes))
		}
	}
	if n, dates := t.forms[inSeconds], t.forms[zoned]+t.forms[local]; n > 0 && dates > 0 {
		say("%d times are seconds and %d are dates: seconds are taken as those since 1970", n, dates)
	}
	last, back := map[string]float64{}, 0
	for _, f := range t.Fixes {
		if before, ok := last[f.Track]; ok && f.Time < before {
			back++
		}
		last[f.Track] = f.Time
	}
	if back > 0 {
		say("fixes with an earlier time than the one before them in their track: %d; tracks are put in the order of time",
			back)
	}
}

const (
	roleTrack role = iota
	roleTime
	roleStep
	roleLat
	roleLon
	rolePlace
	roleDate   // of a time of day
	roleLatLon // both in one
	roleLonLat
	roles
)

// newFix makes a fix of the texts of its row by role. next is the number of the track's next step where neither time
// nor step is given.
func (t *Tracks) newFix(value func(role) (text string, given bool), next func(track string) int) (f Fix, err error) {
	get := func(r role) string { s, _ := value(r); return strings.TrimSpace(s) }
	f.Track, t.swappable = get(roleTrack), false
	_, timed := value(roleTime)
	_, stepped := value(roleStep)
	if !timed && !stepped {
		f.Time = float64(next(f.Track)) // of a row that is bad too: those after it keep their steps
	}
	if _, given := value(rolePlace); given {
		if f.Place = get(rolePlace); f.Place == "" {
			return f, fmt.Errorf("no place")
		}
	} else if f.Lat, f.Lon, err = t.point(get, value); err != nil {
		return f, err
	}
	if timed {
		f.Time, err = t.timeOf(f.Track, instant.Joined(get(roleDate), get(roleTime)))
	} else if stepped {
		var n int
		if n, err = strconv.Atoi(get(roleStep)); err != nil {
			err = fmt.Errorf("step %q is not a whole number", get(roleStep))
		} else if n >= 1<<52 || n <= -1<<52 { // Time does not keep them apart
			err = fmt.Errorf("step %d is not within ±2⁵²", n)
		}
		f.Time = float64(n)
	}
	// GPX names its tracks after it read them
	if _, given := value(roleTrack); err == nil && given && f.Track == "" {
		err = fmt.Errorf("no track")
	}
	return f, err
}
