package run

import (
	"context"
	"io/fs"
	"math"
	"strings"
	"testing"

	"github.com/ddps-go/ddps/ddps/d3pm"
	"github.com/ddps-go/ddps/ddps/model"
	"github.com/ddps-go/ddps/ddps/train"
)

// The shipped models are whole, small, of the data that they say they are of, and good: nearer to the distribution of
// the data of the validation set than the fitted chain, or as near where that is exact.
func TestShipped(t *testing.T) {
	if testing.Short() {
		t.Skip("minutes under the race detector, which is all that -short is for")
	}
	var size int64
	err := fs.WalkDir(weights, ".", func(_ string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		info, err := d.Info()
		size += info.Size()
		return err
	})
	if err != nil || size > 2_000_000 {
		t.Errorf("the shipped models take %d bytes, want no more than two million (%v)", size, err)
	}
	for _, c := range []struct {
		name  string
		paths int
		below float64 // nats per path below the chain, at least
	}{{"toy", 200, -0.02}, {"heights", 500, 0.12}, {"names", 500, 2}} {
		r, err := Open(ShippedPrefix + c.name)
		if err != nil {
			t.Fatal(err)
		}
		m, err := r.Model()
		if err != nil {
			t.Fatal(err)
		}
		if got, want := model.Fingerprint(m.Graph), model.Fingerprint(r.Data.Graph.Prune()); got != want {
			t.Fatalf("%s: the model is of graph %s, its data of %s", c.name, got, want)
		}
		cfg := r.Config.Model
		// chosen on the validation paths
		cfg.Kappa, cfg.Mixture.Ridge, cfg.Mixture.Smooth = m.Config.Kappa, m.Config.Mixture.Ridge, m.Config.Mixture.Smooth
		if !(Config{Model: m.Config}).same(Config{Model: cfg}) {
			t.Errorf("%s: the model is of settings %+v, the run of %+v", c.name, m.Config, cfg)
		}
		paths, held := r.Split()
		if held != nil {
			paths = held
		}
		n := min(c.paths, len(paths.Paths))
		list, weights := paths.Paths[:n], paths.Weights()[:n]
		scores, err := (&d3pm.Bound{Graph: m.Graph, Denoiser: m, Schedule: m.Schedule, Steps: 16}).Score(context.Background(),
			list, 1)
		if err != nil {
			t.Fatal(err)
		}
		below, total := 0.0, 0.0
		for i, p := range list {
			nats, err := m.Chain.LogProb(p)
			if err != nil {
				t.Fatal(err)
			}
			below += weights[i] * (-nats - scores[i].Mean)
			total += weights[i]
		}
		if below /= total; !(below > c.below) || math.IsInf(below, 0) {
			t.Errorf("%s: the bound is %.3f nats per path below the chain's, want more than %v", c.name, below, c.below)
		}
		if _, err := r.Train(context.Background(), true, train.Hooks{}); err == nil || !strings.Contains(err.Error(),
			"comes with the program") {
			t.Errorf("%s: training gave %v", c.name, err)
		}
	}
	for _, name := range []string{"", "x", "../shipped", "toy.toml"} {
		if _, _, err := OpenModel(ShippedPrefix+name, nil); err == nil || !strings.Contains(err.Error(),
			"toy, heights, names") {
			t.Errorf("%q: %v", name, err)
		}
	}
	if _, err := Create(ShippedPrefix+"toy", DefaultConfig(), nil); err == nil {
		t.Error("a run directory of a shipped model's name was made")
	}
}
