package paths

import (
	"math"
	"strconv"

	"github.com/ddps-go/ddps/ddps/study"
)

// BaselineRow is a network that bench/torch/paths.py has trained.
type BaselineRow struct {
	Set        string  `csv:"set"`
	Model      string  `csv:"model"` // "gru" or "transformer"
	Width      int     `csv:"width"`
	Layers     int     `csv:"layers"`
	Dropout    float64 `csv:"dropout"`
	LR         float64 `csv:"lr"`
	Seed       uint64  `csv:"seed"`
	Weights    int     `csv:"weights"`
	Epochs     float64 `csv:"epochs"`
	Validation float64 `csv:"validation_nll"`
	NLL        float64 `csv:"test_nll"`
	StdErr     float64 `csv:"test_se"`
	CPU        float64 `csv:"cpu_s"`
}

// Mean is the rows of a set, model and condition over the seeds. Distances are means with their floors.
type Mean struct {
	Set, Model, Condition string
	NLL                   study.Spread
	True                  float64 // NLL of the distribution that made the paths; NaN where it is not known
	Return                [2]float64
	Revisit               [2]float64
	Length                [2]float64
	District              [2]float64
	End                   [2]float64
	Quadrant              [2]float64
	CPU                   float64
}

// Means returns the means over the seeds, in the order of the first rows.
func Means(rows []Row) (list []Mean) {
	var order [][3]string
	groups := map[[3]string][]Row{}
	for _, r := range rows {
		key := [3]string{r.Set, r.Model, r.Condition}
		if groups[key] == nil {
			order = append(order, key)
		}
		groups[key] = append(groups[key], r)
	}
	for _, key := range order {
		column := func(of func(Row) float64) study.Spread {
			var x []float64
			for _, r := range groups[key] {
				x = append(x, of(r))
			}
			return study.NewSpread(x)
		}
		both := func(value, floor func(Row) float64) [2]float64 {
			return [2]float64{column(value).Mean, column(floor).Mean}
		}
		list = append(list, Mean{Set: key[0], Model: key[1], Condition: key[2],
			NLL:      column(func(r Row) float64 { return r.NLL }),
			True:     column(func(r Row) float64 { return r.True }).Mean,
			Return:   both(func(r Row) float64 { return r.ReturnTV }, func(r Row) float64 { return r.ReturnFloor }),
			Revisit:  both(func(r Row) float64 { return r.RevisitTV }, func(r Row) float64 { return r.RevisitFloor }),
			Length:   both(func(r Row) float64 { return r.LengthTV }, func(r Row) float64 { return r.LengthFloor }),
			District: both(func(r Row) float64 { return r.District }, func(r Row) float64 { return r.DistrictFloor }),
			End:      both(func(r Row) float64 { return r.EndTV }, func(r Row) float64 { return r.EndFloor }),
			Quadrant: both(func(r Row) float64 { return r.Quadrant }, func(r Row) float64 { return r.QuadrantFloor }),
			CPU:      column(func(r Row) float64 { return r.CPU }).Mean})
	}
	return list
}

// BestBaseline returns the test NLL over the seeds of the setting of a kind that has the least validation NLL at the
// first seed, as those rows are chosen; ok is false where there is none.
func BestBaseline(rows []BaselineRow, set, kind string) (s study.Spread, ok bool) {
	setting := func(r BaselineRow) string {
		return strconv.Itoa(r.Width) + "," + strconv.Itoa(r.Layers) + "," + strconv.FormatFloat(r.Dropout, 'g', -1, 64)
	}
	least, chosen := math.Inf(1), ""
	for _, r := range rows {
		if r.Set == set && r.Model == kind && r.Seed == 1 && r.Validation < least {
			least, chosen = r.Validation, setting(r)
		}
	}
	var nll []float64
	for _, r := range rows {
		if r.Set == set && r.Model == kind && setting(r) == chosen {
			nll = append(nll, r.NLL)
		}
	}
	if len(nll) == 0 {
		return s, false
	}
	return study.NewSpread(nll), true
}
