package frame

import (
	"fmt"
	"math"
	"reflect"
	"slices"
	"strings"

	"gonum.org/v1/gonum/stat"
)

// Group returns a row for each combination of values in the columns by, in the order in which they appear, with
// aggregates of the rows that have it: "count", or one of sum, mean, std (of the sample), min, median, max, first,
// last, distinct, and the name of a column after a space. Missing values count in "count" alone. With no columns by
// there is one row, of all.
//
//	f.Group([]string{"kind"}, "count", "mean reward", "max length")
func (f *Frame) Group(by []string, aggregates ...string) (*Frame, error) {
	keys, err := f.columns(by)
	if err != nil {
		return nil, err
	}
	groups := f.groups(keys)
	if len(by) == 0 {
		groups = [][]int{make([]int, f.rows)}
		for i := range f.rows {
			groups[0][i] = i
		}
	}
	out := &Frame{rows: len(groups)}
	for i, c := range keys {
		col := make([]any, len(groups))
		for g, rows := range groups {
			col[g] = f.cols[c][rows[0]]
		}
		out.add(by[i], col)
	}
	for _, a := range aggregates {
		col, err := f.aggregate(a, groups)
		if err != nil {
			return nil, err
		}
		out.add(a, col)
	}
	return out, nil
}

// groups returns the rows that have equal values in columns.
func (f *Frame) groups(cols []int) [][]int {
	at := map[string]int{}
	var list [][]int
	for r := range f.rows {
		k := f.key(cols, r)
		g, ok := at[k]
		if !ok {
			g = len(list)
			at[k], list = g, append(list, nil)
		}
		list[g] = append(list[g], r)
	}
	return list
}

// key is a text that rows with equal values in columns have in common.
func (f *Frame) key(cols []int, row int) string {
	var b strings.Builder
	for _, c := range cols {
		v := f.cols[c][row]
		if r := reflect.ValueOf(v); v != nil && r.CanFloat() && r.Float() == 0 {
			v = reflect.Zero(r.Type()).Interface() // −0 equals 0
		}
		s := fmt.Sprintf("%T %#v", v, v)
		fmt.Fprintf(&b, "%d %s", len(s), s)
	}
	return b.String()
}

func (f *Frame) aggregate(what string, groups [][]int) ([]any, error) {
	name, column, _ := strings.Cut(what, " ")
	col := make([]any, len(groups))
	if name == "count" && column == "" {
		for g, rows := range groups {
			col[g] = len(rows)
		}
		return col, nil
	}
	make, ok := aggregates()[name]
	if !ok {
		return nil, fmt.Errorf("frame: %q is no aggregate: count, or sum, mean, std, min, median, max, first, last, "+
			"distinct and a column", what)
	}
	c, err := f.column(column)
	if err != nil {
		return nil, err
	}
	for g, rows := range groups {
		var vals []any
		for _, r := range rows {
			if v := f.cols[c][r]; v != nil {
				vals = append(vals, v)
			}
		}
		if len(vals) == 0 && name != "distinct" {
			continue
		}
		if col[g], err = make(vals); err != nil {
			return nil, fmt.Errorf("frame: %s: %w", what, err)
		}
	}
	return col, nil
}

// aggregates returns what makes one value of those of a group, by name.
func aggregates() map[string]func([]any) (any, error) {
	numbers := func(of func(x []float64) float64) func([]any) (any, error) {
		return func(vals []any) (any, error) {
			x := make([]float64, len(vals))
			for i, v := range vals {
				var ok bool
				if x[i], ok = number(v); !ok {
					return nil, fmt.Errorf("%v (%T) is no number", v, v)
				}
			}
			return of(x), nil
		}
	}
	best := func(sign int) func([]any) (any, error) {
		return func(vals []any) (any, error) {
			if err := ordered(vals); err != nil {
				return nil, err
			}
			return slices.MinFunc(vals, func(a, b any) int { return sign * compare(a, b) }), nil
		}
	}
	return map[string]func([]any) (any, error){
		"sum": numbers(func(x []float64) (s float64) {
			for _, v := range x {
				s += v
			}
			return s
		}),
		"mean":   numbers(func(x []float64) float64 { return stat.Mean(x, nil) }),
		"std":    numbers(func(x []float64) float64 { return stat.StdDev(x, nil) }),
		"median": numbers(func(x []float64) float64 { return quantile(x, 0.5) }),
		"min":    best(1),
		"max":    best(-1),
		"first":  func(vals []any) (any, error) { return vals[0], nil },
		"last":   func(vals []any) (any, error) { return vals[len(vals)-1], nil },
		"distinct": func(vals []any) (any, error) {
			f := &Frame{}
			f.add("", vals)
			return len(f.groups([]int{0})), nil
		},
	}
}

// quantile is the p-quantile of x, between the values next to it linearly: of n ordered values the one at p·(n−1).
func quantile(x []float64, p float64) float64 {
	x = slices.Sorted(slices.Values(x))
	at := p * float64(len(x)-1)
	i := int(math.Floor(at))
	if i+1 >= len(x) {
		return x[len(x)-1]
	}
	return x[i] + (at-float64(i))*(x[i+1]-x[i])
}
