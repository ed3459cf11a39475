package memory

import (
	"strings"

	"github.com/ddps-go/ddps/ddps/model"
	"github.com/ddps-go/ddps/ddps/study"
)

// Mean is what a distribution's rows of a study are over the seeds.
type Mean struct {
	Condition, Distribution     string // the kind of condition: "", "max(reward)", "visit"
	Paths, Seeds                int
	Districts, Revisits         study.Spread
	DistrictFloor, RevisitFloor float64      // means
	NLL                         study.Spread // above the true distribution; NaN under a condition
}

// Means returns the means of rows, by condition, distribution, network and paths, in the order of their first rows.
func Means(rows []Row) []Mean {
	type key struct {
		condition, dist string
		paths           int
	}
	var order []key
	groups := map[key][]Row{}
	for _, r := range rows {
		kind, _, _ := strings.Cut(r.Condition, "(place") // the place is another for each seed
		k := key{kind, r.Distribution, r.Paths}
		if r.Network != model.NetworkNone && (r.Distribution == Model || r.Distribution == Particles) {
			k.dist += ", " + r.Network
		}
		if groups[k] == nil {
			order = append(order, k)
		}
		groups[k] = append(groups[k], r)
	}
	var out []Mean
	for _, k := range order {
		column := func(of func(Row) float64) study.Spread {
			var x []float64
			for _, r := range groups[k] {
				x = append(x, of(r))
			}
			return study.NewSpread(x)
		}
		out = append(out, Mean{Condition: k.condition, Distribution: k.dist, Paths: k.paths, Seeds: len(groups[k]),
			Districts:     column(func(r Row) float64 { return r.Districts }),
			Revisits:      column(func(r Row) float64 { return r.Revisits }),
			DistrictFloor: column(func(r Row) float64 { return r.DistrictFloor }).Mean,
			RevisitFloor:  column(func(r Row) float64 { return r.RevisitFloor }).Mean,
			NLL:           column(func(r Row) float64 { return r.NLL - r.NLLTrue })})
	}
	return out
}
