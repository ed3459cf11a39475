package datasets

import (
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"

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
	c := csv.NewReader(withoutBOM(r))
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
	c := csv.NewWriter(w)
	L := d.Graph.NumLayers()
	row := make([]string, L+1)
	for l := range L {
		row[l] = "v" + strconv.Itoa(l+1)
	}
	row[L] = "count"
	if err := c.Write(row); err != nil {
		return fmt.Errorf("datasets: csv: %w", err)
	}
	for i, p := range d.Paths {
		for l, v := range p {
			if row[l] = strconv.Itoa(v); by == ByName {
				row[l] = d.Graph.Name(v)
			}
		}
		row[L] = strconv.Itoa(d.Counts[i])
		if err := c.Write(row); err != nil {
			return fmt.Errorf("datasets: csv: path %d: %w", i, err)
		}
	}
	c.Flush()
	if err := c.Error(); err != nil {
		return fmt.Errorf("datasets: csv: %w", err)
	}
	return nil
}
