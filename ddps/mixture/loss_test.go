package mixture

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/ddps-go/ddps/ddps"
	"github.com/ddps-go/ddps/ddps/chain"
	"github.com/ddps-go/ddps/ddps/internal/oracle"
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

// lossFixture is a loss of random weighted paths at random parameters: of any order and number of classes, with a
// base in which some edges have probability 0 where the order is 1.
func lossFixture(t *testing.T, seed uint64, scale float64) (f *penalised, x []float64, train chain.Sample) {
	t.Helper()
	rng := rand.New(rand.NewPCG(seed, 1))
	g := withPlaces(t, oracle.RandomGraph(rng), rng)
	c := &chain.Chain{Graph: g, P: oracle.RandomRows(g, rng)}
	cfg := Config{Order: 1 + int(seed%2), Classes: 1 + rng.IntN(6), Ridge: .3, Smooth: .2, Rounds: 1}
	if cfg.Simple() {
		cfg.Classes = 3
	}
	for range 12 {
		train.Paths, train.Weights = append(train.Paths, c.Sample(rng)), append(train.Weights, rng.Float64()*3)
	}
	f = newPenalised(c, train, chain.Sample{Paths: train.Paths[:5]}, cfg)
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

// The loss is that of the definition, by enumeration of all paths in logarithms, also where the potentials are large,
// and the mixture made has the same probabilities.
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
func enumerate(f *penalised, x []float64, all []ddps.Path) (logs [][]float64, weights []float64) {
	K, psi := f.K, x[f.V*f.K+f.K:]
	for _, p := range all {
		row := make([]float64, K)
		edges, _, _ := f.base.Product.Edges(nil, p)
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

// Where messages leave the range of float64s the loss is +Inf, never NaN, and the next at parameters within it is not.
func TestMixtureOutOfRange(t *testing.T) {
	infinite := 0
	for seed := range uint64(30) {
		f, x, _ := lossFixture(t, seed, 1e4)
		loss := f.loss(x, make([]float64, len(x)))
		if math.IsInf(loss, 1) {
			infinite++
		} else if math.IsNaN(loss) {
			t.Fatalf("seed %d: the loss is NaN", seed)
		}
		clear(x)
		if loss := f.loss(x, nil); math.IsInf(loss, 0) || math.IsNaN(loss) {
			t.Fatalf("seed %d: back at 0 the loss is %v", seed, loss)
		}
	}
	if infinite == 0 {
		t.Error("no potentials were out of range")
	}
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
	c := chain.Uniform(g)
	train := chain.Sample{Paths: []ddps.Path{c.Sample(ddps.Rand(1, 1)), c.Sample(ddps.Rand(1, 2))}}
	f := newPenalised(c, train, chain.Sample{}, Config{Order: 1, Classes: 2, Ridge: 1e-9})
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
