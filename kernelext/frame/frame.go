// Package frame is a table of named columns for notebooks: from structs or CSV; sorted, filtered, grouped, joined,
// described and plotted.
//
//	frame.go      a frame, its rows and columns
//	rows.go       from and to Go values: structs, maps, lists
//	csv.go        from and to CSV
//	order.go      sorted, filtered, cut, with more columns
//	group.go      aggregates of groups
//	join.go       two frames by equal keys
//	describe.go   what columns hold
//	plot.go       lines, bars
//	show.go       as text, HTML and Markdown
//
// A frame does not change: what its methods return is another one, which shares its values. Values are what they were,
// a struct's int an int; nil stands for one that is missing. A method that is given the name of no column returns an
// error that lists the names.
package frame

import (
	"fmt"
	"math"
	"reflect"
	"slices"
	"strings"
)

// Frame is a table of named columns of equal length.
type Frame struct {
	names []string
	cols  [][]any
	rows  int
}

// Names returns the names of the columns, in order.
func (f *Frame) Names() []string { return slices.Clone(f.names) }

// Len returns the number of rows.
func (f *Frame) Len() int { return f.rows }

func (f *Frame) has(name string) bool { return slices.Contains(f.names, name) }

// column returns the index of a column.
func (f *Frame) column(name string) (int, error) {
	i := slices.Index(f.names, name)
	if i < 0 {
		return 0, fmt.Errorf("frame: no column %q; there are %s", name, strings.Join(f.names, ", "))
	}
	return i, nil
}

// columns returns the indexes of columns.
func (f *Frame) columns(names []string) ([]int, error) {
	list := make([]int, len(names))
	for i, n := range names {
		at, err := f.column(n)
		if err != nil {
			return nil, err
		}
		list[i] = at
	}
	return list, nil
}

// Values returns the values of a column as they are.
func (f *Frame) Values(name string) ([]any, error) {
	i, err := f.column(name)
	if err != nil {
		return nil, err
	}
	return slices.Clone(f.cols[i]), nil
}

// Floats returns the values of a column of numbers, NaN for missing ones.
func (f *Frame) Floats(name string) ([]float64, error) {
	i, err := f.column(name)
	if err != nil {
		return nil, err
	}
	list := make([]float64, f.rows)
	for r, v := range f.cols[i] {
		x, ok := number(v)
		if !ok {
			return nil, fmt.Errorf("frame: column %q, row %d: %v (%T) is no number", name, r+1, v, v)
		}
		list[r] = x
	}
	return list, nil
}

// Strings returns the values of a column as text, "" for missing ones.
func (f *Frame) Strings(name string) ([]string, error) {
	i, err := f.column(name)
	if err != nil {
		return nil, err
	}
	list := make([]string, f.rows)
	for r, v := range f.cols[i] {
		if v != nil {
			list[r] = fmt.Sprint(v)
		}
	}
	return list, nil
}

// Row is a row of a frame.
type Row struct {
	f *Frame
	i int
}

// Row returns row i, from 0.
func (f *Frame) Row(i int) Row {
	if i < 0 || i >= f.rows {
		panic(fmt.Sprintf("frame: row %d of %d", i, f.rows))
	}
	return Row{f, i}
}

// Value returns the row's value in a column. It panics where there is no such column.
func (r Row) Value(name string) any {
	i, err := r.f.column(name)
	if err != nil {
		panic(err)
	}
	return r.f.cols[i][r.i]
}

// Float returns the row's number in a column, NaN if it is missing. It panics where that is no number.
func (r Row) Float(name string) float64 {
	v := r.Value(name)
	x, ok := number(v)
	if !ok {
		panic(fmt.Errorf("frame: column %q, row %d: %v (%T) is no number", name, r.i+1, v, v))
	}
	return x
}

// Text returns the row's value in a column as text, "" if it is missing.
func (r Row) Text(name string) string {
	v := r.Value(name)
	if v == nil {
		return ""
	}
	return fmt.Sprint(v)
}

// number returns v as a number, NaN where it is missing.
func number(v any) (x float64, ok bool) {
	if v == nil {
		return math.NaN(), true
	}
	switch r := reflect.ValueOf(v); {
	case r.CanFloat():
		return r.Float(), true
	case r.CanInt():
		return float64(r.Int()), true
	case r.CanUint():
		return float64(r.Uint()), true
	}
	return 0, false
}

// numeric reports whether a column holds numbers, and at least one.
func numeric(col []any) bool {
	some := false
	for _, v := range col {
		if _, ok := number(v); !ok {
			return false
		}
		some = some || v != nil
	}
	return some
}

// add appends a column.
func (f *Frame) add(name string, col []any) {
	f.names, f.cols = append(f.names, name), append(f.cols, col)
	f.rows = len(col)
}

// take returns the rows at the indexes given; -1 is a row of missing values.
func (f *Frame) take(rows []int) *Frame {
	out := &Frame{names: slices.Clone(f.names), rows: len(rows)}
	for _, col := range f.cols {
		c := make([]any, len(rows))
		for i, r := range rows {
			if r >= 0 {
				c[i] = col[r]
			}
		}
		out.cols = append(out.cols, c)
	}
	return out
}
