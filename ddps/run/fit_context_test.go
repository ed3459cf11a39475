package run

import (
	"bytes"
	"context"
	"errors"
	"io/fs"
	"path/filepath"
	"testing"

	"github.com/ddps-go/ddps/datasets"
	"github.com/ddps-go/ddps/ddps"
	"github.com/ddps-go/ddps/ddps/guide"
	"github.com/ddps-go/ddps/ddps/model"
	"github.com/ddps-go/ddps/ddps/run/runtest"
	"github.com/ddps-go/ddps/ddps/train"
)

// Data without counts have one of each path; data that are none are an error of all that makes a run.
func TestDataWithoutCounts(t *testing.T) {
	data := runtest.Example(t)
	data.Counts = nil
	ones, err := datasets.All(data.Graph, 1000)
	if err != nil {
		t.Fatal(err)
	}
	cfg := MapConfig().On(data.Graph)
	m, err := Fit(data, cfg)
	if err != nil {
		t.Fatal(err)
	}
	want, err := Fit(ones, cfg)
	if err != nil || !bytes.Equal(bytesOf(t, m), bytesOf(t, want)) {
		t.Errorf("nil counts are 1 each: %v", err)
	}
	dir := filepath.Join(t.TempDir(), "run")
	if _, err := Create(dir, cfg, data); err != nil {
		t.Fatal(err)
	}
	if r, err := FindOrCreate(dir, cfg, data); err != nil || r == nil {
		t.Errorf("the same data: %v", err)
	}
	g := data.Graph
	for what, bad := range map[string]*datasets.Data{"no data": nil, "no graph": {}, "counts for": {Graph: g,
		Paths: data.Paths, Counts: []int{1}}, "count 0": {Graph: g, Paths: data.Paths[:1], Counts: []int{0}},
		"path 1": {Graph: g, Paths: []ddps.Path{{0, 99, 5, 8}}}} {
		_, fit := Fit(bad, cfg)
		_, create := Create(filepath.Join(t.TempDir(), "new"), cfg, bad)
		_, draft := Draft(filepath.Join(t.TempDir(), "new"), cfg, bad)
		_, find := FindOrCreate(dir, cfg, bad)
		for _, err := range []error{fit, create, draft, find} {
			runtest.Has(t, what, err, what)
		}
	}
	if _, err := Fit(&datasets.Data{Graph: g}, cfg); err == nil {
		t.Error("data without paths must fail")
	}
}

// A fit that its context ends is stopped, and the context's error.
func TestFitContext(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	steps := 0
	h := train.Hooks{Step: func(train.StepInfo) { steps++; cancel() }}
	_, err := FitContext(ctx, runtest.Example(t), quick(), h)
	if !errors.Is(err, train.ErrStopped) || !errors.Is(err, context.Canceled) || steps != 1 {
		t.Errorf("%d steps, error %v", steps, err)
	}
	if _, err := Open(filepath.Join(t.TempDir(), "none")); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("no directory: %v", err)
	}
}

// What is made for a model's graph goes with the model read again, and what is made for the graph given, where it is
// the same.
func TestConditionsOfEqualGraphs(t *testing.T) {
	data := runtest.Example(t)
	m, err := Fit(data, MapConfig())
	if err != nil {
		t.Fatal(err)
	}
	read, err := model.Load(bytes.NewReader(bytesOf(t, m)))
	if err != nil {
		t.Fatal(err)
	}
	for name, g := range map[string]*ddps.LayeredGraph{"fitted": m.Graph, "given": data.Graph} {
		s := read.Sampler()
		if s.Condition, err = guide.MustVisit(g, 5); err != nil {
			t.Fatal(err)
		}
		paths, err := s.Sample(t.Context(), 5, 1)
		if err != nil {
			t.Errorf("%s: %v", name, err)
		}
		for _, p := range paths {
			if p[2] != 5 {
				t.Errorf("%s: %v", name, p)
			}
		}
	}
}
