package pathfile

import (
	"cmp"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/ddps-go/ddps/datasets"
	"github.com/ddps-go/ddps/datasets/internal/table"
	"github.com/ddps-go/ddps/ddps"
)

// ReadCSV reads paths of g from separated text, a path per row: L vertices, one a layer, and optionally a count, a
// whole number of at least 1 (1 where it is left out). Cells are separated by commas, semicolons or tabs; space around
// them is left out, and so is a byte-order mark; UTF-16 is decoded. A first row that names the columns v1, v2, …, vL,
// or vertex 1, step 1, place 1, … or from 0, is a header: they may be in any order, count (n, times, frequency) and
// others among them, of which the others are not used (Data.Notes says so). There is no other kind of header. Names are
// matched in Unicode's normal form C. Rows that repeat a path add up. name only serves the messages.
//
// Errors name the file, the line and the field: an unknown vertex and the name that is like it, one that is not
// reachable so soon, a row of the wrong length, vertices that no edge joins, a wrong count, broken quotes, a first row
// that may be a header of other names, a file without a path.
func ReadCSV(name string, r io.Reader, g *ddps.LayeredGraph, by Vertices) (*datasets.Data, error) {
	return readCSV(name, r, newGather(g), by)
}

func readCSV(name string, r io.Reader, b *gather, by Vertices) (*datasets.Data, error) {
	L := b.g.NumLayers()
	t := table.Open(r, table.Options{Separators: ",;\t", At: table.AtLine(name), Fits: func(row []string) bool {
		return len(row) == L || len(row) == L+1 || pathHeader(row, L) != nil
	}})
	b.note(t.Notes...)
	cols, blank := inOrder(L), 0
	for first := true; ; first = false {
		row, line, err := t.Read()
		for err == nil && len(row) > 1 && table.Blank(row) {
			blank++
			row, line, err = t.Read()
		}
		if err == io.EOF {
			if blank > 0 {
				b.note(fmt.Sprintf("rows of empty cells, which are skipped: %d", blank))
			}
			return b.done(name)
		}
		if err != nil {
			return nil, err
		}
		if first {
			if h := pathHeader(row, L); h != nil {
				if err := h.err(row, L); err != nil {
					return nil, table.AtLine(name)(line, err)
				}
				cols = h
				b.note(h.notes()...)
				continue
			}
		}
		list, err := cols.cells(row, L)
		if err == nil && first && b.rows != nil && b.strange(list, by) { // no stray, but perhaps a header
			_, err = b.parse(list, by, make(ddps.Path, L))
		}
		if err == nil {
			err = b.row(list, by, line)
		}
		if err != nil && first && b.strange(list, by) {
			err = fmt.Errorf("%w; is the first row a header? its columns are to be called v1, …, v%d and count", err, L)
		}
		if err != nil {
			return nil, table.AtLine(name)(line, err)
		}
	}
}

// strange reports whether none of a row's cells is a vertex of the graph.
func (b *gather) strange(row []string, by Vertices) bool {
	defer func(other int) { b.names.other = other }(b.names.other)
	for _, cell := range row[:min(len(row), b.g.NumLayers())] {
		if _, err := strconv.Atoi(strings.TrimSpace(cell)); err == nil || by == ByName && b.names.known(cell) {
			return false
		}
	}
	return true
}

// row adds one row, of a line: the vertices, and a count or none.
func (b *gather) row(row []string, by Vertices, line int) error {
	p := make(ddps.Path, b.g.NumLayers())
	n, err := b.parse(row, by, p)
	return b.take(p, row[:min(len(p), len(row))], n, line, err)
}

// parse reads a row, the vertices and a count or none, into p and returns the count, with a stray, too.
func (b *gather) parse(row []string, by Vertices, p ddps.Path) (n int, err error) {
	if n = 1; len(row) > len(p) {
		if n, err = count(row[len(p)]); err != nil {
			return 0, fmt.Errorf("field %d: %w", len(p)+1, err)
		}
	}
	find := b.named
	if by == ByNumber {
		find = b.numbered
	}
	var none error
	for l := range p {
		if p[l], err = find(l, row[l]); err == nil {
			continue
		}
		if err = fmt.Errorf("field %d: %w", l+1, err); !errors.As(err, &stray{}) {
			return 0, err
		}
		none = cmp.Or(none, err)
	}
	return n, none
}

// WriteCSV writes data with a header and counts: what ReadCSV reads.
func WriteCSV(w io.Writer, d *datasets.Data, by Vertices) error {
	return WritePaths(NewCSVWriter(w, d.Graph, by), d)
}

// csvWriter writes rows of vertices and a count.
type csvWriter struct {
	g    *ddps.LayeredGraph
	by   Vertices
	csv  *csv.Writer
	row  []string
	rows int
	head error
}

// NewCSVWriter returns a writer of comma-separated values: a header v1, …, vL, count, then a path per row.
func NewCSVWriter(w io.Writer, g *ddps.LayeredGraph, by Vertices) Writer {
	c := &csvWriter{g: g, by: by, csv: csv.NewWriter(w), row: append(vertexColumns(g), "count")}
	c.head = c.csv.Write(c.row)
	return c
}

func (c *csvWriter) Write(p ddps.Path, count int) error {
	err := c.head
	if err == nil {
		for l, v := range p {
			c.row[l] = called(c.g, v, c.by)
		}
		c.row[len(p)] = strconv.Itoa(count)
		err = c.csv.Write(c.row)
	}
	if err != nil {
		return fmt.Errorf("datasets: csv: path %d: %w", c.rows+1, err)
	}
	c.rows++
	return nil
}

func (c *csvWriter) Close() error {
	if c.csv.Flush(); c.csv.Error() != nil {
		return fmt.Errorf("datasets: csv: %w", c.csv.Error())
	}
	return nil
}
