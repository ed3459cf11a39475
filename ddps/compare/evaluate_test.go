package compare_test

import (
	"context"
	"errors"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/ddps-go/ddps/datasets"
	"github.com/ddps-go/ddps/ddps"
	"github.com/ddps-go/ddps/ddps/compare"
	"github.com/ddps-go/ddps/ddps/run/runtest"
)

// Samples in the shares of a target that is conditioned are at a distance of 0 from it, and one more sample is not.
func TestEvaluateEqual(t *testing.T) {
	data := runtest.Example(t)
	paths := data.Paths
	for n := 3; n <= len(paths); n++ {
		counts := make([]int, n)
		for i := range counts {
			counts[i] = 7*i*i + 3*i + 1
		}
		all, err := compare.DataTarget(data.Graph, &datasets.Data{Graph: data.Graph, Paths: paths[:n], Counts: counts})
		if err != nil {
			t.Fatal(err)
		}
		target, err := all.Given(func(p ddps.Path) bool { return !slices.Equal(p, paths[0]) })
		if err != nil {
			t.Fatal(err)
		}
		var samples []ddps.Path
		for i, c := range counts[1:] {
			for range c {
				samples = append(samples, paths[i+1])
			}
		}
		list, err := compare.Evaluate(context.Background(), target, samples, 0, 1, nil)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range list {
			if m.Value.Value != 0 && m.Key != "sfd" && m.Key != "isl_sf" {
				t.Errorf("%d paths: %s is %v", n, m.Name, m.Value.Value)
			}
		}
		more, err := compare.Evaluate(context.Background(), target, append(samples, paths[1]), 0, 1, nil)
		if err != nil || !(more[0].Value.Value > 0) {
			t.Errorf("%d paths: one sample more: %v, %v", n, more, err)
		}
	}
}

// Samples off the target's support, few samples and no mass are told, not feared.
func TestEvaluateEdges(t *testing.T) {
	data := runtest.Example(t)
	g := data.Graph
	target, err := compare.NewTarget(g, data.Paths[:3], nil)
	if err != nil {
		t.Fatal(err)
	}
	ctx := context.Background()
	for name, paths := range map[string][]ddps.Path{"outside": data.Paths[3:], "one": data.Paths[:1],
		"one outside": data.Paths[4:5]} {
		list, err := compare.Evaluate(ctx, target, paths, 2, 1, nil)
		if err != nil || len(list) < 11 {
			t.Errorf("%s: %v, %v", name, list, err)
		}
		for _, m := range list {
			if m.Name == "L1" && strings.Contains(name, "outside") && math.Abs(m.Value.Value-2) > 1e-9 {
				t.Errorf("%s: L1 is %v, want 2", name, m.Value.Value)
			}
		}
	}
	if _, err := compare.Evaluate(ctx, target, nil, 2, 1, nil); err == nil {
		t.Error("no samples: no error")
	}
	_, err = compare.Evaluate(ctx, target, []ddps.Path{data.Paths[0], {0}}, 2, 1, nil)
	runtest.Has(t, "no path", err, "sample 2")
	_, err = compare.Evaluate(ctx, target, data.Paths, -1, 1, nil)
	runtest.Has(t, "draws", err, "-1 draws")
	stopped, cancel := context.WithCancel(ctx)
	cancel()
	if _, err = compare.Evaluate(stopped, target, data.Paths, 1<<20, 1, nil); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
	if _, err = target.Given(func(ddps.Path) bool { return false }); !errors.Is(err, compare.ErrNoMass) {
		t.Errorf("no mass: %v", err)
	}
	if _, err = compare.NewTarget(g, nil, nil); err == nil {
		t.Error("target without paths: no error")
	}
	c, err := compare.New(target, nil, 4, 1)
	if err != nil {
		t.Fatal(err)
	}
	_, err = c.Row("few", data.Paths[:2])
	runtest.Has(t, "few", err, "2 samples", "4")
}
