package run

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/ddps-go/ddps/datasets"
	"github.com/ddps-go/ddps/ddps/chain"
	"github.com/ddps-go/ddps/ddps/model"
	"github.com/ddps-go/ddps/ddps/run/runtest"
	"github.com/ddps-go/ddps/ddps/train"
)

// planOf returns the plan of a run that is not made.
func planOf(cfg Config, data *datasets.Data) (*Plan, error) {
	r, err := Draft("none", cfg, data)
	if err != nil {
		return nil, err
	}
	return r.Plan()
}

// The pseudo-count is the one chain.TuneKappa chooses; it stands in the log, the model and the plan. Where it is given,
// or there is no validation set, it is as given.
func TestTuneKappa(t *testing.T) {
	dir := t.TempDir()
	r := trained(t, filepath.Join(dir, "run"), quick(), 0)
	train, held := r.Split()
	kappa, nats, err := chain.TuneKappa(train.Graph, chain.Sample{Paths: train.Paths, Weights: Counts(train)},
		chain.Sample{Paths: held.Paths, Weights: Counts(held)}, chain.KappaGrid())
	if err != nil {
		t.Fatal(err)
	}
	want := KappaInfo{Kappa: kappa, Nats: slices.Min(nats)}
	log, err := r.Log()
	if err != nil || log.Kappa == nil || *log.Kappa != want {
		t.Errorf("log: %+v, %v, want %+v", log.Kappa, err, want)
	}
	m, err := r.Model()
	if err != nil || m.Config.Kappa != kappa {
		t.Errorf("model: %v, %v, want %v", m.Config.Kappa, err, kappa)
	}
	for name, c := range map[string]struct {
		change func(*Config)
		want   float64
	}{"tuned": {func(*Config) {}, kappa}, "given": {func(c *Config) { c.TuneKappa = false }, 0.7},
		"no validation set": {func(c *Config) { c.Hold = 0 }, 0.7}} {
		cfg := quick()
		cfg.Model.Kappa = 0.7
		c.change(&cfg)
		p, err := planOf(cfg, runtest.Example(t))
		if err != nil || p.Config.Model.Kappa != c.want || (p.Kappa != nil) != (name == "tuned") {
			t.Errorf("%s: %v, %v, want %v", name, p.Config.Model.Kappa, err, c.want)
		}
	}
	path := filepath.Join(dir, "c.toml") // a file that gives one means it
	for text, want := range map[string]bool{"": true, "[model]\nkappa = 2\n": false,
		"tune_kappa = true\n[model]\nkappa = 2\n": true, "tune_kappa = false": false} {
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		if cfg, err := ReadConfig(path, DefaultConfig()); err != nil || cfg.TuneKappa != want {
			t.Errorf("%q: %v, %v", text, cfg.TuneKappa, err)
		}
	}
}

// Bounds are logged with what a sample shows, and read back.
func TestBoundLog(t *testing.T) {
	cfg := quick()
	cfg.Train.BoundEvery, cfg.Train.BoundPaths = 8, 50
	r := mustCreate(t, filepath.Join(t.TempDir(), "run"), cfg)
	var told []train.BoundInfo
	if _, err := r.Train(context.Background(), false,
		train.Hooks{Bound: func(b train.BoundInfo) { told = append(told, b) }}); err != nil {
		t.Fatal(err)
	}
	log, err := r.Log()
	if err != nil || len(log.Bounds) != 3 || !reflect.DeepEqual(log.Bounds, told) || len(log.Evals) != 4 ||
		len(log.Steps) != 3 {
		t.Fatalf("%+v, %v, told %+v", log, err, told)
	}
	for _, b := range log.Bounds {
		s := b.Samples
		if s == nil || s.N != 50 || s.Valid != 1 || !(s.Unique > 0 && s.Unique <= 1) || !(s.ISLKL > -1 && s.ISLKL < 50) ||
			s.Floor >= s.ISLKL+1 {
			t.Errorf("step %d: sample %+v", b.Step, s)
		}
		if !(b.Bound > 0 && b.StdErr > 0) || math.Abs(b.Gain()) > 1 {
			t.Errorf("%+v", b)
		}
	}
	path := filepath.Join(r.Dir, logFile)
	if err := os.WriteFile(path, []byte("{\"step\":1,\"held_bound\":\"x\"}\n{}\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	_, err = r.Log()
	runtest.Has(t, "wrong type", err, logFile+":1")
}

// A finished run that is lengthened goes on to the steps of the longer one, stopped and resumed or not.
func TestLengthen(t *testing.T) {
	dir := t.TempDir()
	for _, stop := range []int{0, 25} {
		r := trained(t, filepath.Join(dir, fmt.Sprint(stop)), quick(), 0)
		runtest.Has(t, "no more", r.Lengthen(20), "20 are no more")
		if err := r.Lengthen(30); err != nil {
			t.Fatal(err)
		}
		for _, s := range []int{stop, 0} {
			r, warnings := reopen(t, r.Dir)
			if err := trainUntil(r, true, s); err != nil || len(*warnings) > 0 || r.Config.Train.Steps != 30 {
				t.Fatal(err, *warnings)
			}
		}
		log, err := r.Log()
		if err != nil || log.Steps[len(log.Steps)-1].Step != 30 || log.Evals[len(log.Evals)-1].Step != 30 {
			t.Errorf("%+v, %v", log, err)
		}
	}
	sameProducts(t, "stopped", filepath.Join(dir, "25"), filepath.Join(dir, "0"))
	r, _ := reopen(t, filepath.Join(dir, "0"))
	_, err := r.Train(context.Background(), true,
		train.Hooks{Step: func(train.StepInfo) { t.Error("a finished run goes on") }})
	if err != nil {
		t.Fatal(err)
	}
	if err := r.Lengthen(31); err != nil {
		t.Fatal(err)
	}
	_, err = r.Train(context.Background(), true, train.Hooks{Step: func(train.StepInfo) {
		runtest.Has(t, "while it trains",
			r.Lengthen(99), "another process")
	}})
	if err != nil {
		t.Fatal(err)
	}
}

// A run that patience ended is finished: it has a model and resumes to the same.
func TestPatienceEnds(t *testing.T) {
	dir := t.TempDir()
	cfg := quick()
	cfg.Train.Steps, cfg.Train.EvalEvery, cfg.Train.Patience, cfg.Train.Optim.LR = 1000, 3, 2, 0.5
	r := trained(t, filepath.Join(dir, "whole"), cfg, 0)
	log, err := r.Log()
	if err != nil || !log.Evals[len(log.Evals)-1].Stop || len(log.Bounds) != 1 {
		t.Fatalf("%+v, %v", log, err)
	}
	if err := trainUntil(r, true, 0); err != nil {
		t.Fatal(err)
	}
	part := trained(t, filepath.Join(dir, "part"), cfg, 5)
	if err := trainUntil(part, true, 0); err != nil {
		t.Fatal(err)
	}
	sameProducts(t, "patience", part.Dir, r.Dir)
}

// The plan tells what Train does, and takes nothing on the disk.
func TestPlan(t *testing.T) {
	p, err := planOf(quick(), runtest.Example(t))
	if err != nil {
		t.Fatal(err)
	}
	m, err := (&Run{Config: quick(), Data: runtest.Example(t)}).NewModel()
	if err != nil || p.Parameters != m.Parameters() || p.Parameters == 0 || p.Memory.Total() < int64(8*4*p.Parameters) ||
		p.Held == nil || len(p.Train.Paths)+len(p.Held.Paths) != len(runtest.Example(t).Paths) || p.Machine < 0 ||
		p.Config.Model.Mixture.Classes != 8 {
		t.Errorf("%+v, %v", p, err)
	}
	cfg := quick()
	cfg.Model.Network = model.NetworkNone
	if p, err := planOf(cfg, runtest.Example(t)); err != nil || p.Parameters != 0 || p.Memory.Distributions == 0 ||
		p.Memory.Total() != p.Memory.Distributions {
		t.Errorf("no network: %+v, %v", p, err)
	}
	if exists("none") {
		t.Error("a draft is written")
	}
	r := mustCreate(t, filepath.Join(t.TempDir(), "run"), quick())
	_, err = Draft(r.Dir, quick(), runtest.Example(t))
	runtest.Has(t, "a run", err, "holds a run already")
	cfg.Model.Mixture.Classes = 0
	_, err = planOf(cfg, runtest.Example(t))
	runtest.Has(t, "mixture", err, "classes")
	cfg = quick()
	cfg.Model.Network, cfg.Train.Steps = model.NetworkNone, 0
	_, err = planOf(cfg, runtest.Example(t))
	runtest.Has(t, "a setting that none needs", err, "steps")
	walks, err := datasets.Heights(100, 0)
	if err != nil {
		t.Fatal(err)
	}
	dists := map[int]int64{}
	for order := range 3 {
		cfg := MapConfig()
		if cfg.Model.Mixture.Order = order; order == 0 {
			continue
		}
		p, err := planOf(cfg, walks)
		if err != nil {
			t.Fatal(err)
		}
		dists[order] = p.Memory.Distributions
	}
	if dists[2] < dists[1]+400_000 { // of 3,502 more edges
		t.Errorf("memory of distributions %v", dists)
	}
}

// The paper's size is T = 256, more steps, all data; quick is the defaults.
func TestPresets(t *testing.T) {
	for _, network := range model.NetworkNames() {
		cfg := ConfigOf(network)
		cfg.Model.T = 64
		if quick := cfg.Sized(PresetQuick); quick != cfg {
			t.Errorf("%s: quick changes %+v", network, quick)
		}
		paper := cfg.Sized(PresetPaper)
		if paper.Model.T != 256 || paper.Train.Steps != 10*cfg.Train.Steps || paper.Train.BoundEvery != cfg.Train.Steps ||
			paper.Check() != nil {
			t.Errorf("%s: paper is %+v", network, paper)
		}
	}
	for name, want := range map[string]int{"example": 0, "toy": 0, "heights": QuickPaths} {
		d, err := MakeData(name, PresetQuick)
		if err != nil || want > 0 && len(d.Paths) != want || len(d.Paths) == 0 {
			t.Errorf("%s: %v", name, err)
		}
	}
	_, err := MakeData("town", PresetQuick)
	runtest.Has(t, "town", err, `"town"`, strings.Join(DataNames(), ", "))
}

// A model without a network is fitted, tells of its rounds, logs its bound, and can be had again; stopped, it leaves no
// model.
func TestFit(t *testing.T) {
	cfg := quick()
	cfg.Model.Network = model.NetworkNone
	r := mustCreate(t, filepath.Join(t.TempDir(), "run"), cfg)
	ctx, cancel := context.WithCancel(context.Background())
	last := 0
	_, err := r.Train(ctx, false, train.Hooks{Fit: func(round, rounds int) {
		if last = round; round == 2 {
			cancel()
		}
	}})
	if !errors.Is(err, train.ErrStopped) || last != 2 || exists(filepath.Join(r.Dir, modelFile)) {
		t.Errorf("stopped: %v after round %d", err, last)
	}
	a, err := r.Train(context.Background(), false, train.Hooks{Fit: func(round, rounds int) { last = rounds - round }})
	if err != nil || last != 0 {
		t.Fatal(err, last)
	}
	log, err := r.Log()
	if err != nil || len(log.Bounds) != 1 || log.Kappa == nil || log.Bounds[0].Samples == nil ||
		log.Bounds[0].Samples.Valid != 1 {
		t.Errorf("%+v, %v", log, err)
	}
	if se := log.Bounds[0].StdErr; !(se < 1) { // of the number of walks, not of their shares
		t.Errorf("the standard error of the gain is %v", se)
	}
	b, err := r.Train(context.Background(), true, train.Hooks{Fit: func(int, int) { t.Error("fitted a second time") }})
	if err != nil || !slices.Equal(a.Mixture.P, b.Mixture.P) {
		t.Errorf("read again: %v", err)
	}
	_, err = r.Train(context.Background(), false, train.Hooks{})
	runtest.Has(t, "not resumed", err, "resume it")
	file, logged := filepath.Join(r.Dir, modelFile), filepath.Join(r.Dir, logFile)
	model, want := mustRead(t, file), mustRead(t, logged)
	again := func(what string) {
		t.Helper()
		if _, err := r.Train(context.Background(), true, train.Hooks{}); err != nil {
			t.Fatalf("%s: %v", what, err)
		}
		if !bytes.Equal(mustRead(t, file), model) || !bytes.Equal(mustRead(t, logged), want) {
			t.Errorf("%s: another model or log", what)
		}
	}
	warned := ""
	r.Warn = func(s string) { warned += s }
	for what, damage := range map[string]func() error{
		"killed before its bound": func() error {
			return errors.Join(r.unseal(logFile), os.WriteFile(logged, want[:bytes.LastIndexByte(want[:len(want)-1], '\n')+1],
				0o666))
		},
		"a damaged model": func() error { return os.WriteFile(file, model[:100], 0o666) },
		"no model":        func() error { return os.Remove(file) },
	} {
		if err := damage(); err != nil {
			t.Fatal(err)
		}
		again(what)
	}
	if !strings.Contains(warned, "fitting again") {
		t.Errorf("warned of %q", warned)
	}
	r.Config.Model.T = 7
	_, err = r.Train(context.Background(), true, train.Hooks{})
	runtest.Has(t, "another T", err, "other settings or other paths")
}

func mustRead(t *testing.T, file string) []byte {
	t.Helper()
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	return data
}
