package d3pm

import (
	"math"
	"slices"
	"testing"
)

func TestSystematic(t *testing.T) {
	inf := math.Inf(-1)
	for _, c := range []struct {
		w    []float64
		out  int
		u    float64
		want []int
	}{
		{[]float64{1, 1, 1, 1}, 4, 0.5, []int{0, 1, 2, 3}}, {[]float64{0, 4, 0, 0}, 4, 0.99, []int{1, 1, 1, 1}},
		{[]float64{0, 2, 0, 2}, 4, 0, []int{1, 1, 3, 3}},
		{[]float64{3, 1, 0, 0}, 2, 0.6, []int{0, 1}}, {[]float64{1, 0}, 1, 0.999999, []int{0}},
	} {
		logw := make([]float64, len(c.w))
		for i, w := range c.w {
			if logw[i] = inf; w > 0 {
				logw[i] = 700 + math.Log(w) // of any scale
			}
		}
		out := make([]int, c.out)
		systematic(out, logw, logMean(logw), c.u)
		if !slices.Equal(out, c.want) {
			t.Errorf("%v at %v: %v, want %v", c.w, c.u, out, c.want)
		}
	}
}
