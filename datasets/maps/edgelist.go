package maps

import (
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"

	"github.com/ddps-go/ddps/datasets/internal/table"
	"github.com/ddps-go/ddps/internal/names"
)

// edgeList is a list of edges being read.
type edgeList struct {
	number   *numbering
	edges    []Edge
	missing  int
	listed   bool // nodes are those of a table of coordinates
	placed   bool // rows have coordinates of their own
	measured int  // rows with a length
	rows     int  // rows that are edges
	minutes  bool // travel times are in minutes
	other    int  // names in another form of Unicode
	like     string
	data     int      // rows with data in braces
	doubtful []string // the first row where it may be a header
	oneWay   oneWay
	decimals table.Decimals
	ways     [][2]bool // [row] whether it may be used along and against itself, where rows say so
}

// readEdgeList makes a world of a list of edges, an edge per row: from, to and optionally length, separated by commas,
// semicolons, tabs or spaces; lines that begin with # are comments, and what is in braces after the names (NetworkX) is
// not used. A header may name the columns in another order,
// and from_lon, from_lat, to_lon, to_lat, travel_time (or travel_time_min), street and oneway besides; other columns
// are not used, which World.Notes says. Names are in Unicode's normal form C. A first row that may be a header of other
// names,
// whose two names no other row has and that holds no number, is an error. Nodes that o.Coordinates lacks are skipped
// with their edges and counted. Without coordinates the world is Unplaced.
func readEdgeList(r io.Reader, o Options) (*World, error) {
	l := edgeList{number: newNumbering(), listed: o.Coordinates != nil}
	notes, err := l.places(o.Coordinates)
	if err != nil {
		return nil, err
	}
	of := edgeOptions("edge list", edgeColumns)
	more, err := table.Rows(r, of, edgeColumns, func(row []string) bool {
		if !slices.ContainsFunc(row, table.IsNumber) && !l.listed {
			l.doubtful = slices.Clone(row)
		}
		return true
	}, l.row)
	if err != nil {
		return nil, err
	}
	if len(l.edges) == 0 {
		return nil, fmt.Errorf("edge list: no edge; %d with an end that has no coordinates", l.missing)
	}
	if l.isHeader() {
		return nil, of.At(1, table.Ask(l.doubtful, edgeColumns[:3]))
	}
	decimals, err := l.decimals.Done()
	if err != nil {
		return nil, of.At(0, err)
	}
	if decimals != "" {
		more = append(more, decimals)
	}
	directed := l.oneWay.directed(o.Direction)
	l.rows = len(l.edges)
	if l.oneWay.given {
		list := make([]way, l.rows)
		for i, e := range l.edges {
			list[i] = way{e, l.ways[i][0], l.ways[i][1]}
		}
		l.edges = edgesOf(list, directed)
	}
	w, err := l.number.world(l.edges, directed, !l.listed && !l.placed, l.missing)
	if err == nil {
		w.Notes = l.oneWay.note(`column "oneway"`, o.Direction)
		w.Measured = l.measured > 0
		w.Notes = append(append(append(notes, more...), w.Notes...), l.notes(w)...)
	}
	return w, err
}

// placesError is an error in a table of coordinates that has a name of its own.
type placesError struct {
	name string
	err  error
}

func (e *placesError) Error() string { return e.name + ": " + e.err.Error() }

// places reads a table of coordinates, nil for none.
func (l *edgeList) places(r io.Reader) (notes []string, err error) {
	if r == nil {
		return nil, nil
	}
	notes, err = table.Rows(r, edgeOptions("coordinates", placeColumns), placeColumns, func(row []string) bool {
		return slices.ContainsFunc(row, table.IsNumber)
	}, l.place)
	if file, named := r.(interface{ Name() string }); named && err != nil {
		err = &placesError{file.Name(), err}
	}
	return notes, err
}

// isHeader reports whether the first row, of no known header, is one of unknown names: neither of its two names is in
// another row.
func (l *edgeList) isHeader() bool {
	if l.doubtful == nil || len(l.edges) < 2 {
		return false
	}
	a, b := l.edges[0].From, l.edges[0].To
	return !slices.ContainsFunc(l.edges[1:], func(e Edge) bool {
		return e.From == a || e.To == a || e.From == b ||
			e.To == b
	})
}

// notes says what was found out about names and lengths.
func (l *edgeList) notes(w *World) (list []string) {
	list = append(list, names.UnicodeNote(l.other, l.like)...)
	list = append(list, caseNote(w.Nodes)...)
	from := `column "travel_time", in seconds`
	if l.minutes {
		from = `column "travel_time_min", in minutes`
	}
	list = append(list, timesNote(w.Edges, from)...)
	if l.data > 0 {
		list = append(list, names.Plural(l.data, "row has data in braces, which are not used",
			"rows have data in braces, which are not used")+" (NetworkX: data=['length'] writes lengths)")
	}
	if l.measured > 0 {
		list = append(list, "lengths count for the nearest nodes and for splitting: a move takes one step, whatever its "+
			"length")
	}
	switch missing := l.rows - l.measured; {
	case l.measured == 0:
	case missing > 0 && w.Unplaced:
		list = append(list, names.Plural(missing, "edge has no length: it is taken as 1",
			"edges have no length: it is taken as 1"))
	case missing > 0:
		list = append(list, names.Plural(missing, "edge has no length: it is that of the straight line",
			"edges have no length: it is that of the straight line"))
	}
	return list
}

// name returns a node's name in normal form.
func (l *edgeList) name(s string) string {
	n := names.Normal(s)
	if n != s {
		l.other++
		l.like = n
	}
	return n
}

// place takes a row of the table of coordinates.
func (l *edgeList) place(f []string) error {
	lon, lat, err := parsePlace(f[1], f[2])
	if err != nil {
		return err
	}
	name := l.name(f[0])
	if _, twice := l.number.add(name, lon, lat); twice {
		return fmt.Errorf("node %s occurs twice", name)
	}
	return nil
}

// row takes an edge.
func (l *edgeList) row(f []string) (err error) {
	e := Edge{Length: math.NaN()}
	if strings.HasPrefix(f[2], "{") { // the data of an edge, as NetworkX writes it
		if f[2] != "{}" {
			l.data++
		}
		clear(f[2:])
	}
	if f[2] != "" {
		if e.Length, err = parseLength(l.decimals.Text(f[2])); err != nil {
			return err
		}
		l.measured++
	}
	if e.Time, err = parseTime(l.decimals.Text(f[7]), 1); err == nil && e.Time == 0 {
		if e.Time, err = parseTime(l.decimals.Text(f[8]), 60); e.Time > 0 {
			l.minutes = true
		}
	}
	if err != nil {
		return err
	}
	e.Street = streetName(f[9])
	var way [2]bool
	if way[0], way[1], err = l.oneWay.take(f[10]); err != nil {
		return err
	}
	from, to := l.name(f[0]), l.name(f[1])
	if l.listed {
		a, okA := l.number.index[from]
		b, okB := l.number.index[to]
		if !okA || !okB {
			l.missing++
			return nil
		}
		e.From, e.To = a, b
		l.edges, l.ways = append(l.edges, e), append(l.ways, way)
		return nil
	}
	if has := f[3] != ""; len(l.edges) > 0 && has != l.placed {
		return errors.New("some rows have coordinates and some have none")
	} else {
		l.placed = has
	}
	if e.From, err = l.end(from, f[3], f[4]); err == nil {
		e.To, err = l.end(to, f[5], f[6])
	}
	l.edges, l.ways = append(l.edges, e), append(l.ways, way)
	return err
}

// end returns the position of an end of an edge, at coordinates if the rows have
// them: the first row that names a node says where it is.
func (l *edgeList) end(name, x, y string) (int, error) {
	lon, lat := 0.0, 0.0
	if l.placed {
		var err error
		if lon, lat, err = parsePlace(x, y); err != nil {
			return 0, fmt.Errorf("node %s: %w", name, err)
		}
	}
	i, known := l.number.add(name, lon, lat)
	if n := l.number.nodes[i]; known && (n.Lon != lon || n.Lat != lat) {
		return 0, fmt.Errorf("node %s is at %v, %v here and at %v, %v before", name, lon, lat, n.Lon, n.Lat)
	}
	return i, nil
}
