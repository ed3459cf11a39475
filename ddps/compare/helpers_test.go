package compare_test

import (
	"strings"
	"testing"

	"github.com/ddps-go/ddps/datasets"
	"github.com/ddps-go/ddps/ddps"
	"github.com/ddps-go/ddps/ddps/compare"
	"github.com/ddps-go/ddps/ddps/model"
	"github.com/ddps-go/ddps/ddps/run"
)

// exampleData is every path of the example graph, the first twice.
func exampleData(t testing.TB) *datasets.Data {
	t.Helper()
	data, err := datasets.All(ddps.Example(), 1000)
	if err != nil {
		t.Fatal(err)
	}
	data.Counts[0] = 2
	return data
}

func has(t *testing.T, what string, err error, parts ...string) {
	t.Helper()
	for _, p := range parts {
		if err == nil || !strings.Contains(err.Error(), p) {
			t.Errorf("%s: error %v lacks %q", what, err, p)
		}
	}
}

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
