package mixture

import (
	"errors"
	"math"
	"math/rand/v2"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/ddps-go/ddps/ddps"
	"github.com/ddps-go/ddps/ddps/chain"
	"github.com/ddps-go/ddps/ddps/internal/oracle"
)

// fitSample is paths of memory's graph, and others of it to validate with.
func fitSample(t *testing.T) (c *chain.Chain, train, validation chain.Sample) {
	t.Helper()
	g, paths := memory(t)
	rng := rand.New(rand.NewPCG(3, 3))
	for range paths {
		train.Weights = append(train.Weights, float64(1+rng.IntN(3)))
	}
	c, err := chain.Fit(g, paths, train.Weights, .1)
	if err != nil {
		t.Fatal(err)
	}
	train.Paths = paths
	return c, train, chain.Sample{Paths: paths[:20]}
}

var fitConfig = Config{Order: 1, Classes: 5, Ridge: .1, Rounds: 200}

// A fit is the same for any number of threads, and for counts of paths and paths repeated in any order.
func TestMixtureFitIsDeterministic(t *testing.T) {
	c, train, _ := fitSample(t)
	fit := func(s chain.Sample) *Mixture {
		m, err := Fit(c, s.Paths, s.Weights, fitConfig, 1, nil)
		if err != nil {
			t.Fatal(err)
		}
		return m
	}
	want := fit(train)
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(0))
	for _, n := range []int{1, 2, 3, 8} {
		runtime.GOMAXPROCS(n)
		if m := fit(train); !slices.Equal(m.P, want.P) || !slices.Equal(m.Weight, want.Weight) {
			t.Errorf("%d threads gave other numbers", n)
		}
	}
	var repeated chain.Sample
	for i, p := range train.Paths {
		for range int(train.Weights[i]) {
			repeated.Paths = append(repeated.Paths, p)
		}
	}
	rand.New(rand.NewPCG(1, 1)).Shuffle(len(repeated.Paths), func(i, j int) {
		repeated.Paths[i], repeated.Paths[j] = repeated.Paths[j], repeated.Paths[i]
	})
	if m := fit(repeated); !slices.Equal(m.P, want.P) {
		t.Error("repeated paths gave other numbers than their counts")
	}
}

// A fit that begins at another's parameters ends where a cold one does, or lower, in no more rounds.
func TestMixtureWarmStart(t *testing.T) {
	c, train, validation := fitSample(t)
	m, err := NewFitter(c, train, validation, fitConfig)
	if err != nil {
		t.Fatal(err)
	}
	fit := func(ridge float64, from *Fitted) *Fitted {
		fit, err := m.Fit(Trial{Ridge: ridge, Rounds: 300, Seed: 1, From: from})
		if err != nil {
			t.Fatal(err)
		}
		sum := 0.0
		for _, p := range validation.Paths {
			lp, _ := m.Mixture(fit).LogProb(p)
			sum -= lp / float64(len(validation.Paths))
		}
		if math.Abs(sum-fit.Validation) > 1e-12 || !fit.Settled {
			t.Errorf("%+v: validation NLL of the mixture %v", fit, sum)
		}
		return fit
	}
	cold := fit(.3, nil)
	warm := fit(.3, fit(.1, nil))
	if warm.Loss > cold.Loss+1e-4 || warm.Rounds > cold.Rounds {
		t.Errorf("from a fit %+v, cold %+v", warm, cold)
	}
}

// A fit whose rounds run out says so, and an error of Each ends it.
func TestMixtureUnsettled(t *testing.T) {
	c, train, validation := fitSample(t)
	m, err := NewFitter(c, train, validation, fitConfig)
	if err != nil {
		t.Fatal(err)
	}
	calls := 0
	fit, err := m.Fit(Trial{Ridge: .1, Rounds: 3, Each: func(int) error { calls++; return nil }})
	if err != nil || fit.Settled || fit.Rounds != 3 || calls != 3 || math.IsNaN(fit.Validation) {
		t.Errorf("%+v after %d calls, %v", fit, calls, err)
	}
	stop := errors.New("stop")
	if _, err := m.Fit(Trial{Ridge: .1, Rounds: 9, Each: func(int) error { return stop }}); err != stop {
		t.Errorf("%v, want the error of each", err)
	}
	if _, err := NewFitter(c, train, chain.Sample{Paths: []ddps.Path{{0}}}, fitConfig); err == nil ||
		!strings.Contains(err.Error(), "validation") {
		t.Errorf("a validation path that is none: %v", err)
	}
}

// Size counts the states and edges that Turns makes.
func TestMixtureSize(t *testing.T) {
	for seed := range uint64(200) {
		rng := rand.New(rand.NewPCG(seed, 2))
		g := withPlaces(t, oracle.RandomGraph(rng), rng).Prune()
		l := Turns(g)
		states, edges := Config{Order: 2}.Size(g)
		if states != l.Graph.NumVertices() || edges != l.Graph.NumEdges() {
			t.Fatalf("seed %d: %d states, %d edges; Turns has %d, %d", seed, states, edges, l.Graph.NumVertices(),
				l.Graph.NumEdges())
		}
	}
}
