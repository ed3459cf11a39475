package compare

import (
	"fmt"
	"math"

	"github.com/ddps-go/ddps/datasets"
	"github.com/ddps-go/ddps/ddps"
	"github.com/ddps-go/ddps/ddps/metrics"
)

// Value is a statistic of a sample and what a perfect sampler would show: the mean of the same statistic over
// exact draws of the target, as many as the sample has, and its 99.9% quantile. NaN where there is none.
type Value struct{ Value, Floor, High float64 }

// none is the value that there is not.
var none = Value{math.NaN(), math.NaN(), math.NaN()}

// Row is a sample compared with a target.
type Row struct {
	Name      string
	N         int
	Sparse    bool    // the target has more paths than the sample: L1 and KL say little, and KL may be negative
	Valid     float64 // share that are paths, in [0, 1]
	Reward    float64 // mean; NaN without a reward
	RewardStd float64
	AtMax     float64 // share of the greatest reward any path has, in [0, 1]
	L1        Value
	KL        Value // target to sample, the sample's distribution floored at 0.5/N
	Districts Value // ½L1 of the distribution of (district after three moves, district at the end)
	Revisits  Value // ½L1 of the distribution of the number of revisits
	Nats      Value // mean −log p of validation paths, or its bound; the floor is that of the true distribution
}

// Comparison compares samples of one size with a target.
type Comparison struct {
	target *Target
	u      []float64 // nil without a reward
	n      int
	sparse bool
	floors [4]*metrics.SamplingFloor // L1, KL, Districts, Revisits
	feats  [2][]float64
}

// FloorReps is how many exact draws a sampling floor is measured on.
const FloorReps = 200

// New measures the sampling floors of samples of size n against t. u, by edge, is the reward to report,
// nil for none. The same seed gives the same floors.
func New(t *Target, u []float64, n int, seed uint64) (*Comparison, error) {
	c := &Comparison{target: t, u: u, n: n}
	support := 0
	for _, p := range t.P {
		if p > 0 {
			support++
		}
	}
	c.sparse = support > n
	reps := FloorReps
	if len(t.P) > 100_000 { // a pass over the support a draw
		reps = 20
	}
	measure := func(p []float64, d metrics.Distance) (*metrics.SamplingFloor, error) {
		return metrics.Floor(p, func(q []float64) (float64, error) { return d(p, q) },
			metrics.FloorConfig{N: n, Reps: reps, Seed: seed, Quantiles: []float64{0.999}})
	}
	var err error
	if c.floors[0], err = measure(t.P, metrics.L1); err != nil {
		return nil, err
	}
	if c.floors[1], err = measure(t.P, metrics.KLFloor(n)); err != nil {
		return nil, err
	}
	if t.districts == nil {
		return c, nil
	}
	for i := range c.feats {
		if c.feats[i], err = t.feature(i, t.Paths, t.P); err != nil {
			return nil, err
		}
		if c.floors[2+i], err = measure(c.feats[i], metrics.HalfL1); err != nil {
			return nil, err
		}
	}
	return c, nil
}

// feature returns the distribution of (district early, district late), or of revisits.
func (t *Target) feature(i int, paths []ddps.Path, weights []float64) ([]float64, error) {
	if i == 0 {
		return datasets.DistrictDistribution(t.Graph, t.districts, paths, weights)
	}
	return datasets.RevisitDistribution(t.Graph, paths, weights)
}

// Row compares a sample with the target. The sample must be of the size that the floors were measured for.
func (c *Comparison) Row(name string, paths []ddps.Path) (Row, error) {
	if len(paths) != c.n {
		return Row{}, fmt.Errorf("compare: %s: %d samples, the sampling floors are of %d", name, len(paths), c.n)
	}
	t := c.target
	r := Row{Name: name, N: len(paths), Sparse: c.sparse, Reward: math.NaN(), RewardStd: math.NaN(), AtMax: math.NaN(),
		Districts: none, Revisits: none, Nats: none}
	var err error
	if r.Valid, err = metrics.ValidRate(t.Graph, paths); err != nil || r.Valid < 1 {
		return r, err
	}
	if c.u != nil {
		if err := c.reward(&r, paths); err != nil {
			return r, err
		}
	}
	p, q, err := t.Distributions(paths)
	if err != nil {
		return r, err
	}
	if r.L1, err = c.value(0, p, q, metrics.L1); err != nil {
		return r, err
	}
	if r.KL, err = c.value(1, p, q, metrics.KLFloor(c.n)); err != nil || t.districts == nil {
		return r, err
	}
	for i, dst := range []*Value{&r.Districts, &r.Revisits} {
		q, err := t.feature(i, paths, nil)
		if err != nil {
			return r, err
		}
		if *dst, err = c.value(2+i, c.feats[i], q, metrics.HalfL1); err != nil {
			return r, err
		}
	}
	return r, nil
}

// value is a distance with its floor.
func (c *Comparison) value(i int, p, q []float64, d metrics.Distance) (Value, error) {
	x, err := d(p, q)
	return Value{x, c.floors[i].Mean, c.floors[i].Quantiles[0]}, err
}

// reward fills what r says of rewards.
func (c *Comparison) reward(r *Row, paths []ddps.Path) (err error) {
	r.Reward, r.RewardStd, r.AtMax, err = RewardStats(c.target.Graph, c.u, paths)
	return err
}

// RewardStats returns the mean reward of paths under u, by edge, its standard deviation (÷N), and the share of
// paths that attain the greatest reward any path has, in [0, 1]. The error names the sample that is no path.
func RewardStats(g *ddps.LayeredGraph, u []float64, paths []ddps.Path) (mean, std, atMax float64, err error) {
	rewards, err := metrics.Rewards(g, u, paths)
	if err != nil {
		return 0, 0, 0, err
	}
	if mean, std, err = metrics.MeanStd(rewards, nil); err != nil {
		return 0, 0, 0, err
	}
	at, n := AtMax(g, u, g.Best(u)), 0
	for _, p := range paths {
		if at(p) {
			n++
		}
	}
	return mean, std, float64(n) / float64(len(paths)), nil
}
