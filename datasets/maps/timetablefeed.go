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
	x.meta.Attr = map[string]string{"crs": "EPSG:4326", "start": strings.Join(x.ids(x.starts), ", "),
		"depth": strconv.Itoa(o.Depth), "date": date, "from": o.From,
		"slot": strconv.Itoa(o.Slot), "walk": strconv.FormatFloat(o.Walk, 'g', -1, 64)}
	if place := feed.Stops[x.starts[0]]; len(x.starts) == 1 {
		x.meta.Attr["start_lon"], x.meta.Attr["start_lat"] = fmt.Sprintf("%.7f", place.Lon), fmt.Sprintf("%.7f", place.Lat)
	} else {
		x.meta.Attr[ddps.AttrStarts] = strings.Join(x.ids(x.starts), "\t")
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
