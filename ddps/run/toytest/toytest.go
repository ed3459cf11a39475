// Package toytest has what the tests of packages query, compare and study share.
package toytest

import (
	"testing"

	"github.com/ddps-go/ddps/ddps"
	"github.com/ddps-go/ddps/ddps/compare"
	"github.com/ddps-go/ddps/ddps/model"
	"github.com/ddps-go/ddps/ddps/run"
)

// Exact returns the exact model of Toy, without a network, a reward of the greatest total 4, by edge, and the data's
// distribution.
func Exact(t testing.TB) (*model.Model, []float64, *compare.Target) {
	t.Helper()
	m, err := run.Shipped("toy")
	if err != nil {
		t.Fatal(err)
	}
	cfg := m.Config
	cfg.Network = model.NetworkNone
	if m, err = model.New(m.Chain, cfg, 0); err != nil {
		t.Fatal(err)
	}
	data, err := run.MakeData("toy", run.PresetQuick)
	if err != nil {
		t.Fatal(err)
	}
	dist, err := compare.DataTarget(data.Graph, data.Prune())
	if err != nil {
		t.Fatal(err)
	}
	u := make([]float64, m.Graph.NumEdges())
	for e := range u {
		u[e] = float64(e % 2)
	}
	return m, u, dist
}

// Quick returns a configuration that trains in no time: a residual MLP on a mixture, 20 steps, checkpoints at 4, 8, …
// of which two are kept.
func Quick() run.Config {
	cfg := run.ConfigOf(model.NetworkMLP)
	cfg.Model.Mixture.Classes = 8
	cfg = cfg.On(ddps.Example())
	cfg.Hold, cfg.Keep, cfg.Model.MLP.Hidden = 0.3, 2, 4
	cfg.Train.Steps, cfg.Train.Batch, cfg.Train.EvalEvery, cfg.Train.EvalSize, cfg.Train.Checkpoint = 20, 8, 5, 16, 4
	cfg.Train.Optim.Warmup = 2
	return cfg
}
