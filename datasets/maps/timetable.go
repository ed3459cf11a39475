package maps

import (
	"cmp"
	"errors"
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"

	"github.com/ddps-go/ddps/datasets/internal/gtfs"
	"github.com/ddps-go/ddps/ddps"
)

// TimetableOptions says how a GTFS feed is unrolled in time.
type TimetableOptions struct {
	Start string // stop_id of the stop where every path begins
	// Starts, unless it is nil, are several stops where paths may begin, each once, in place of Start: the first layer is
	// then a source, and the second the moment From.
	Starts []string
	// Weights are those of the Starts, above 0, in the graph's attribute start_weights (package slots draws by them); nil:
	// alike.
	Weights []float64
	Date    string // the day of service, YYYYMMDD or YYYY-MM-DD; "": the first one, of all, with the most trips
	From    string // the time of the first layer, H:MM or H:MM:SS; may be past 24:00
	Slot    int    // seconds from layer to layer, at least 1
	Depth   int    // layers, at least 2
	// Walk is how many metres in a straight line may be walked from stop to stop in
	// one slot; 0 for none.
	Walk float64
	// Ends, unless it is nil, are stops where paths end: at one of them in the last layer. What leads to none is not
	// there.
	Ends []string
	// Absorb ends a path where it first comes to one of the Ends after the first layer; END (ddps.End) fills it up.
	Absorb bool
	// Labels puts the stops' names into the graph (ddps.AttrLabels).
	Labels bool
	// Memory is how many bytes the graph may take while it is made and written, 0 for any number.
	Memory int64
	// Note, unless it is nil, is called with what of the feed is left out, a line each.
	Note func(text string)
}

// Timetable unrolls a GTFS feed, a zip or a directory, by its times. Layer l is the
// moment From + l·Slot; its vertices say where one is then:
//
//   - at a stop: Name its stop_id, Place its index in stops.txt (of those with
//     location_type 0);
//   - aboard a run of a trip that is under way: Name "on " and its trip_id, and
//     "@" and the start where a headway repeats it, and " of " and the date where it
//     is another day's; Place comes after the stops'.
//
// Edges are what one can do until the next layer:
//
//   - wait: a stop to itself, always;
//   - walk: to a stop within Walk metres;
//   - ride: from a stop to a run that departs there in [now, next), or straight to
//     a stop which that run reaches by next; from a run to itself, while it continues
//     after next, or to a stop that it reaches in (now, next].
//
// So there is at most one ride begun a slot; a change of vehicle takes until the
// next layer. Times past midnight belong to the day of service: at 0:10 what
// left the day before with times like 24:22 is under way, and at 24:10 what leaves the day
// after at 0:22. Pickup and drop-off types are not looked at. Only what the start reaches is there. XY are
// degrees, of a vehicle on the straight line between its stops. Attr tells date,
// from, slot and walk besides what Expand tells, and from_layer where there is a source (ddps.AttrFromLayer).
//
// Errors: those of reading the feed (Read), an unknown start, a wrong date or
// time, a number out of range, a day without trips, more than 2²⁷ vertices.
func Timetable(path string, o TimetableOptions) (*ddps.LayeredGraph, error) {
	feed, err := readFeed(path)
	if err != nil {
		return nil, fmt.Errorf("datasets: %s: %w", path, err)
	}
	if o.Note != nil {
		for _, text := range feed.Notes() {
			o.Note(text)
		}
		if len(feed.Days) == 0 {
			o.Note("the feed has no days: all its trips run every day")
		}
	}
	x, err := newTimetable(feed, o)
	if err == nil {
		err = x.unroll()
	}
	if err != nil {
		return nil, fmt.Errorf("datasets: %s: timetable: %w", path, err)
	}
	if o.Labels {
		x.describeStops()
	}
	g, err := ddps.New(x.sizes, x.heads)
	if err != nil {
		return nil, fmt.Errorf("datasets: %s: timetable: %w", path, err)
	}
	return g.WithMeta(x.meta)
}

func readFeed(path string) (*gtfs.Feed, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, err
	}
	if info.IsDir() {
		return gtfs.Read(os.DirFS(path))
	}
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return gtfs.Zip(f)
}

// departure is a run that leaves a stop.
type departure struct{ time, run, call int }

// timetable is the work of one Timetable. States are stops, then runs.
type timetable struct {
	o      TimetableOptions
	feed   *gtfs.Feed
	starts []int           // ascending
	weight map[int]float64 // of starts, empty where they are alike
	ends   []int           // ascending; nil: anywhere
	from   int             // seconds
	runs   []gtfs.Run
	leave  [][]departure // by stop, in the order of time
	within [][]int       // stops in walking distance
	sizes  []int
	heads  [][]int
	meta   ddps.Meta
}

func newTimetable(feed *gtfs.Feed, o TimetableOptions) (*timetable, error) {
	x := &timetable{o: o, feed: feed}
	var err error
	if x.from, err = gtfs.Clock(o.From); err != nil {
		return nil, fmt.Errorf("from %w", err)
	}
	if o.Slot < 1 || o.Depth < 2 || float64(o.Slot)*float64(o.Depth) > 1e7 || !(o.Walk >= 0 && o.Walk <= 1e5) {
		return nil, fmt.Errorf("%d layers every %d s, walks of %v m: expected 2 or more, 1 or more, at most 10⁷ s in all, "+
			"and "+
			"0…100,000 m", o.Depth, o.Slot, o.Walk)
	}
	date := o.Date
	if date == "" {
		if date = feed.Busiest(); date == "" && len(feed.Days) > 0 {
			return nil, errors.New("no trip runs on any day of the feed")
		}
	} else if date, err = gtfs.Date(date); err != nil {
		return nil, err
	}
	if err := x.begin(); err != nil {
		return nil, err
	}
	if err := x.endings(); err != nil {
		return nil, err
	}
	if x.runs, err = feed.Runs(date, x.from, x.from+o.Slot*(o.Depth-1)); err != nil {
		return nil, err
	}
	if len(x.runs) == 0 {
		when := ""
		if first, last := feed.Range(); first != "" {
			when = fmt.Sprintf(" on %s (the feed's days are %s to %s)", date, first, last)
		}
		return nil, fmt.Errorf("no trip is under way%s from %s on, for %d s", when, o.From, o.Slot*(o.Depth-1))
	}
	if float64(len(feed.Stops)+len(x.runs))*float64(o.Depth) > maxCopies {
		return nil, fmt.Errorf("%d layers of %d stops and %d runs: take less depth", o.Depth, len(feed.Stops), len(x.runs))
	}
	if err := x.index(); err != nil {
		return nil, err
	}
	x.meta.Attr = map[string]string{"crs": "EPSG:4326", "start": strings.Join(x.names(), ", "),
		"depth": strconv.Itoa(o.Depth), "date": date, "from": o.From,
		"slot": strconv.Itoa(o.Slot), "walk": strconv.FormatFloat(o.Walk, 'g', -1, 64)}
	if place := feed.Stops[x.starts[0]]; len(x.starts) == 1 {
		x.meta.Attr["start_lon"], x.meta.Attr["start_lat"] = fmt.Sprintf("%.7f", place.Lon), fmt.Sprintf("%.7f", place.Lat)
	} else {
		x.meta.Attr[ddps.AttrStarts] = strings.Join(x.names(), "\t")
		x.weights()
		x.source()
	}
	credit(x.meta.Attr, feed)
	x.describeEnds()
	return x, nil
}

// index lists departures and walks by stop.
func (x *timetable) index() error {
	x.leave = make([][]departure, len(x.feed.Stops))
	for r, run := range x.runs {
		for k, c := range run.Calls[:len(run.Calls)-1] {
			x.leave[c.Stop] = append(x.leave[c.Stop], departure{c.Depart, r, k})
		}
	}
	for _, list := range x.leave {
		slices.SortStableFunc(list, func(a, b departure) int { return cmp.Compare(a.time, b.time) })
	}
	x.within = make([][]int, len(x.feed.Stops))
	if x.o.Walk == 0 {
		return nil
	}
	pairs := 0
	for a, p := range x.feed.Stops {
		for b, q := range x.feed.Stops[:a] {
			if Distance(Node{Lon: p.Lon, Lat: p.Lat}, Node{Lon: q.Lon, Lat: q.Lat}) <= x.o.Walk {
				x.within[a], x.within[b] = append(x.within[a], b), append(x.within[b], a)
				pairs++
			}
		}
		if x.over(float64(pairs) * 4 * 8) {
			return fmt.Errorf("more than %d pairs of stops lie within %v m: they take more memory than there is: walk less",
				pairs, x.o.Walk)
		}
	}
	return nil
}

// over reports whether bytes are more than may be taken.
func (x *timetable) over(bytes float64) bool { return x.o.Memory > 0 && bytes > float64(x.o.Memory) }

// next returns the states that state s at time now may be in a slot later, ascending.
func (x *timetable) next(s, now int) []int {
	if then := x.after(s, now); then != nil {
		return then
	}
	then, stops := now+x.o.Slot, len(x.feed.Stops)
	var to []int
	ride := func(run, call int) { // from its call number call on
		calls := x.runs[run].Calls
		for ; call < len(calls) && calls[call].Arrive <= then; call++ {
			to = append(to, calls[call].Stop)
		}
		if call < len(calls) {
			to = append(to, stops+run)
		}
	}
	if s >= stops {
		ride(s-stops, x.runs[s-stops].After(now))
	} else {
		to = append(append(to, s), x.within[s]...)
		list := x.leave[s]
		i, _ := slices.BinarySearchFunc(list, now, func(d departure, t int) int { return cmp.Compare(d.time, t) })
		for ; i < len(list) && list[i].time < then; i++ {
			ride(list[i].run, list[i].call+1)
		}
	}
	slices.Sort(to)
	return slices.Compact(to)
}
