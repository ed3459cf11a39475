package run

import (
	"math"
	"slices"
	"testing"

	"github.com/ddps-go/ddps/datasets"
	"github.com/ddps-go/ddps/ddps"
	"github.com/ddps-go/ddps/ddps/model"
	"github.com/ddps-go/ddps/ddps/net/gru"
	"github.com/ddps-go/ddps/ddps/stack"
)

// A stack's samples return to their start and come back to places as often as the walks that it was fitted to, and
// nearer than without its tilt; the model read again is the same.
func TestRates(t *testing.T) {
	d, cfg := walks(t), StackConfig()
	cfg.Model.Stack.Parts, cfg.Hold = "first-order gru", .2
	m, err := Fit(d, cfg)
	if err != nil {
		t.Fatal(err)
	}
	k := slices.IndexFunc(m.Stack.Parts, func(p stack.Part) bool { return p.Name == model.PartGRU })
	g := stack.Inner(m.Stack.Parts[k].Distribution).(*gru.GRU)
	want, err := g.Rates(d.Paths, Counts(d))
	if err != nil {
		t.Fatal(err)
	}
	rates := func(d stack.Distribution) gru.Rates {
		paths := make([]ddps.Path, 40_000)
		if err := d.Sample(t.Context(), paths, 5, 0); err != nil {
			t.Fatal(err)
		}
		r, err := g.Rates(paths, nil)
		if err != nil {
			t.Fatal(err)
		}
		return r
	}
	far := func(r gru.Rates) float64 {
		return math.Hypot(r.Return-want.Return, r.Revisit-want.Revisit)
	}
	got := rates(m.Stack)
	plain := &stack.Stack{Parts: slices.Clone(m.Stack.Parts)}
	plain.Parts[k].Distribution = model.GRUPart(g.Tilted(gru.Tilt{}))
	if before := rates(plain); far(got) > .02 || far(got) > far(before)+.005 {
		t.Errorf("returns and revisits %.3f and %.3f, without a tilt %.3f and %.3f, of the walks %.3f and %.3f", got.Return,
			got.Revisit, before.Return, before.Revisit, want.Return, want.Revisit)
	}
}

// Walks that are all alike have a stack, without a GRU: it gives them probability 1.
func TestOneWalk(t *testing.T) {
	g, err := ddps.New([]int{1, 1, 1}, [][]int{{1}, {2}, {}})
	if err == nil {
		g, err = g.WithMeta(ddps.Meta{Place: []int{0, 1, 0}})
	}
	if err != nil {
		t.Fatal(err)
	}
	d := &datasets.Data{Graph: g, Paths: []ddps.Path{{0, 1, 2}}, Counts: []int{40}}
	m, err := Fit(d, StackConfig())
	if err != nil {
		t.Fatal(err)
	}
	logp := make([]float64, 1)
	if err := m.Stack.LogProb(d.Paths, logp); err != nil || math.Abs(logp[0]) > 1e-9 {
		t.Errorf("log p of the only walk is %v, %v", logp, err)
	}
}
