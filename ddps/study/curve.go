package study

import (
	"cmp"
	"math"
	"slices"
)

// Curve is one curve of figures 4 to 6: a quantity against λ, for the rewards of one greatest value.
type Curve struct {
	RMax      int
	X, Y, Std []float64 // λ, mean over instances and standard deviation (÷n)
	Instances int
	// What is beside it, means over the same instances, NaN where there is none: exact draws of the target, which is
	// the sampling floor, the model and the fitted chain, both given the greatest reward.
	Floor, Model, Chain float64
}

// Series names the curves of one guide of one model on one graph.
type Series struct{ Graph, Model, Distribution, Kernel string }

// Quantities of Curves besides DistanceNames.
const (
	QuantityReward = "reward"
	QuantityAtMax  = "at the maximum"
)

// SeriesOf lists the series that rows hold, in the order of their first rows.
func SeriesOf(rows []GuidanceRow) (list []Series) {
	for _, r := range rows {
		if s := (Series{r.Graph, r.Model, r.Distribution, r.Kernel}); !slices.Contains(references, r.Distribution) &&
			!slices.Contains(list, s) {
			list = append(list, s)
		}
	}
	return list
}

// LeastHits is how many samples at λ = 0 must attain the greatest reward to be a target, the paper's.
const LeastHits = 20

var references = []string{ReferenceExact, ReferenceMax, ReferenceChain}

// Curves returns the curves of a series, a greatest reward each, ascending: QuantityReward, QuantityAtMax or one of
// DistanceNames, from the exact target or, with own, from the paper's. Of rows of several sizes or models it takes
// those of the one that was added last. From the paper's target it takes the rewards that at least LeastHits samples at
// λ = 0 attain: of fewer the target is no distribution. Points where no instance has the quantity are NaN.
func Curves(rows []GuidanceRow, of Series, quantity string, own bool) []Curve {
	rows = latest(rows, of)
	var list []Curve
	for _, r := range rows {
		if !slices.ContainsFunc(list, func(c Curve) bool { return c.RMax == r.RMax }) {
			list = append(list, Curve{RMax: r.RMax})
		}
	}
	slices.SortFunc(list, func(a, b Curve) int { return cmp.Compare(a.RMax, b.RMax) })
	value := func(r GuidanceRow) float64 {
		switch {
		case quantity == QuantityReward:
			return r.Reward
		case quantity == QuantityAtMax:
			return r.AtMax
		case own && r.Hits < LeastHits:
			return math.NaN()
		case own:
			return r.Own.Of(quantity)
		}
		return r.Exact.Of(quantity)
	}
	for i := range list {
		list[i].fill(rows, of, value)
	}
	return list
}

// latest returns the rows of a series and its references that have the model, sizes and seed of its last row.
func latest(rows []GuidanceRow, of Series) (out []GuidanceRow) {
	is := func(r GuidanceRow) bool {
		return r.Graph == of.Graph && r.Model == of.Model && (r.Distribution == of.Distribution && r.Kernel == of.Kernel ||
			slices.Contains(references, r.Distribution))
	}
	var last *GuidanceRow
	for i, r := range rows {
		if is(r) && r.Distribution == of.Distribution {
			last = &rows[i]
		}
	}
	if last == nil {
		return nil
	}
	for _, r := range rows {
		if is(r) && r.Key == last.Key && r.Samples == last.Samples && r.Seed == last.Seed && (r.Steps == last.Steps ||
			r.Distribution != of.Distribution) {
			out = append(out, r)
		}
	}
	return out
}

// fill sets the curve's points and what is beside it.
func (c *Curve) fill(rows []GuidanceRow, of Series, value func(GuidanceRow) float64) {
	points := map[float64][]float64{}
	instances := map[int]bool{}
	for _, r := range rows {
		if r.RMax == c.RMax && r.Distribution == of.Distribution {
			points[r.Lambda] = append(points[r.Lambda], value(r))
			instances[r.Instance] = true
		}
	}
	c.Instances = len(instances)
	for x := range points {
		c.X = append(c.X, x)
	}
	slices.Sort(c.X)
	for _, x := range c.X {
		y, std := meanStd(known(points[x]))
		c.Y, c.Std = append(c.Y, y), append(c.Std, std)
	}
	beside := func(dist string) float64 {
		var list []float64
		for _, r := range rows {
			if r.RMax == c.RMax && r.Distribution == dist && instances[r.Instance] {
				list = append(list, value(r))
			}
		}
		mean, _ := meanStd(known(list))
		return mean
	}
	c.Floor, c.Model, c.Chain = beside(ReferenceExact), beside(ReferenceMax), beside(ReferenceChain)
}

// known returns the numbers of x that are not NaN; NaN alone where there is none.
func known(x []float64) []float64 {
	x = slices.DeleteFunc(slices.Clone(x), math.IsNaN)
	if len(x) == 0 {
		return []float64{math.NaN()}
	}
	return x
}

// SweetSpot returns the λ at which the curve is least, the first where several are; NaN where it is nowhere finite.
func (c Curve) SweetSpot() float64 { return spot(c.X, c.Y) }

// spot returns the x of the least y.
func spot(x, y []float64) float64 {
	at, least := math.NaN(), math.Inf(1)
	for i, v := range y {
		if v < least {
			at, least = x[i], v
		}
	}
	return at
}

// At returns the curve at a λ; NaN where it has no such point.
func (c Curve) At(lambda float64) float64 {
	if i := slices.Index(c.X, lambda); i >= 0 {
		return c.Y[i]
	}
	return math.NaN()
}

// SharedSweetSpot returns the λ at which the mean of the curves is least, each in units of its greatest value: the
// golden line of figures 5 and 6. NaN where the curves share no finite point.
func SharedSweetSpot(curves []Curve) float64 {
	if len(curves) == 0 {
		return math.NaN()
	}
	x := curves[0].X
	sum := make([]float64, len(x))
	for _, c := range curves {
		top := slices.Max(c.Y)
		for i := range x {
			if y := c.At(x[i]); !math.IsNaN(top) && top > 0 {
				sum[i] += y / top
			}
		}
	}
	return spot(x, sum)
}

// meanStd returns the mean and the standard deviation (÷n); +Inf and 0 where a value is infinite.
func meanStd(x []float64) (mean, std float64) {
	n := float64(len(x))
	for _, v := range x {
		mean += v / n
	}
	if math.IsInf(mean, 0) || math.IsNaN(mean) {
		return mean, 0
	}
	for _, v := range x {
		std += (v - mean) * (v - mean) / n
	}
	return mean, math.Sqrt(std)
}
