package paper_test

import (
	"math"
	"path/filepath"
	"strings"
	"testing"

	"github.com/ddps-go/ddps/ddps/compare"
	"github.com/ddps-go/ddps/ddps/study"
	"github.com/ddps-go/ddps/plots"
	"github.com/ddps-go/ddps/plots/paper"
)

// rows are those of the reproduction that the documentation shows.
func rows(t *testing.T) ([]study.GuidanceRow, []study.Series) {
	t.Helper()
	rows, err := study.ReadForeign[study.GuidanceRow]("../../docs/reproduced/cells.csv")
	if err != nil {
		t.Fatal(err)
	}
	return rows, study.SeriesOf(rows)
}

// Every series of the kept results gives figures 4 to 6, each of the quantities that it has.
func TestGuidance(t *testing.T) {
	rows, list := rows(t)
	for i, of := range list {
		p, err := paper.GuidancePlot(rows, of, study.QuantityReward)
		if err != nil || !strings.HasSuffix(p.Title.Text, ": mean reward") {
			t.Errorf("%v: %v", of, err)
		}
		names := compare.DistanceNames()
		if of.Graph != "toy" {
			names = names[4:] // paths of maps are not listed
		}
		f, err := paper.GuidanceFigure(rows, of, false, names...)
		if err != nil {
			t.Errorf("%v: %v", of, err)
			continue
		}
		if i > 0 {
			continue // one file is enough
		}
		w, h := f.Size()
		if err := plots.Save(f, filepath.Join(t.TempDir(), "f.png"), w, h); err != nil {
			t.Errorf("%v: %v", of, err)
		}
	}
	if _, err := paper.GuidesFigure(rows, study.QuantityReward); err != nil {
		t.Error(err)
	}
	if _, err := paper.GuidancePlot(rows, list[0], "luck"); err == nil {
		t.Error("a quantity that there is not: no error")
	}
	if _, err := paper.GuidancePlot(rows, study.Series{Distribution: "luck"}, "L1"); err == nil {
		t.Error("a series that there is not: no error")
	}
}

// A guidance table holds the curve's numbers, a row a scale, and the floor.
func TestGuidanceTable(t *testing.T) {
	rows, list := rows(t)
	table, err := paper.Guidance(rows, list[0], 4, study.QuantityReward, "L1")
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range study.Curves(rows, list[0], "L1", false) {
		if c.RMax != 4 {
			continue
		}
		if len(table.Rows) != len(c.X)+1 || table.Rows[len(c.X)][2] != c.Floor {
			t.Errorf("%d rows, floor %v", len(table.Rows), table.Rows[len(table.Rows)-1])
		}
		for i, y := range c.Y {
			if table.Rows[i][2] != y {
				t.Errorf("row %d: %v, expected %v", i, table.Rows[i], y)
			}
		}
	}
	if _, err := paper.Guidance(rows, list[0], 3, "L1"); err == nil {
		t.Error("a greatest reward that there is not: no error")
	}
}

// Distances over paths go where they say nothing, rewards where there are none.
func TestComparison(t *testing.T) {
	nan := compare.Value{Value: math.NaN(), Floor: math.NaN(), High: math.NaN()}
	row := compare.Row{Name: "a", AtMax: .5, L1: compare.Value{Value: 1, Floor: .5, High: .7}, KL: nan, Districts: nan,
		Revisits: nan}
	for _, c := range []struct {
		reward, sparse, memory bool
		want                   string
	}{
		{true, false, false, "distribution, mean reward, at the maximum, KL (nats), L1"},
		{false, true, false, "distribution, L1"},
		{false, false, true, "distribution, KL (nats), L1, districts ½ L1, revisits ½ L1"},
		{false, true, true, "distribution, districts ½ L1, revisits ½ L1"},
	} {
		r := row
		if c.memory {
			r.Districts, r.Revisits = r.L1, r.L1
		}
		r.Sparse = c.sparse
		table := paper.Comparison(c.reward, []compare.Row{r})
		if got := strings.Join(table.Header, ", "); got != c.want || len(table.Rows) != 3 {
			t.Errorf("%+v: %s, %d rows", c, got, len(table.Rows))
		}
		for _, cells := range table.Rows {
			if len(cells) != len(table.Header) {
				t.Errorf("%+v: %d cells of %d", c, len(cells), len(table.Header))
			}
		}
	}
}
