package markov

import (
	"context"
	"errors"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/ddps-go/ddps/ddps"
	"github.com/ddps-go/ddps/ddps/chain"
)

// The probabilities of all paths sum to 1, and the chain on the product graph has the same.
func TestChain(t *testing.T) {
	g := grid(t, 5, 3)
	for _, cfg := range configs() {
		m := fitted(t, g, cfg)
		paths, logp := all(t, m)
		product, err := m.Chain(0)
		if err != nil {
			t.Fatal(err)
		}
		sum := 0.0
		for i, p := range paths {
			sum += math.Exp(logp[i])
			if got, err := product.LogProb(p); err != nil || !near(got, logp[i]) {
				t.Fatalf("%v: log P%v is %v on the product graph (%v), want %v", cfg, p, got, err, logp[i])
			}
		}
		if !near(sum, 1) {
			t.Errorf("%v: probabilities sum to %v", cfg, sum)
		}
	}
}

// Step by step the model is the same, and after a choice among the paths too.
func TestStates(t *testing.T) {
	g := grid(t, 5, 3)
	for _, cfg := range configs() {
		m := fitted(t, g, cfg)
		paths, want := all(t, m)
		s, D := m.Start(len(paths)), g.MaxDegree()
		logp, got, vertices := make([]float64, len(paths)*D), make([]float64, len(paths)), make([]int, len(paths))
		from := make([]int, len(paths))
		for i := range from {
			from[i] = len(paths) - 1 - i
		}
		for l := range g.NumLayers() - 1 {
			for i, p := range paths {
				vertices[i] = p[l]
			}
			s.Step(vertices, logp)
			for i, p := range paths {
				e, _ := g.EdgeBetween(p[l], p[l+1])
				lo, _ := g.Edges(p[l])
				got[i] += logp[i*D+e-lo]
			}
			s.Select(from)
			slices.Reverse(paths)
			slices.Reverse(got)
			slices.Reverse(want)
		}
		for i := range got {
			if !near(got[i], want[i]) {
				t.Fatalf("%v: %v step by step, want %v", cfg, got[i], want[i])
			}
		}
	}
}

// Draws have the model's probabilities (χ² of the paths expected at least five times), and depend on seed and number
// alone.
func TestSample(t *testing.T) {
	g := grid(t, 4, 2)
	const n = 20000
	for k, cfg := range configs() {
		m := fitted(t, g, cfg)
		paths, logp := all(t, m)
		draws, again := make([]ddps.Path, n), make([]ddps.Path, 700)
		m.threads = 2
		if err := m.Sample(context.Background(), draws, uint64(k), 0); err != nil {
			t.Fatal(err)
		}
		m.threads = 1
		if err := m.Sample(context.Background(), again, uint64(k), 300); err != nil {
			t.Fatal(err)
		}
		if !slices.EqualFunc(again, draws[300:1000], slices.Equal[ddps.Path]) {
			t.Errorf("%v: draws 300…999 differ when drawn alone", cfg)
		}
		x := ddps.NewIndex(g)
		count := make([]float64, len(paths))
		for _, p := range draws {
			r, err := x.Rank(p)
			if err != nil {
				t.Fatal(err)
			}
			count[r.Int64()]++
		}
		chi, cells := 0.0, 0.0
		for i, lp := range logp {
			if e := n * math.Exp(lp); e >= 5 {
				chi += (count[i] - e) * (count[i] - e) / e
				cells++
			}
		}
		if limit := cells + 5*math.Sqrt(2*cells); chi > limit || cells < 5 {
			t.Errorf("%v: χ² %.1f of %v cells, want at most %.1f", cfg, chi, cells, limit)
		}
	}
}

// A path of weight n is n paths; the number of threads changes no bit.
func TestWeights(t *testing.T) {
	g := grid(t, 5, 3)
	s := walks(g, 40, 3)
	var rows []ddps.Path
	for i, p := range s.Paths {
		for range int(s.Weights[i]) {
			rows = append(rows, p)
		}
	}
	for _, cfg := range configs() {
		a, err := Fit(g, s, cfg)
		if err != nil {
			t.Fatal(err)
		}
		b, err := Fit(g, chain.Sample{Paths: rows}, cfg)
		if err != nil {
			t.Fatal(err)
		}
		c, weights, err := prepare(g, s, cfg)
		if err != nil {
			t.Fatal(err)
		}
		c.threads = 1
		if c.fit(context.Background(), s.Paths, weights, nil) != nil || !slices.Equal(c.theta, a.theta) {
			t.Errorf("%v: one thread fits other weights", cfg)
		}
		_, p := all(t, a)
		_, q := all(t, b)
		for i := range p {
			if math.Abs(p[i]-q[i]) > 1e-2 { // L-BFGS ends where the loss has settled to 1e-5
				t.Errorf("%v: log P %v by weights, %v by rows", cfg, p[i], q[i])
				break
			}
		}
	}
}

// Compact keeps settings whose product is small enough, and else takes some whose product is.
func TestCompact(t *testing.T) {
	g := grid(t, 5, 3)
	s, cfg := walks(g, 60, 1), Config{Order: 3, MinCount: 1, Start: true, Position: true, Visited: true, Run: 3, Ridge: 3}
	all, err := fitted(t, g, cfg).Chain(0)
	if err != nil {
		t.Fatal(err)
	}
	edges := all.Product.Graph.NumEdges()
	for _, limit := range []int{edges, edges - 1, edges / 3, g.NumEdges()} {
		got, err := Compact(context.Background(), g, s, cfg, limit)
		if err != nil || (got == cfg) != (limit == edges) {
			t.Errorf("at most %d edges of %d: %v, %v", limit, edges, got, err)
		}
		if _, err := fitted(t, g, got).Chain(limit); err != nil {
			t.Error(err)
		}
	}
	if _, err := Compact(context.Background(), g, s, cfg, g.NumEdges()-1); !errors.Is(err, ErrTooLarge) {
		t.Errorf("fewer edges than the graph's: %v", err)
	}
}

func TestErrors(t *testing.T) {
	g := grid(t, 4, 2)
	s := walks(g, 5, 1)
	for want, cfg := range map[string]Config{"order": {MinCount: 1, Ridge: 1}, "min_count": {Order: 1, Ridge: 1},
		"run": {Order: 1, MinCount: 1, Ridge: 1, Run: -1}, "ridge": {Order: 1, MinCount: 1, Ridge: math.NaN()}} {
		if _, err := Fit(g, s, cfg); err == nil || !strings.Contains(err.Error(), want+" is") {
			t.Errorf("%v: error %v, want one on %s", cfg, err, want)
		}
	}
	if _, err := Fit(grid(t, 3, 70), chain.Sample{}, Config{Order: 1, MinCount: 1, Ridge: 1, Visited: true}); err == nil ||
		!strings.Contains(err.Error(), "at most 64 places") {
		t.Errorf("visited of 70 places: %v", err)
	}
	if _, err := Fit(ddps.Example(), chain.Sample{Paths: []ddps.Path{{0}}}, Default()); err == nil ||
		!strings.Contains(err.Error(), "path 1") {
		t.Errorf("no path: %v", err)
	}
	bare, err := ddps.New([]int{1, 1}, [][]int{{1}, nil})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := Fit(bare, chain.Sample{Paths: []ddps.Path{{0, 1}}}, Default()); err == nil ||
		!strings.Contains(err.Error(), "neither places nor names") {
		t.Errorf("no places: %v", err)
	}
	if _, err := fitted(t, g, Default()).Chain(3); !errors.Is(err, ErrTooLarge) || !strings.Contains(err.Error(),
		"more than 3 edges") {
		t.Errorf("a product that is too large: %v", err)
	}
}
