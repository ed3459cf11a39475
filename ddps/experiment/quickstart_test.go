package experiment

import (
	"context"
	"errors"
	"math"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/ddps-go/ddps/ddps"
	"github.com/ddps-go/ddps/ddps/train"
)

func exampleDemo(t testing.TB) *Demo {
	cfg := quick()
	cfg.Hold = 0
	return &Demo{Name: "Example", Data: exampleData(t), Config: cfg, Samples: 200, Steps: 4, Guided: 8, Lambda: 30, RMax: 2, Seed: 3}
}

// A demo runs without a Watch, a second time from the trained model, and after an interruption to the same bytes.
func TestDemo(t *testing.T) {
	dir := t.TempDir()
	whole := filepath.Join(dir, "whole")
	d := exampleDemo(t)
	first, err := d.Run(context.Background(), whole, nil)
	if err != nil {
		t.Fatal(err)
	}
	if len(first.Unguided) != 2 || len(first.Conditioned) != 3 || first.Conditioned[2].AtMax != 1 || len(first.Steps) != 20 {
		t.Errorf("report %+v", first)
	}
	again, err := d.Run(context.Background(), whole, nil)
	if err != nil {
		t.Fatal(err)
	}
	if !reflect.DeepEqual(first.Paths, again.Paths) || len(again.Steps) != 3 {
		t.Errorf("another report the second time; %d steps from the log", len(again.Steps))
	}
	part := filepath.Join(dir, "part")
	w := &stopAt{at: 7}
	ctx, cancel := context.WithCancel(context.Background())
	w.stop = cancel
	if _, err := d.Run(ctx, part, w); !errors.Is(err, train.ErrStopped) {
		t.Fatalf("%v, want stopped", err)
	}
	if w.open != 0 {
		t.Errorf("%d stages have no end", w.open)
	}
	rest, err := d.Run(context.Background(), part, nil)
	if err != nil {
		t.Fatal(err)
	}
	sameProducts(t, "continued", part, whole)
	if !reflect.DeepEqual(first.Paths, rest.Paths) || rest.Steps[0].Step != 1 {
		t.Error("another report after an interruption, or half a training curve")
	}
}

// stopAt is a Watch that stops the work at a step of the first stage.
type stopAt struct {
	at, open int
	stop     context.CancelFunc
}

func (w *stopAt) Begin(string, int, int) { w.open++ }
func (w *stopAt) Set(done int, _ string) {
	if done == w.at {
		w.stop()
	}
}
func (w *stopAt) End() { w.open-- }

// A folder with another run is refused, and left alone.
func TestDemoOfAnotherRun(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "run")
	if _, err := exampleDemo(t).Run(context.Background(), dir, nil); err != nil {
		t.Fatal(err)
	}
	toy, err := ToyDemo(true, 1)
	if err != nil {
		t.Fatal(err)
	}
	before := tree(t, dir)
	for want, change := range map[string]func(*Demo){
		"on other paths (":    func(d *Demo) { d.Data.Paths, d.Data.Counts = d.Data.Paths[1:], d.Data.Counts[1:] },
		"on other paths":      func(d *Demo) { d.Data.Counts[0] = 7 },
		"with other settings": func(d *Demo) { d.Config.Train.Steps++ },
		"on another graph":    func(d *Demo) { d.Data = toy.Data },
	} {
		d := exampleDemo(t)
		change(d)
		_, err := d.Run(context.Background(), dir, nil)
		has(t, want, err, want, "choose another folder", dir)
	}
	if after := tree(t, dir); !slices.Equal(before, after) {
		t.Error("files changed")
	}
}

// Samples off the target's support, few samples and no mass are told, not feared.
func TestEvaluateEdges(t *testing.T) {
	data := exampleData(t)
	g := data.Graph
	target, err := NewTarget(g, data.Paths[:3], nil)
	if err != nil {
		t.Fatal(err)
	}
	ctx := context.Background()
	for name, paths := range map[string][]ddps.Path{"outside": data.Paths[3:], "one": data.Paths[:1], "one outside": data.Paths[4:5]} {
		list, err := Evaluate(ctx, target, paths, 2, 1, nil)
		if err != nil || len(list) < 11 {
			t.Errorf("%s: %v, %v", name, list, err)
		}
		for _, m := range list {
			if m.Name == "L1" && strings.Contains(name, "outside") && math.Abs(m.Value.Value-2) > 1e-9 {
				t.Errorf("%s: L1 is %v, want 2", name, m.Value.Value)
			}
		}
	}
	if _, err := Evaluate(ctx, target, nil, 2, 1, nil); err == nil {
		t.Error("no samples: no error")
	}
	_, err = Evaluate(ctx, target, []ddps.Path{data.Paths[0], {0}}, 2, 1, nil)
	has(t, "no path", err, "sample 2")
	_, err = Evaluate(ctx, target, data.Paths, -1, 1, nil)
	has(t, "draws", err, "-1 draws")
	stopped, cancel := context.WithCancel(ctx)
	cancel()
	if _, err = Evaluate(stopped, target, data.Paths, 1<<20, 1, nil); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
	if _, err = target.Given(func(ddps.Path) bool { return false }); !errors.Is(err, ErrNoMass) {
		t.Errorf("no mass: %v", err)
	}
	if _, err = NewTarget(g, nil, nil); err == nil {
		t.Error("target without paths: no error")
	}
	c, err := NewComparison(target, nil, 4, 1)
	if err != nil {
		t.Fatal(err)
	}
	_, err = c.Row("few", data.Paths[:2])
	has(t, "few", err, "2 samples", "4")
}

func TestGuideErrors(t *testing.T) {
	m, err := (&Run{Config: quick(), Data: exampleData(t)}).NewModel()
	if err != nil {
		t.Fatal(err)
	}
	u := make([]float64, m.Graph.NumEdges())
	for name, c := range map[string]struct {
		guide  Guide
		kernel string
		u      []float64
		want   string
	}{
		"reward":     {Guide{Name: Eq13}, "", nil, "needs a reward"},
		"wrong size": {Guide{Name: MaxReward}, "", u[1:], "numbers for"},
		"name":       {Guide{Name: "luck"}, "", u, `no guide "luck"`},
		"own step":   {Guide{Name: Algorithm2}, "occupancy", u, "leave the reverse step out"},
	} {
		s := m.Sampler()
		if s.Kernel, err = Kernel(c.kernel); err != nil {
			t.Fatal(err)
		}
		has(t, name, c.guide.Apply(s, c.u), c.want)
	}
	_, err = Kernel("forward")
	has(t, "kernel", err, `no reverse step "forward"`)
}

// Weights that are no numbers are an error of sampling, infinite ones too.
func TestSampleFromBadWeights(t *testing.T) {
	for _, bad := range []float64{math.NaN(), math.Inf(1), math.Inf(-1)} {
		m, err := (&Run{Config: quick(), Data: exampleData(t)}).NewModel()
		if err != nil {
			t.Fatal(err)
		}
		for _, p := range m.Net.Params() {
			for i := range p.Data {
				p.Data[i] = float32(bad)
			}
		}
		_, err = m.Sampler().Sample(context.Background(), 2, 1)
		has(t, "sample", err, "logit")
	}
}
