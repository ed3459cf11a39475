package ddps

import (
	"math"
	"strings"
	"testing"
)

func TestWeights(t *testing.T) {
	if w, sum, err := Weights(3, nil); err != nil || sum != 3 || len(w) != 3 || w[2] != 1 {
		t.Errorf("no weights: %v, %v, %v", w, sum, err)
	}
	if w, sum, err := Weights(2, []float64{0, 0.5}); err != nil || sum != 0.5 || w[1] != 0.5 {
		t.Errorf("%v, %v, %v", w, sum, err)
	}
	for _, c := range []struct {
		n    int
		w    []float64
		want string
	}{
		{2, []float64{1}, "1 weights for 2 paths"}, {0, nil, "sum to 0"}, {1, []float64{0}, "sum to 0"},
		{2, []float64{1, -1}, "path 2: weight -1"}, {1, []float64{math.NaN()}, "path 1: weight NaN"},
		{1, []float64{math.Inf(1)}, "path 1"}, {2, []float64{math.MaxFloat64, math.MaxFloat64}, "sum to +Inf"},
	} {
		if _, _, err := Weights(c.n, c.w); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("Weights(%d, %v): %v, want %q", c.n, c.w, err, c.want)
		}
		if _, err := NewChoice(c.n, c.w); err == nil {
			t.Errorf("NewChoice(%d, %v) must fail", c.n, c.w)
		}
	}
}

func TestChoice(t *testing.T) {
	w := []float64{0, 3, 0, 1, 0}
	c, err := NewChoice(len(w), w)
	if err != nil {
		t.Fatal(err)
	}
	const n = 40000
	var count [5]float64
	for i := range uint64(n) {
		count[c.Draw(Rand(1, i))]++
	}
	if count[0]+count[2]+count[4] != 0 || math.Abs(count[3]-n/4) > 4*math.Sqrt(n*3/16) {
		t.Errorf("drawn %v by weights %v", count, w)
	}
}
