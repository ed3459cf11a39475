package study

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"path/filepath"

	"github.com/jszwec/csvutil"

	"github.com/ddps-go/ddps/internal/digest"
)

// NumberedRow is a row of a results table as it travels from a worker: its text, and its place among the rows of one
// run.
type NumberedRow struct {
	Table  string `json:"table"` // name of the file
	Number int    `json:"number"`
	Header string `json:"header"` // lines of the file, with their ends
	Row    string `json:"row"`
}

// Numbered returns the rows that the table has of the grid points that it was asked for by Missing, numbered by the
// order in which those were first listed; where it was asked for none, all rows in their order.
func (l *Table[T]) Numbered() (list []NumberedRow, err error) {
	header, err := csvutil.Header(*new(T), "csv")
	if err != nil {
		return nil, fmt.Errorf("study: results: %w", err)
	}
	head, err := csvutil.Marshal([]T{})
	if err == nil && len(head) == 0 {
		err = fmt.Errorf("no header of %d columns", len(header))
	}
	for i, row := range l.Rows {
		if l.same != nil {
			if i = l.find(row); i < 0 {
				continue
			}
		}
		var text []byte
		if err == nil {
			text, err = csvutil.Marshal([]T{row})
		}
		if err != nil {
			return nil, fmt.Errorf("study: results: %w", err)
		}
		list = append(list, NumberedRow{filepath.Base(l.path), l.First + i, string(head), string(text[len(head):])})
	}
	return list, nil
}

// find returns the number of the grid point of a row, −1 if it is of none.
func (l *Table[T]) find(row T) int {
	for i, p := range l.points {
		if l.same(row, p) {
			return i
		}
	}
	return -1
}

// AppendNumbered writes rows, a line of JSON each.
func AppendNumbered(w io.Writer, rows []NumberedRow) error {
	e := json.NewEncoder(w)
	for _, r := range rows {
		if err := e.Encode(r); err != nil {
			return err
		}
	}
	return nil
}

// ReadNumbered reads what AppendNumbered wrote, to its end.
func ReadNumbered(r io.Reader) (rows []NumberedRow, err error) {
	d := json.NewDecoder(r)
	for {
		var row NumberedRow
		if err := d.Decode(&row); errors.Is(err, io.EOF) {
			return rows, nil
		} else if err != nil {
			return nil, fmt.Errorf("study: row %d: %w", len(rows)+1, err)
		}
		if row.Table == "" || row.Table != filepath.Base(row.Table) || row.Row == "" {
			return nil, fmt.Errorf("study: row %d is no row of a table", len(rows)+1)
		}
		rows = append(rows, row)
	}
}

// WriteNumbered writes the results table of rows, at least one, of one table, in their order. The error names a row of
// another header.
func WriteNumbered(path string, rows []NumberedRow) error {
	text := []byte(rows[0].Header)
	for _, r := range rows {
		if r.Header != rows[0].Header {
			return fmt.Errorf("study: results: row %d of %s has other columns than the first", r.Number, r.Table)
		}
		text = append(text, r.Row...)
	}
	dir, name := filepath.Split(path)
	err := digest.Sums{}.Replace(dir, name, name+sumEnding, func(w io.Writer) error {
		_, err := w.Write(text)
		return err
	})
	if err != nil {
		return fmt.Errorf("study: results: %w", err)
	}
	return nil
}
