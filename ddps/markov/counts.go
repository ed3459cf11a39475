package markov

// counts is what followed a context: places in ascending order, and their weights.
type counts struct {
	place  []int32
	weight []float64
	total  float64
}

// discount is what is taken off weights of about 1, 2, and 3 or more.
type discount [3]float64

// of returns what is taken off weight w.
func (d *discount) of(w float64) float64 {
	switch {
	case w < 1.5:
		return min(w, d[0])
	case w < 2.5:
		return min(w, d[1])
	}
	return min(w, d[2])
}

// tally counts weights of about 1, 2, 3 and 4.
type tally [4]float64

func (t *tally) add(c counts) {
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
