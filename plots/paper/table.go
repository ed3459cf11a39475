package paper

import (
	"fmt"
	"math"
	"slices"

	"github.com/ddps-go/ddps/ddps/compare"
	"github.com/ddps-go/ddps/ddps/study"
)

// Table is a header and rows of cells: strings, or numbers to be shown to a few digits.
type Table struct {
	Header []string
	Rows   [][]any
}

// Comparison lays out rows of samples compared with one target, and below them the sampling floors: the mean and the
// 99.9% quantile of exact samples. With reward it has the columns of rewards. Where the target has more paths than the
// samples, KL, which may be negative there, is left out, and so is L1 if the target has other features.
func Comparison(reward bool, rows []compare.Row) Table {
	type column struct {
		name string
		of   func(compare.Row) compare.Value
	}
	var columns []column
	sparse, features := rows[0].Sparse, !math.IsNaN(rows[0].Districts.Value)
	if !sparse {
		columns = append(columns, column{"KL (nats)", func(r compare.Row) compare.Value { return r.KL }})
	}
	if !sparse || !features {
		columns = append(columns, column{"L1", func(r compare.Row) compare.Value { return r.L1 }})
	}
	if features {
		columns = append(columns, column{"districts ½ L1", func(r compare.Row) compare.Value { return r.Districts }},
			column{"revisits ½ L1", func(r compare.Row) compare.Value { return r.Revisits }})
	}
	t := Table{Header: []string{"distribution"}}
	floor, high := []any{"exact draws, mean"}, []any{"exact draws, 99.9%"}
	if reward {
		t.Header = append(t.Header, "mean reward", "at the maximum")
		floor, high = append(floor, "", ""), append(high, "", "")
	}
	for _, c := range columns {
		t.Header = append(t.Header, c.name)
		v := c.of(rows[0])
		floor, high = append(floor, v.Floor), append(high, v.High)
	}
	for _, r := range rows {
		cells := []any{r.Name}
		if reward {
			cells = append(cells, r.Reward, fmt.Sprintf("%.1f%%", 100*r.AtMax))
		}
		for _, c := range columns {
			cells = append(cells, c.of(r).Value)
		}
		t.Rows = append(t.Rows, cells)
	}
	t.Rows = append(t.Rows, floor, high)
	return t
}

// Guidance lays out quantities of a series for one greatest reward, a row a guidance scale, as study.Curves names them,
// and below them the sampling floors. The error names a quantity that there is not.
func Guidance(rows []study.GuidanceRow, of study.Series, rmax int, quantities ...string) (Table, error) {
	t := Table{Header: append([]string{"scale"}, quantities...)}
	floors, known := []any{"sampling floor"}, false
	for _, name := range quantities {
		if _, err := guidanceSweep(rows, of, name, false); err != nil {
			return t, err
		}
		curves := study.Curves(rows, of, name, false)
		i := slices.IndexFunc(curves, func(c study.Curve) bool { return c.RMax == rmax })
		if i < 0 {
			return t, fmt.Errorf("paper: no results of %s with the greatest reward %d", of.Distribution, rmax)
		}
		c := curves[i]
		for k, x := range c.X {
			if k == len(t.Rows) {
				t.Rows = append(t.Rows, []any{fmt.Sprintf("%g", x)})
			}
			t.Rows[k] = append(t.Rows[k], c.Y[k])
		}
		var floor any = ""
		if !math.IsNaN(c.Floor) {
			floor, known = c.Floor, true
		}
		floors = append(floors, floor)
	}
	if known {
		t.Rows = append(t.Rows, floors)
	}
	return t, nil
}
