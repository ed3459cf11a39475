package datasets

import (
	"errors"
	"fmt"
	"slices"
)

// Checked returns d with Counts, 1 each where they are nil. The error says that there is no data or no graph, that
// there is another number of counts than of paths or one below 1, or names the first path, from 1, that is none of the
// graph.
func (d *Data) Checked() (*Data, error) {
	switch {
	case d == nil:
		return nil, errors.New("datasets: there is no data")
	case d.Graph == nil:
		return nil, errors.New("datasets: the data have no graph")
	case d.Counts != nil && len(d.Counts) != len(d.Paths):
		return nil, fmt.Errorf("datasets: %d counts for %d paths", len(d.Counts), len(d.Paths))
	}
	for i, p := range d.Paths {
		if err := d.Graph.Check(p); err != nil {
			return nil, fmt.Errorf("datasets: path %d: %w", i+1, err)
		}
		if n := d.Count(i); n < 1 {
			return nil, fmt.Errorf("datasets: path %d: count %d, must be at least 1", i+1, n)
		}
	}
	if d.Counts != nil {
		return d, nil
	}
	own := *d
	own.Counts = slices.Repeat([]int{1}, len(d.Paths))
	return &own, nil
}

// Count returns how often Paths[i] occurs: 1 where Counts is nil.
func (d *Data) Count(i int) int {
	if d.Counts == nil {
		return 1
	}
	return d.Counts[i]
}

// Total returns the sum of Counts: the number of samples, repetitions included.
func (d *Data) Total() int {
	if d.Counts == nil {
		return len(d.Paths)
	}
	n := 0
	for _, c := range d.Counts {
		n += c
	}
	return n
}

// Weights returns the empirical distribution, Counts divided by Total: [path], sum 1.
func (d *Data) Weights() []float64 {
	n := len(d.Counts)
	if d.Counts == nil {
		n = len(d.Paths)
	}
	w, total := make([]float64, n), float64(d.Total())
	for i := range w {
		w[i] = float64(d.Count(i)) / total
	}
	return w
}
