package baselines

import (
	"fmt"
	"math"

	"github.com/ddps-go/ddps/ddps"
)

// Z95 is the quantile of the normal distribution that makes an interval of 95%.
const Z95 = 1.959963984540054

// Wilson returns the interval [lo, hi] ⊆ [0, 1] for a share of which k of n draws gave a yes (Wilson 1927): the p with
// |k/n − p| ≤ z·√(p(1−p)/n). It needs no draw either way to be of use: at k = 0 it is [0, z²/(n+z²)]. n = 0 gives [0,
// 1].
func Wilson(k, n int, z float64) (lo, hi float64) {
	if n == 0 {
		return 0, 1
	}
	N, p := float64(n), float64(k)/float64(n)
	mid := (p + z*z/(2*N)) / (1 + z*z/N)
	half := z / (1 + z*z/N) * math.Sqrt(p*(1-p)/N+z*z/(4*N*N))
	lo, hi = max(0, mid-half), min(1, mid+half)
	if k == 0 {
		lo = 0
	}
	if k == n {
		hi = 1
	}
	return lo, hi
}

// Tally counts what samples are.
type Tally struct {
	g     *ddps.LayeredGraph
	known map[string]bool // the training paths
	seen  map[string]bool // valid samples
	total Counts
}

// Counts are the numbers of a Tally.
type Counts struct {
	Outcomes [NumOutcomes]int `json:"outcomes"` // samples by Outcome
	Unique   int              `json:"unique"`   // distinct paths among the valid ones
	Novel    int              `json:"novel"`    // valid ones whose path is not in the training data, repeats counted
}

// NewTally makes a tally of samples of g by a method that was trained on these paths.
func NewTally(g *ddps.LayeredGraph, train []ddps.Path) *Tally {
	t := &Tally{g: g, known: map[string]bool{}, seen: map[string]bool{}}
	for _, p := range train {
		t.known[fmt.Sprint(p)] = true
	}
	return t
}

// Add counts a sample and says what it is.
func (t *Tally) Add(edges []Edge) Outcome {
	p, o := Check(t.g, edges)
	t.total.Outcomes[o]++
	if o == Valid {
		t.addPath(p)
	}
	return o
}

// AddPath counts a sample that came as a sequence of vertices. The error is a *ddps.PathError, and nothing is counted,
// if it is no path: what it is else only its edges can tell.
func (t *Tally) AddPath(p ddps.Path) error {
	if err := t.g.Check(p); err != nil {
		return fmt.Errorf("baselines: %w", err)
	}
	t.total.Outcomes[Valid]++
	t.addPath(p)
	return nil
}

func (t *Tally) addPath(p ddps.Path) {
	key := fmt.Sprint(p)
	if !t.seen[key] {
		t.seen[key] = true
		t.total.Unique++
	}
	if !t.known[key] {
		t.total.Novel++
	}
}

// Counts returns the numbers so far.
func (t *Tally) Counts() Counts { return t.total }

// N returns the number of samples.
func (c Counts) N() int {
	n := 0
	for _, k := range c.Outcomes {
		n += k
	}
	return n
}

// ValidRate returns the share of valid samples in [0, 1] (the paper's VR, §5.1) and its interval of 95%.
func (c Counts) ValidRate() (rate, lo, hi float64) { return share(c.Outcomes[Valid], c.N()) }

// UniqueShare returns the number of distinct paths as a share of the valid samples, NaN without any. No interval goes
// with it: the number of distinct paths is no count of independent draws.
func (c Counts) UniqueShare() float64 { return float64(c.Unique) / float64(c.Outcomes[Valid]) }

// NovelShare returns the share of the valid samples whose path is not in the training data, NaN without any, and its
// interval of 95%.
func (c Counts) NovelShare() (novel, lo, hi float64) { return share(c.Novel, c.Outcomes[Valid]) }

func share(k, n int) (p, lo, hi float64) {
	lo, hi = Wilson(k, n, Z95)
	return float64(k) / float64(n), lo, hi
}
