package train

import (
	"bytes"
	"context"
	"errors"
	"io"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/ddps-go/ddps/ddps"
	"github.com/ddps-go/ddps/ddps/chain"
	"github.com/ddps-go/ddps/ddps/d3pm"
	"github.com/ddps-go/ddps/ddps/internal/oracle"
	"github.com/ddps-go/ddps/ddps/model"
)

// quick is a configuration that trains and scores in no time.
func quick() (model.Config, Config) {
	cfg, tc := small()
	cfg.MLP.Hidden, cfg.MLP.Gamma, cfg.T = 16, 0, 8 // fewer than the sampler's default steps
	tc.BoundPaths, tc.EvalSize, tc.Batch = 20, 40, 12
	return cfg, tc
}

// A batch in parts has the examples of the whole, and the gradient up to rounding, whatever the network.
func TestAccumulate(t *testing.T) {
	for _, network := range []string{model.NetworkMLP, model.NetworkUNet} {
		cfg, tc := small()
		cfg.Network, cfg.MLP.Hidden = network, 6
		cfg.UNet.Channels, cfg.UNet.Levels, cfg.UNet.Backend = 4, 1, "go"
		tc.Batch, tc.EvalSize = 10, 13
		_, whole := newTrainer(t, cfg, tc)
		loss, baseCE, err := whole.gradient()
		if err != nil {
			t.Fatal(err)
		}
		eval, err := whole.Evaluate()
		if err != nil {
			t.Fatal(err)
		}
		for _, parts := range []int{1, 3, 10} {
			tc.Accumulate = parts
			_, tr := newTrainer(t, cfg, tc)
			l, ce, err := tr.gradient()
			if err != nil {
				t.Fatal(err)
			}
			if math.Abs(l.Total-loss.Total) > 1e-4 || math.Abs(ce-baseCE) > 1e-9 || math.Abs(l.VB-loss.VB) > 1e-3 {
				t.Errorf("%s, %d parts: loss %+v, %v, want %+v, %v", network, parts, l, ce, loss, baseCE)
			}
			for i, g := range whole.grads {
				for j, x := range g {
					if math.Abs(float64(tr.grads[i][j]-x)) > 1e-5*(1+math.Abs(float64(x))) {
						t.Fatalf("%s, %d parts: gradient %d of %s is %v, want %v", network, parts, j, tr.model.Net.Params()[i].Name,
							tr.grads[i][j], x)
					}
				}
			}
			if n := tr.batch.N; n > (10+parts-1)/parts {
				t.Errorf("%d parts: one has %d examples", parts, n)
			}
			e, err := tr.Evaluate()
			if err != nil || math.Abs(e.CE-eval.CE) > 1e-4 || math.Abs(e.BaseCE-eval.BaseCE) > 1e-9 {
				t.Errorf("%s, %d parts: evaluation %+v, %v, want %+v", network, parts, e, err, eval)
			}
		}
	}
}

// The bound reported is Bound's over the paths drawn, the chain's number its −log p; an untrained residual network's
// bound is the chain's −log p but for the last term of Score. The weights are left as they were.
func TestBoundInfo(t *testing.T) {
	cfg, tc := quick()
	m, tr := newTrainer(t, cfg, tc)
	params := m.Net.Params()
	last := len(params) - 1 // the output's bias
	live := slices.Clone(params[last].Data)
	info, err := tr.bound(tr.opt.Mean)
	if err != nil || !slices.Equal(live, params[last].Data) {
		t.Fatal(err)
	}
	want, prior := 0.0, 0.0
	for _, p := range tr.paths {
		lp, err := m.Chain.LogProb(p)
		if err != nil {
			t.Fatal(err)
		}
		want -= lp / float64(len(tr.paths))
		prior += priorKL(m, p) / float64(len(tr.paths))
	}
	if len(tr.paths) != tc.BoundPaths || math.Abs(info.Chain-want) > 1e-9 || math.Abs(info.Gain()+prior) > 1e-4 ||
		info.StdErr > 0.1 {
		t.Errorf("%+v, want chain %v, gain %v", info, want, -prior)
	}
	for i := range tr.opt.Mean[last] { // other averaged weights, another bound
		tr.opt.Mean[last][i] = float32(i%3) - 1
	}
	other, err := tr.bound(tr.opt.Mean)
	if err != nil || other.Bound == info.Bound || other.Chain != info.Chain || !slices.Equal(live, params[last].Data) {
		t.Errorf("%+v, %v, the untrained %+v", other, err, info)
	}
}

// Where the bound is evaluated as training goes it says which weights are best, else the loss does and the bound comes
// once, at the end, of the weights kept.
func TestBoundRule(t *testing.T) {
	for _, every := range []int{0, 4} {
		cfg, tc := quick()
		tc.BoundEvery, tc.Steps, tc.Batch, tc.EvalSize, tc.Optim.LR, tc.Optim.EMA = every, 14, 64, 400, 0.02, 0.5
		m, tr := newTrainer(t, cfg, tc)
		var steps []int
		best, sampled := math.Inf(1), 0
		var last BoundInfo
		lossBest := false
		err := tr.Run(context.Background(), Hooks{
			Eval: func(e EvalInfo) { lossBest = lossBest || e.Best },
			Bound: func(b BoundInfo) {
				steps, last = append(steps, b.Step), b
				if b.Best {
					best = b.Bound
				}
				if b.Samples == nil || b.Samples.N != tc.BoundPaths {
					t.Errorf("sample %+v", b.Samples)
				}
			},
			Measure: func(paths []ddps.Path) (SampleInfo, error) {
				sampled++
				return SampleInfo{N: len(paths)}, m.Graph.Check(paths[0])
			},
		})
		if err != nil {
			t.Fatal(err)
		}
		want := []int{14}
		if every > 0 {
			want = []int{4, 8, 12, 14}
		} else {
			best = last.Bound
		}
		if !slices.Equal(steps, want) || sampled != len(want) || lossBest == (every > 0) {
			t.Errorf("every %d: bounds at %v, %d samples, loss is best %v", every, steps, sampled, lossBest)
		}
		end, err := tr.bound(m.Weights())
		if err != nil || math.Abs(end.Bound-best) > 1e-12 {
			t.Errorf("every %d: the model's bound is %v, %v, the best was %v", every, end.Bound, err, best)
		}
	}
	cfg, tc := quick()
	_, tr := newTrainer(t, cfg, tc)
	boom := errors.New("boom")
	if err := tr.Run(context.Background(), Hooks{Measure: func([]ddps.Path) (SampleInfo, error) {
		return SampleInfo{},
			boom
	}}); !errors.Is(err, boom) {
		t.Errorf("%v", err)
	}
}

// overfit makes a trainer whose validation score gets worse: it trains on three of n paths and is compared with the
// others.
func overfit(t testing.TB, cfg model.Config, n int, tc Config) *Trainer {
	t.Helper()
	_, _, g := oracle.Load()
	paths, weights := zipf(g, n, 1)
	c, err := chain.Fit(g, paths, weights, 1)
	if err != nil {
		t.Fatal(err)
	}
	m, err := model.New(c, cfg, 1)
	if err != nil {
		t.Fatal(err)
	}
	few, err := NewSource(m, paths[:3], nil)
	if err != nil {
		t.Fatal(err)
	}
	held, err := NewSource(m, paths[3:], nil)
	if err != nil {
		t.Fatal(err)
	}
	tr, err := NewTrainer(m, few, held, tc)
	if err != nil {
		t.Fatal(err)
	}
	return tr
}

// Patience ends a run that gets no better, with its bound and a checkpoint; resumed, it is at its end.
func TestPatience(t *testing.T) {
	for _, every := range []int{0, 3} {
		cfg, tc := quick()
		tc.Steps, tc.EvalEvery, tc.BoundEvery, tc.Patience, tc.Checkpoint = 400, 3, every, 2, 0
		tc.Optim.LR, tc.Optim.EMA, tc.Optim.Warmup = 0.1, 0.1, 0
		tr := overfit(t, cfg, 100, tc)
		var saved bytes.Buffer
		at, stops, bounds := 0, 0, 0
		err := tr.Run(context.Background(), Hooks{
			Eval: func(e EvalInfo) {
				if e.Stop {
					stops, at = stops+1, e.Step
				}
			},
			Bound: func(b BoundInfo) {
				if bounds++; b.Stop {
					stops, at = stops+1, b.Step
				}
			},
			Checkpoint: func(step int, save func(io.Writer) error) error { saved.Reset(); return save(&saved) },
		})
		if err != nil || stops != 1 || at != tr.Step() || at >= tc.Steps || bounds == 0 {
			t.Fatalf("every %d: %v after step %d, %d stops, the last at %d, %d bounds", every, err, tr.Step(), stops, at, bounds)
		}
		again := overfit(t, cfg, 100, tc)
		if err := again.Restore(bytes.NewReader(saved.Bytes())); err != nil {
			t.Fatal(err)
		}
		if err := again.Run(context.Background(),
			Hooks{Step: func(StepInfo) { t.Error("a run at its end continues") }}); err != nil {
			t.Fatal(err)
		}
		for i, w := range again.model.Weights() {
			if !slices.Equal(w, tr.model.Weights()[i]) {
				t.Error("the resumed run ends with other weights")
			}
		}
		tc.Steps = 401 // a longer one continues, with new patience
		longer := overfit(t, cfg, 100, tc)
		steps := 0
		if err := errors.Join(longer.Restore(bytes.NewReader(saved.Bytes())), longer.Run(context.Background(),
			Hooks{Step: func(StepInfo) { steps++ }})); err != nil || steps == 0 {
			t.Errorf("lengthened: %v, %d steps", err, steps)
		}
		tc.Steps = 399
		if err := overfit(t, cfg, 100, tc).Restore(&saved); err == nil || !strings.Contains(err.Error(), "other settings") {
			t.Errorf("shortened: %v", err)
		}
	}
	cfg, tc := quick()
	m, tr := newTrainer(t, cfg, tc)
	tc.Patience = 1
	if _, err := NewTrainer(m, tr.train, nil, tc); err == nil || !strings.Contains(err.Error(), "patience") {
		t.Errorf("patience with no validation set: %v", err)
	}
}

// A run stopped among bounds and patience ends in the same bytes as one that was not.
func TestResumeBounds(t *testing.T) {
	cfg, tc := quick()
	tc.Steps, tc.BoundEvery, tc.Patience, tc.Accumulate, tc.Optim.LR = 16, 2, 3, 2, 0.1
	whole := overfit(t, cfg, 100, tc)
	if err := whole.Run(context.Background(), Hooks{}); err != nil {
		t.Fatal(err)
	}
	var want bytes.Buffer
	if err := whole.Save(&want); err != nil {
		t.Fatal(err)
	}
	for stop := 1; stop < whole.Step(); stop++ {
		tr := overfit(t, cfg, 100, tc)
		ctx, cancel := context.WithCancel(context.Background())
		var saved, got bytes.Buffer
		err := tr.Run(ctx, Hooks{
			Step: func(s StepInfo) {
				if s.Step == stop {
					cancel()
				}
			},
			Checkpoint: func(_ int, save func(io.Writer) error) error { saved.Reset(); return save(&saved) },
		})
		if !errors.Is(err, ErrStopped) {
			t.Fatal(err)
		}
		tr = overfit(t, cfg, 100, tc)
		if err := errors.Join(tr.Restore(&saved), tr.Run(context.Background(), Hooks{}), tr.Save(&got)); err != nil {
			t.Fatal(err)
		}
		if tr.Step() != whole.Step() || !bytes.Equal(got.Bytes(), want.Bytes()) {
			t.Errorf("stopped at %d: another end, at step %d, want %d", stop, tr.Step(), whole.Step())
		}
	}
}

// The estimate counts what can be counted: it grows with the batch, shrinks with its parts, and names settings out of
// range.
func TestTrainMemory(t *testing.T) {
	for _, network := range model.NetworkNames() {
		cfg, tc := small()
		cfg.Network, tc.Batch, tc.EvalSize = network, 1000, 1000
		m, _, err := memoryOf(t, cfg, tc)
		if err != nil {
			t.Fatal(err)
		}
		tc.Batch = 4000
		large, _, err := memoryOf(t, cfg, tc)
		if err != nil {
			t.Fatal(err)
		}
		tc.Accumulate = 8
		parts, n, err := memoryOf(t, cfg, tc)
		if err != nil {
			t.Fatal(err)
		}
		if network == model.NetworkNone {
			if n != 0 || m.Distributions <= 0 || m.Total() != m.Distributions || large != m {
				t.Errorf("no network: %v, with a larger batch %v", m, large)
			}
			continue
		}
		if large.Total() <= m.Total() || parts.Total() >= large.Total() || m.Weights != int64(4*n) || n == 0 {
			t.Errorf("%s, %d weights: %v, with a larger batch %v, in parts %v", network, n, m, large, parts)
		}
	}
	cfg, tc := small()
	tc.BoundPaths, tc.BoundEvery = 0, 3
	if _, _, err := memoryOf(t, cfg, tc); err == nil || !strings.Contains(err.Error(), "bound_paths") {
		t.Errorf("%v", err)
	}
}

func memoryOf(t *testing.T, cfg model.Config, tc Config) (Memory, int, error) {
	t.Helper()
	_, _, g := oracle.Load()
	m, err := model.New(chain.Uniform(g), cfg, 1)
	if err != nil {
		t.Fatal(err)
	}
	mem, err := EstimateMemory(m, tc)
	return mem, m.Parameters(), err
}

// priorKL is KL(q(x_T | x_0) ‖ uniform) of a path's rows, choice by choice.
func priorKL(m *model.Model, p ddps.Path) (sum float64) {
	a := m.Schedule.Abar[m.Schedule.T()]
	for _, v := range p[:len(p)-1] {
		D := m.Graph.Degree(v)
		for j := range D {
			if q := d3pm.Likelihood(a, j == 0, D); q > 0 {
				sum += q * math.Log(q*float64(D))
			}
		}
	}
	return sum
}
