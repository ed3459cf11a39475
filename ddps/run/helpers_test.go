package run

import (
	"testing"

	"github.com/ddps-go/ddps/ddps"
	"github.com/ddps-go/ddps/ddps/compare"
	"github.com/ddps-go/ddps/ddps/model"
)

// toyParts returns the exact model of Toy, without a network, a reward of the greatest total 4, and the law of the
// data.
func toyParts(t *testing.T) (*model.Model, []float64, *compare.Target) {
	t.Helper()
	m, err := Shipped("toy")
	if err != nil {
		t.Fatal(err)
	}
	cfg := m.Config
	cfg.Network = model.NetworkNone
	if m, err = model.New(m.Chain, cfg, 0); err != nil {
		t.Fatal(err)
	}
	data, err := MakeData("toy", PresetQuick)
	if err != nil {
		t.Fatal(err)
	}
	law, err := compare.DataTarget(data.Graph, data.Prune())
	if err != nil {
		t.Fatal(err)
	}
	u := make([]float64, m.Graph.NumEdges())
	for e := range u {
		u[e] = float64(e % 2)
	}
	return m, u, law
}

func pathKey(p ddps.Path) string {
	k := make([]byte, len(p))
	for i, v := range p {
		k[i] = byte(v)
	}
	return string(k)
}
