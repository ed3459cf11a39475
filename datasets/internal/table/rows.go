package table

import (
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"
)

// Rows calls do for each row that is no header, with its cells by column, trimmed and "" where there is none. Where
// the first row is no header, plain says whether it may be data; columns then have the order of the list.
func Rows(r io.Reader, o Options, columns []Column, plain func(row []string) bool, do func(cells []string) error) (
	notes []string, err error) {
	t := Open(r, o)
	at, cells := make([]int, len(columns)), make([]string, len(columns))
	for k := range at {
		at[k] = k
	}
	width, blank := math.MaxInt, 0
	for first := true; ; first = false {
		row, line, err := t.Read()
		for err == nil && Blank(row) {
			blank++
			row, line, err = t.Read()
		}
		if err == io.EOF {
			if blank > 0 {
				notes = append(notes, fmt.Sprintf("rows of empty cells, which are skipped: %d", blank))
			}
			return append(t.Notes, notes...), nil
		}
		if err != nil {
			return nil, err
		}
		if first {
			m, err := HeaderOf(row, columns, plain)
			if err != nil {
				return nil, o.At(line, err)
			}
			if m != nil {
				at, width = m.At, len(row)
				if unused := m.NotUsed(); unused != "" {
					notes = append(notes, unused)
				}
				continue
			}
		}
		if err := cellsOf(row, at, width, columns, cells); err != nil {
			return nil, o.At(line, err)
		}
		if err := do(cells); err != nil {
			if first && !slices.ContainsFunc(row, IsNumber) {
				err = fmt.Errorf("%w; %w", err, Ask(row, columns))
			}
			return nil, o.At(line, err)
		}
	}
}

// HeaderOf returns the columns that a first row names, nil if it is data.
func HeaderOf(row []string, columns []Column, plain func(row []string) bool) (*Match, error) {
	m, err := Header(row, columns)
	number := slices.ContainsFunc(row, IsNumber)
	switch {
	case number && m.Missing(columns) != nil, err == nil && m.Found == 0 && plain(row):
		return nil, nil
	case err != nil:
		return nil, err
	case m.Found == 0:
		return nil, Ask(row, columns)
	}
	return &m, m.Missing(columns)
}

// Blank reports whether a row has no cell but empty ones, as spreadsheets write them.
func Blank(row []string) bool {
	return !slices.ContainsFunc(row, func(c string) bool { return strings.TrimSpace(c) != "" })
}

// IsNumber reports whether a cell is a number.
func IsNumber(s string) bool {
	_, err := strconv.ParseFloat(strings.TrimSpace(s), 64)
	return err == nil
}

// cellsOf fills the cells of a row by column.
func cellsOf(row []string, at []int, width int, columns []Column, cells []string) error {
	for k := len(row); k > width; k-- {
		if strings.TrimSpace(row[k-1]) != "" {
			return fmt.Errorf("%d fields, but %d in the header", len(row), width)
		}
	}
	for k, c := range at {
		if cells[k] = ""; c >= 0 && c < len(row) {
			cells[k] = strings.Clone(strings.TrimSpace(row[c]))
		}
		if cells[k] == "" && columns[k].Must {
			return fmt.Errorf("no %s", columns[k].Name)
		}
	}
	return nil
}
