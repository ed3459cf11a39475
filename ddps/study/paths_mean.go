package study

import (
	"math"
	"strconv"
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

// PathsSpread is a mean over seeds, with the least and the greatest.
type PathsSpread struct {
	Mean, Low, High float64
	N               int
}

func (s *PathsSpread) add(x float64) {
	if s.N == 0 {
		s.Low, s.High = x, x
	}
	s.Mean = (s.Mean*float64(s.N) + x) / float64(s.N+1)
	s.Low, s.High = min(s.Low, x), max(s.High, x)
	s.N++
}

// PathsMean is the rows of a set, model and condition over the seeds. Distances are means with their floors.
type PathsMean struct {
	Set, Model, Condition string
	NLL                   PathsSpread
	True                  float64 // NLL of the distribution that made the paths; NaN where it is not known
	Return                [2]float64
	Revisit               [2]float64
	Length                [2]float64
	District              [2]float64
	End                   [2]float64
	Quadrant              [2]float64
	CPU                   float64
}

// PathsMeans returns the means over the seeds, in the order of the first rows.
func PathsMeans(rows []PathsRow) (list []PathsMean) {
	at := map[[3]string]int{}
	for _, r := range rows {
		key := [3]string{r.Set, r.Model, r.Condition}
		i, ok := at[key]
		if !ok {
			i = len(list)
			at[key] = i
			list = append(list, PathsMean{Set: r.Set, Model: r.Model, Condition: r.Condition})
		}
		m := &list[i]
		n := float64(m.NLL.N)
		m.NLL.add(r.NLL)
		mean := func(to *float64, x float64) { *to = (*to*n + x) / (n + 1) }
		for _, p := range []struct {
			to    *[2]float64
			x, fl float64
		}{{&m.Return, r.ReturnTV, r.ReturnFloor}, {&m.Revisit, r.RevisitTV, r.RevisitFloor},
			{&m.Length, r.LengthTV, r.LengthFloor}, {&m.District, r.District, r.DistrictFloor},
			{&m.End, r.EndTV, r.EndFloor}, {&m.Quadrant, r.Quadrant, r.QuadrantFloor}} {
			mean(&p.to[0], p.x)
			mean(&p.to[1], p.fl)
		}
		mean(&m.CPU, r.CPU)
		mean(&m.True, r.True)
	}
	return list
}

// BestBaseline returns the test NLL over the seeds of the setting of a kind that has the least validation NLL at the
// first seed, as those rows are chosen; ok is false where there is none.
func BestBaseline(rows []BaselineRow, set, kind string) (s PathsSpread, ok bool) {
	setting := func(r BaselineRow) string {
		return strconv.Itoa(r.Width) + "," + strconv.Itoa(r.Layers) + "," + strconv.FormatFloat(r.Dropout, 'g', -1, 64)
	}
	least, chosen := math.Inf(1), ""
	for _, r := range rows {
		if r.Set == set && r.Model == kind && r.Seed == 1 && r.Validation < least {
			least, chosen = r.Validation, setting(r)
		}
	}
	for _, r := range rows {
		if r.Set == set && r.Model == kind && setting(r) == chosen {
			s.add(r.NLL)
		}
	}
	return s, s.N > 0
}
