package markov

import (
	"context"
	"errors"
	"math"
	"testing"

	"github.com/ddps-go/ddps/ddps"
	"github.com/ddps-go/ddps/ddps/chain"
)

// evenSum is the paths whose vertices' numbers sum to an even number, with weights that grow with the sum of the
// edges'.
func evenSum(t *testing.T, g *ddps.LayeredGraph) (*chain.Product, []float64) {
	t.Helper()
	last, _ := g.Layer(g.NumLayers() - 1)
	l, _, err := chain.Unfold(g, 0, func(q, e int) (int, bool) {
		q = (q + g.Head(e)) % 2
		return q, g.Head(e) < last || q == 0
	}, 0)
	if err != nil {
		t.Fatal(err)
	}
	logw := make([]float64, len(l.Edge))
	for k, e := range l.Edge {
		logw[k] = .1 * float64(e%7)
	}
	return l, logw
}

// The model given a condition is that of enumeration, and its probability too; P holds the model's own probabilities.
func TestGiven(t *testing.T) {
	g := grid(t, 5, 3)
	l, logw := evenSum(t, g)
	for _, cfg := range configs() {
		m := fitted(t, g, cfg)
		for _, w := range [][]float64{nil, logw} {
			given, err := m.Given(t.Context(), l, w, 0)
			if err != nil {
				t.Fatal(err)
			}
			paths, logp := all(t, m)
			sum := 0.0
			want := make([]float64, len(paths))
			for i, p := range paths {
				edges, ok, err := l.Edges(nil, p)
				if err != nil {
					t.Fatal(err)
				}
				if !ok {
					continue
				}
				want[i] = math.Exp(logp[i])
				for _, k := range edges {
					if w != nil {
						want[i] *= math.Exp(w[k])
					}
				}
				sum += want[i]
			}
			if !near(given.LogProb, math.Log(sum)) {
				t.Fatalf("%v: log P is %v, want %v", cfg, given.LogProb, math.Log(sum))
			}
			own := &chain.Distribution{Product: given.Chain.Product, P: given.P}
			for i, p := range paths {
				got, _ := given.Chain.LogProb(p)
				if math.Abs(math.Exp(got)-want[i]/sum) > 1e-12 {
					t.Fatalf("%v: P%v given is %v, want %v", cfg, p, math.Exp(got), want[i]/sum)
				}
				if got, _ := own.LogProb(p); want[i] > 0 && !near(got, logp[i]) {
					t.Fatalf("%v: log P%v is %v on the product, want %v", cfg, p, got, logp[i])
				}
			}
		}
	}
}

func TestGivenErrors(t *testing.T) {
	g := grid(t, 5, 3)
	m := fitted(t, g, Default())
	l, _ := evenSum(t, g)
	if _, err := m.Given(t.Context(), l, nil, 2); err == nil || errors.Is(err, chain.ErrImpossible) {
		t.Errorf("a product that is too large: %v", err)
	}
	other := grid(t, 5, 4)
	if _, err := m.Given(t.Context(), chain.Identity(other), nil, 0); err == nil {
		t.Error("a condition on another graph must be refused")
	}
}

func TestGivenEnds(t *testing.T) {
	g := grid(t, 5, 3)
	l, _ := evenSum(t, g)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := fitted(t, g, Default()).Given(ctx, l, nil, 0); !errors.Is(err, context.Canceled) {
		t.Errorf("after its context: %v", err)
	}
}
