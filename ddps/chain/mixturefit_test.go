package chain

import (
	"errors"
	"math"
	"math/rand/v2"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/ddps-go/ddps/ddps"
	"gonum.org/v1/gonum/floats"
)

// withPlaces gives the graph of places, of which one vertex in four has none; the same place may follow itself.
func withPlaces(t *testing.T, g *ddps.LayeredGraph, rng *rand.Rand) *ddps.LayeredGraph {
	t.Helper()
	place := make([]int, g.NumVertices())
	for l := range g.NumLayers() {
		lo, hi := g.Layer(l)
		for i, p := range rng.Perm(6)[:hi-lo] {
			if place[lo+i] = p; rng.IntN(4) == 0 {
				place[lo+i] = -1
			}
		}
	}
	g, err := g.WithMeta(ddps.Meta{Place: place})
	if err != nil {
		t.Fatal(err)
	}
	return g
}

// lossFixture is a loss of random weighted paths at random parameters: of any order and number of classes, with a base in which some
// edges have probability 0 where the order is 1.
func lossFixture(t *testing.T, seed uint64, scale float64) (f *mixtureLoss, x []float64, train Sample) {
	t.Helper()
	rng := rand.New(rand.NewPCG(seed, 1))
	g := withPlaces(t, randomGraph(rng), rng)
	c := &Chain{Graph: g, P: randomRows(g, rng)}
	cfg := MixtureConfig{Order: 1 + int(seed%2), Classes: 1 + rng.IntN(6), Ridge: .3, Smooth: .2, Rounds: 1}
	if cfg.Simple() {
		cfg.Classes = 3
	}
	for range 12 {
		train.Paths, train.Weights = append(train.Paths, c.Sample(rng)), append(train.Weights, rng.Float64()*3)
	}
	f = newMixtureLoss(c, train, Sample{Paths: train.Paths[:5]}, cfg)
	x = f.start(seed, 0)
	for i := range x {
		x[i] = scale * rng.NormFloat64()
	}
	return f, x, train
}

// The gradient is that of finite differences.
func TestMixtureGradient(t *testing.T) {
	for seed := range uint64(20) {
		f, x, _ := lossFixture(t, seed, .7)
		grad := make([]float64, len(x))
		f.loss(x, grad)
		const h = 1e-5
		for i := range x {
			at := x[i]
			x[i] = at + h
			up := f.loss(x, nil)
			x[i] = at - h
			want := (up - f.loss(x, nil)) / (2 * h)
			if x[i] = at; math.Abs(grad[i]-want) > 1e-7*(1+math.Abs(want)) {
				t.Fatalf("seed %d, parameter %d of %d: %v, by differences %v", seed, i, len(x), grad[i], want)
			}
		}
	}
}

// The loss is that of the definition, by enumeration of all paths in logarithms, also where the potentials are large, and the
// mixture made has the same probabilities.
func TestMixtureLossByEnumeration(t *testing.T) {
	for seed := range uint64(60) {
		scale := []float64{.5, 5, 60}[seed%3]
		f, x, train := lossFixture(t, seed, scale)
		var all []ddps.Path
		for p := range f.base.Base().Paths() {
			all = append(all, slices.Clone(p))
		}
		logs, weights := enumerate(f, x, all)
		m := f.mixture(x)
		want, total := 0.0, 0.0
		for i, p := range train.Paths {
			at := slices.IndexFunc(all, func(q ddps.Path) bool { return slices.Equal(p, q) })
			lp := floats.LogSumExp(addTo(slices.Clone(logs[at]), weights))
			want -= train.Weights[i] * lp
			total += train.Weights[i]
			if got, err := m.LogProb(p); err != nil || math.Abs(got-lp) > 1e-9*(1+math.Abs(lp)) {
				t.Fatalf("seed %d: log P %v, by enumeration %v (%v)", seed, got, lp, err)
			}
		}
		for i, y := range x {
			if i/f.K < f.V {
				want += f.cfg.Ridge * y * y / 2
				if w := f.next[i/f.K]; w >= 0 {
					want += f.cfg.Smooth * (y - x[w*f.K+i%f.K]) * (y - x[w*f.K+i%f.K]) / 2
				}
			} else if i >= f.V*f.K+f.K {
				want += f.cfg.Ridge * y * y / 2
			}
		}
		if got := f.loss(x, nil); math.Abs(got-want/total) > 1e-9*math.Abs(want/total) {
			t.Fatalf("seed %d: loss %v, by enumeration %v", seed, got, want/total)
		}
	}
}

func addTo(x, y []float64) []float64 {
	floats.Add(x, y)
	return x
}

// enumerate returns log P_k of all paths, [path][K], and log ω.
func enumerate(f *mixtureLoss, x []float64, all []ddps.Path) (logs [][]float64, weights []float64) {
	K, psi := f.K, x[f.V*f.K+f.K:]
	for _, p := range all {
		row := make([]float64, K)
		edges, _, _ := f.base.Lift.Edges(nil, p)
		for i, e := range edges {
			shared := math.Log(f.base.P[e])
			if f.turn != nil {
				for _, j := range f.turn[e] {
					if int(j) < f.nTurns {
						shared += psi[j]
					}
				}
			}
			for k := range row {
				row[k] += shared + x[p[i+1]*K+k]
			}
		}
		logs = append(logs, row)
	}
	for k := range K {
		z := make([]float64, len(all))
		for i := range all {
			z[i] = logs[i][k]
		}
		sum := floats.LogSumExp(z)
		for i := range all {
			logs[i][k] -= sum
		}
	}
	weights = slices.Clone(x[f.V*K : f.V*K+K])
	floats.AddConst(-floats.LogSumExp(weights), weights)
	return logs, weights
}

// The likelihoods of long paths leave a float64's range on the way.
func TestMixtureLongPaths(t *testing.T) {
	const L = 1500
	sizes, heads := []int{1}, [][]int{{1, 2}}
	for l := 1; l < L; l++ {
		sizes = append(sizes, 2)
		for range 2 {
			if l == L-1 {
				heads = append(heads, nil)
			} else {
				heads = append(heads, []int{2*l + 1, 2*l + 2})
			}
		}
	}
	g, err := ddps.New(sizes, heads)
	if err != nil {
		t.Fatal(err)
	}
	c := Uniform(g)
	train := Sample{Paths: []ddps.Path{c.Sample(ddps.Rand(1, 1)), c.Sample(ddps.Rand(1, 2))}}
	f := newMixtureLoss(c, train, Sample{}, MixtureConfig{Order: 1, Classes: 2, Ridge: 1e-9})
	x := f.start(1, 0)
	for i := range x {
		x[i] *= 6 * float64(i%5)
	}
	loss, want := f.loss(x, make([]float64, len(x))), 0.0
	m := f.mixture(x)
	for _, p := range train.Paths {
		lp, _ := m.LogProb(p)
		want -= lp / 2
	}
	if math.Abs(loss-want) > 1e-4 || want < 1000 {
		t.Errorf("loss %v, by the mixture %v", loss, want)
	}
}

// fitSample is paths of memory's graph, and others of it to validate with.
func fitSample(t *testing.T) (c *Chain, train, validation Sample) {
	t.Helper()
	g, paths := memory(t)
	rng := rand.New(rand.NewPCG(3, 3))
	for range paths {
		train.Weights = append(train.Weights, float64(1+rng.IntN(3)))
	}
	c, err := Fit(g, paths, train.Weights, .1)
	if err != nil {
		t.Fatal(err)
	}
	train.Paths = paths
	return c, train, Sample{Paths: paths[:20]}
}

var fitConfig = MixtureConfig{Order: 1, Classes: 5, Ridge: .1, Rounds: 200}

// A fit is the same for any number of threads, and for counts of paths and paths repeated in any order.
func TestMixtureFitIsDeterministic(t *testing.T) {
	c, train, _ := fitSample(t)
	fit := func(s Sample) *Mixture {
		m, err := FitMixture(c, s.Paths, s.Weights, fitConfig, 1, nil)
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
	var repeated Sample
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
	m, err := NewMixtureFitter(c, train, validation, fitConfig)
	if err != nil {
		t.Fatal(err)
	}
	fit := func(ridge float64, from *MixtureFit) *MixtureFit {
		fit, err := m.Fit(MixtureTrial{Ridge: ridge, Rounds: 300, Seed: 1, From: from})
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
	m, err := NewMixtureFitter(c, train, validation, fitConfig)
	if err != nil {
		t.Fatal(err)
	}
	calls := 0
	fit, err := m.Fit(MixtureTrial{Ridge: .1, Rounds: 3, Each: func(int) error { calls++; return nil }})
	if err != nil || fit.Settled || fit.Rounds != 3 || calls != 3 || math.IsNaN(fit.Validation) {
		t.Errorf("%+v after %d calls, %v", fit, calls, err)
	}
	stop := errors.New("stop")
	if _, err := m.Fit(MixtureTrial{Ridge: .1, Rounds: 9, Each: func(int) error { return stop }}); err != stop {
		t.Errorf("%v, want the error of each", err)
	}
	if _, err := NewMixtureFitter(c, train, Sample{Paths: []ddps.Path{{0}}}, fitConfig); err == nil || !strings.Contains(err.Error(), "validation") {
		t.Errorf("a validation path that is none: %v", err)
	}
}

// Size counts the states and edges that Turns makes.
func TestMixtureSize(t *testing.T) {
	for seed := range uint64(200) {
		rng := rand.New(rand.NewPCG(seed, 2))
		g := withPlaces(t, randomGraph(rng), rng).Prune()
		l := Turns(g)
		states, edges := MixtureConfig{Order: 2}.Size(g)
		if states != l.Graph.NumVertices() || edges != l.Graph.NumEdges() {
			t.Fatalf("seed %d: %d states, %d edges; Turns has %d, %d", seed, states, edges, l.Graph.NumVertices(), l.Graph.NumEdges())
		}
	}
}
