package compare_test

import (
	"context"
	"errors"
	"math"
	"strings"
	"testing"

	"github.com/ddps-go/ddps/ddps"
	"github.com/ddps-go/ddps/ddps/compare"
	"github.com/ddps-go/ddps/ddps/run/runtest"
)

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
