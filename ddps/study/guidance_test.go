package study

import (
	"context"
	"math"
	"path/filepath"
	"strings"
	"testing"

	"github.com/ddps-go/ddps/ddps/model"
	"github.com/ddps-go/ddps/ddps/query"
	"github.com/ddps-go/ddps/ddps/run"
)

// tiny is a study of Toy that takes seconds.
func tiny(t *testing.T) *Guidance {
	t.Helper()
	s, err := NewGuidance("toy", run.PresetQuick)
	if err != nil {
		t.Fatal(err)
	}
	s.Samples, s.Instances, s.Steps, s.Maxima, s.Lambdas = 400, 1, 8, []int{2, 4}, []float64{0, 30}
	return s
}

func runStudy(t *testing.T, s *Guidance, dir string) []GuidanceRow {
	t.Helper()
	l, err := OpenTable[GuidanceRow](filepath.Join(dir, "cells.csv"))
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	if err := s.Run(context.Background(), dir, l, nil); err != nil {
		t.Fatal(err)
	}
	return l.Rows
}

// A study computes what is new alone, and its rows are the same whenever they are made.
func TestStudyGoesOn(t *testing.T) {
	dir, s := t.TempDir(), tiny(t)
	rows := runStudy(t, s, dir)
	if want := 2 * (3 + 3*2); len(rows) != want {
		t.Fatalf("%d rows, want %d", len(rows), want)
	}
	s.Lambdas = append(s.Lambdas, 100)
	more := runStudy(t, s, dir)
	if len(more) != len(rows)+2*3 {
		t.Fatalf("%d rows with one more λ, want %d", len(more), len(rows)+2*3)
	}
	again := runStudy(t, s, t.TempDir())
	for _, r := range again {
		found := false
		for _, x := range more {
			if r.Distribution == x.Distribution && r.Kernel == x.Kernel && r.Lambda == x.Lambda && r.RMax == x.RMax {
				found = r.Reward == x.Reward && r.Exact == x.Exact && (r.Own == x.Own || math.IsNaN(r.Own.KL)) && r.Hits == x.Hits
			}
		}
		if !found {
			t.Errorf("R_max %d, %s, %s, λ = %v: another result in a run of its own", r.RMax, r.Distribution, r.Kernel, r.Lambda)
		}
	}
}

// The model of a run directory is the one that is drawn from; a run on another graph, and a stack, are refused.
func TestStudyOfRun(t *testing.T) {
	s := tiny(t)
	data, err := run.MakeData("toy", run.PresetQuick)
	if err != nil {
		t.Fatal(err)
	}
	s.Train = 2
	r, err := run.Create(filepath.Join(t.TempDir(), "run"), s.config(data), data)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := r.Trained(context.Background(), "", run.NoProgress{}); err != nil {
		t.Fatal(err)
	}
	s.From, s.Train, s.Samples, s.Maxima = r.Dir, 0, 50, []int{4}
	shipped := *s
	shipped.From = ""
	own, other := runStudy(t, s, t.TempDir()), runStudy(t, &shipped, t.TempDir())
	if own[0].Key == other[0].Key || own[0].Trained != "2 steps of 256 paths, on 1063 distinct paths" {
		t.Errorf("model %s, of the shipped one %s, trained: %s", own[0].Key, other[0].Key, own[0].Trained)
	}
	refused := func(s *Guidance, why string) {
		t.Helper()
		if _, err := s.prepare(context.Background(), t.TempDir(), run.NoProgress{}); err == nil ||
			!strings.Contains(err.Error(), why) {
			t.Errorf("%v, want %q", err, why)
		}
	}
	maps := *s
	maps.Graph = "heights"
	refused(&maps, "another graph")
	cfg := s.config(data)
	cfg.Model.Network, cfg.Model.Stack.Parts, cfg.Hold = model.NetworkNone, "chain,context", .1
	if r, err = run.Create(filepath.Join(t.TempDir(), "stack"), cfg, data); err != nil {
		t.Fatal(err)
	}
	s.From = r.Dir
	refused(s, "stack")
}

// On a backend the rows are the host's but for a path here and there.
func TestStudyBackend(t *testing.T) {
	s := tiny(t)
	s.Samples, s.Steps, s.Maxima, s.Guides = 200, 3, []int{4}, s.Guides[:2]
	want := runStudy(t, s, t.TempDir())
	s.Backend = "go"
	got := runStudy(t, s, t.TempDir())
	if len(got) != len(want) {
		t.Fatalf("%d rows, want %d", len(got), len(want))
	}
	for _, r := range want {
		found := false
		for _, x := range got {
			if r.Distribution == x.Distribution && r.Kernel == x.Kernel && r.Lambda == x.Lambda {
				found = math.Abs(x.Reward-r.Reward) < .05 && math.Abs(x.Exact.L1-r.Exact.L1) < .05 && x.P == r.P
			}
		}
		if !found {
			t.Errorf("%s, %s, λ = %v: another result than on the host", r.Distribution, r.Kernel, r.Lambda)
		}
	}
}

// Exact distributions meet the maximum always, guided ones the oftener the greater λ is, and every sample is a path.
func TestStudyResults(t *testing.T) {
	s := tiny(t)
	s.Lambdas = []float64{0, 10, 1000}
	rows := runStudy(t, s, t.TempDir())
	for _, r := range rows {
		exact := r.Distribution == ReferenceExact || r.Distribution == ReferenceMax || r.Distribution == ReferenceChain
		if r.Valid != 1 || exact && r.AtMax != 1 || exact && r.Exact.KL > .5 {
			t.Errorf("%+v", r)
		}
		if want := exact || r.Hits == 0; want != math.IsNaN(r.Own.L1) {
			t.Errorf("%s, λ = %v: own L1 %v of %d hits", r.Distribution, r.Lambda, r.Own.L1, r.Hits)
		}
	}
	series := SeriesOf(rows)
	if len(series) != 3 {
		t.Fatalf("series %v", series)
	}
	for _, of := range series {
		for _, c := range Curves(rows, of, QuantityReward, false) {
			if !(c.Y[0] < c.Y[1] && c.Y[1] < c.Y[2]) || c.Model != float64(c.RMax) || c.Chain != float64(c.RMax) ||
				c.Instances != 1 {
				t.Errorf("%v: %+v", of, c)
			}
		}
	}
	for _, f := range Findings(rows) {
		if f.Verdict == "" || f.Found == "" || f.Paper == "" {
			t.Errorf("%+v", f)
		}
	}
}

// At λ = 0 under a kernel without bias, the paper's target is nearly the exact one: the distances agree but for noise.
func TestStudyTargets(t *testing.T) {
	s := tiny(t)
	s.Maxima, s.Samples, s.Lambdas = []int{4}, 2000, []float64{0}
	s.Guides = []Guide{{Guide: query.Eq7, Kernel: "joint"}}
	for _, r := range runStudy(t, s, t.TempDir()) {
		if r.Distribution != query.Eq7 {
			continue
		}
		if p := float64(r.Hits) / float64(r.Samples); math.Abs(p-r.P) > .02 || math.Abs(r.AtMax-p) > 1e-12 {
			t.Errorf("%d hits of %d at probability %v", r.Hits, r.Samples, r.P)
		}
		if math.Abs(r.Own.ISLL1-r.Exact.ISLL1) > .1*r.Exact.ISLL1 {
			t.Errorf("IS-L-L1 %v from the paper's target, %v from the exact one", r.Own.ISLL1, r.Exact.ISLL1)
		}
	}
}

func TestStudyRefuses(t *testing.T) {
	if _, err := NewGuidance("mars", run.PresetQuick); err == nil {
		t.Error("a study of mars")
	}
	s := tiny(t)
	s.Samples = 0
	if err := s.Run(context.Background(), t.TempDir(), nil, nil); err == nil {
		t.Error("no samples")
	}
}
