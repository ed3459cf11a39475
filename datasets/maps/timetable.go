package maps

import (
	"cmp"
	"fmt"
	"slices"

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
// after at 0:22. Pickup and drop-off types and transfers.txt are not used, which Note says. Only what the start reaches
// is there. XY are degrees, of a vehicle on the straight line between its stops. Attr tells date,
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
