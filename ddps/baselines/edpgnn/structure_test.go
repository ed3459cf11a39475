package edpgnn

import (
	"context"
	"math"
	"testing"

	"github.com/ddps-go/ddps/ddps"
	"github.com/ddps-go/ddps/ddps/baselines"
)

// independentLoss is the least loss of scores that read each entry by itself, where half of the entries are 1: a mean over
// noise of the variance that is left in units of σ, times the pairs, summed over the levels.
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

// Graphs that are complete or empty have entries that tell of each other, which only messages between vertices can
// learn: the loss on other such graphs must come well below that of the best scores entry by entry.
func TestLearnsStructure(t *testing.T) {
	const n = 4
	cfg := Config{Channels: []int{3, 2}, Hidden: 6, Rounds: 1, Sigmas: []float64{0.3, 0.6, 1.2}, Backend: "go"}
	m, err := New(n, cfg, 1)
	if err != nil {
		t.Fatal(err)
	}
	full := baselines.Graph{N: n, Edges: []baselines.Edge{{U: 0, V: 1}, {U: 0, V: 2}, {U: 0, V: 3}, {U: 1, V: 2}, {U: 1, V: 3}, {U: 2, V: 3}}}
	var data []baselines.Graph
	for range 64 {
		data = append(data, full, baselines.Graph{N: n})
	}
	tc := baselines.TrainConfig{Steps: 150, Batch: 32, LRDecay: 0.97, Optim: baselines.OptimConfig{LR: 0.01, Beta1: 0.9, Beta2: 0.999, Eps: 1e-8}}
	tr, err := m.Trainer(data, data, tc)
	if err != nil {
		t.Fatal(err)
	}
	held := 0.0
	if err := tr.Run(context.Background(), baselines.Hooks{Eval: func(e baselines.EvalInfo) { held = e.Loss }}); err != nil {
		t.Fatal(err)
	}
	least := independentLoss(n*(n-1)/2, cfg.Sigmas)
	if t.Logf("loss %.3f, entry by entry %.3f", held, least); !(held < 0.6*least) {
		t.Errorf("loss %.3f, want less than 0.6 of %.3f", held, least)
	}
}
