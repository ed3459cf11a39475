package pathfile

import (
	"bytes"
	"encoding/csv"
	"errors"
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/ddps-go/ddps/datasets/internal/table"
	"github.com/ddps-go/ddps/ddps"
)

// RowParser parses the rows of a CSV or JSON Lines file one by one, as ReadCSV and ReadJSONL do, from anywhere in the
// file. Each row is a line: cells in quotes have no line ends. The text is UTF-8 whose lines end in LF or CR LF.
type RowParser struct {
	g    *ddps.LayeredGraph
	b    *gather
	by   Vertices
	json bool
	sep  rune
	cols *pathColumns
	skip int64
	row  []string
}

// NewRowParser returns the parser of a file of paths of g in format CSV or JSONL that begins with head, of which some
// ten kilobytes suffice. The error is of the header, or says what the file has that rows cannot be parsed apart with.
func NewRowParser(g *ddps.LayeredGraph, format string, by Vertices, head []byte) (*RowParser, error) {
	r := &RowParser{g: g, b: newGather(g), by: by, json: format == JSONL}
	if format != CSV && format != JSONL {
		return nil, fmt.Errorf("datasets: rows of %q: expected csv or jsonl", format)
	}
	if bytes.HasPrefix(head, []byte("\ufeff")) {
		head, r.skip = head[3:], 3
	}
	switch {
	case bytes.IndexByte(head, 0) >= 0 || bytes.HasPrefix(head, []byte("\xfe\xff")) ||
		bytes.HasPrefix(head, []byte("\xff\xfe")):
		return nil, errors.New("datasets: the file is no UTF-8 text: 'ddps paths convert' makes it one")
	case bytes.IndexByte(head, '\r') >= 0 && bytes.IndexByte(head, '\n') < 0:
		return nil, errors.New("datasets: lines end in CR alone: 'ddps paths convert' makes them end in LF")
	case r.json:
		return r, nil
	}
	L := g.NumLayers()
	o := table.Options{Separators: ",;\t", Fits: func(row []string) bool {
		return len(row) == L || len(row) == L+1 || pathHeader(row, L) != nil
	}}
	if r.sep = table.Separator(head, o); r.sep == 0 {
		r.sep = ','
	}
	r.cols = inOrder(L)
	for line := range bytes.Lines(head) {
		if len(bytes.TrimSpace(line)) > 0 {
			row := table.Cells(strings.TrimRight(string(line), "\r\n"), r.sep)
			h := pathHeader(row, L)
			if h == nil {
				return r, nil
			}
			r.cols, r.skip = h, r.skip+int64(len(line))
			return r, h.err(row, L)
		}
		r.skip += int64(len(line))
	}
	return r, nil
}

// Skip returns how many bytes at the head of the file are no rows.
func (r *RowParser) Skip() int64 { return r.skip }

// Notes says which columns are not used.
func (r *RowParser) Notes() []string {
	if r.cols == nil {
		return nil
	}
	return r.cols.notes()
}

// Parse reads the row of a line, of which the end is cut off and which is not blank, into p, of a vertex a layer,
// checks that it is a path, and returns its count. The error names the field.
func (r *RowParser) Parse(line string, p ddps.Path) (count int, err error) {
	if r.json {
		count, _, err = r.b.parseLine([]byte(line), p)
	} else {
		count, err = r.csv(line, p)
	}
	if err == nil {
		err = r.g.Check(p)
	}
	return count, err
}

func (r *RowParser) csv(line string, p ddps.Path) (int, error) {
	if !utf8.ValidString(line) {
		return 0, errors.New("it is not UTF-8: is the file in Latin-1 or Windows-1252? save it as UTF-8")
	}
	if err := r.cells(line); err != nil {
		return 0, err
	}
	row, err := r.cols.cells(r.row, len(p))
	if err != nil {
		return 0, err
	}
	return r.b.parse(row, r.by, p)
}

// cells cuts a line into r.row.
func (r *RowParser) cells(line string) error {
	if strings.IndexByte(line, '"') >= 0 {
		c := csv.NewReader(strings.NewReader(line))
		c.Comma, c.TrimLeadingSpace, c.FieldsPerRecord = r.sep, r.sep != '\t', -1
		row, err := c.Read()
		var syntax *csv.ParseError
		if errors.As(err, &syntax) {
			return fmt.Errorf("column %d: %w", syntax.Column, syntax.Err)
		}
		r.row = row
		return err
	}
	r.row = r.row[:0]
	for {
		i := strings.IndexByte(line, byte(r.sep))
		cell := line
		if i >= 0 {
			cell, line = line[:i], line[i+1:]
		}
		if r.sep != '\t' {
			cell = strings.TrimLeft(cell, " \t")
		}
		r.row = append(r.row, cell)
		if i < 0 {
			return nil
		}
	}
}
