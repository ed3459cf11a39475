package sequences

import (
	"fmt"
	"slices"
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

// wideHeader returns the columns that a header names: two or more of a word of placeWords and a number, or one and a
// count; nil if it is none. The error is of a header whose columns do not number the places, all by one word, from 0 or
// 1 without a gap.
func wideHeader(row []string) (*wideColumns, error) {
	word, at, last := "", map[int]int{}, -1
	for i, name := range row {
		w, n, ok := numberedName(name)
		if !ok {
			continue
		}
		if j, twice := at[n]; twice && w == word {
			return nil, fmt.Errorf("columns %d and %d are both called %s", j+1, i+1, names.Normal(row[j]))
		}
		if last >= 0 && w != word {
			return nil, fmt.Errorf("columns %q and %q: one word is to number all places", names.Normal(row[last]),
				names.Normal(name))
		}
		word, at[n], last = w, i, i
	}
	c := &wideColumns{count: -1}
	if last < 0 {
		return nil, nil
	}
	err := c.rest(row)
	if len(at) < 2 && (c.count < 0 || len(row) > 2) {
		return nil, nil
	}
	base := 1
	if _, zero := at[0]; zero {
		base = 0
	}
	for n := base; n < base+len(at); n++ {
		i, ok := at[n]
		if !ok {
			bare := strings.TrimRight(names.Normal(row[last]), "0123456789")
			return nil, fmt.Errorf("no column %s%d among those of the header", bare, n)
		}
		c.at = append(c.at, i)
	}
	if err != nil {
		return nil, err
	}
	return c, c.rest(row)
}

// rest finds the count, by the first of countWords that a column has, and the names that are not used. The error is of
// two columns of that name.
func (c *wideColumns) rest(row []string) error {
	c.count, c.unused = -1, nil
	for _, word := range countWords {
		for i, name := range row {
			switch {
			case names.Folded(name) != word || slices.Contains(c.at, i):
			case c.count < 0:
				c.count = i
			case names.Folded(row[c.count]) == word:
				return fmt.Errorf("columns %d and %d are both called %s", c.count+1, i+1, names.Normal(name))
			}
		}
	}
	for i, name := range row {
		if name = names.Normal(name); i != c.count && name != "" && !slices.Contains(c.at, i) {
			c.unused = append(c.unused, name)
		}
	}
	return nil
}

// headerColumns returns the columns of a header that is read as one.
func (f *file) headerColumns(row []string) (*wideColumns, error) {
	if c, err := wideHeader(row); c != nil && err == nil && len(f.o.Columns) == 0 {
		return c, nil
	}
	return f.namedColumns(row)
}

// namedColumns returns the columns that the option Columns names; without it all but a count.
func (f *file) namedColumns(row []string) (*wideColumns, error) {
	c := &wideColumns{count: -1}
	find := func(name string) (int, error) {
		is := func(s string) bool { return names.Normal(s) == names.Normal(name) }
		i := slices.IndexFunc(row, is)
		if i < 0 {
			return 0, fmt.Errorf("no column %q among those of the header%s", name, names.Meant(name, row))
		}
		if j := slices.IndexFunc(row[i+1:], is); j >= 0 {
			return 0, fmt.Errorf("columns %d and %d are both called %s", i+1, i+j+2, names.Normal(name))
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
	return c, c.rest(row)
}
