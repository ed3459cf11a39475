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

// timeRow is the travel time that a row has.
type timeRow struct {
	seconds float64
	line    int
}

// ReadTimes reads the travel times of a map's edges, in seconds, from a table with a header: from, to, and
// travel_time (or time, duration, seconds; minutes and travel_time_min are in minutes), as an edge list has it. An
// edge without a row, or with an empty cell, has NaN. On an undirected map a row counts both ways; where an edge has
// one each way, and they differ, on is the map as a directed one (maps.World.BothWays), else w. The times are those of
// the edges of on. Notes say which column is used, and how many rows are of no edge of the map and how many edges have
// no time.
//
// Errors name the line: no such column, a time that is no number of 0 or more, two times from a node to another, no row
// of an edge of the map.
func ReadTimes(name string, r io.Reader, w *maps.World) (on *maps.World, seconds []float64, notes []string,
	err error) {
	at := func(line int, err error) error {
		if line == 0 {
			return fmt.Errorf("slots: %s: %w", name, err)
		}
		return fmt.Errorf("slots: %s:%d: %w", name, line, err)
	}
	edge, rows := map[[2]int]bool{}, map[[2]int]timeRow{}
	for _, e := range w.Edges {
		edge[[2]int{e.From, e.To}] = true
		edge[[2]int{e.To, e.From}] = edge[[2]int{e.To, e.From}] || !w.Directed
	}
	t := table.Open(r, table.Options{Separators: "\t;, ", Comment: '#', At: at})
	notes = t.Notes
	var cols []int
	unit, strange := 1., 0
	var decimals table.Decimals
	for {
		row, line, err := t.Read()
		if err == io.EOF {
			break
		}
		if err != nil {
			return nil, nil, nil, err
		}
		if cols == nil {
			m, err := table.Header(row, timeColumns)
			if err == nil {
				err = m.Missing(timeColumns)
			}
			if err != nil {
				return nil, nil, nil, at(line, err)
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
		x, err := strconv.ParseFloat(decimals.Text(row[cols[2]]), 64)
		if err != nil || !(x >= 0) || math.IsInf(x, 0) {
			return nil, nil, nil, at(line, fmt.Errorf("travel time %q is not a number of 0 or more", row[cols[2]]))
		}
		from, to := strings.TrimSpace(row[cols[0]]), strings.TrimSpace(row[cols[1]])
		a, okA := w.FindLabel(from)
		b, okB := w.FindLabel(to)
		way := [2]int{a, b}
		if !okA || !okB || !edge[way] {
			strange++
			continue
		}
		if before, twice := rows[way]; twice && before.seconds != x*unit {
			return nil, nil, nil, at(line, fmt.Errorf("another travel time from %q to %q is in line %d", from, to,
				before.line))
		} else if !twice {
			rows[way] = timeRow{x * unit, line}
		}
	}
	if note, err := decimals.Done(); err != nil {
		return nil, nil, nil, at(0, err)
	} else if note != "" {
		notes = append(notes, note)
	}
	if len(rows) == 0 {
		return nil, nil, nil, at(0, errors.New("no row has the travel time of an edge of the map"))
	}
	if strange > 0 {
		notes = append(notes, fmt.Sprintf("%d rows of travel times are of no edge of the map", strange))
	}
	on, seconds, more, err := timed(w, rows)
	if err != nil {
		return nil, nil, nil, at(0, err)
	}
	notes = append(notes, more...)
	if none := count(seconds); none > 0 {
		notes = append(notes, fmt.Sprintf("%d of %d edges have no travel time of their own", none, len(seconds)))
	}
	return on, seconds, notes, nil
}

// timed returns the times of a map's edges, with the map that has them.
func timed(w *maps.World, rows map[[2]int]timeRow) (on *maps.World, seconds []float64, notes []string, err error) {
	differ := 0
	for _, e := range w.Edges {
		there, ok := rows[[2]int{e.From, e.To}]
		back, is := rows[[2]int{e.To, e.From}]
		if !w.Directed && ok && is && there.seconds != back.seconds {
			differ++
		}
	}
	if on = w; differ > 0 {
		notes = []string{fmt.Sprintf("%d of %d edges have another travel time each way: the map is taken as directed, "+
			"each street both ways", differ, len(w.Edges))}
		if on, err = w.BothWays(); err != nil {
			return nil, nil, nil, err
		}
	}
	for _, e := range on.Edges {
		row, ok := rows[[2]int{e.From, e.To}]
		if !ok && !w.Directed {
			row, ok = rows[[2]int{e.To, e.From}]
		}
		if !ok {
			row.seconds = math.NaN()
		}
		seconds = append(seconds, row.seconds)
	}
	return on, seconds, notes, nil
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
