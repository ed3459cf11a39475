package metrics

import (
	"math"
	"slices"
)

// Distance is a dissimilarity d[p, q] of two distributions over one support, p the target (paper, §5.3). All of this
// package's return a *[DistributionError] for an empty support, lengths that differ, an entry that is NaN, infinite or
// negative, and a distribution that does not sum to 1; none returns NaN. All but SFD cost O(n).
type Distance func(p, q []float64) (float64, error)

var _ = []Distance{KL, L1, TVSup, HalfL1, SFD, KLFloor(1)}

// KL returns Σ p log(p/q) in nats, with 0·log 0 = 0; +Inf where q = 0 < p. In [0, +Inf].
func KL(p, q []float64) (float64, error) {
	d, err := kl(p, q, 0)
	return max(d, 0), err // rounding
}

// KLFloored returns Σ p log(p/q) in nats where q, if 0 < p, counts as 0.5/n; n ≥ 1 is the number of samples
// behind q. The floored q is not renormalised. The paper plots a finite KL and does not say how it got one
// from samples that miss paths of the target; this is our reading. As the floored q sums to more than 1, the value
// can be negative where n is small. The error of n < 1 is ErrEmpty.
func KLFloored(p, q []float64, n int) (float64, error) {
	if n < 1 {
		return 0, &DistributionError{ErrEmpty, "sample size", -1, float64(n)}
	}
	return kl(p, q, 0.5/float64(n))
}

// KLFloor returns [KLFloored] for samples of size n as a Distance.
func KLFloor(n int) Distance {
	return func(p, q []float64) (float64, error) { return KLFloored(p, q, n) }
}

func kl(p, q []float64, floor float64) (float64, error) {
	if err := checkPair(p, q); err != nil {
		return 0, err
	}
	sum := 0.0
	for i, pi := range p {
		if pi == 0 {
			continue
		}
		qi := q[i]
		if qi == 0 {
			qi = floor
		}
		if qi == 0 {
			return math.Inf(1), nil
		}
		sum += pi * (math.Log(pi) - math.Log(qi))
	}
	return sum, nil
}

// L1 returns Σ|p−q|, in [0, 2]; 2 for disjoint supports.
func L1(p, q []float64) (float64, error) {
	sum := 0.0
	err := eachGap(p, q, func(d float64) { sum += d })
	return sum, err
}

// HalfL1 returns ½Σ|p−q|, in [0, 1]: what is usually called total variation, the largest difference over
// events. The paper's own d_TV is [TVSup].
func HalfL1(p, q []float64) (float64, error) {
	d, err := L1(p, q)
	return d / 2, err
}

// TVSup returns sup_x |p(x)−q(x)|, in [0, 1], which the paper writes as d_TV (§5.3): the largest difference
// over single elements, not over events; see [HalfL1].
func TVSup(p, q []float64) (float64, error) {
	sup := 0.0
	err := eachGap(p, q, func(d float64) { sup = max(sup, d) })
	return sup, err
}

func eachGap(p, q []float64, f func(d float64)) error {
	if err := checkPair(p, q); err != nil {
		return err
	}
	for i := range p {
		f(math.Abs(p[i] - q[i]))
	}
	return nil
}

// SFD returns Spearman's footrule distance Σ|π_p(i)−π_q(i)| / M(n), in [0, 1], where π ranks the n elements by
// descending mass and M(n) = ⌊n²/2⌋ is the largest possible sum (paper, definition 5). Ties are broken by the
// element's index, the same for p and q, since the value depends on how; an element of mass 0 has a rank too,
// so that the value depends on the support as well. n = 1 gives 0. O(n log n).
func SFD(p, q []float64) (float64, error) {
	if err := checkPair(p, q); err != nil {
		return 0, err
	}
	n := len(p)
	if n == 1 {
		return 0, nil
	}
	rp, rq := ranks(p), ranks(q)
	sum := 0
	for i := range rp {
		sum += max(rp[i]-rq[i], rq[i]-rp[i])
	}
	return float64(sum) / float64(n*n/2), nil
}

// ranks returns each element's position in descending order of mass, ties by index.
func ranks(p []float64) []int {
	order := make([]int, len(p))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int {
		switch {
		case p[a] > p[b]:
			return -1
		case p[a] < p[b]:
			return 1
		}
		return 0
	})
	rank := make([]int, len(p))
	for r, i := range order {
		rank[i] = r
	}
	return rank
}
