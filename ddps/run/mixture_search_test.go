package run

import (
	"context"
	"errors"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/ddps-go/ddps/datasets"
	"github.com/ddps-go/ddps/ddps"
	"github.com/ddps-go/ddps/ddps/chain"
	"github.com/ddps-go/ddps/ddps/internal/oracle"
	"github.com/ddps-go/ddps/ddps/mixture"
	"github.com/ddps-go/ddps/ddps/model"
	"github.com/ddps-go/ddps/ddps/train"
)

// fittedRun is a run of few walks of Heights, fitted in at most so many rounds, and what it warned of.
func fittedRun(t *testing.T, rounds int) (r *Run, m *model.Model, warned *string) {
	t.Helper()
	walks, err := datasets.Heights(400, 0)
	if err != nil {
		t.Fatal(err)
	}
	cfg := MapConfig()
	cfg.Model.Mixture.Rounds = rounds
	if r, err = Create(filepath.Join(t.TempDir(), "run"), cfg, walks); err != nil {
		t.Fatal(err)
	}
	warned = new(string)
	r.Warn = func(s string) { *warned += s }
	if m, err = r.Train(context.Background(), false, train.Hooks{}); err != nil {
		t.Fatal(err)
	}
	return r, m, warned
}

// The validation paths choose the mixture's ρ and τ, or the chain: what the log says of it holds, a cold fit where the
// search starts is no better, and a fit whose rounds ran out is warned of.
func TestMixtureSearch(t *testing.T) {
	for _, rounds := range []int{20, 200} {
		r, m, warned := fittedRun(t, rounds)
		log, err := r.Log()
		if err != nil || log.Mixture == nil {
			t.Fatal(log, err)
		}
		train, held := r.Split()
		nats, err := heldNats(m.Mixture, held)
		if err != nil || !log.Mixture.Chain && math.Abs(nats-log.Mixture.Nats) > 1e-9 ||
			log.Mixture.Chain != (m.Config.Kind() == "chain") {
			t.Errorf("%+v, %s at %v nats, %v", log.Mixture, m.Config.Kind(), nats, err)
		}
		if told := strings.Contains(*warned, "not settled"); told == (log.Mixture.Settled || log.Mixture.Chain) {
			t.Errorf("%+v, warned of %q", log.Mixture, *warned)
		}
		cfg := r.Config.Model.Mixture
		f, err := mixture.NewFitter(m.Chain, chain.Sample{Paths: train.Paths, Weights: Counts(train)},
			chain.Sample{Paths: held.Paths, Weights: Counts(held)}, cfg)
		if err != nil {
			t.Fatal(err)
		}
		cold, err := f.Fit(mixture.Trial{Ridge: searchRidge, Smooth: searchSmooth, Rounds: min(rounds, searchStartRounds)})
		if err != nil || cold.Validation < log.Mixture.Nats {
			t.Errorf("%+v, %v; chosen were %+v", cold, err, log.Mixture)
		}
	}
}

// What a file says of ρ or τ holds.
func TestMixtureGiven(t *testing.T) {
	file := filepath.Join(t.TempDir(), "c.toml")
	if err := os.WriteFile(file, []byte("[model.mixture]\nridge = 2.0\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	cfg, err := ReadConfig(file, MapConfig())
	if err != nil || cfg.TuneMixture || cfg.Model.Mixture.Ridge != 2 {
		t.Errorf("%+v, %v", cfg, err)
	}
	walks, err := datasets.Heights(100, 0)
	if err != nil {
		t.Fatal(err)
	}
	cfg.Model.Mixture.Rounds = 5
	r, err := Draft(filepath.Join(t.TempDir(), "run"), cfg, walks)
	if err != nil {
		t.Fatal(err)
	}
	m, err := r.NewModel()
	if err != nil || m.Config.Mixture != cfg.Model.Mixture {
		t.Errorf("%+v, %v; given were %+v", m.Config.Mixture, err, cfg.Model.Mixture)
	}
	if x, err := r.FitTime(context.Background()); err != nil || x.Rounds != 5 || x.Most != 5 || x.Round <= 0 {
		t.Errorf("%+v, %v", x, err)
	}
	ctx, stop := context.WithCancel(context.Background())
	stop()
	if _, err := r.FitTime(ctx); !errors.Is(err, context.Canceled) {
		t.Errorf("stopped: %v", err)
	}
}

// A fit that takes more memory than there is is refused before work, with a model that does not.
func TestFitMemory(t *testing.T) {
	walks, err := datasets.Heights(100, 0)
	if err != nil {
		t.Fatal(err)
	}
	r, err := Draft(filepath.Join(t.TempDir(), "run"), MapConfig(), walks)
	if err != nil {
		t.Fatal(err)
	}
	cfg := r.Config.Model.Mixture
	train, _ := r.Split()
	need := cfg.Memory(train.Graph, len(train.Paths)) + r.dataBytes()
	for machine, want := range map[int64]string{need: "", 0: "", need - 1: "classes = 4",
		need / 100: "--model chain"} {
		err := r.fitMemory(cfg, machine)
		if want == "" && err != nil || want != "" && (err == nil || !strings.Contains(err.Error(), want)) {
			t.Errorf("%d bytes where %d are needed: %v, expected %q", machine, need, err, want)
		}
	}
	few := cfg // first order where the second does not fit, with as many classes as fit
	few.Order = 1
	if err := r.fitMemory(cfg, few.Memory(train.Graph, len(train.Paths))+r.dataBytes()); err == nil ||
		!strings.Contains(err.Error(), "order = ") {
		t.Errorf("first order would fit: %v", err)
	}
}

// A stack goes on without a mixture that is too large for its graph; a mixture alone is refused.
func TestMixtureTooLarge(t *testing.T) {
	g, c := oracle.Wide(600_000), StackConfig()
	uniform, walks := chain.Uniform(g), &datasets.Data{Graph: g}
	for i := range uint64(40) {
		walks.Paths, walks.Counts = append(walks.Paths, uniform.Sample(ddps.Rand(3, i))), append(walks.Counts, 1)
	}
	c.Model.Stack.Parts, c.Hold = "first-order mixture", .2
	c.Model.Mixture.Order, c.Model.Mixture.Classes = 1, 1024
	r, err := Draft(filepath.Join(t.TempDir(), "run"), c, walks)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := r.Plan(); err != nil {
		t.Errorf("the plan of a stack: %v", err)
	}
	m, err := Fit(walks, c)
	if err != nil || len(m.Stack.Parts) != 1 || m.Stack.Parts[0].Name != model.PartFirst {
		t.Errorf("a stack: %v", err)
	}
	c.Model.Stack.Parts = ""
	if _, err := Fit(walks, c); !errors.Is(err, mixture.ErrTooLarge) {
		t.Errorf("a mixture: %v", err)
	}
}
