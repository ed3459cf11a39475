package edpgnn

import (
	"context"
	"math"
	"testing"

	"github.com/ddps-go/ddps/ddps"
	"github.com/ddps-go/ddps/ddps/baselines"
)

// independentLoss is the least loss of scores that read each entry by itself, where half of the entries are 1: a mean
// over noise of the variance that is left in units of σ, times the pairs, summed over the levels.
func independentLoss(pairs int, sigmas []float64) (sum float64) {
	const n = 20_000
	for s, sigma := range sigmas {
		rng := ddps.Rand(9, uint64(s))
		for i := range n {
			a := float64(i % 2)
			x := a + sigma*rng.NormFloat64()
			one := 1 / (1 + math.Exp((0.5-x)/(sigma*sigma))) // P(A = 1 | x)
			sum += float64(pairs) * (one - a) * (one - a) / (sigma * sigma) / n
		}
	}
	return sum
}

// The least loss entry by entry against a mean over draws, and where it is known.
func TestEntryLoss(t *testing.T) {
	sigmas := []float64{0.3, 0.6, 1.2}
	if got, want := EntryLoss(0.5, sigmas), independentLoss(1, sigmas); math.Abs(got-want) > 0.02*want {
		t.Errorf("%v, by draws %v", got, want)
	}
	const wide = 1e3 // nothing is seen of A: its variance is left
	if got, want := EntryLoss(0.3, []float64{wide})*wide*wide, 0.3*0.7; math.Abs(got-want) > 1e-4 {
		t.Errorf("at a noise of %v: %v, want %v", wide, got, want)
	}
	for _, x := range []float64{EntryLoss(0, sigmas), EntryLoss(1, sigmas), EntryLoss(0.5, []float64{0.05})} {
		if !(math.Abs(x) < 1e-9) {
			t.Errorf("%v, want 0: A is known", x)
		}
	}
}

// What the first layer's rounds make of a noisy graph of two communities: with the scaled first weights vertices differ
// more than with the published ones, and more by their communities, which is chance with the published ones.
func TestScaledTellsVerticesApart(t *testing.T) {
	const n, half = 20, 10
	spread, alike := map[bool]float64{}, map[bool]float64{}
	const seeds = 20
	for seed := range uint64(seeds) {
		rng := ddps.Rand(seed, 1)
		a := make([]float32, n*n)
		for u := range n {
			for v := range u {
				p := 0.7
				if (u < half) != (v < half) {
					p = 0.1
				}
				if rng.Float64() < p {
					a[u*n+v], a[v*n+u] = 1, 1
				}
			}
		}
		b := newBatch(1, n, 6)
		b.set(0, a, vertices(n, n), 1, 0.2, 1, rng)
		for _, scaled := range []bool{false, true} {
			cfg := Default()
			cfg.Scaled = scaled
			m, err := New(n, cfg, seed)
			if err != nil {
				t.Fatal(err)
			}
			p := newPlain(m, b.there, 1)
			p.score(b.x)
			for f := range cfg.Hidden {
				mean, square, sides := 0.0, 0.0, 0.0
				for v, h := range p.last {
					mean += h[f] / n
					square += h[f] * h[f] / n
					if v < half {
						sides += h[f] / n
					} else {
						sides -= h[f] / n
					}
				}
				variance := square - mean*mean
				spread[scaled] += math.Sqrt(max(variance, 0)) / float64(cfg.Hidden*seeds)
				if variance > 0 {
					alike[scaled] += math.Abs(sides) / math.Sqrt(variance) / float64(cfg.Hidden*seeds)
				}
			}
		}
	}
	t.Logf("deviation between vertices %.3f published, %.3f scaled; correlation with communities %.2f, %.2f",
		spread[false], spread[true], alike[false], alike[true])
	if !(spread[true] > 1.5*spread[false] && alike[true] > 1.5*alike[false]) {
		t.Error("the scaled first weights tell vertices apart no better")
	}
}

// Graphs that are complete or empty have entries that tell of each other, which only messages between vertices can
// learn: the loss on other such graphs must come well below that of the best scores entry by entry.
func TestLearnsStructure(t *testing.T) {
	const n = 4
	cfg := Config{Channels: []int{3, 2}, Hidden: 6, Rounds: 1, Sigmas: []float64{0.3, 0.6, 1.2}, Backend: "go"}
	m, err := New(n, cfg, 1)
	if err != nil {
		t.Fatal(err)
	}
	full := baselines.Graph{N: n, Edges: []baselines.Edge{{U: 0, V: 1}, {U: 0, V: 2}, {U: 0, V: 3}, {U: 1, V: 2},
		{U: 1, V: 3}, {U: 2, V: 3}}}
	var data []baselines.Graph
	for range 64 {
		data = append(data, full, baselines.Graph{N: n})
	}
	tc := baselines.TrainConfig{Steps: 150, Batch: 32, LRDecay: 0.97, Optim: baselines.OptimConfig{LR: 0.01, Beta1: 0.9,
		Beta2: 0.999, Eps: 1e-8}}
	tr, err := m.Trainer(data, data, tc)
	if err != nil {
		t.Fatal(err)
	}
	held := 0.0
	if err := tr.Run(context.Background(),
		baselines.Hooks{Eval: func(e baselines.EvalInfo) { held = e.Loss }}); err != nil {
		t.Fatal(err)
	}
	if _, err := m.Loss(data, 0); err == nil {
		t.Error("a loss of no draws was taken")
	}
	least := independentLoss(n*(n-1)/2, cfg.Sigmas)
	loss, err := m.Loss(data, 3)
	if err != nil {
		t.Fatal(err)
	}
	if again, err := m.Loss(data, 3); err != nil || again != loss {
		t.Errorf("loss %v, then %v, %v", loss, again, err)
	}
	if t.Logf("loss %.3f, over three draws %.3f, entry by entry %.3f", held, loss, least); !(held < 0.6*least &&
		loss < 0.6*least) {
		t.Errorf("loss %.3f, want less than 0.6 of %.3f", held, least)
	}
}
