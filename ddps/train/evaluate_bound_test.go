package train

import (
	"context"
	"math"
	"testing"

	"github.com/ddps-go/ddps/ddps/chain"
	"github.com/ddps-go/ddps/ddps/internal/oracle"
	"github.com/ddps-go/ddps/ddps/model"
)

// Without a network the number at the end is −log p of all validation paths by weight, and with one a bound on drawn
// paths with its standard error.
func TestEvaluateBoundOfAllPaths(t *testing.T) {
	_, _, g := oracle.Load()
	paths, weights := zipf(g, 300, 1)
	c, err := chain.Fit(g, paths, weights, 1)
	if err != nil {
		t.Fatal(err)
	}
	for _, network := range []string{model.NetworkNone, model.NetworkMLP} {
		cfg, tc := quick()
		cfg.Network = network
		m, err := model.New(c, cfg, 1)
		if err != nil {
			t.Fatal(err)
		}
		held, err := NewSource(m, paths, weights)
		if err != nil {
			t.Fatal(err)
		}
		info, err := EvaluateBound(context.Background(), m, held, tc, nil)
		if err != nil {
			t.Fatal(err)
		}
		want, total := 0.0, 0.0
		for i, p := range paths {
			lp, err := c.LogProb(p)
			if err != nil {
				t.Fatal(err)
			}
			want, total = want-weights[i]*lp, total+weights[i]
		}
		if exact := math.Abs(info.Chain-want/total) < 1e-9; exact != m.Tractable() || exact != (info.BoundErr == 0) {
			t.Errorf("network %s: %+v, −log p of all is %v", network, info, want/total)
		}
		if m.Tractable() && (math.Abs(info.Bound-want/total) > 1e-9 || info.StdErr > 1e-9) {
			t.Errorf("%+v, want %v twice", info, want/total)
		}
	}
}
