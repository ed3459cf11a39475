package gru

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"github.com/ddps-go/ddps/ddps"
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

// So are log-probabilities, whatever the other paths.
func TestWideLogProb(t *testing.T) {
	for _, g := range []*ddps.LayeredGraph{many(t), starts(t)} {
		y, paths := newLayout(g), allPaths(g)
		if len(paths) > 3*chunk/2 {
			paths = paths[:3*chunk/2]
		}
		var logp [3][]float64
		for i := range logp {
			m := newGRU(y, Shape{32, 32, true, true}, []*tables{newTables(random(y, Shape{32, 32, true, true}, 5)),
				newTables(random(y, Shape{32, 32, true, true}, 6))})
			m.nets[0].wide = i > 0
			logp[i] = make([]float64, len(paths))
			if i == 2 { // alone
				for j := range 40 {
					if err := m.LogProb(paths[j:j+1], logp[i][j:j+1]); err != nil {
						t.Fatal(err)
					}
				}
				continue
			}
			if err := m.LogProb(paths, logp[i]); err != nil {
				t.Fatal(err)
			}
		}
		for j, x := range logp[0] {
			if got := logp[1][j]; !(math.Abs(got-x) < 1e-12) {
				t.Fatalf("path %d: %v, of a network that is not wide %v", j, got, x)
			}
		}
		if !slices.Equal(logp[1][:40], logp[2][:40]) {
			t.Error("log-probabilities of paths alone differ")
		}
	}
}

// checkins returns made-up walks of 3 to 12 steps among 3,000 places, some of which very many visit: from each, one of
// 400 is next.
func checkins(t testing.TB) (g *ddps.LayeredGraph, paths []ddps.Path) {
	const places, near = 3000, 400
	rng := ddps.Rand(1, 3)
	popular := func(n int) int { return int(float64(n) * math.Pow(rng.Float64(), 3)) }
	var after [places][]int
	for i := range after {
		after[i] = rng.Perm(places)[:near]
		slices.Sort(after[i])
	}
	var walks [][]string
	for range 8000 {
		p, w := popular(places), []string(nil)
		for range 3 + rng.IntN(10) {
			w = append(w, fmt.Sprint(p))
			p = after[p][popular(near)]
		}
		walks = append(walks, w)
	}
	g, path := sequences(t, walks)
	for _, w := range walks {
		paths = append(paths, path(w))
	}
	return g, paths
}

// Hundreds of edges from a vertex but the first, of more than some places, make a wide network.
func TestIsWide(t *testing.T) {
	g, _ := checkins(t)
	for _, c := range []struct {
		g    *ddps.LayeredGraph
		wide bool
	}{{mesh(t), false}, {starts(t), false}, {g, true}} {
		if newLayout(c.g).isWide() != c.wide {
			t.Errorf("a graph of %d vertices: wide is %v", c.g.NumVertices(), !c.wide)
		}
	}
}
