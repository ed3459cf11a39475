// Package gtfs reads what a walk needs of a GTFS feed (gtfs.org, the schedule
// reference): stops, trips with their calls, headways and days. Shapes, fares and
// all else are stepped over.
//
// The known Go readers of GTFS hold a whole feed as structs of every field and
// trust it; this one keeps a few numbers a call and checks them.
package gtfs

import (
	"archive/zip"
	"bufio"
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"slices"
	"strings"

	"github.com/ddps-go/ddps/datasets/internal/input"
)

// maxFile bounds the size of a file of a feed; what a zip unpacks to is bounded by its own, too.
const maxFile = 1 << 30

// Stop is a place where vehicles halt (location_type 0).
type Stop struct {
	ID       string
	Name     string // stop_name, "" where there is none
	Lon, Lat float64
}

// Call is a halt of a trip. Times are seconds after midnight (noon minus twelve
// hours) of the day of service, -1 where the feed has none; they may be more than
// a day.
type Call struct {
	Stop           int // index in Stops, -1 for one that is not in the feed
	Arrive, Depart int
	seq            int
}

// Headway repeats a trip: it starts every Every seconds from From to below To.
type Headway struct{ From, To, Every int }

// Trip is a run of a vehicle: its calls in their order.
type Trip struct {
	ID, Service string
	Calls       []Call
	Headways    []Headway
}

// Feed is a timetable.
type Feed struct {
	Stops    []Stop // in the order of stops.txt
	Trips    []Trip // in the order of trips.txt
	Agencies []string
	Days     map[string]*Service // by service_id
	// Missing counts calls at a stop, or of a trip, that is not in the feed; Headways
	// headways of such trips; Nowhere stops that are stations, entrances or the like.
	Missing, Headways, Nowhere int
	// Limited counts calls where one may not board, or not alight (pickup_type or drop_off_type 1); Transfers says that
	// there is a transfers.txt. Neither is used.
	Limited   int
	Transfers bool
	// Repeated counts rows of the days and the headways that say again what a row before says.
	Repeated int
	// Zone is the first agency's timezone, a name of the IANA's, "" where the feed has none; Zones counts agencies with
	// another.
	Zone  string
	Zones int

	stop, trip map[string]int
	headway    map[headwayOf]bool
}

// headwayOf is a headway of a trip, by its index.
type headwayOf struct {
	trip int
	Headway
}

// Zip reads a feed in a zip of r's bytes.
func Zip(r io.Reader) (*Feed, error) {
	in := bufio.NewReader(r)
	if head, _ := in.Peek(2); string(head) != "PK" {
		return nil, fmt.Errorf("gtfs: %w", zip.ErrFormat)
	}
	data, err := io.ReadAll(io.LimitReader(in, maxFile+1))
	if err != nil {
		return nil, err
	}
	if len(data) > maxFile {
		return nil, fmt.Errorf("gtfs: the zip is larger than %d MiB", maxFile>>20)
	}
	z, err := zip.NewReader(bytes.NewReader(data), int64(len(data)))
	if err != nil {
		return nil, fmt.Errorf("gtfs: %w", err)
	}
	return read(z, min(maxFile, input.Most(int64(len(data)))))
}

// Read reads a feed: stops.txt, trips.txt and stop_times.txt have to be there,
// at the top or in one directory. Errors name the file and the line.
func Read(files fs.FS) (*Feed, error) { return read(files, maxFile) }

// read reads a feed of files of at most so many bytes.
func read(files fs.FS, most int64) (*Feed, error) {
	files, err := within(files)
	if err != nil {
		return nil, fmt.Errorf("gtfs: %w", err)
	}
	f := &Feed{stop: map[string]int{}, trip: map[string]int{}, headway: map[headwayOf]bool{},
		Days: map[string]*Service{}}
	for _, part := range []struct {
		file    string
		needed  bool
		columns []string // those that must be there, then those that may
		must    int
		row     func(line int, v []string) error
	}{
		{"stops.txt", true, []string{"stop_id", "stop_lat", "stop_lon", "location_type", "stop_name"}, 1, f.addStop},
		{"trips.txt", true, []string{"trip_id", "service_id"}, 2, f.addTrip},
		{"stop_times.txt", true, []string{"trip_id", "stop_id", "stop_sequence", "arrival_time", "departure_time",
			"pickup_type", "drop_off_type"}, 3, f.addCall},
		{"frequencies.txt", false, []string{"trip_id", "start_time", "end_time", "headway_secs"}, 4, f.addHeadway},
		{"calendar.txt", false, append([]string{"service_id", "start_date", "end_date"}, weekdays...), 10, f.addService},
		{"calendar_dates.txt", false, []string{"service_id", "date", "exception_type"}, 3, f.addException},
		{"agency.txt", false, []string{"agency_name", "agency_timezone"}, 1, f.addAgency},
	} {
		err := rows(files, part.file, most, part.columns, part.must, part.row)
		if errors.Is(err, fs.ErrNotExist) && !part.needed {
			continue
		}
		if err != nil {
			return nil, fmt.Errorf("gtfs: %w", err)
		}
	}
	_, err = fs.Stat(files, "transfers.txt")
	f.Transfers = err == nil
	return f, f.order()
}

// within returns the directory that holds stops.txt: files itself, or its one directory.
func within(files fs.FS) (fs.FS, error) {
	if _, err := fs.Stat(files, "stops.txt"); err == nil {
		return files, nil
	}
	list, err := fs.Glob(files, "*/stops.txt")
	if err == nil && len(list) != 1 {
		err = errors.New("no stops.txt: is it a GTFS feed? other maps in a zip are to be unpacked")
	}
	if err != nil {
		return nil, err
	}
	return fs.Sub(files, strings.TrimSuffix(list[0], "/stops.txt"))
}

// order sorts the calls of the trips and fills in the times between.
func (f *Feed) order() error {
	for i := range f.Trips {
		t := &f.Trips[i]
		slices.SortStableFunc(t.Calls, func(a, b Call) int { return cmp.Compare(a.seq, b.seq) })
		for k := 1; k < len(t.Calls); k++ {
			if t.Calls[k].seq == t.Calls[k-1].seq {
				return fmt.Errorf("gtfs: stop_times.txt: trip %s has two calls with stop_sequence %d", t.ID, t.Calls[k].seq)
			}
		}
		if err := t.fill(); err != nil {
			return fmt.Errorf("gtfs: stop_times.txt: trip %s: %w", t.ID, err)
		}
	}
	return nil
}

// fill gives calls without times some that are evenly spaced between their
// neighbours', and checks that time does not run backwards. A trip whose first or
// last call has none keeps -1 at the ends.
func (t *Trip) fill() error {
	last := -1 // the last call with times
	for k := range t.Calls {
		c := &t.Calls[k]
		if c.Arrive < 0 {
			c.Arrive = c.Depart
		}
		if c.Depart < 0 {
			c.Depart = c.Arrive
		}
		if c.Arrive < 0 {
			continue
		}
		if c.Depart < c.Arrive || last >= 0 && c.Arrive < t.Calls[last].Depart {
			return fmt.Errorf("time runs backwards at stop_sequence %d", c.seq)
		}
		for j := last + 1; last >= 0 && j < k; j++ {
			from := t.Calls[last].Depart
			at := from + (c.Arrive-from)*(j-last)/(k-last)
			t.Calls[j].Arrive, t.Calls[j].Depart = at, at
		}
		last = k
	}
	return nil
}
