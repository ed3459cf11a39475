package datasets

import (
	"math"
	"math/big"
	"slices"
	"testing"

	"github.com/ddps-go/ddps/datasets/internal/fixture"
	"github.com/ddps-go/ddps/ddps"
)

func TestToyAndRQ1(t *testing.T) {
	for _, c := range []struct {
		name                         string
		make                         func(uint64) (*ddps.LayeredGraph, error)
		seed                         uint64
		layers, vertices, edges, all int
	}{
		{"Toy", Toy, ToySeed, 11, 41, 74, 1063},
		{"RQ1", RQ1, RQ1Seed, 10, 46, 103, 1350},
	} {
		g := fixture.Must[*ddps.LayeredGraph](t)(c.make(c.seed))
		if g.NumLayers() != c.layers || g.NumVertices() != c.vertices || g.NumEdges() != c.edges {
			t.Errorf("%s: L=%d V=%d E=%d", c.name, g.NumLayers(), g.NumVertices(), g.NumEdges())
		}
		d := fixture.Must[*Data](t)(All(g, 2000))
		if len(d.Paths) != c.all || d.Total() != c.all {
			t.Errorf("%s: %d paths, mass %d, want %d", c.name, len(d.Paths), d.Total(), c.all)
		}
		_, err := All(g, c.all-1)
		fixture.WantError(t, c.name, err, "more than the limit")
	}
	for seed := range uint64(200) { // every seed gives a valid graph
		if g := fixture.Must[*ddps.LayeredGraph](t)(Toy(seed)); g.NumEdges() != 74 {
			t.Fatalf("seed %d: %d edges", seed, g.NumEdges())
		}
	}
}

// TestDraw draws 2 of 4 paths many times: each of the 6 pairs as often.
func TestDraw(t *testing.T) {
	g := fixture.Full(t, 1, 2, 2)
	x := ddps.NewIndex(g)
	seen := map[[2]int64]int{}
	const n = 6000
	for seed := range uint64(n) {
		p := fixture.Must[[]ddps.Path](t)(Draw(g, 2, seed))
		a, b := fixture.Must[*big.Int](t)(x.Rank(p[0])), fixture.Must[*big.Int](t)(x.Rank(p[1]))
		seen[[2]int64{a.Int64(), b.Int64()}]++
	}
	for pair, k := range seen {
		if pair[0] >= pair[1] || math.Abs(float64(k)-n/6) > 6*math.Sqrt(n/6) {
			t.Errorf("pair %v drawn %d times of %d", pair, k, n)
		}
	}
	if len(seen) != 6 {
		t.Errorf("%d pairs, want 6", len(seen))
	}
	if all := fixture.Must[[]ddps.Path](t)(Draw(g, 4, 1)); pathKey(all[0]) == pathKey(all[1]) {
		t.Error("a path drawn twice")
	}
	for _, bad := range []int{-1, 0, 5} {
		_, err := Draw(g, bad, 1)
		fixture.WantError(t, "draw", err, "distinct paths: the graph has 4")
	}
}

// TestDrawBig draws from more than 2⁶⁴ paths.
func TestDrawBig(t *testing.T) {
	sizes := []int{1}
	for range 30 {
		sizes = append(sizes, 5)
	}
	g := fixture.Full(t, sizes...) // 5³⁰
	paths := fixture.Must[[]ddps.Path](t)(Draw(g, 500, 1))
	keys := map[string]bool{}
	for _, p := range paths {
		if err := g.Check(p); err != nil {
			t.Fatal(err)
		}
		keys[pathKey(p)] = true
	}
	if len(keys) != 500 {
		t.Errorf("%d distinct paths, want 500", len(keys))
	}
}

func TestSplitData(t *testing.T) {
	d := fixture.Must[*Data](t)(All(fixture.Must[*ddps.LayeredGraph](t)(Toy(ToySeed)), 2000))
	for i := range d.Counts {
		d.Counts[i] = 1 + i%7
	}
	train, held := d.Split(.1, 4)
	if n := len(train.Paths) + len(held.Paths); n != len(d.Paths) || train.Total()+held.Total() != d.Total() {
		t.Fatalf("parts have %d paths, mass %d and %d", n, train.Total(), held.Total())
	}
	if f := float64(held.Total()) / float64(d.Total()); f < .1 || f > .1+7/float64(d.Total()) {
		t.Errorf("validation %.4f of the mass", f)
	}
	_, again := d.Split(.1, 4)
	_, other := d.Split(.1, 5)
	if !slices.EqualFunc(held.Paths, again.Paths, slices.Equal) || slices.EqualFunc(held.Paths, other.Paths,
		slices.Equal) {
		t.Error("the seed does not decide the split")
	}
	heavy := &Data{Graph: d.Graph, Paths: d.Paths[:5], Counts: []int{1000, 200, 100, 50, 20}}
	for seed := range uint64(8) {
		if _, held := heavy.Split(.1, seed); held.Total() == 0 || held.Total() > 274 {
			t.Errorf("seed %d: %d of 1,370 for validation, a tenth is meant", seed, held.Total())
		}
	}
	heavy.Paths, heavy.Counts = d.Paths[:4], []int{100, 100, 100, 1}
	for seed := range uint64(100) {
		if _, held := heavy.Split(.1, seed); held.Total() != 1 {
			t.Errorf("seed %d: %d of 301 for validation, want the lightest path", seed, held.Total())
		}
	}
	if train, held := d.Split(0, 1); len(held.Paths) != 0 || len(train.Paths) != len(d.Paths) {
		t.Error("a split of 0 holds something out")
	}
	if train, _ := d.Split(1, 1); len(train.Paths) != 1 {
		t.Errorf("a split of 1 leaves %d paths, want 1", len(train.Paths))
	}
	sum := 0.0
	for _, w := range d.Weights() {
		sum += w
	}
	if math.Abs(sum-1) > 1e-12 {
		t.Errorf("weights sum to %v", sum)
	}
	defer func() {
		if recover() == nil {
			t.Error("Split(NaN) does not panic")
		}
	}()
	d.Split(math.NaN(), 1)
}

func TestRewards(t *testing.T) {
	g := fixture.Must[*ddps.LayeredGraph](t)(Toy(ToySeed))
	for _, R := range []int{1, 2, 4, 7, 10} {
		for seed := range uint64(20) {
			u := fixture.Must[[]float64](t)(RewardInstance(g, R, seed))
			if g.Best(u) != float64(R) {
				t.Errorf("best %v, want %d", g.Best(u), R)
			}
			rare, ones := fixture.Must[[]float64](t)(RareReward(g, R, seed)), 0
			for _, r := range rare {
				ones += int(r)
			}
			if g.Best(rare) != float64(R) || ones != R {
				t.Errorf("rare: best %v, %d edges, want %d", g.Best(rare), ones, R)
			}
		}
	}
	for _, bad := range []int{0, 11} {
		_, err := RewardInstance(g, bad, 1)
		fixture.WantError(t, "reward", err, "is not in 1…10")
		_, err = RareReward(g, bad, 1)
		fixture.WantError(t, "rare", err, "is not in 1…10")
	}
	ridge := fixture.Must[*ddps.LayeredGraph](t)(RidgeGraph())
	for _, R := range []int{1, 2, 4, 7} {
		fixture.Must[[]float64](t)(RewardInstance(ridge, R, 1))
	}
}
