package study

import (
	"maps"
	"slices"
	"strings"

	"github.com/ddps-go/ddps/ddps/query"
)

// SeedMean is what the rewards of one greatest value came to under Algorithm 2 over seeds, each with samples and, but
// for seed 0 and a run's model, with data and a model of its own. It is of the rewards that all of the seeds have.
type SeedMean struct {
	Series  Series   // of the first seed
	Models  []string // of all
	RMax    int
	Rewards int // of each seed
	Samples int // of each grid point

	Greatest float64   // the greatest λ
	Reward   Spread    // mean reward there
	Lambdas  []float64 // of the least mean distance, a seed each, ascending
	Distance Spread    // there
	There    Spread    // mean reward there
	Exact    Spread    // distance of the model, conditioned exactly
	Floor    Spread    // and of exact draws of the target
}

// seedKind is what of a row's model is the same over the seeds: validation may choose another mixture for each.
func seedKind(r GuidanceRow) string {
	if strings.HasSuffix(r.Model, " network") {
		return r.Graph + ", " + r.Model
	}
	return r.Graph
}

// FirstSeed returns the rows of the least seed of each graph and kind of model.
func FirstSeed(rows []GuidanceRow) []GuidanceRow {
	least := map[string]uint64{}
	for _, r := range rows {
		if s, ok := least[seedKind(r)]; !ok || r.Seed < s {
			least[seedKind(r)] = r.Seed
		}
	}
	return slices.DeleteFunc(slices.Clone(rows), func(r GuidanceRow) bool { return r.Seed != least[seedKind(r)] })
}

// SeedMeans returns the means over the seeds of each series under Algorithm 2, by greatest reward, for the distance of
// that name. A seed counts that has all grid points of a reward, the first seed's; it takes two.
func SeedMeans(rows []GuidanceRow, distance string) (list []SeedMean) {
	main := FirstSeed(rows)
	for _, of := range SeriesOf(main) {
		if of.Distribution != query.Algorithm2 {
			continue
		}
		first := latest(main, of)
		seeds := bySeed(rows, of, first)
		for _, c := range Curves(first, of, distance, false) {
			m := SeedMean{Series: of, RMax: c.RMax}
			if m.set(shared(seeds, first, c.RMax), distance) {
				list = append(list, m)
			}
		}
	}
	return list
}

// set sets the means over the rows of one greatest reward, a list for each seed; it returns false of less than two.
func (m *SeedMean) set(seeds [][]GuidanceRow, distance string) bool {
	if len(seeds) < 2 {
		return false
	}
	var reward, least, there, exact, floor []float64
	for _, rows := range seeds {
		of := m.Series
		of.Model = rows[0].Model
		if !slices.Contains(m.Models, of.Model) {
			m.Models = append(m.Models, of.Model)
		}
		c, r := Curves(rows, of, distance, false)[0], Curves(rows, of, QuantityReward, false)[0]
		m.Rewards, m.Samples, m.Greatest = c.Instances, rows[0].Samples, c.X[len(c.X)-1]
		x := c.SweetSpot()
		reward, m.Lambdas = append(reward, r.At(m.Greatest)), append(m.Lambdas, x)
		least, there = append(least, c.At(x)), append(there, r.At(x))
		exact, floor = append(exact, c.Model), append(floor, c.Floor)
	}
	slices.Sort(m.Lambdas)
	m.Reward, m.Distance, m.There = NewSpread(reward), NewSpread(least), NewSpread(there)
	m.Exact, m.Floor = NewSpread(exact), NewSpread(floor)
	return true
}

// bySeed returns the rows of a series and its references, a list for each seed, ascending, of the preset, the samples
// and, of each seed, the model added last; first are those of the first seed.
func bySeed(rows []GuidanceRow, of Series, first []GuidanceRow) (seeds [][]GuidanceRow) {
	groups := map[uint64][]GuidanceRow{}
	for _, r := range rows {
		if seedKind(r) == seedKind(first[0]) && r.Samples == first[0].Samples && r.Preset == first[0].Preset {
			groups[r.Seed] = append(groups[r.Seed], r)
		}
	}
	for _, s := range slices.Sorted(maps.Keys(groups)) {
		of.Model = groups[s][len(groups[s])-1].Model
		seeds = append(seeds, latest(groups[s], of))
	}
	return seeds
}

// likewise reports whether x is of the same grid point but for the seed and its model.
func (r GuidanceRow) likewise(x GuidanceRow) bool {
	x.Model, x.Key, x.Seed = r.Model, r.Key, r.Seed
	return r.same(x)
}

// shared returns the rows of the rewards of a greatest value that all seeds have whole, all grid points of the first's;
// seeds without any are left out.
func shared(seeds [][]GuidanceRow, first []GuidanceRow, rmax int) (list [][]GuidanceRow) {
	whole := func(rows []GuidanceRow, instance int) bool {
		n := 0
		for _, p := range first {
			if p.RMax != rmax || p.Instance != instance {
				continue
			}
			n++
			if !slices.ContainsFunc(rows, func(r GuidanceRow) bool { return r.likewise(p) }) {
				return false
			}
		}
		return n > 0
	}
	var instances []int
	for _, rows := range seeds {
		var has []int
		for i := range instancesOf(first, rmax) {
			if whole(rows, i) {
				has = append(has, i)
			}
		}
		switch {
		case len(has) == 0:
			continue
		case instances == nil:
			instances = has
		}
		instances = slices.DeleteFunc(instances, func(i int) bool { return !slices.Contains(has, i) })
		list = append(list, rows)
	}
	if len(instances) == 0 {
		return nil
	}
	for i, rows := range list {
		list[i] = slices.DeleteFunc(slices.Clone(rows), func(r GuidanceRow) bool {
			return r.RMax != rmax || !slices.Contains(instances, r.Instance) || !slices.ContainsFunc(first, r.likewise)
		})
	}
	return list
}
