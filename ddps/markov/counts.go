package markov

import "slices"

// counts is what followed a context: places in ascending order, and their weights.
type counts struct {
	place  []int32
	weight []float64
	total  float64
}

// left is what one walk has added to contexts, to be left out of them.
type left map[*counts]*counts

// add adds w to the weight of place x.
func (c *counts) add(x int32, w float64) {
	i, ok := slices.BinarySearch(c.place, x)
	if !ok {
		c.place, c.weight = slices.Insert(c.place, i, x), slices.Insert(c.weight, i, 0)
	}
	c.weight[i] += w
	c.total += w
}

// of returns the weight of place x without that in own, which may be nil.
func (c *counts) of(x int32, own *counts) float64 {
	i, ok := slices.BinarySearch(c.place, x)
	if !ok {
		return 0
	}
	w := c.weight[i]
	if own != nil {
		if w -= own.of(x, nil); w < 1e-9 {
			return 0
		}
	}
	return w
}

// sum returns the weight of all places without that in own, which may be nil.
func (c *counts) sum(own *counts) float64 {
	if own == nil {
		return c.total
	}
	if n := c.total - own.total; n > 1e-9 {
		return n
	}
	return 0
}

// discount is what is taken off weights of about 1, 2, and 3 or more.
type discount [3]float64

// of returns what is taken off weight w.
func (d *discount) of(w float64) float64 {
	switch {
	case w < 1.5:
		return min(w, d[0])
	case w < 2.5:
		return d[1]
	}
	return d[2]
}

// mass returns what is taken off all weights of a context without those in own, which may be nil.
func (d *discount) mass(c, own *counts) (sum float64) {
	for i, w := range c.weight {
		if own != nil {
			w = c.of(c.place[i], own)
		}
		sum += d.of(w)
	}
	return sum
}

// tally counts weights of about 1, 2, 3 and 4.
type tally [4]float64

func (t *tally) add(c *counts) {
	for _, w := range c.weight {
		if k := int(w + .5); k >= 1 && k <= len(t) {
			t[k-1]++
		}
	}
}

// discounts estimates discounts from counts of counts (Chen and Goodman 1999, Eq. 26): D_k = k − (k+1)·Y·n_{k+1}/n_k
// with Y = n₁/(n₁ + 2n₂), in 0.1…k − 0.05; k/2 where a count is 0.
func (t *tally) discounts() (d discount) {
	y := t[0] / (t[0] + 2*t[1])
	for k := range d {
		n := float64(k + 1)
		d[k] = n / 2
		if t[0] > 0 && t[k] > 0 && t[k+1] > 0 {
			d[k] = max(.1, min(n-.05, n-(n+1)*y*t[k+1]/t[k]))
		}
	}
	return d
}
