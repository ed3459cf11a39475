package reproducecmd

import (
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/ddps-go/ddps/cmd/ddps/internal/cli"
	"github.com/ddps-go/ddps/ddps/study/table1"
)

// The figures and the table of a study's rows: a series a method, in the order of the rows.
func TestValidityFigures(t *testing.T) {
	t.Chdir(t.TempDir())
	var rows []table1.ValidityRow
	for _, m := range []string{table1.ValidDDPS, table1.ValidNoisy} {
		for i, l := range []float64{0, 1, 100} {
			v := 1 - 0.4*float64(i)*float64(len(m)-4)/11
			rows = append(rows, table1.ValidityRow{Method: m, Lambda: l, Samples: 10, Valid: v, Low: v - .1, High: min(v+.1, 1),
				Foreign: 1 - v, Reward: v, Both: v})
		}
	}
	series := validitySeries(rows)
	if len(series) != 2 || series[1].Name != table1.ValidNoisy || !slices.Equal(series[1].X, []float64{0, 1, 100}) ||
		!slices.Equal(series[0].Y, []float64{1, 1, 1}) {
		t.Errorf("series %+v", series)
	}
	a := &cli.App{}
	if err := validityFigures(a, &validityOptions{out: "."}, rows, []table1.SwinRow{{Step: 1, Valid: 0.1, High: 0.2},
		{Step: 2, Valid: 0.5, High: 0.6, Low: 0.4}}); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"validity.png", "swingnn.png"} {
		if _, err := os.Stat(name); err != nil {
			t.Error(err)
		}
	}
	cells := validityCells(rows)
	if got := strings.Join(cells[len(cells)-1], "|"); !strings.HasPrefix(got, table1.ValidNoisy+"|100|") ||
		len(cells[0]) != len(validityHeader) {
		t.Errorf("cells %s", got)
	}
}
