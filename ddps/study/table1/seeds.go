package table1

import (
	"cmp"
	"slices"

	"github.com/ddps-go/ddps/ddps/study"
)

// Main returns a row of each method, in the order of their first: of the longest training, of the most samples, of the
// least seed.
func Main(rows []Row) (list []Row) {
	for _, r := range rows {
		k := slices.IndexFunc(list, func(x Row) bool { return x.Method == r.Method && x.Graph == r.Graph })
		if k < 0 {
			list = append(list, r)
		} else if cmp.Or(cmp.Compare(r.TrainExamples, list[k].TrainExamples), cmp.Compare(r.Samples, list[k].Samples),
			cmp.Compare(list[k].Seed, r.Seed)) > 0 {
			list[k] = r
		}
	}
	return list
}

// SeedMean is a method's valid rate over seeds, each with validation paths, weights and samples of its own, by one
// length of training.
type SeedMean struct {
	Method        string
	TrainExamples int // repeats counted
	Least, Most   int // samples of a seed
	Valid         study.Spread
}

// SeedMeans returns the valid rates of rows that at least two seeds have, in the order of the first rows. Of a seed's
// rows by the same training it takes the one of most samples.
func SeedMeans(rows []Row) (list []SeedMean) {
	var groups [][]Row
	for _, r := range rows {
		k := slices.IndexFunc(groups, func(g []Row) bool {
			return g[0].Method == r.Method && g[0].Graph == r.Graph && g[0].Preset == r.Preset &&
				g[0].TrainExamples == r.TrainExamples
		})
		if k < 0 {
			groups = append(groups, []Row{r})
			continue
		}
		if i := slices.IndexFunc(groups[k], func(x Row) bool { return x.Seed == r.Seed }); i < 0 {
			groups[k] = append(groups[k], r)
		} else if r.Samples > groups[k][i].Samples {
			groups[k][i] = r
		}
	}
	for _, g := range groups {
		if len(g) < 2 {
			continue
		}
		m := SeedMean{Method: g[0].Method, TrainExamples: g[0].TrainExamples, Least: g[0].Samples}
		var valid []float64
		for _, r := range g {
			valid = append(valid, r.ValidRate)
			m.Least, m.Most = min(m.Least, r.Samples), max(m.Most, r.Samples)
		}
		m.Valid = study.NewSpread(valid)
		list = append(list, m)
	}
	return list
}
