package study

import (
	"math"
	"strings"
	"testing"

	"github.com/ddps-go/ddps/ddps/compare"
	"github.com/ddps-go/ddps/ddps/query"
)

func TestWhyNot(t *testing.T) {
	for _, c := range []struct {
		x, y []float64
		want string
	}{
		{[]float64{0, 100, 1e5}, []float64{5, 1, 3}, ""},
		{[]float64{0, 3000, 1e5}, []float64{13, 8.6, 12}, AtOther},
		{[]float64{0, 3, 1e5}, []float64{13, 8.6, 12}, AtOther},
		{[]float64{0, 1000, 1e5}, []float64{17, 12, 13}, NoRise},
		{[]float64{0, 100, 1e5}, []float64{7, 3, 0}, NoRise},
		{[]float64{0, 100, 1e5}, []float64{1.05, 1, 3}, NoFall},
		{[]float64{0, 100, 1e5}, []float64{19.7, 19.5, 20}, NoFall + ", " + NoRise},
	} {
		curve := Curve{X: c.x, Y: c.y}
		if got := curve.whyNot(curve.SweetSpot()); got != c.want {
			t.Errorf("%v at %v: %q, expected %q", c.y, c.x, got, c.want)
		}
	}
}

// spotRows are rows of two rewards of the maximum 1 and one of 2: of the last IS-L-SF falls and rises, of the first two
// it only falls; one reward of the maximum 1 ends at .9.
func spotRows() (rows []GuidanceRow) {
	for i, lambda := range []float64{0, 100, 1e5} {
		for k, rmax := range []int{1, 1, 2} {
			d := compare.NoDistances()
			d.ISLSF, d.ISLL1 = []float64{5, 3, 1}[i], []float64{5, 1, 3}[i]
			reward := float64(rmax)
			switch {
			case rmax == 2:
				d.ISLSF = d.ISLL1
			case k == 1:
				reward = .9
			}
			rows = append(rows, GuidanceRow{Graph: "toy", Model: "m", RMax: rmax, Instance: k % 2, Lambda: lambda,
				Exact: d, Own: d, Distribution: query.Algorithm2, Reward: reward * float64(min(i, 1)), Valid: 1, Hits: 19 + k%2})
		}
	}
	return rows
}

// Rewards are judged one by one, and a sweet spot of IS-L-SF at one maximum counts; the verdict says of how many.
func TestFindingsCount(t *testing.T) {
	want := map[string]string{
		"the reward rises to its maximum":       "in part, 2 of 3 rewards",
		"near-optimal reward at the sweet spot": "in part, 2 of 3 rewards",
		"IS-L-SF has no sweet spot":             "in part, 1 of 2 maxima",
		"IS-L-L1 falls, then rises":             Reproduced,
		"every sample is a path":                Reproduced,
	}
	for _, f := range Findings(spotRows()) {
		if f.Counted() != want[f.Claim] {
			t.Errorf("%s: %q, expected %q", f.Claim, f.Counted(), want[f.Claim])
		}
		if strings.HasPrefix(f.Claim, "the reward") && f.Why != "mean rewards below that: maximum 1, reward 1: 0.9" {
			t.Errorf("%s: %s", f.Claim, f.Why)
		}
		delete(want, f.Claim)
	}
	if len(want) > 0 {
		t.Errorf("no findings of %v", want)
	}
}

// The paper's target counts from LeastHits samples on.
func TestCurvesOwn(t *testing.T) {
	curves := Curves(spotRows(), Series{Graph: "toy", Model: "m", Distribution: query.Algorithm2}, "IS-L-L1", true)
	if len(curves) != 2 || curves[0].Y[1] != 1 || !math.IsNaN(curves[1].Y[1]) {
		t.Errorf("%+v", curves)
	}
}

// Rewards that all paths attain, and those of the same paths as another.
func TestDegenerate(t *testing.T) {
	rows := []RewardRow{{Graph: "a", RMax: 1, Optimal: "x"}, {Graph: "a", RMax: 2, Least: 1, Optimal: "x"},
		{Graph: "b", RMax: 2, Optimal: "x"}, {Graph: "a", RMax: 1, Least: 1, Optimal: "y"},
		{Graph: "a", RMax: 1, Least: -1}, {Graph: "a", RMax: 2, Least: -1}}
	all, same := Degenerate(rows)
	if len(all) != 1 || all[0].Optimal != "y" || len(same) != 1 || same[0].RMax != 2 || same[0].Twin(rows).RMax != 1 {
		t.Errorf("%+v, %+v", all, same)
	}
	rows[2].Key, rows[4].Key, rows[5].Key = "1", "2", "2" // of two models of graph a after each other
	if rows = LatestRewards(rows); len(rows) != 3 || rows[0].Graph != "b" || rows[2].Key != "2" {
		t.Errorf("latest %+v", rows)
	}
}
