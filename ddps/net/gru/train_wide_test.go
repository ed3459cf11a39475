package gru

import (
	"math"
	"slices"
	"testing"
)

// A wide network is trained as one that is not, but for rounding, and to the same bytes by any number of threads. The
// batch has several blocks, whose choices stand side by side.
func TestWide(t *testing.T) {
	y := newLayout(many(t))
	d, err := y.data("training", Sample{Paths: allPaths(y.g)})
	if err != nil {
		t.Fatal(err)
	}
	cfg := toy()
	cfg.Batch, cfg.Dropout = 90, 0.3
	train := func(wide bool, threads int) *network {
		n := newNetwork(y, cfg.Shape)
		n.wide = wide
		tr := newTrainer(n, cfg, machine{threads: threads}, 3, d.rows(), nil)
		for range 3 {
			if err := tr.update(d, 0); err != nil {
				t.Fatal(err)
			}
		}
		return n
	}
	plain, one, four := train(false, 1), train(true, 1), train(true, 4)
	for i, p := range plain.params {
		for j, x := range p.Data {
			if got := one.data(i)[j]; !(math.Abs(float64(got-x)) < 1e-4) {
				t.Fatalf("%s[%d] is %g, of a network that is not wide %g", p.Name, j, got, x)
			}
		}
		if !slices.Equal(one.data(i), four.data(i)) {
			t.Errorf("%s: four threads give other bytes", p.Name)
		}
	}
}

// Few edges from each vertex but the first make no wide network.
func TestIsWide(t *testing.T) {
	if newLayout(starts(t)).isWide() {
		t.Error("a graph of many starts has a wide network")
	}
	g, _ := checkins(t)
	if !newLayout(g).isWide() {
		t.Error("a graph on which hundreds of places follow a place has none")
	}
}
