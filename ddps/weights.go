package ddps

import (
	"fmt"
	"math"
	"math/rand/v2"
	"sort"
)

// Weights returns the weights of n paths and their sum: w itself, or n ones where w is nil. The error says so if
// there are not n, names the path, from 1, whose weight is negative or not finite, or says that the sum is not
// finite and above 0.
func Weights(n int, w []float64) ([]float64, float64, error) {
	if w == nil {
		w = make([]float64, n)
		for i := range w {
			w[i] = 1
		}
	}
	if len(w) != n {
		return nil, 0, fmt.Errorf("%d weights for %d paths", len(w), n)
	}
	sum := 0.0
	for i, x := range w {
		if !(x >= 0) || math.IsInf(x, 0) {
			return nil, 0, fmt.Errorf("path %d: weight %v", i+1, x)
		}
		sum += x
	}
	if !(sum > 0) || math.IsInf(sum, 0) {
		return nil, 0, fmt.Errorf("the weights of %d paths sum to %v, must be above 0", n, sum)
	}
	return w, sum, nil
}

// Choice draws indices by weight. It never changes and may be shared by goroutines.
type Choice struct{ cum []float64 } // running sums

// NewChoice makes the choice among n indices by the weights w (nil: all alike). The error is that of Weights. O(n).
func NewChoice(n int, w []float64) (*Choice, error) {
	w, _, err := Weights(n, w)
	if err != nil {
		return nil, err
	}
	c, sum := &Choice{make([]float64, n)}, 0.0
	for i, x := range w {
		sum += x
		c.cum[i] = sum
	}
	return c, nil
}

// Draw returns an index, with one random number; never one of weight 0. O(log n).
func (c *Choice) Draw(rng *rand.Rand) int {
	last := len(c.cum) - 1
	u := rng.Float64() * c.cum[last]
	return sort.Search(last, func(i int) bool { return c.cum[i] > u })
}
