package pathfile

import (
	"bufio"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/ddps-go/ddps/datasets/internal/tokens"
	"github.com/ddps-go/ddps/ddps"
)

// Lines is the format of walks as text, a walk a line with a blank between its places; written only, for graphs whose
// paths are walks (ddps.LayeredGraph.Walks).
const Lines = "lines"

// walkNames names the places of paths, without source, END and what is on the way between places.
type walkNames struct {
	walk  func(ddps.Path) ddps.Walk
	width int                // the most places of a walk
	clock func(l int) string // the time of day of a layer; nil: no times are written
}

func newWalkNames(g *ddps.LayeredGraph) *walkNames {
	return &walkNames{walk: g.WalkNamer(), width: g.NumLayers() - g.FirstPlace()}
}

// of returns the names of a path's places; they are n's own until the next call.
func (n *walkNames) of(p ddps.Path) []string { return n.walk(p).Names }

// times returns the times at the layers of a walk.
func (n *walkNames) times(w ddps.Walk) (list []string) {
	for _, l := range w.Layers {
		list = append(list, n.clock(l))
	}
	return list
}

// newWalkWriter returns a writer of paths as walks, nil for a format that has none of its own.
func newWalkWriter(w io.Writer, g *ddps.LayeredGraph, format string) Writer {
	return walkWriter(w, g, format, newWalkNames(g))
}

// newTimedWriter returns a writer of Timed walks.
func newTimedWriter(w io.Writer, g *ddps.LayeredGraph, format string) (Writer, error) {
	clock, ok := g.Clock()
	switch {
	case !ok:
		return nil, fmt.Errorf("datasets: times: the graph's layers have none (attributes slot and from)")
	case format != CSV && format != JSONL:
		return nil, fmt.Errorf("datasets: times: they are written as %s and %s, not as %s", CSV, JSONL, format)
	}
	names := newWalkNames(g)
	names.clock = func(l int) string {
		if l == g.NumLayers() { // reached some time after the last layer
			return ""
		}
		return ddps.ClockText(clock.At(l))
	}
	return walkWriter(w, g, format, names), nil
}

// walkWriter is newWalkWriter, with how places are named.
func walkWriter(w io.Writer, g *ddps.LayeredGraph, format string, names *walkNames) Writer {
	switch format {
	case CSV:
		return newWalkCSV(w, names)
	case JSONL:
		out := bufio.NewWriter(w)
		j := &walkJSONL{names: names, out: out, json: json.NewEncoder(out)}
		j.json.SetEscapeHTML(false)
		return j
	case Parquet:
		return newParquetWriter(w, g, ByName, names)
	case Lines:
		return &walkLines{names: names, out: bufio.NewWriter(w)}
	}
	return nil
}

// walkCSV writes v1, …, with times t1, …, and a count; cells behind the end of a walk are empty.
type walkCSV struct {
	names *walkNames
	csv   *csv.Writer
	row   []string
	err   error
}

func newWalkCSV(w io.Writer, names *walkNames) *walkCSV {
	c := &walkCSV{names: names, csv: csv.NewWriter(w)}
	for l := range names.width {
		c.row = append(c.row, "v"+strconv.Itoa(l+1))
	}
	if names.clock != nil {
		for l := range names.width {
			c.row = append(c.row, "t"+strconv.Itoa(l+1))
		}
	}
	c.row = append(c.row, "count")
	c.err = c.csv.Write(c.row)
	return c
}

func (c *walkCSV) Write(p ddps.Path, count int) error {
	if c.err == nil {
		clear(c.row)
		walk := c.names.walk(p)
		if copy(c.row, walk.Names); c.names.clock != nil {
			copy(c.row[c.names.width:], c.names.times(walk))
		}
		c.row[len(c.row)-1] = strconv.Itoa(count)
		c.err = c.csv.Write(c.row)
	}
	if c.err != nil {
		return fmt.Errorf("datasets: csv: %w", c.err)
	}
	return nil
}

func (c *walkCSV) Close() error {
	if c.csv.Flush(); c.csv.Error() != nil {
		return fmt.Errorf("datasets: csv: %w", c.csv.Error())
	}
	return nil
}

// walkJSONL writes {"path": […], "count": n} a line, with times "times": […] too.
type walkJSONL struct {
	names *walkNames
	out   *bufio.Writer
	json  *json.Encoder
}

func (j *walkJSONL) Write(p ddps.Path, count int) error {
	walk := j.names.walk(p)
	row := struct {
		Path  []string `json:"path"`
		Times []string `json:"times,omitempty"`
		Count int      `json:"count"`
	}{walk.Names, nil, count}
	if j.names.clock != nil {
		row.Times = j.names.times(walk)
	}
	if err := j.json.Encode(row); err != nil {
		return fmt.Errorf("datasets: jsonl: %w", err)
	}
	return nil
}

func (j *walkJSONL) Close() error {
	if err := j.out.Flush(); err != nil {
		return fmt.Errorf("datasets: jsonl: %w", err)
	}
	return nil
}

// walkLines writes a walk a line, as often as it stands, names in quotes where they need them.
type walkLines struct {
	names *walkNames
	out   *bufio.Writer
	cells []string
}

func (t *walkLines) Write(p ddps.Path, count int) error {
	list := t.names.of(p)
	t.cells = t.cells[:0]
	for _, name := range list {
		cell, err := tokens.Quote(name, t.names.width == 1)
		if err != nil {
			return fmt.Errorf("datasets: lines: %w", err)
		}
		t.cells = append(t.cells, cell)
	}
	line := strings.Join(t.cells, " ") + "\n"
	for range count {
		if _, err := t.out.WriteString(line); err != nil {
			return fmt.Errorf("datasets: lines: %w", err)
		}
	}
	return nil
}

func (t *walkLines) Close() error {
	if err := t.out.Flush(); err != nil {
		return fmt.Errorf("datasets: lines: %w", err)
	}
	return nil
}
