package study

import (
	"context"
	"errors"
	"path/filepath"
	"reflect"
	"slices"
	"testing"

	"github.com/ddps-go/ddps/ddps/run/runtest"
	"github.com/ddps-go/ddps/ddps/run/toytest"
	"github.com/ddps-go/ddps/ddps/train"
)

func exampleDemo(t testing.TB) *Demo {
	cfg := toytest.Quick()
	cfg.Hold = 0
	return &Demo{Name: "Example", Data: runtest.Example(t), Config: cfg, Samples: 200, Guided: 8, Lambda: 30,
		RMax: 2, Seed: 3}
}

// A demo runs without a Progress, a second time from the trained model, and after an interruption to the same bytes.
func TestDemo(t *testing.T) {
	dir := t.TempDir()
	whole := filepath.Join(dir, "whole")
	d := exampleDemo(t)
	first, err := d.Run(context.Background(), whole, nil)
	if err != nil {
		t.Fatal(err)
	}
	if len(first.Unguided) != 2 || len(first.Conditioned) != 3 || first.Conditioned[2].AtMax != 1 ||
		len(first.Steps) != 20 {
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

// stopAt is a Progress that stops the work at a step of the first stage.
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

// A directory with another run is refused, and left alone.
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
		runtest.Has(t, want, err, want, "choose another ", dir)
	}
	if after := tree(t, dir); !slices.Equal(before, after) {
		t.Error("files changed")
	}
}
