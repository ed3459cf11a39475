package study

import (
	"math"
	"slices"
	"testing"

	"github.com/ddps-go/ddps/ddps/compare"
	"github.com/ddps-go/ddps/ddps/query"
)

// Means over seeds are of the rewards that all seeds have whole, at the first seed's sizes and λ; validation may have
// chosen another mixture for a seed, and a network's rows are by themselves.
func TestSeedMeans(t *testing.T) {
	var rows []GuidanceRow
	add := func(model string, seed uint64, instance int, kl ...float64) {
		for i, x := range kl {
			d := compare.NoDistances()
			d.KL = x
			rows = append(rows, GuidanceRow{Graph: "toy", Model: model, Key: model, RMax: 2, Instance: instance, Samples: 8,
				Seed: seed, Distribution: query.Algorithm2, Lambda: math.Pow(10, float64(i)), Exact: d,
				Reward: float64(i) + float64(seed)/10})
		}
		rows = append(rows, GuidanceRow{Graph: "toy", Model: model, Key: model, RMax: 2, Instance: instance, Samples: 8,
			Seed: seed, Distribution: ReferenceExact, Exact: compare.Distances{KL: .5}})
	}
	add("mixture of 2 chains", 1, 0, 5, 2, 4)
	add("mixture of 4 chains", 2, 0, 5, 3, 1, 0) // one λ more
	add("mixture of 2 chains", 0, 0, 5, 1, 4)
	add("mixture of 2 chains", 0, 1, 9, 9, 9) // of one seed alone
	add("mixture of 2 chains", 3, 0, 5, 1)    // in part
	add("mlp network", 1, 0, 7, 7, 7)
	first := FirstSeed(rows)
	if slices.ContainsFunc(first, func(r GuidanceRow) bool { return r.Seed != 0 && r.Model != "mlp network" }) ||
		len(first) != 12 {
		t.Errorf("of the first seeds: %d rows", len(first))
	}
	list := SeedMeans(rows, "KL")
	if len(list) != 1 {
		t.Fatalf("%+v", list)
	}
	m := list[0]
	if m.Rewards != 1 || m.Samples != 8 || m.Greatest != 100 || !slices.Equal(m.Lambdas, []float64{10, 10, 100}) ||
		!slices.Equal(m.Models, []string{"mixture of 2 chains", "mixture of 4 chains"}) {
		t.Errorf("%+v", m)
	}
	near := func(name string, got, want float64) {
		if math.Abs(got-want) > 1e-12 {
			t.Errorf("%s: %v, want %v", name, got, want)
		}
	}
	near("reward", m.Reward.Mean, 2.1)
	near("its deviation", m.Reward.Std, .1)
	near("distance", m.Distance.Mean, 4./3)
	near("reward at the sweet spots", m.There.Mean, (1+1.1+2.2)/3)
	near("floor", m.Floor.Mean, .5)
	if m.Reward.N != 3 || m.Distance.Low != 1 || m.Distance.High != 2 {
		t.Errorf("%+v, %+v", m.Reward, m.Distance)
	}
}
