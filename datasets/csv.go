package datasets

import (
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/ddps-go/ddps/datasets/internal/input"
	"github.com/ddps-go/ddps/ddps"
)

// ReadCSV reads paths of g from comma-separated values (RFC 4180), a path a row:
// L vertices, one a layer, and optionally a count, a whole number of at least 1
// (1 where it is left out). Space before a field and a byte-order mark are
// skipped. The first row is a header if it reads v1, v2, …, vL, with or without
// count after it, in any case of letters; there is no other kind of header.
// Rows that repeat a path add up. name only serves the messages.
//
// Errors name the file, the line and the field: an unknown vertex, a row of the
// wrong length, vertices that no edge joins, a wrong count, broken quotes, a file
// without a path.
func ReadCSV(name string, r io.Reader, g *ddps.LayeredGraph, by Vertices) (*Data, error) {
	c := csv.NewReader(input.Text(r))
	c.FieldsPerRecord, c.ReuseRecord, c.TrimLeadingSpace = -1, true, true
	b := newGather(g)
	for first := true; ; first = false {
		row, err := c.Read()
		if err == io.EOF {
			return b.done(name)
		}
		var syntax *csv.ParseError
		if errors.As(err, &syntax) {
			return nil, fmt.Errorf("datasets: %s:%d: column %d: %w", name, syntax.Line, syntax.Column, syntax.Err)
		}
		if err != nil {
			return nil, fmt.Errorf("datasets: %s: %w", name, err)
		}
		if first && isHeader(row, g.NumLayers()) {
			continue
		}
		if err := b.row(row, by); err != nil {
			line, _ := c.FieldPos(0)
			return nil, fmt.Errorf("datasets: %s:%d: %w", name, line, err)
		}
	}
}

// isHeader tells whether row reads v1, …, vL with or without count.
func isHeader(row []string, L int) bool {
	if len(row) != L && len(row) != L+1 {
		return false
	}
	for i, f := range row {
		want := "v" + strconv.Itoa(i+1)
		if i == L {
			want = "count"
		}
		if !strings.EqualFold(strings.TrimSpace(f), want) {
			return false
		}
	}
	return true
}

// row adds one row of a CSV file.
func (b *gather) row(row []string, by Vertices) (err error) {
	L, n := b.g.NumLayers(), 1
	switch len(row) {
	case L:
	case L + 1:
		if n, err = count(strings.TrimSpace(row[L])); err != nil {
			return fmt.Errorf("field %d: %w", L+1, err)
		}
	default:
		return fmt.Errorf("%d fields, want %d vertices and at most a count", len(row), L)
	}
	find := b.named
	if by == ByNumber {
		find = b.numbered
	}
	p := make(ddps.Path, L)
	for l := range p {
		if p[l], err = find(l, row[l]); err != nil {
			return fmt.Errorf("field %d: %w", l+1, err)
		}
	}
	return b.add(p, n)
}

// WriteCSV writes the data with a header and counts: what ReadCSV reads.
func (d *Data) WriteCSV(w io.Writer, by Vertices) error {
	return d.WritePaths(NewCSVWriter(w, d.Graph, by))
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

// NewCSVWriter returns a writer of comma-separated values: a header v1, …, vL, count, then a path a row.
func NewCSVWriter(w io.Writer, g *ddps.LayeredGraph, by Vertices) PathWriter {
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
