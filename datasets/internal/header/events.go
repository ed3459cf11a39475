package header

import (
	"fmt"
	"slices"
	"strings"

	"github.com/ddps-go/ddps/datasets/internal/table"
	"github.com/ddps-go/ddps/internal/names"
)

// clocks are columns of times of day, which may stand beside a column of dates.
var clocks = table.Column{Name: "event_time", Also: []string{"clock", "utc_time", "local_time", "arrival_time",
	"enter", "entry", "entry_time", "start_time"}}

// Events finds the columns of an event log. The last, of the dates of times of day, is −1 where there is none.
func Events(row []string, columns []table.Column) (table.Match, error) {
	m, err := table.Header(row, columns)
	k := len(m.At) - 1
	if m.At[k] < 0 || m.At[k] != m.At[1] {
		return m, err
	}
	m.At[k] = -1
	if len(columns[1].Also) == 0 { // it was named
		return m, err
	}
	clock, twice := table.Header(row, []table.Column{clocks})
	if twice == nil && clock.Found > 0 && !slices.Contains(m.At, clock.At[0]) {
		m.At[1], m.At[k] = clock.At[0], m.At[1]
		used := names.Normal(row[m.At[1]])
		m.Unused = slices.DeleteFunc(m.Unused, func(name string) bool { return name == used })
	}
	return m, err
}

// EventColumns returns the columns of an event log: case, time, place, and the dates of times of day.
func EventColumns() []table.Column {
	return []table.Column{
		{
			Name: "case",
			Must: true,
			Also: []string{"case_id", "case:concept:name", "walk", "walk_id", "sequence", "sequence_id", "track",
				"track_id", "trip", "trip_id", "trajectory", "trajectory_id", "session", "session_id", "patient", "patient_id",
				"person", "person_id", "user", "user_id", "customer", "customer_id", "vehicle", "vehicle_id", "device",
				"device_id", "trace", "trace_id", "visitor", "visitor_id", "vessel", "vessel_id", "ship", "mmsi", "animal",
				"animal_id", "guard", "guard_id", "id"},
		},
		{
			Name: "time",
			Also: append([]string{"timestamp", "time:timestamp", "complete_timestamp", "start_timestamp", "datetime",
				"date_time", "date", "step", "position", "order", "index", "seq", "layer", "t", "event_time", "event_timestamp",
				"stop_sequence", "sequence_number", "arrival"}, clocks.Also...),
		},
		{
			Name: "place",
			Must: true,
			Also: []string{"activity", "concept:name", "event", "place_id", "node", "node_id", "stop", "stop_id",
				"station", "station_id", "page", "url", "state", "location", "location_id", "vertex", "link", "link_id",
				"edge", "airport", "item", "token", "room", "port", "site", "zone", "checkpoint"},
		},
		{Name: "date", Also: []string{"day", "utc_date", "local_date", "event_date"}},
	}
}

// EventsSaid says what the columns of an event log are used for.
func EventsSaid(at []int, row []string, unused []string) string {
	var used []string
	for k, what := range []string{"case", "time", "place", "dates of times of day"} {
		if at[k] >= 0 {
			used = append(used, fmt.Sprintf("%s from %q", what, names.Normal(row[at[k]])))
		}
	}
	text := "an event a row: " + strings.Join(used, ", ")
	if at[1] < 0 {
		text += "; no time, so in the order of the file"
	}
	if len(unused) > 0 {
		text += "; not used: " + SomeOf(unused)
	}
	return text
}

// SomeOf joins the first of a list, and says how many more there are.
func SomeOf(list []string) string {
	const most = 3
	if len(list) <= most {
		return strings.Join(list, ", ")
	}
	return fmt.Sprintf("%s and %d more", strings.Join(list[:most], ", "), len(list)-most)
}
