package datasets

import (
	"bufio"
	"bytes"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/ddps-go/ddps/datasets/internal/input"
)

// edgeColumns are the columns of an edge list by meaning, each with the names
// that a header may give it.
var edgeColumns = [][]string{
	{"from", "source", "u", "tail"}, {"to", "target", "v", "head"}, {"length", "metres", "meters", "weight", "distance"},
	{"from_lon", "from_x"}, {"from_lat", "from_y"}, {"to_lon", "to_x"}, {"to_lat", "to_y"},
}

// placeColumns are the columns of a table of coordinates.
var placeColumns = [][]string{{"name", "node", "id"}, {"lon", "longitude", "x"}, {"lat", "latitude", "y"}}

// comma returns what separates the fields of a table, by its first line that is
// no comment: a tab, a semicolon, a comma or a space; 0 if there is one field.
func comma(head []byte) (sep rune, first string) {
	for len(head) > 0 {
		line, rest, _ := bytes.Cut(head, []byte("\n"))
		if line = bytes.TrimSpace(line); len(line) > 0 && line[0] != '#' {
			for _, sep := range "\t;, " {
				if bytes.ContainsRune(line, sep) {
					return sep, string(line)
				}
			}
			return 0, string(line)
		}
		head = rest
	}
	return 0, ""
}

// looksLikeEdges tells whether text begins like an edge list: two or more fields,
// and where only spaces separate them at most three, of which the first two are
// whole numbers.
func looksLikeEdges(text []byte) bool {
	if bytes.IndexByte(text, 0) >= 0 {
		return false
	}
	sep, first := comma(text)
	if sep == ' ' {
		f := strings.Fields(first)
		return len(f) <= 3 && isWhole(f[0]) && isWhole(f[1])
	}
	return sep != 0 && utf8.ValidString(first)
}

func isWhole(s string) bool {
	_, err := strconv.ParseInt(s, 10, 64)
	return err == nil
}

// table reads the rows of a separated text whose columns have fixed meanings.
type table struct {
	csv  *csv.Reader
	col  []int // position of each meaning in a row, -1 for none
	what string
	need int // the first so many meanings must be there
}

// newTable looks at the start of r. want are the meanings by column where there
// is no header, each with the names that a header may give it.
func newTable(what string, r io.Reader, want [][]string, need int) *table {
	in := bufio.NewReaderSize(input.Text(r), sniffSize)
	head, _ := in.Peek(sniffSize)
	t := &table{csv: csv.NewReader(in), what: what, need: need, col: make([]int, len(want))}
	if sep, _ := comma(head); sep != 0 {
		t.csv.Comma = sep
	}
	t.csv.Comment, t.csv.FieldsPerRecord, t.csv.ReuseRecord, t.csv.TrimLeadingSpace = '#', -1, true, t.csv.Comma != '\t'
	return t
}

// header takes row as the header if it names the meanings that must be there and
// holds no number, and tells whether it is. Else columns have the order of want.
func (t *table) header(row []string, want [][]string) bool {
	is := !slices.ContainsFunc(row, func(f string) bool {
		_, err := strconv.ParseFloat(strings.TrimSpace(f), 64)
		return err == nil
	})
	for k, names := range want {
		t.col[k] = slices.IndexFunc(row, func(f string) bool {
			return slices.Contains(names, strings.ToLower(strings.TrimSpace(f)))
		})
		is = is && (t.col[k] >= 0 || k >= t.need)
	}
	for k := range want {
		if !is {
			t.col[k] = k
		}
	}
	return is
}

// rows calls do for each row that is no header, with its fields by meaning, ""
// where there is none. Errors name the line.
func (t *table) rows(want [][]string, do func(fields []string) error) error {
	fields := make([]string, len(want))
	for first := true; ; first = false {
		row, err := t.csv.Read()
		if err == io.EOF {
			return nil
		}
		if err != nil {
			var syntax *csv.ParseError
			if errors.As(err, &syntax) {
				return fmt.Errorf("%s: line %d, column %d: %w", t.what, syntax.Line, syntax.Column, syntax.Err)
			}
			return fmt.Errorf("%s: %w", t.what, err)
		}
		line, _ := t.csv.FieldPos(0)
		if first && t.header(row, want) {
			continue
		}
		for k, c := range t.col {
			if fields[k] = ""; c >= 0 && c < len(row) {
				fields[k] = strings.Clone(strings.TrimSpace(row[c]))
			}
			if fields[k] == "" && k < t.need {
				return fmt.Errorf("%s: line %d: no %s", t.what, line, want[k][0])
			}
		}
		if err := do(fields); err != nil {
			return fmt.Errorf("%s: line %d: %w", t.what, line, err)
		}
	}
}

// edgeList is a list of edges being read.
type edgeList struct {
	number  *numbering
	edges   []Edge
	missing int
	listed  bool // nodes are those of a table of coordinates
	placed  bool // rows have coordinates of their own
}

// readEdgeList makes a world of a list of edges, an edge a row: from, to and
// optionally length, separated by commas, semicolons, tabs or spaces; lines that
// begin with # are comments. A header may name the columns in another order, and
// from_lon, from_lat, to_lon, to_lat besides; other columns are ignored. Nodes
// that o.Coordinates lacks are skipped with their edges and counted. Without
// coordinates the world is Unplaced.
func readEdgeList(r io.Reader, o MapOptions) (*World, error) {
	l := edgeList{number: newNumbering(), listed: o.Coordinates != nil}
	if l.listed {
		if err := l.places(o.Coordinates); err != nil {
			return nil, err
		}
	}
	t := newTable("edge list", r, edgeColumns, 2)
	if err := t.rows(edgeColumns, l.row); err != nil {
		return nil, err
	}
	if len(l.edges) == 0 {
		return nil, fmt.Errorf("edge list: no edge; %d with an end that has no coordinates", l.missing)
	}
	return l.number.world(l.edges, o.Direction == Directed, !l.listed && !l.placed, l.missing)
}

// places reads the table of coordinates.
func (l *edgeList) places(r io.Reader) error {
	return newTable("coordinates", r, placeColumns, 3).rows(placeColumns, func(f []string) error {
		lon, lat, err := parsePlace(f[1], f[2])
		if err != nil {
			return err
		}
		if _, twice := l.number.add(f[0], lon, lat); twice {
			return fmt.Errorf("node %s stands twice", f[0])
		}
		return nil
	})
}

// row takes an edge.
func (l *edgeList) row(f []string) (err error) {
	e := Edge{}
	if f[2] != "" {
		if e.Length, err = parseLength(f[2]); err != nil {
			return err
		}
	}
	if l.listed {
		a, okA := l.number.index[f[0]]
		b, okB := l.number.index[f[1]]
		if !okA || !okB {
			l.missing++
			return nil
		}
		e.From, e.To = a, b
		l.edges = append(l.edges, e)
		return nil
	}
	if has := f[3] != ""; len(l.edges) > 0 && has != l.placed {
		return errors.New("some rows have coordinates and some have none")
	} else {
		l.placed = has
	}
	if e.From, err = l.end(f[0], f[3], f[4]); err == nil {
		e.To, err = l.end(f[1], f[5], f[6])
	}
	l.edges = append(l.edges, e)
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
