package frame

import (
	"fmt"
	"math"
	"strings"

	"gonum.org/v1/gonum/stat"
)

// Describe returns a row for each column: its type, how many values are there, how many are distinct, and of numbers
// mean, standard deviation (of the sample), least, quartiles and greatest. NaNs count as missing.
func (f *Frame) Describe() *Frame {
	names := []string{"column", "type", "count", "distinct", "mean", "std", "min", "25%", "50%", "75%", "max"}
	cols := make([][]any, len(names))
	for c, col := range f.cols {
		row := make([]any, len(names))
		row[0], row[1] = f.names[c], typeName(col)
		there := &Frame{}
		var vals []any
		var x []float64
		for _, v := range col {
			n, ok := number(v)
			if v == nil || ok && math.IsNaN(n) {
				continue
			}
			vals, x = append(vals, v), append(x, n)
		}
		there.add("", vals)
		row[2], row[3] = len(vals), len(there.groups([]int{0}))
		if numeric(col) && len(x) > 0 {
			row[4], row[5] = stat.Mean(x, nil), stat.StdDev(x, nil)
			for i, p := range []float64{0, 0.25, 0.5, 0.75, 1} {
				row[6+i] = quantile(x, p)
			}
		}
		for i, v := range row {
			cols[i] = append(cols[i], v)
		}
	}
	out := &Frame{rows: len(f.cols)}
	for i, n := range names {
		if cols[i] == nil {
			cols[i] = []any{}
		}
		out.add(n, cols[i])
	}
	return out
}

// typeName is the type that all values of a column have, "any" if they differ, "" if there are none.
func typeName(col []any) string {
	name := ""
	for _, v := range col {
		if v == nil {
			continue
		}
		t := strings.ReplaceAll(fmt.Sprintf("%T", v), "main.", "")
		if name != "" && t != name {
			return "any"
		}
		name = t
	}
	return name
}
