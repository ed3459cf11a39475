package datasets

import (
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/ddps-go/ddps/datasets/internal/table"
)

// tableRows calls do for each row that is no header, with its cells by column, trimmed and "" where there is none. Where
// the first row is no header, plain says whether it may be data; columns then have the order of the list.
func tableRows(r io.Reader, o table.Options, columns []table.Column, plain func(row []string) bool, do func(cells []string) error) (notes []string, err error) {
	t := table.Open(r, o)
	notes = t.Notes
	at, cells := make([]int, len(columns)), make([]string, len(columns))
	for k := range at {
		at[k] = k
	}
	width := math.MaxInt
	for first := true; ; first = false {
		row, line, err := t.Read()
		if err == io.EOF {
			return notes, nil
		}
		if err != nil {
			return nil, err
		}
		if first {
			m, err := headerOf(row, columns, plain)
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
			if first && !slices.ContainsFunc(row, isNumber) {
				err = fmt.Errorf("%w; %w", err, table.Ask(row, columns))
			}
			return nil, o.At(line, err)
		}
	}
}

// headerOf returns the columns that a first row names, nil if it is data.
func headerOf(row []string, columns []table.Column, plain func(row []string) bool) (*table.Match, error) {
	m, err := table.Header(row, columns)
	number := slices.ContainsFunc(row, isNumber)
	switch {
	case number && m.Missing(columns) != nil, err == nil && m.Found == 0 && plain(row):
		return nil, nil
	case err != nil:
		return nil, err
	case m.Found == 0:
		return nil, table.Ask(row, columns)
	}
	return &m, m.Missing(columns)
}

func isNumber(s string) bool {
	_, err := strconv.ParseFloat(strings.TrimSpace(s), 64)
	return err == nil
}

// cellsOf fills the cells of a row by column.
func cellsOf(row []string, at []int, width int, columns []table.Column, cells []string) error {
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
