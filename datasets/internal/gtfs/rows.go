package gtfs

import (
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/ddps-go/ddps/datasets/internal/input"
)

// rows calls do for each row of a file, with its line and the values of the columns called so,
// "" where the file has no such column. The first must columns have to be there.
// The file may have most bytes.
func rows(files fs.FS, name string, most int64, columns []string, must int, do func(line int, v []string) error) error {
	file, err := files.Open(name)
	if err != nil {
		return err
	}
	defer file.Close()
	c := csv.NewReader(input.Lines(input.Text(&limited{file, most, most})))
	c.FieldsPerRecord, c.ReuseRecord, c.TrimLeadingSpace, c.LazyQuotes = -1, true, true, true
	head, err := c.Read()
	if err == io.EOF {
		err = errors.New("the file is empty")
	}
	if err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	col, v := make([]int, len(columns)), make([]string, len(columns))
	for i, want := range columns {
		col[i] = slices.IndexFunc(head, func(h string) bool { return strings.TrimSpace(h) == want })
		if col[i] < 0 && i < must {
			return fmt.Errorf("%s: no column %s", name, want)
		}
	}
	for {
		row, err := c.Read()
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		if i := slices.IndexFunc(row, func(s string) bool { return strings.Contains(s, "\n") }); i >= 0 {
			line, _ := c.FieldPos(i) // the format forbids it, and a lone quote would swallow rows
			return fmt.Errorf("%s:%d: a value continues in the next line: is there a lone quote?", name, line)
		}
		for i, k := range col {
			if v[i] = ""; k >= 0 && k < len(row) {
				v[i] = strings.TrimSpace(row[k])
			}
		}
		line, _ := c.FieldPos(0)
		if err := do(line, v); err != nil {
			return fmt.Errorf("%s:%d: %w", name, line, err)
		}
	}
}

// limited fails, rather than end, once more than left bytes are read.
type limited struct {
	r          io.Reader
	left, most int64
}

func (l *limited) Read(p []byte) (int, error) {
	n, err := l.r.Read(p)
	if l.left -= int64(n); l.left < 0 {
		return n, fmt.Errorf("has more than %d MiB", l.most>>20)
	}
	return n, err
}

func (f *Feed) addStop(_ int, v []string) error {
	if v[0] == "" {
		return errors.New("no stop_id")
	}
	if v[3] != "" && v[3] != "0" {
		f.Nowhere++ // a station, an entrance, a node of a way within it
		return nil
	}
	if _, twice := f.stop[v[0]]; twice {
		return fmt.Errorf("stop %s occurs twice", v[0])
	}
	lat, err := strconv.ParseFloat(v[1], 64)
	lon, err2 := strconv.ParseFloat(v[2], 64)
	if err != nil || err2 != nil || !(math.Abs(lon) <= 180 && math.Abs(lat) <= 90) {
		return fmt.Errorf("stop %s: stop_lat %q, stop_lon %q are not degrees", v[0], v[1], v[2])
	}
	id := strings.Clone(v[0])
	f.stop[id] = len(f.Stops)
	f.Stops = append(f.Stops, Stop{ID: id, Name: strings.Clone(strings.TrimSpace(v[4])), Lon: lon, Lat: lat})
	return nil
}

func (f *Feed) addTrip(_ int, v []string) error {
	if v[0] == "" {
		return errors.New("no trip_id")
	}
	if _, twice := f.trip[v[0]]; twice {
		return fmt.Errorf("trip %s occurs twice", v[0])
	}
	id := strings.Clone(v[0])
	f.trip[id] = len(f.Trips)
	f.Trips = append(f.Trips, Trip{ID: id, Service: strings.Clone(v[1])})
	return nil
}

// maxCalls is more calls than a trip has.
const maxCalls = 100_000

func (f *Feed) addCall(_ int, v []string) error {
	trip, ok := f.trip[v[0]]
	if !ok {
		f.Missing++
		return nil
	}
	if len(f.Trips[trip].Calls) == maxCalls {
		return fmt.Errorf("trip %s: more than %d calls", v[0], maxCalls)
	}
	stop, ok := f.stop[v[1]]
	if !ok {
		f.Missing++
		stop = -1
	}
	seq, err := strconv.Atoi(v[2])
	if err != nil || seq < 0 {
		return fmt.Errorf("stop_sequence %q is not a whole number of 0 or more", v[2])
	}
	c := Call{Stop: stop, seq: seq}
	if c.Arrive, err = clock(v[3], -1); err != nil {
		return fmt.Errorf("arrival_time %w", err)
	}
	if c.Depart, err = clock(v[4], -1); err != nil {
		return fmt.Errorf("departure_time %w", err)
	}
	if stop >= 0 && (v[5] == "1" || v[6] == "1") {
		f.Limited++
	}
	f.Trips[trip].Calls = append(f.Trips[trip].Calls, c)
	return nil
}

// maxHeadway is more seconds than any time of a feed has.
const maxHeadway = 10_000_000

func (f *Feed) addHeadway(_ int, v []string) error {
	trip, ok := f.trip[v[0]]
	if !ok {
		f.Headways++
		return nil
	}
	from, err := Clock(v[1])
	if err != nil {
		return fmt.Errorf("start_time %w", err)
	}
	to, err := Clock(v[2])
	if err != nil {
		return fmt.Errorf("end_time %w", err)
	}
	every, err := strconv.Atoi(v[3])
	if err != nil || every < 1 || every > maxHeadway {
		return fmt.Errorf("headway_secs %q is not a whole number of 1…%d", v[3], maxHeadway)
	}
	h := Headway{from, to, every}
	if key := (headwayOf{trip, h}); f.headway[key] {
		f.Repeated++
	} else {
		f.headway[key] = true
		f.Trips[trip].Headways = append(f.Trips[trip].Headways, h)
	}
	return nil
}

// maxAgencies is more agencies than a feed has.
const maxAgencies = 10_000

func (f *Feed) addAgency(_ int, v []string) error {
	if len(f.Agencies) == maxAgencies {
		return fmt.Errorf("more than %d agencies", maxAgencies)
	}
	f.Agencies = append(f.Agencies, strings.ToValidUTF8(v[0], "\ufffd"))
	if f.Zone == "" {
		f.Zone = strings.Clone(v[1])
	} else if v[1] != "" && v[1] != f.Zone {
		f.Zones++
	}
	return nil
}

// Clock reads H:MM:SS or H:MM, hours from 0 to 999, as seconds.
func Clock(s string) (int, error) {
	bad := fmt.Errorf("%q is not a time H:MM:SS", s)
	parts := strings.Split(s, ":")
	if len(parts) != 3 && len(parts) != 2 {
		return 0, bad
	}
	at := 0
	for i, p := range append(parts, "0")[:3] {
		n, err := strconv.ParseUint(p, 10, 10)
		if err != nil || n > 999 || i > 0 && n > 59 {
			return 0, bad
		}
		at = at*60 + int(n)
	}
	return at, nil
}

// clock is Clock, with a value for no time at all.
func clock(s string, none int) (int, error) {
	if s == "" {
		return none, nil
	}
	return Clock(s)
}
