package run

import (
	"context"
	"errors"
	"math"
	"reflect"
	"testing"

	"github.com/ddps-go/ddps/ddps/guide"
	"github.com/ddps-go/ddps/ddps/guide/where"
	"github.com/ddps-go/ddps/ddps/model"
	"github.com/ddps-go/ddps/ddps/query"
	"github.com/ddps-go/ddps/ddps/run/runtest"
)

// The sets of a model: in order, each path meeting its condition, whose probability is that of enumeration.
func TestSets(t *testing.T) {
	data := runtest.Example(t)
	cfg := quick()
	cfg.Model.Network, cfg.Model.Mixture.Classes = model.NetworkNone, 1
	m, err := (&Run{Config: cfg, Data: data}).NewModel()
	if err != nil {
		t.Fatal(err)
	}
	u := make([]float64, m.Graph.NumEdges())
	u[0], u[5] = 1, 2
	c := SetsConfig{Samples: 50, Steps: 4, Reward: u, Lambdas: []float64{0, 100}, Where: []string{`visit("E")`,
		`boltzmann(0.5) and avoid("F")`}, Seed: 3}
	sets, err := c.Draw(context.Background(), m, nil)
	if err != nil {
		t.Fatal(err)
	}
	want := []string{"m, unguided", "m, algorithm2, λ = 0", "m, algorithm2, λ = 100", "m, the greatest reward",
		`m, visit("E")`, `m, boltzmann(0.5) and avoid("F")`}
	if len(sets) != len(want) {
		t.Fatalf("%d sets", len(sets))
	}
	best, err := guide.MaxReward(m.Graph, u)
	if err != nil {
		t.Fatal(err)
	}
	for i, s := range sets {
		if s.Guide.Title("m") != want[i] || len(s.Paths) != 50 {
			t.Errorf("set %d: %q, %d paths", i, s.Guide.Title("m"), len(s.Paths))
		}
		met := best
		if s.Guide.Where != "" {
			if met, err = query.ParseWhere(s.Guide.Where, m.Graph, u, nil); err != nil {
				t.Fatal(err)
			}
		} else if s.Guide.Name != query.MaxReward {
			if s.LogProb != 0 {
				t.Errorf("%s: log probability %v", want[i], s.LogProb)
			}
			continue
		}
		p := 0.0
		for path := range m.Graph.Paths() {
			lp, _ := m.Chain.LogProb(path)
			p += math.Exp(lp + met.LogWeight(path))
		}
		if i == 5 != math.IsNaN(s.LogProb) || i < 5 && math.Abs(math.Exp(s.LogProb)-p) > 1e-9 {
			t.Errorf("%s: log probability %v, want %v", want[i], s.LogProb, math.Log(p))
		}
		for _, path := range s.Paths {
			if math.IsInf(met.LogWeight(path), -1) {
				t.Fatalf("%s: %v", want[i], path)
			}
		}
	}
	if again, err := c.Draw(context.Background(), m, nil); err != nil || !reflect.DeepEqual(again[4].Paths,
		sets[4].Paths) {
		t.Errorf("not the same again: %v", err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := c.Draw(ctx, m, nil); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
	// What is wrong is found before anything is drawn, which ctx would stop.
	var at *where.Error
	c.Where = []string{`visit("E")`, `visit("Q")`}
	if _, err := c.Draw(ctx, m, nil); !errors.As(err, &at) {
		t.Errorf("no such vertex: %v", err)
	}
	for name, wrong := range map[string]SetsConfig{"samples": {}, "steps": {Samples: 1, Steps: 1000},
		"λ": {Samples: 1, Reward: u, Lambdas: []float64{math.NaN()}}} {
		if _, err := wrong.Draw(ctx, m, nil); err == nil || errors.Is(err, context.Canceled) {
			t.Errorf("%s: %v", name, err)
		}
	}
}
