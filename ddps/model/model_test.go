package model

import (
	"bytes"
	"context"
	"errors"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/ddps-go/ddps/ddps"
	"github.com/ddps-go/ddps/ddps/chain"
	"github.com/ddps-go/ddps/ddps/d3pm"
	"github.com/ddps-go/ddps/ddps/internal/safetensors"
	"github.com/ddps-go/ddps/ddps/mixture"
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
	cfg := DefaultConfig()
	cfg.Network, cfg.Mixture.Order, cfg.Mixture.Classes, cfg.Mixture.Ridge, cfg.Mixture.Smooth = NetworkNone, 1, 2, .1, 0
	mix, err := mixture.Fit(c, paths, weights, cfg.Mixture, 1, nil)
	if err != nil {
		t.Fatal(err)
	}
	m, err := NewOn(c, mix, cfg, 0)
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
	scores, err := (&d3pm.Bound{Graph: g, Denoiser: back, Schedule: m.Schedule, Steps: 256, Draws: 64}).Score(
		context.Background(), paths, 1)
	if err != nil {
		t.Fatal(err)
	}
	bound, dist, first := 0.0, 0.0, 0.0
	for i, p := range paths {
		lp, _ := mix.LogProb(p)
		one, _ := c.LogProb(p)
		q := math.Exp(lp)
		bound, dist, first = bound+q*scores[i].Mean, dist-q*lp, first-q*one
	}
	if !(bound > dist-.02 && bound < dist+.05 && first > dist+.1) {
		t.Errorf("bound %v, the mixture's own %v, the chain's %v", bound, dist, first)
	}
	if _, err := NewOn(c, mixture.Of(c.Distribution()), cfg, 0); err == nil {
		t.Error("a mixture of other classes than the settings say is no error")
	}
}

// A model or a file with the network "pair" of earlier versions is an error that says what became of it; one of another
// network loads although its settings name that network's.
func TestRemovedNetwork(t *testing.T) {
	c := chain.Uniform(ddps.Example())
	cfg := DefaultConfig()
	cfg.Network = "pair"
	if _, err := New(c, cfg, 1); !saysRemoved(err) {
		t.Errorf("new model: %v", err)
	}
	cfg.Network = NetworkNone
	m, err := New(c, cfg, 1)
	if err != nil {
		t.Fatal(err)
	}
	for network, check := range map[string]func(error) bool{"pair": saysRemoved,
		"none": func(err error) bool { return err == nil }} {
		f, err := m.File(nil)
		if err != nil {
			t.Fatal(err)
		}
		config := strings.Replace(f.Meta["config"], `"Network":"none"`, `"Pair":{"Hidden":32},"Network":"`+network+`"`, 1)
		if config == f.Meta["config"] {
			t.Fatalf("no network in %s", config)
		}
		f.Meta["config"] = config
		var file bytes.Buffer
		if err := safetensors.WriteSealed(&file, f); err != nil {
			t.Fatal(err)
		}
		if _, err := Load(&file); !check(err) {
			t.Errorf("a file of network %s: %v", network, err)
		}
	}
	if err := CheckNetwork("resnet"); err == nil || !strings.Contains(err.Error(), "mlp, unet, none") {
		t.Errorf("unknown network: %v", err)
	}
}

// saysRemoved reports whether err says that the network was removed and names those to use.
func saysRemoved(err error) bool {
	return err != nil && strings.Contains(err.Error(), `network "pair" was removed`) && strings.Contains(err.Error(),
		"mlp or unet")
}

// A model takes no network whose settings are out of range, nor a huge one.
func TestNetworkOutOfRange(t *testing.T) {
	g, cfg := ddps.Example(), DefaultConfig()
	cfg.Network = NetworkUNet
	if err := cfg.check(g); err != nil {
		t.Fatal(err)
	}
	cfg.UNet.Kernel = 2
	if err := cfg.check(g); err == nil || !strings.Contains(err.Error(), "kernel") {
		t.Errorf("an even kernel: error %v", err)
	}
	cfg.UNet.Kernel, cfg.UNet.Channels, cfg.UNet.Growth, cfg.UNet.Levels = 3, 1024, 4, 10
	if err := cfg.check(g); err == nil || !strings.Contains(err.Error(), "hidden units") {
		t.Errorf("a huge network: error %v", err)
	}
}

// LogProb of paths sums to 1 over all of them where it is known; it is an error with a network, and of no path.
func TestLogProb(t *testing.T) {
	cfg := DefaultConfig()
	cfg.Network = NetworkNone
	m, err := New(chain.Uniform(ddps.Example()), cfg, 0)
	if err != nil {
		t.Fatal(err)
	}
	logp, err := m.LogProb(t.Context(), slices.Collect(m.Graph.Paths()))
	sum := 0.0
	for _, x := range logp {
		sum += math.Exp(x)
	}
	if err != nil || math.Abs(sum-1) > 1e-12 {
		t.Errorf("the sum is %v, %v", sum, err)
	}
	var none *ddps.PathError
	if _, err := m.LogProb(t.Context(), []ddps.Path{{0, 1, 4, 99}}); !errors.As(err, &none) {
		t.Errorf("no path: error %v", err)
	}
	cfg.Network = NetworkMLP
	if m, err = New(m.Chain, cfg, 0); err != nil {
		t.Fatal(err)
	}
	if _, err := m.LogProb(t.Context(), nil); err == nil || !strings.Contains(err.Error(), "d3pm.Bound") {
		t.Errorf("with a network: error %v", err)
	}
}
