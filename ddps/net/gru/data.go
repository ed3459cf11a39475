package gru

import (
	"fmt"
	"math"

	"github.com/ddps-go/ddps/ddps"
)

// data are walks by weight. Copies of a walk are one, with their weights' sum.
type data struct {
	walks  []walk
	weight []float64
	sum    float64
}

// data returns the walks of s. The error names what s is.
func (y *layout) data(what string, s Sample) (*data, error) {
	w, sum, err := ddps.Weights(len(s.Paths), s.Weights)
	if err != nil {
		return nil, fmt.Errorf("%s paths: %w", what, err)
	}
	d, at := &data{sum: sum}, map[string]int{}
	var key []byte
	for i, p := range s.Paths {
		x, err := y.walk(p)
		if err != nil {
			return nil, fmt.Errorf("%s paths: path %d: %w", what, i+1, err)
		}
		if w[i] == 0 {
			continue
		}
		key = key[:0]
		for _, s := range x.slots {
			key = append(key, byte(s), byte(s>>8), byte(s>>16), byte(s>>24))
		}
		j, ok := at[string(key)]
		if !ok {
			j = len(d.walks)
			at[string(key)] = j
			d.walks, d.weight = append(d.walks, x), append(d.weight, 0)
		}
		d.weight[j] += w[i]
	}
	return d, nil
}

// and returns the walks of both.
func (d *data) and(v *data) *data {
	return &data{append(d.walks[:len(d.walks):len(d.walks)], v.walks...),
		append(d.weight[:len(d.weight):len(d.weight)], v.weight...), d.sum + v.sum}
}

// maxRows is the most rows of an epoch.
const maxRows = 1 << 22

// rows returns how many rows an epoch has: the sum of the weights where they are counts, up to maxRows, else the number
// of walks.
func (d *data) rows() float64 {
	for _, w := range d.weight {
		if w != math.Trunc(w) {
			return float64(len(d.walks))
		}
	}
	return min(d.sum, maxRows)
}

// steps returns how many steps an epoch's rows have.
func (d *data) steps() (sum float64) {
	for i, w := range d.walks {
		sum += d.weight[i] * float64(len(w.vertices))
	}
	return sum * d.rows() / d.sum
}

// outputs returns how many outputs a step has on average after the first, which all walks have alike: the edges from
// the vertex where the walk is.
func (d *data) outputs(g *ddps.LayeredGraph) float64 {
	sum, steps := 0.0, 0.0
	for i, w := range d.walks {
		for _, v := range w.vertices[min(1, len(w.vertices)):] {
			sum, steps = sum+d.weight[i]*float64(g.Degree(int(v))), steps+d.weight[i]
		}
	}
	return sum / max(1, steps)
}
