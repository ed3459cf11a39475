package compare_test

import (
	"testing"

	"github.com/ddps-go/ddps/ddps/compare"
	"github.com/ddps-go/ddps/ddps/model"
	"github.com/ddps-go/ddps/ddps/run"
)

// toyParts returns the exact model of Toy, without a network, a reward of the greatest total 4, and the data's
// distribution.
func toyParts(t *testing.T) (*model.Model, []float64, *compare.Target) {
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
