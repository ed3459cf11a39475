package chain

import (
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/ddps-go/ddps/ddps"
)

// A second-order distribution is recovered from all its paths weighted by their probabilities.
func TestFitSecondRecoversDistribution(t *testing.T) {
	for _, f := range fixtures() {
		if !strings.Contains(f.name, "second") {
			continue
		}
		got, err := FitSecond(f.dist.Base(), f.paths, f.p, SecondConfig{})
		if err != nil {
			t.Fatal(err)
		}
		f.wantProbs(t, got, f.p)
	}
}

// As κ₂ grows the second-order chain becomes the first-order one, of the same marginals at κ = 0.
func TestFitSecondLimit(t *testing.T) {
	for _, f := range fixtures() {
		first, err := Fit(f.dist.Base(), f.paths, f.p, 0.5)
		if err != nil {
			t.Fatal(err)
		}
		second, err := FitSecond(f.dist.Base(), f.paths, f.p, SecondConfig{0.5, 1e15})
		if err != nil {
			t.Fatal(err)
		}
		f.wantProbs(t, second, fixtureOf("", first.Distribution()).p)
		if k, err := KL(first.Distribution(), second); err != nil || k > 1e-9 {
			t.Errorf("%s: KL %v, %v", f.name, k, err)
		}
	}
}

// The formula by hand on the example: A B E H once and A C F I twice.
func TestFitSecondFormula(t *testing.T) {
	g := ddps.Example()
	var b, c ddps.Path
	for p := range g.Paths() {
		switch {
		case b == nil:
			b = p
		case p[1] != b[1] && c == nil:
			c = p
		}
	}
	l, err := FitSecond(g, []ddps.Path{b, c}, []float64{1, 2}, SecondConfig{Kappa1: 0.5, Kappa2: 3})
	if err != nil {
		t.Fatal(err)
	}
	first, _ := Fit(g, []ddps.Path{b, c}, []float64{1, 2}, 0.5)
	edges, _ := g.PathEdges(nil, c)
	lo, _ := g.Edges(0)
	_, hi := g.Edges(0)
	if want := (2 + 0.5) / (3 + 0.5*float64(hi-lo)); !close9(first.P[edges[0]], want) {
		t.Fatalf("first order: %v, want %v", first.P[edges[0]], want)
	}
	want := first.P[edges[0]] * (2 + 3*first.P[edges[1]]) / 5 * (2 + 3*first.P[edges[2]]) / 5
	if lp, _ := l.LogProb(c); !close9(math.Exp(lp), want) {
		t.Errorf("P = %v, want %v", math.Exp(lp), want)
	}
	zero, err := FitSecond(g, []ddps.Path{b}, nil, SecondConfig{})
	if err != nil {
		t.Fatal(err)
	}
	for s := range zero.Product.Graph.NumVertices() { // vertices never seen are uniform
		lo, hi := zero.Product.Graph.Edges(s)
		if v := zero.Product.Vertex[s]; !slices.Contains(b, v) {
			for k := lo; k < hi; k++ {
				if zero.P[k] != 1/float64(hi-lo) {
					t.Errorf("state %d: %v", s, zero.P[lo:hi])
				}
			}
		}
	}
	if lp, _ := zero.LogProb(c); !math.IsInf(lp, -1) {
		t.Errorf("an edge never seen, without pseudo-counts: log P %v", lp)
	}
}

func TestFitSecondErrors(t *testing.T) {
	g := ddps.Example()
	paths := slices.Collect(g.Paths())
	for _, c := range []struct {
		paths   []ddps.Path
		weights []float64
		cfg     SecondConfig
	}{{nil, nil, SecondConfig{}}, {paths, []float64{1}, SecondConfig{}}, {[]ddps.Path{{0}}, nil, SecondConfig{}},
		{paths, nil, SecondConfig{-1, 0}},
		{paths, nil, SecondConfig{0, -1}}, {paths, nil, SecondConfig{0, math.NaN()}},
		{paths, nil, SecondConfig{0, math.Inf(1)}}} {
		if _, err := FitSecond(g, c.paths, c.weights, c.cfg); err == nil {
			t.Errorf("FitSecond(%v, %v) must fail", c.weights, c.cfg)
		}
	}
}

func TestTune(t *testing.T) {
	for i, f := range fixtures() {
		var train, held Sample
		rng := ddps.Rand(41, uint64(i))
		for range 40 {
			train.Paths = append(train.Paths, f.dist.Sample(rng))
			train.Weights = append(train.Weights, 1+float64(rng.IntN(3)))
			held.Paths = append(held.Paths, f.dist.Sample(rng))
		}
		grid := []float64{0, 0.1, 1, 10}
		nats := func(l *Distribution) float64 {
			sum := 0.0
			for _, p := range held.Paths {
				lp, _ := l.LogProb(p)
				sum -= lp / float64(len(held.Paths))
			}
			return sum
		}
		kappa, scores, err := TuneKappa(f.dist.Base(), train, held, grid)
		if err != nil {
			t.Fatal(err)
		}
		cfg, scores2, err := TuneSecond(f.dist.Base(), train, held, grid)
		if err != nil {
			t.Fatal(err)
		}
		least1, least2 := math.Inf(1), math.Inf(1)
		for a, k1 := range grid {
			c, _ := Fit(f.dist.Base(), train.Paths, train.Weights, k1)
			if want := nats(c.Distribution()); !close9(scores[a], want) {
				t.Errorf("%s: κ = %v scores %v, want %v", f.name, k1, scores[a], want)
			}
			least1 = min(least1, scores[a])
			for b, k2 := range grid {
				l, _ := FitSecond(f.dist.Base(), train.Paths, train.Weights, SecondConfig{k1, k2})
				if want := nats(l); !close9(scores2[a][b], want) {
					t.Errorf("%s: κ₁ = %v, κ₂ = %v scores %v, want %v", f.name, k1, k2, scores2[a][b], want)
				}
				least2 = min(least2, scores2[a][b])
			}
		}
		if scores[slices.Index(grid, kappa)] != least1 || scores2[slices.Index(grid, cfg.Kappa1)][slices.Index(grid,
			cfg.Kappa2)] != least2 {
			t.Errorf("%s: κ = %v, %v are not the best", f.name, kappa, cfg)
		}
	}
}

func TestTuneErrors(t *testing.T) {
	g := ddps.Example()
	paths := slices.Collect(g.Paths())
	train, held := Sample{Paths: paths[:1]}, Sample{Paths: paths[len(paths)-1:]}
	for _, c := range []struct {
		train, held Sample
		grid        []float64
	}{{train, held, nil}, {train, held, []float64{0}}, {train, held, []float64{-1}}, {Sample{}, held, []float64{1}},
		{train, Sample{}, []float64{1}},
		{train, Sample{Paths: []ddps.Path{{0}}}, []float64{1}}, {train, Sample{paths, []float64{1}}, []float64{1}}} {
		if _, _, err := TuneKappa(g, c.train, c.held, c.grid); err == nil {
			t.Errorf("TuneKappa with grid %v must fail", c.grid)
		}
		if _, _, err := TuneSecond(g, c.train, c.held, c.grid); err == nil {
			t.Errorf("TuneSecond with grid %v must fail", c.grid)
		}
	}
	if k, _, err := TuneKappa(g, train, held, []float64{0, 1}); err != nil || k != 1 {
		t.Errorf("κ = %v, %v, want the finite score's", k, err)
	}
}
