package d3pm

import (
	"bytes"
	"context"
	"math"
	"slices"
	"testing"

	"github.com/ddps-go/ddps/ddps"
	"github.com/ddps-go/ddps/ddps/chain"
)

// A model on a mixture has its bound where the mixture has its likelihood, to what a strided reverse process costs;
// with no network it is stored and read back to the same numbers.
func TestModelOnMixture(t *testing.T) {
	g := ddps.Example()
	c := chain.Uniform(g)
	var paths []ddps.Path
	for p := range g.Paths() {
		paths = append(paths, slices.Clone(p))
	}
	weights := make([]float64, len(paths))
	for i := range weights { // the end depends on the beginning
		weights[i] = 1
		if paths[i][1]%2 == paths[i][3]%2 {
			weights[i] = 9
		}
	}
	cfg := DefaultModel()
	cfg.Network, cfg.Mixture.Order, cfg.Mixture.Classes, cfg.Mixture.Ridge, cfg.Mixture.Smooth = NetworkNone, 1, 2, .1, 0
	mix, err := chain.FitMixture(c, paths, weights, cfg.Mixture, 1, nil)
	if err != nil {
		t.Fatal(err)
	}
	m, err := NewModelOn(c, mix, cfg, 0)
	if err != nil {
		t.Fatal(err)
	}
	var file bytes.Buffer
	if err := m.Save(&file); err != nil {
		t.Fatal(err)
	}
	back, err := Load(&file)
	if err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(back.Mixture.P, mix.P) || !slices.Equal(back.Mixture.Weight, mix.Weight) {
		t.Error("the mixture read is another than the one written")
	}
	scores, err := (&Bound{Graph: g, Denoiser: back, Schedule: m.Schedule, Steps: 256, Draws: 64}).Score(context.Background(), paths, 1)
	if err != nil {
		t.Fatal(err)
	}
	bound, law, first := 0.0, 0.0, 0.0
	for i, p := range paths {
		lp, _ := mix.LogProb(p)
		one, _ := c.LogProb(p)
		q := math.Exp(lp)
		bound, law, first = bound+q*scores[i].Mean, law-q*lp, first-q*one
	}
	if !(bound > law-.02 && bound < law+.05 && first > law+.1) {
		t.Errorf("bound %v, the mixture's own %v, the chain's %v", bound, law, first)
	}
	if _, err := NewModelOn(c, c.Law().Single(), cfg, 0); err == nil {
		t.Error("a mixture of other classes than the settings say is no error")
	}
}
