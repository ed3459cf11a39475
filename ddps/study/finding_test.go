package study

import (
	"context"
	"errors"
	"math"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/ddps-go/ddps/ddps/model"
	"github.com/ddps-go/ddps/ddps/query"
	"github.com/ddps-go/ddps/ddps/run"
)

// A cell that fails once is tried again and found; one that fails twice is named with its cause, and no other is lost.
func TestStudyRetries(t *testing.T) {
	l, err := OpenTable[GuidanceRow](filepath.Join(t.TempDir(), "cells.csv"))
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	s := tiny(t)
	s.Guides = s.Guides[:1]
	at, err := s.prepare(context.Background(), t.TempDir(), run.NoProgress{})
	if err != nil {
		t.Fatal(err)
	}
	once, broken := false, errors.New("the disk is on fire")
	at.do = func(ctx context.Context, c *GuidanceRow) error {
		switch {
		case c.RMax == 2 && c.Distribution == ReferenceMax && !once:
			once = true
			return errors.New("not now")
		case c.RMax == 4 && c.Lambda == 30:
			return broken
		}
		return at.measure(ctx, c)
	}
	err = at.run(context.Background(), l, run.NoProgress{})
	if !errors.Is(err, broken) || !strings.Contains(err.Error(), "1 grid points failed twice") ||
		!strings.Contains(err.Error(), "R_max 4, instance 0, algorithm2, λ = 30") {
		t.Errorf("error %v", err)
	}
	if want := 2*(3+2) - 1; len(l.Rows) != want {
		t.Errorf("%d rows, want %d", len(l.Rows), want)
	}
	at.do = at.measure
	if err := at.run(context.Background(), l, run.NoProgress{}); err != nil || len(l.Rows) != 2*(3+2) {
		t.Errorf("%d rows when it went well, %v", len(l.Rows), err)
	}
}

// Each graph has its networks; those that are not its own are smaller, and the paper's sizes are the paper's.
func TestStudyNetworks(t *testing.T) {
	for _, g := range Graphs() {
		for _, preset := range run.Presets() {
			s, err := NewGuidance(g, preset)
			if err != nil {
				t.Fatal(err)
			}
			names, second := Networks(g), model.NetworkMLP
			if g == "toy" {
				second = model.NetworkUNet
			}
			if s.Network != names[0] || slices.Contains(names, second) != (g == "toy") || s.Check() != nil {
				t.Errorf("%+v, networks %q", s, names)
			}
			other := s.With(second)
			if other.Network != second || len(other.Guides) != 1 || other.Guides[0].Guide != query.Algorithm2 ||
				len(other.points()) > len(s.points()) || other.Check() != nil {
				t.Errorf("%+v", other)
			}
			want := map[string]int{"toy": 65_536, "heights": 4096, "ridge": 2048}[g]
			if preset == run.PresetPaper && (s.Samples != want || s.Instances != paperInstances(g) || s.Steps != 256) {
				t.Errorf("%s at the paper's size: %+v", g, s)
			}
		}
	}
}

// A network on a map is compared with the true distribution: its exact draws are near it, and its probability is that
// of their share.
func TestStudyMapNetwork(t *testing.T) {
	s, err := NewGuidance("heights", run.PresetQuick)
	if err != nil {
		t.Fatal(err)
	}
	s = s.With(model.NetworkMLP)
	s.Samples, s.Steps, s.Maxima, s.Lambdas, s.Train = 400, 4, []int{1}, []float64{0}, 2
	rows := runStudy(t, s, t.TempDir())
	if len(rows) != 4 {
		t.Fatalf("%d rows", len(rows))
	}
	for _, r := range rows {
		if r.Model != "mlp network" || r.Valid != 1 || r.Trained != "2 steps of 256 paths" || r.Preset != run.PresetQuick ||
			!(r.P > 0 && r.P < .1) || !math.IsNaN(r.Exact.KL) {
			t.Errorf("%+v", r)
		}
		if r.Distribution == ReferenceExact && (r.AtMax != 1 || r.Exact.ISLL1 > 1.5) || r.Distribution == ReferenceMax &&
			r.AtMax != 1 {
			t.Errorf("%s: %+v", r.Distribution, r)
		}
	}
}

// The rewards of Toy: all of them, once, with the odds that its paths, all alike, have.
func TestListRewards(t *testing.T) {
	l, err := OpenTable[RewardRow](filepath.Join(t.TempDir(), "rewards.csv"))
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	s := tiny(t)
	for range 2 {
		if err := s.ListRewards(context.Background(), t.TempDir(), l, nil); err != nil {
			t.Fatal(err)
		}
	}
	if len(l.Rows) != 2*20 {
		t.Fatalf("%d rows", len(l.Rows))
	}
	for i, r := range l.Rows {
		if r.Instance != i%20 || r.Rare != (i%4 == 3) || math.Abs(r.Share-r.P) > 1e-9 ||
			r.Least < 0 || r.Optimal == "" || math.Abs(r.Paths-r.Share*1063) > 1e-6 ||
			r.Paths < 1 || r.Edges < r.RMax || r.Rare && r.Edges != r.RMax {
			t.Errorf("%+v", r)
		}
	}
}

func TestRewardFindings(t *testing.T) {
	if RewardFindings(nil) != nil {
		t.Error("a finding of nothing")
	}
	rows := []RewardRow{{Graph: "toy", Share: .57, Paths: 607}, {Graph: "ridge", Share: 5e-8, Paths: 1}}
	if f := RewardFindings(rows); f[0].Verdict != Reproduced || !strings.Contains(f[0].Found, "on ridge: 1 of its paths") {
		t.Errorf("%+v", f)
	}
	if f := RewardFindings(rows[:1]); f[0].Verdict != InPart || f[0].Why == "" {
		t.Errorf("%+v", f)
	}
}
