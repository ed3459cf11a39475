package study

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/stat"
	"gonum.org/v1/gonum/stat/distuv"
)

// SweetSpot says where a distance from the exact target is least, over the rewards of one greatest value: each reward
// by itself has a λ of its own (§5.3).
type SweetSpot struct {
	RMax     int
	Rewards  int       // whose distance is finite somewhere
	Lambdas  []float64 // of the least distance of each reward, ascending
	Distance Interval  // there
	Reward   Interval  // mean reward there
	Floor    float64   // mean distance of as many exact draws, the sampling floor; NaN: not measured
}

// Interval is a mean with the half-width of its 95% interval by Student's t; Half is NaN of fewer than three numbers,
// where that interval says nothing.
type Interval struct{ Mean, Half float64 }

// NewInterval returns the interval of the mean of x.
func NewInterval(x []float64) Interval {
	n := float64(len(x))
	if n < 3 {
		return Interval{stat.Mean(x, nil), math.NaN()}
	}
	t := distuv.StudentsT{Mu: 0, Sigma: 1, Nu: n - 1}.Quantile(.975)
	return Interval{stat.Mean(x, nil), t * stat.StdDev(x, nil) / math.Sqrt(n)}
}

// Median returns the middle of the λ, of two the less.
func (s SweetSpot) Median() float64 { return s.Lambdas[(len(s.Lambdas)-1)/2] }

// SweetSpots returns those of a series by the distance of that name (compare.DistanceNames), a greatest reward each,
// ascending. λ = 0 counts as one of the λ.
func SweetSpots(rows []GuidanceRow, of Series, distance string) (list []SweetSpot) {
	rows = latest(rows, of)
	for _, c := range Curves(rows, of, distance, false) {
		s := SweetSpot{RMax: c.RMax, Floor: c.Floor}
		var distances, rewards []float64
		for instance := range instancesOf(rows, c.RMax) {
			best := -1
			for i, r := range rows {
				if r.RMax == c.RMax && r.Instance == instance && r.Distribution == of.Distribution &&
					r.Kernel == of.Kernel && !math.IsNaN(r.Exact.Of(distance)) &&
					(best < 0 || r.Exact.Of(distance) < rows[best].Exact.Of(distance)) {
					best = i
				}
			}
			if best < 0 || math.IsInf(rows[best].Exact.Of(distance), 0) {
				continue
			}
			s.Lambdas = append(s.Lambdas, rows[best].Lambda)
			distances, rewards = append(distances, rows[best].Exact.Of(distance)), append(rewards, rows[best].Reward)
		}
		if s.Rewards = len(s.Lambdas); s.Rewards == 0 {
			continue
		}
		slices.Sort(s.Lambdas)
		s.Distance, s.Reward = NewInterval(distances), NewInterval(rewards)
		list = append(list, s)
	}
	return list
}

// instancesOf returns one more than the greatest number of a reward of that maximum.
func instancesOf(rows []GuidanceRow, rmax int) (n int) {
	for _, r := range rows {
		if r.RMax == rmax {
			n = max(n, r.Instance+1)
		}
	}
	return n
}
