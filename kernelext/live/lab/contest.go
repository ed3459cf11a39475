package lab

import (
	"fmt"
	"math"

	"github.com/ddps-go/ddps/ddps/compare"
	"github.com/ddps-go/ddps/kernelext"
)

func errContest(names, draws int) error {
	return fmt.Errorf("lab: contest: %d names for %d draws, want one each and at least one", names, draws)
}

// contestTable returns rows, with last ones of what exact draws show. Distances of the laws of paths are left out where
// sparse says that they are near their greatest value for any sample.
func contestTable(reward, sparse bool, rows []compare.Row) *Table {
	type column struct {
		name string
		of   func(compare.Row) compare.Value
	}
	columns := []column{
		{"KL (nats)", func(r compare.Row) compare.Value { return r.KL }},
		{"L1", func(r compare.Row) compare.Value { return r.L1 }},
	}
	if !math.IsNaN(rows[0].Districts.Value) {
		if sparse {
			columns = nil
		}
		columns = append(columns, column{"districts ½ L1", func(r compare.Row) compare.Value { return r.Districts }},
			column{"revisits ½ L1", func(r compare.Row) compare.Value { return r.Revisits }})
	}
	t := kernelext.NewTable("law")
	if reward {
		t.Header = append(t.Header, "mean reward", "at the maximum")
	}
	for _, c := range columns {
		t.Header = append(t.Header, c.name)
	}
	floor, high := []any{"exact draws, mean"}, []any{"exact draws, 99.9 %"}
	if reward {
		floor, high = append(floor, "", ""), append(high, "", "")
	}
	for _, r := range rows {
		cells := []any{r.Name}
		if reward {
			cells = append(cells, r.Reward, fmt.Sprintf("%.1f %%", 100*r.AtMax))
		}
		for _, c := range columns {
			cells = append(cells, c.of(r).Value)
		}
		t.Add(cells...)
	}
	for _, c := range columns {
		v := c.of(rows[0])
		floor, high = append(floor, v.Floor), append(high, v.High)
	}
	return t.Add(floor...).Add(high...)
}
