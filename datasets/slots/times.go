package slots

import (
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/ddps-go/ddps/datasets/internal/table"
	"github.com/ddps-go/ddps/datasets/maps"
)

// timeColumns are the columns of travel times.
var timeColumns = []table.Column{
	{
		Name: "from",
		Must: true,
		Also: []string{
			"source",
			"origin",
			"start",
			"tail",
			"u",
			"src",
			"from_node",
			"from_id",
			"source_id",
			"node1",
			"start_node",
		},
	},
	{
		Name: "to",
		Must: true,
		Also: []string{
			"target",
			"destination",
			"end",
			"head",
			"v",
			"dst",
			"to_node",
			"to_id",
			"target_id",
			"node2",
			"end_node",
		},
	},
	{
		Name: "travel_time",
		Must: true,
		Also: []string{
			"travel_time_s",
			"time",
			"duration",
			"seconds",
			"time_s",
			"duration_s",
			"minutes",
			"travel_time_min",
		},
	},
}

// ReadTimes reads the travel times of a map's edges, in seconds, from a table with a header: from, to, and
// travel_time (or time, duration, seconds; minutes and travel_time_min are in minutes), as an edge list has it. An
// edge without a row, or with an empty cell, has NaN; of an undirected edge either direction counts, and of several
// rows of one edge the least time. Notes say which column is used, and how many rows are of no edge of the map and
// how many edges have no time.
//
// Errors name the line: no such column, a time that is no number of 0 or more, no row of an edge of the map.
func ReadTimes(name string, r io.Reader, w *maps.World) (seconds []float64, notes []string, err error) {
	at := func(line int, err error) error {
		if line == 0 {
			return fmt.Errorf("slots: %s: %w", name, err)
		}
		return fmt.Errorf("slots: %s:%d: %w", name, line, err)
	}
	number := map[[2]int]int{}
	seconds = make([]float64, len(w.Edges))
	for e, edge := range w.Edges {
		seconds[e] = math.NaN()
		if number[[2]int{edge.From, edge.To}] = e; !w.Directed {
			number[[2]int{edge.To, edge.From}] = e
		}
	}
	t := table.Open(r, table.Options{Separators: "\t;, ", Comment: '#', At: at})
	notes = t.Notes
	var cols []int
	unit, strange, found := 1., 0, 0
	for {
		row, line, err := t.Read()
		if err == io.EOF {
			break
		}
		if err != nil {
			return nil, nil, err
		}
		if cols == nil {
			m, err := table.Header(row, timeColumns)
			if err == nil {
				err = m.Missing(timeColumns)
			}
			if err != nil {
				return nil, nil, at(line, err)
			}
			cols = m.At
			what := "seconds"
			if strings.Contains(strings.ToLower(row[cols[2]]), "min") {
				unit, what = 60, "minutes"
			}
			notes = append(
				notes,
				fmt.Sprintf("travel times from column %q, in %s", strings.TrimSpace(row[cols[2]]), what),
			)
			continue
		}
		if len(row) <= slices.Max(cols) || strings.TrimSpace(row[cols[2]]) == "" {
			continue
		}
		x, err := strconv.ParseFloat(strings.TrimSpace(row[cols[2]]), 64)
		if err != nil || !(x >= 0) || math.IsInf(x, 0) {
			return nil, nil, at(line, fmt.Errorf("travel time %q is not a number of 0 or more", row[cols[2]]))
		}
		a, okA := w.FindLabel(strings.TrimSpace(row[cols[0]]))
		b, okB := w.FindLabel(strings.TrimSpace(row[cols[1]]))
		e, ok := number[[2]int{a, b}]
		if !okA || !okB || !ok {
			strange++
			continue
		}
		if found++; !(seconds[e] <= x*unit) {
			seconds[e] = x * unit
		}
	}
	if found == 0 {
		return nil, nil, at(0, errors.New("no row has the travel time of an edge of the map"))
	}
	if strange > 0 {
		notes = append(notes, fmt.Sprintf("%d rows of travel times are of no edge of the map", strange))
	}
	if none := count(seconds); none > 0 {
		notes = append(notes, fmt.Sprintf("%d of %d edges have no travel time of their own", none, len(seconds)))
	}
	return seconds, notes, nil
}

// count returns how many numbers are NaN.
func count(list []float64) (n int) {
	for _, x := range list {
		if math.IsNaN(x) {
			n++
		}
	}
	return n
}
