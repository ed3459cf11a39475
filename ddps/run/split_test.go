package run

import (
	"math"
	"testing"

	"github.com/ddps-go/ddps/datasets"
	"github.com/ddps-go/ddps/ddps"
)

// Few paths that are repeated stay in training, and the model comes to their shares.
func TestFewRepeatedPaths(t *testing.T) {
	d, err := datasets.All(ddps.Example(), 100)
	if err != nil {
		t.Fatal(err)
	}
	d.Paths, d.Counts = d.Paths[:5], []int{1000, 200, 100, 50, 20}
	for seed := range uint64(8) {
		cfg := MapConfig()
		cfg.HoldSeed = seed
		r := Run{Config: cfg.validated(d), Data: d}
		if train, held := r.Split(); len(train.Paths) != 5 || held.Total() < 100 || held.Total() > 180 {
			t.Errorf("seed %d: %d paths to train on, %d walks for validation", seed, len(train.Paths), held.Total())
		}
		m, err := Fit(d, cfg)
		if err != nil {
			t.Fatal(err)
		}
		lp, err := m.Distribution().LogProb(d.Prune().Paths[0])
		if p := math.Exp(lp); err != nil || math.Abs(p-1000./1370) > .05 {
			t.Errorf("seed %d: the first path has %.3f, of the walks it is %.3f; %v", seed, p, 1000./1370, err)
		}
		cfg.ValidationBy = ByPath // the most frequent path trains
		r.Config = cfg
		if _, held := r.Split(); held.Total() > 274 {
			t.Errorf("seed %d: %d walks for validation", seed, held.Total())
		}
	}
}
