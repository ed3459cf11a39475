package sequences

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/ddps-go/ddps/datasets/internal/table"
	"github.com/ddps-go/ddps/internal/names"
)

// eventColumns are the columns of an event log.
var eventColumns = []table.Column{
	{
		Name: "case",
		Must: true,
		Also: []string{"case_id", "case:concept:name", "walk", "walk_id", "sequence", "sequence_id", "track",
			"track_id", "trip", "trip_id", "trajectory", "trajectory_id", "session", "session_id", "patient", "patient_id",
			"person",
			"person_id", "user", "user_id", "customer", "customer_id", "vehicle", "vehicle_id", "device", "device_id",
			"trace",
			"trace_id", "id"},
	},
	{
		Name: "time",
		Also: []string{"timestamp", "time:timestamp", "complete_timestamp", "start_timestamp", "datetime", "date_time",
			"date", "step", "position", "order", "index", "seq", "layer", "t"},
	},
	{
		Name: "place",
		Must: true,
		Also: []string{"activity", "concept:name", "event", "place_id", "node", "node_id", "stop", "stop_id",
			"station", "station_id", "page", "url", "state", "location", "location_id", "vertex", "link", "link_id",
			"edge", "airport",
			"item", "token"},
	},
}

// events returns the columns of an event log as the options name them.
func (f *file) events() []table.Column {
	list := slices.Clone(eventColumns)
	for k, name := range []string{f.o.Case, f.o.Time, f.o.Place} {
		if name != "" {
			list[k] = table.Column{Name: name, Must: true}
		}
	}
	return list
}

// wideColumns says where in a row the places and the count are.
type wideColumns struct {
	at    []int
	count int // −1 for none
	// unused are the names of the others.
	unused []string
}

// What headers call places before their numbers, and counts.
var (
	placeWords = []string{"v", "vertex", "node", "place", "step", "layer", "stop", "position", "pos", "t", "token", "x"}
	countWords = []string{"count", "counts", "n", "times", "frequency", "freq", "multiplicity", "weight"}
)

// wideHeader returns the columns that a header names: two or more of a word of placeWords and a number, all the same
// word, numbered from 0 or 1 without a gap; nil if it is none.
func wideHeader(row []string) *wideColumns {
	word, at := "", map[int]int{}
	for i, name := range row {
		plain := names.Folded(name)
		bare := strings.TrimRight(plain, "0123456789")
		n, err := strconv.Atoi(plain[len(bare):])
		if err != nil || !slices.Contains(placeWords, bare) || word != "" && bare != word {
			continue
		}
		if _, twice := at[n]; twice {
			return nil
		}
		word, at[n] = bare, i
	}
	base := 1
	if _, zero := at[0]; zero {
		base = 0
	}
	c := &wideColumns{count: -1}
	for n := base; n < base+len(at); n++ {
		i, ok := at[n]
		if !ok {
			return nil
		}
		c.at = append(c.at, i)
	}
	if len(c.at) < 2 {
		return nil
	}
	c.rest(row)
	return c
}

// rest finds the count and the names that are not used.
func (c *wideColumns) rest(row []string) {
	for i, name := range row {
		if slices.Contains(c.at, i) {
			continue
		}
		if c.count < 0 && slices.Contains(countWords, names.Folded(name)) {
			c.count = i
		} else if name = names.Normal(name); name != "" {
			c.unused = append(c.unused, name)
		}
	}
}

// namedColumns returns the columns that the option Columns names; without it all but a count.
func (f *file) namedColumns(row []string) (*wideColumns, error) {
	c := &wideColumns{count: -1}
	find := func(name string) (int, error) {
		i := slices.IndexFunc(row, func(s string) bool { return names.Normal(s) == names.Normal(name) })
		if i < 0 {
			return 0, fmt.Errorf("no column %q among those of the header%s", name, names.Meant(name, row))
		}
		return i, nil
	}
	for _, name := range f.o.Columns {
		if i, err := find(name); err == nil {
			c.at = append(c.at, i)
			continue
		}
		a, b, ranged := strings.Cut(name, "..")
		if !ranged {
			_, err := find(name)
			return nil, err
		}
		lo, err := find(a)
		if err != nil {
			return nil, err
		}
		hi, err := find(b)
		if err != nil {
			return nil, err
		}
		if hi < lo {
			return nil, fmt.Errorf("column %q stands after %q", a, b)
		}
		for ; lo <= hi; lo++ {
			c.at = append(c.at, lo)
		}
	}
	if f.o.Columns == nil {
		for i, name := range row {
			if names.Normal(name) != "" && !slices.Contains(countWords, names.Folded(name)) {
				c.at = append(c.at, i)
			}
		}
	}
	c.rest(row)
	return c, nil
}
