package metrics

import (
	"math"
	"math/rand/v2"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"
)

// FloorConfig says how a sampling floor is measured.
type FloorConfig struct {
	N         int       // samples per draw, ≥ 1: as many as behind the statistic that the floor is for
	Reps      int       // draws, ≥ 1
	Seed      uint64    // the same seed gives the same numbers, on any number of cores
	Quantiles []float64 // which quantiles to report, each in [0, 1]
}

// SamplingFloor is the distribution of a statistic under draws from the truth itself: what a perfect sampler shows.
type SamplingFloor struct {
	Mean, Std float64   // over the draws, ÷Reps; both +Inf if any value is
	Quantiles []float64 // as configured, the smallest value with at least that share of the draws at or below
	Values    []float64 // all of them, ascending; [Reps]
}

// Floor draws N samples from the distribution p, Reps times, and returns the distribution of stat(q), q the histogram
// of a draw. For a distance to p itself stat is func(q []float64) (float64, error) { return L1(p, q) }. stat is called
// from several goroutines at once and must not keep q. Draws are exact (alias method), O(N + len(p)) each. The error is
// p's (see [Check]), the configuration's (ErrEmpty, ErrValue), stat's of the first draw that has one, or ErrValue where
// stat gives NaN or −Inf.
func Floor(p []float64, stat func(q []float64) (float64, error), c FloorConfig) (*SamplingFloor, error) {
	if err := Check("p", p); err != nil {
		return nil, err
	}
	table := newAlias(p)
	draw := func(rng *rand.Rand, n int) ([]float64, error) {
		count := make([]int, len(p))
		for range n {
			count[table.draw(rng)]++
		}
		q := make([]float64, len(p))
		for i, k := range count {
			q[i] = float64(k) / float64(n)
		}
		return q, nil
	}
	return FloorOf(draw, stat, c)
}

// FloorOf is [Floor] for statistics of whatever draw returns, such as paths: draw makes n samples with rng
// and stat measures them, for FLGD or IS-L against a fixed target, or between two draws that draw makes. Both
// are called from several goroutines at once. The error is the configuration's, or the first draw's.
func FloorOf[S any](draw func(rng *rand.Rand, n int) (S, error), stat func(S) (float64, error),
	c FloorConfig) (*SamplingFloor, error) {
	if err := c.check(); err != nil {
		return nil, err
	}
	values, errs := make([]float64, c.Reps), make([]error, c.Reps)
	one := func(i int) (float64, error) {
		s, err := draw(rand.New(rand.NewPCG(c.Seed, uint64(i))), c.N)
		if err != nil {
			return 0, err
		}
		v, err := stat(s)
		if err == nil && (math.IsNaN(v) || math.IsInf(v, -1)) {
			err = &DistributionError{ErrValue, "statistic of draw", i, v}
		}
		return v, err
	}
	var next atomic.Int64
	var group sync.WaitGroup
	for range min(runtime.GOMAXPROCS(0), c.Reps) {
		group.Go(func() {
			for i := int(next.Add(1)) - 1; i < c.Reps; i = int(next.Add(1)) - 1 {
				values[i], errs[i] = one(i)
			}
		})
	}
	group.Wait()
	for _, err := range errs {
		if err != nil {
			return nil, err
		}
	}
	return summarise(values, c.Quantiles), nil
}

func (c FloorConfig) check() error {
	if c.N < 1 {
		return &DistributionError{ErrEmpty, "N", -1, float64(c.N)}
	}
	if c.Reps < 1 {
		return &DistributionError{ErrEmpty, "Reps", -1, float64(c.Reps)}
	}
	for i, a := range c.Quantiles {
		if !(a >= 0 && a <= 1) {
			return &DistributionError{ErrValue, "Quantiles", i, a}
		}
	}
	return nil
}

// summarise sorts values, which it keeps.
func summarise(values, quantiles []float64) *SamplingFloor {
	slices.Sort(values)
	f := &SamplingFloor{Values: values}
	n := len(values)
	for _, a := range quantiles {
		k := int(math.Ceil(a*float64(n) - 1e-9)) // .999 of 1000 is the 999th
		f.Quantiles = append(f.Quantiles, values[max(k, 1)-1])
	}
	var err error
	if f.Mean, f.Std, err = MeanStd(values, nil); err != nil { // an infinite value
		f.Mean, f.Std = math.Inf(1), math.Inf(1)
	}
	return f
}

// alias is Walker's table for draws from a distribution in O(1), built in O(n) as Vose (1991) does.
type alias struct {
	keep  []float64 // chance to keep column i
	other []int     // taken otherwise
}

func newAlias(p []float64) *alias {
	n := len(p)
	t := &alias{keep: make([]float64, n), other: make([]int, n)}
	sum := 0.0
	for _, x := range p {
		sum += x
	}
	var small, large []int
	for i, x := range p {
		t.keep[i], t.other[i] = x/sum*float64(n), i
		if t.keep[i] < 1 {
			small = append(small, i)
		} else {
			large = append(large, i)
		}
	}
	for len(small) > 0 && len(large) > 0 {
		s, l := small[len(small)-1], large[len(large)-1]
		small = small[:len(small)-1]
		t.other[s] = l
		t.keep[l] -= 1 - t.keep[s]
		if t.keep[l] < 1 {
			large, small = large[:len(large)-1], append(small, l)
		}
	}
	for _, i := range large {
		t.keep[i] = 1
	}
	t.keepRest(small, p)
	return t
}

// keepRest settles the columns that rounding left: full ones, unless their distribution is 0.
func (t *alias) keepRest(small []int, p []float64) {
	mode := 0
	for i, x := range p {
		if x > p[mode] {
			mode = i
		}
	}
	for _, i := range small {
		if p[i] > 0 {
			t.keep[i] = 1
		} else {
			t.other[i] = mode
		}
	}
}

func (t *alias) draw(rng *rand.Rand) int {
	i := rng.IntN(len(t.keep))
	if rng.Float64() < t.keep[i] {
		return i
	}
	return t.other[i]
}
