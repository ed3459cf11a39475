package frame

import (
	"cmp"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"time"
)

// Sort returns the rows in the order of columns, the first of them first; "-name" is from the greatest to the least.
// Rows that are equal keep their order; missing values are last. Numbers, strings, bools and times have an order.
func (f *Frame) Sort(by ...string) (*Frame, error) {
	names, down := slices.Clone(by), make([]bool, len(by))
	for i, n := range names {
		names[i], down[i] = strings.CutPrefix(n, "-")
	}
	cols, err := f.columns(names)
	if err != nil {
		return nil, err
	}
	for i, c := range cols {
		if err := ordered(f.cols[c]); err != nil {
			return nil, fmt.Errorf("frame: column %q: %w", names[i], err)
		}
	}
	rows := make([]int, f.rows)
	for i := range rows {
		rows[i] = i
	}
	slices.SortStableFunc(rows, func(a, b int) int {
		for i, c := range cols {
			x, y := f.cols[c][a], f.cols[c][b]
			k := compare(x, y)
			if down[i] && x != nil && y != nil {
				k = -k
			}
			if k != 0 {
				return k
			}
		}
		return 0
	})
	return f.take(rows), nil
}

// ordered reports why the values of a column have no order among each other, nil if they have.
func ordered(col []any) error {
	var first any
	for r, v := range col {
		if v == nil {
			continue
		}
		if kindOf(v) == "" {
			return fmt.Errorf("row %d: values of type %T have no order", r+1, v)
		}
		if first == nil {
			first = v
		}
		if kindOf(v) != kindOf(first) {
			return fmt.Errorf("row %d: %T among values of type %T", r+1, v, first)
		}
	}
	return nil
}

// kindOf is what values that can be compared with each other have in common, "" for those that cannot.
func kindOf(v any) string {
	if _, ok := v.(time.Time); ok {
		return "time"
	}
	if _, ok := number(v); ok {
		return "number"
	}
	switch k := reflect.TypeOf(v).Kind(); k {
	case reflect.String, reflect.Bool:
		return k.String()
	}
	return ""
}

// compare compares two values of one kind; a missing one is greater than all.
func compare(x, y any) int {
	switch {
	case x == nil && y == nil:
		return 0
	case x == nil:
		return 1
	case y == nil:
		return -1
	}
	if t, ok := x.(time.Time); ok {
		return t.Compare(y.(time.Time))
	}
	a, b := reflect.ValueOf(x), reflect.ValueOf(y)
	switch {
	case a.CanInt() && b.CanInt():
		return cmp.Compare(a.Int(), b.Int())
	case a.CanUint() && b.CanUint():
		return cmp.Compare(a.Uint(), b.Uint())
	case a.Kind() == reflect.String:
		return cmp.Compare(a.String(), b.String())
	case a.Kind() == reflect.Bool:
		return cmp.Compare(btoi(a.Bool()), btoi(b.Bool()))
	}
	p, _ := number(x)
	q, _ := number(y)
	return cmp.Compare(p, q)
}

func btoi(b bool) int {
	if b {
		return 1
	}
	return 0
}

// Where returns the rows for which keep returns true.
func (f *Frame) Where(keep func(Row) bool) *Frame {
	var rows []int
	for i := range f.rows {
		if keep(Row{f, i}) {
			rows = append(rows, i)
		}
	}
	return f.take(rows)
}

// Head returns the first n rows, all if there are fewer.
func (f *Frame) Head(n int) *Frame {
	rows := make([]int, min(max(n, 0), f.rows))
	for i := range rows {
		rows[i] = i
	}
	return f.take(rows)
}

// Select returns the columns given, in that order.
func (f *Frame) Select(names ...string) (*Frame, error) {
	cols, err := f.columns(names)
	if err != nil {
		return nil, err
	}
	out := &Frame{rows: f.rows}
	for i, c := range cols {
		out.add(names[i], f.cols[c])
	}
	return out, nil
}

// With returns the frame with a column of what value returns of each row, in the place of one that has that name, else
// last.
func (f *Frame) With(name string, value func(Row) any) *Frame {
	col := make([]any, f.rows)
	for i := range col {
		col[i] = value(Row{f, i})
	}
	out := &Frame{names: slices.Clone(f.names), cols: slices.Clone(f.cols), rows: f.rows}
	if i := slices.Index(f.names, name); i >= 0 {
		out.cols[i] = col
		return out
	}
	out.add(name, col)
	return out
}
