package train

import (
	"bytes"
	"context"
	"errors"
	"io"
	"math"
	"strings"
	"testing"

	"github.com/ddps-go/ddps/ddps"
	"github.com/ddps-go/ddps/ddps/chain"
	"github.com/ddps-go/ddps/ddps/d3pm"
	"github.com/ddps-go/ddps/ddps/internal/oracle"
	"github.com/ddps-go/ddps/ddps/model"
	"github.com/ddps-go/ddps/ddps/net"
	"github.com/ddps-go/ddps/ddps/net/nettest"
)

// zipf returns n random distinct paths of g with weights 1/rank.
func zipf(g *ddps.LayeredGraph, n int, seed uint64) ([]ddps.Path, []float64) {
	dist := oracle.NewDistribution(g)
	rng := ddps.Rand(seed, 0)
	var paths []ddps.Path
	var weights []float64
	for i, k := range rng.Perm(len(dist.Paths))[:n] {
		paths, weights = append(paths, dist.Paths[k]), append(weights, 1/float64(i+1))
	}
	return paths, weights
}

// newTrainer makes a trainer of a model on Zipf-weighted paths of Toy, validation and trained on alike.
func newTrainer(t testing.TB, cfg model.Config, tc Config) (*model.Model, *Trainer) {
	t.Helper()
	_, _, g := oracle.Load()
	paths, weights := zipf(g, 300, 1)
	c, err := chain.Fit(g, paths, weights, 0)
	if err != nil {
		t.Fatal(err)
	}
	m, err := model.New(c, cfg, 1)
	if err != nil {
		t.Fatal(err)
	}
	src, err := NewSource(m, paths, weights)
	if err != nil {
		t.Fatal(err)
	}
	tr, err := NewTrainer(m, src, src, tc)
	if err != nil {
		t.Fatal(err)
	}
	return m, tr
}

// small is a quick configuration.
func small() (model.Config, Config) {
	cfg, tc := model.DefaultConfig(), DefaultConfig()
	cfg.MLP.Hidden, cfg.MLP.Gamma = 16, 0.01
	tc.Steps, tc.Batch, tc.EvalSize, tc.EvalEvery, tc.Checkpoint, tc.Optim.Warmup = 12, 32, 64, 5, 5, 3
	return cfg, tc
}

// The residual MLP learns what a first-order chain cannot: on 300 Zipf-weighted paths of Toy its cross-entropy
// falls at least 0.15 nats below the chain's.
func TestMLPLearnsMemory(t *testing.T) {
	tc := DefaultConfig()
	tc.Steps, tc.EvalEvery, tc.EvalSize = 300, 100, 4096
	_, tr := newTrainer(t, model.DefaultConfig(), tc)
	var last EvalInfo
	err := tr.Run(context.Background(), Hooks{
		Step: func(s StepInfo) {
			if s.Step == 1 && math.Abs(s.Loss.CE-s.BaseCE) > 1e-3 {
				t.Errorf("the first loss is %v, the chain's %v: a fresh residual network is the chain", s.Loss.CE, s.BaseCE)
			}
		},
		Eval: func(e EvalInfo) { last = e; t.Logf("step %d: gain %.4f", e.Step, e.Gain()) },
	})
	if err != nil {
		t.Fatal(err)
	}
	if last.Gain() < 0.15 {
		t.Errorf("gain %.4f, want at least 0.15", last.Gain())
	}
}

// A run stopped and resumed from its checkpoint ends in the same bytes as one that was not.
func TestResume(t *testing.T) {
	cfg, tc := small()
	whole, tr := newTrainer(t, cfg, tc)
	if err := tr.Run(context.Background(), Hooks{}); err != nil {
		t.Fatal(err)
	}
	_, tr = newTrainer(t, cfg, tc)
	ctx, cancel := context.WithCancel(context.Background())
	var saved bytes.Buffer
	err := tr.Run(ctx, Hooks{
		Step: func(s StepInfo) {
			if s.Step == 7 {
				cancel()
			}
		},
		Checkpoint: func(step int, save func(io.Writer) error) error { saved.Reset(); return save(&saved) },
	})
	if !errors.Is(err, ErrStopped) || tr.Step() != 7 {
		t.Fatalf("%v after step %d", err, tr.Step())
	}
	mid, err := model.Load(bytes.NewReader(saved.Bytes())) // a checkpoint is a model too
	if err != nil || mid.Sampler().Graph.NumEdges() != whole.Graph.NumEdges() {
		t.Fatalf("a checkpoint does not load: %v", err)
	}
	resumed, tr := newTrainer(t, cfg, tc)
	if err := tr.Restore(&saved); err != nil {
		t.Fatal(err)
	}
	if err := tr.Run(context.Background(), Hooks{}); err != nil {
		t.Fatal(err)
	}
	var a, b bytes.Buffer
	if err := errors.Join(whole.Save(&a), resumed.Save(&b)); err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(a.Bytes(), b.Bytes()) {
		t.Error("a resumed run differs from an uninterrupted one")
	}
	back, err := model.Load(&a)
	if err != nil {
		t.Fatal(err)
	}
	for i, p := range drawn(t, back.Sampler(), 20, 1) {
		if q := drawn(t, whole.Sampler(), 20, 1)[i]; whole.Graph.Check(p) != nil || p[5] != q[5] || p[10] != q[10] {
			t.Fatal("a loaded model samples differently")
		}
	}
}

// Settings of a network that the model does not have are none of a checkpoint's.
func TestRestoreOwnNetwork(t *testing.T) {
	cfg, tc := small()
	_, tr := newTrainer(t, cfg, tc)
	var file bytes.Buffer
	if err := tr.Save(&file); err != nil {
		t.Fatal(err)
	}
	cfg.UNet.Gamma, cfg.UNet.Channels, cfg.UNet.Residual = 0.3, 5, true
	_, other := newTrainer(t, cfg, tc)
	if err := other.Restore(&file); err != nil {
		t.Error(err)
	}
}

func TestRestoreErrors(t *testing.T) {
	cfg, tc := small()
	_, tr := newTrainer(t, cfg, tc)
	var good bytes.Buffer
	if err := tr.Save(&good); err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct {
		change func(*model.Config, *Config)
		data   []byte
		want   string
	}{
		"other model":    {func(m *model.Config, _ *Config) { m.MLP.Hidden = 17 }, good.Bytes(), "another model"},
		"other settings": {func(_ *model.Config, t *Config) { t.Optim.LR = 1 }, good.Bytes(), "other settings"},
		"truncated":      {func(*model.Config, *Config) {}, good.Bytes()[:good.Len()-5], "damaged or cut off"},
		"empty":          {func(*model.Config, *Config) {}, nil, "too short"},
	} {
		cfg, tc := small()
		c.change(&cfg, &tc)
		_, tr := newTrainer(t, cfg, tc)
		if err := tr.Restore(bytes.NewReader(c.data)); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %q", name, err, c.want)
		}
	}
	c := chain.Uniform(ddps.Example())
	m, err := model.New(c, cfg, 1)
	if err != nil {
		t.Fatal(err)
	}
	src, err := NewSource(m, []ddps.Path{c.Sample(ddps.Rand(1, 1))}, nil)
	if err != nil {
		t.Fatal(err)
	}
	other, err := NewTrainer(m, src, nil, tc)
	if err != nil {
		t.Fatal(err)
	}
	if err := other.Restore(&good); err == nil || !strings.Contains(err.Error(), "another graph") {
		t.Errorf("checkpoint of another graph: %v", err)
	}
}

// A network whose gradient turns to NaN stops the run with the step and the parameter named.
type broken struct{ net.Network }

func (b broken) LossGrad(batch *net.Batch, grads [][]float32) (net.Loss, error) {
	loss, err := b.Network.LossGrad(batch, grads)
	if grads != nil {
		grads[1][0] = float32(math.NaN())
	}
	return loss, err
}

func TestNaNStops(t *testing.T) {
	cfg, tc := small()
	m, tr := newTrainer(t, cfg, tc)
	before := append([]float32(nil), m.Net.Params()[0].Data...)
	m.Net = broken{m.Net}
	err := tr.Run(context.Background(), Hooks{})
	if err == nil || !strings.Contains(err.Error(), "step 1") || !strings.Contains(err.Error(), m.Net.Params()[1].Name) {
		t.Errorf("%v", err)
	}
	for i, w := range m.Net.Params()[0].Data {
		if w != before[i] {
			t.Fatal("the weights changed")
		}
	}
	cfg.MLP.Hidden = 16
	m, _ = newTrainer(t, cfg, tc)
	for i := range m.Net.Params()[0].Data {
		m.Net.Params()[0].Data[i] = float32(math.NaN())
	}
	m.Net.Params()[4].Data[0] = 1
	if _, err := m.Sampler().Sample(context.Background(), 1, 1); err == nil {
		t.Error("sampling from NaN weights must fail")
	}
}

func TestTrainConfigErrors(t *testing.T) {
	cfg, good := small()
	m, _ := newTrainer(t, cfg, good)
	for name, change := range map[string]func(*Config){
		"steps": func(c *Config) { c.Steps = 0 }, "batch": func(c *Config) { c.Batch = -1 },
		"lr": func(c *Config) { c.Optim.LR = math.NaN() }, "ema": func(c *Config) { c.Optim.EMA = 1 },
		"clip": func(c *Config) { c.Optim.Clip = -1 }, "eval_size": func(c *Config) { c.EvalSize = 0 },
		"weight_decay": func(c *Config) { c.Optim.WeightDecay = math.Inf(1) },
	} {
		tc := good
		change(&tc)
		if _, err := NewTrainer(m, nil, nil, tc); err == nil || !strings.Contains(err.Error(), name) {
			t.Errorf("%s: %v", name, err)
		}
	}
	p := ddps.Path{0}
	for name, c := range map[string]struct {
		paths   []ddps.Path
		weights []float64
	}{"none": {}, "no path": {[]ddps.Path{p}, nil}} {
		if _, err := NewSource(m, c.paths, c.weights); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
}

// The batch's numbers are what METHOD's closed forms say, and do not depend on the number of threads.
func TestSourceBatch(t *testing.T) {
	cfg, tc := small()
	m, tr := newTrainer(t, cfg, tc)
	var a, b net.Batch
	tr.train.Fill(&a, 64, 3, 5)
	tr.train.Fill(&b, 64, 3, 5)
	for i := range a.Base {
		if a.Base[i] != b.Base[i] || a.Xt[i%len(a.Xt)] != b.Xt[i%len(b.Xt)] {
			t.Fatal("not reproducible")
		}
	}
	for j := range a.N {
		if tm := int(a.T[j]); tm < 1+j*4 || tm > (j+1)*4 {
			t.Errorf("example %d of 64: time %d is not stratified", j, tm)
		}
		v := 0
		for l := range a.L {
			r := j*a.L + l
			sum := 0.0
			for d := range a.D {
				sum += float64(a.Post[r*a.D+d])
				if (a.Mask[r*a.D+d] == 1) != (d < m.Graph.Degree(v)) {
					t.Fatalf("mask of row %d", r)
				}
			}
			if math.Abs(sum-1) > 1e-5 {
				t.Errorf("posterior of row %d sums to %v", r, sum)
			}
			if lo, _ := m.Graph.Edges(v); int(a.Edge[r*a.D]) != lo {
				t.Fatalf("row %d is not that of vertex %d", r, v)
			}
			v = m.Graph.From(v)[a.Target[r]]
		}
	}
}

// A correction of a row is the softmax of its logarithms, at any size of either.
func TestCorrectRow(t *testing.T) {
	inf := float32(math.Inf(-1))
	for _, c := range []struct {
		pi  []float64
		out []float32
	}{
		{[]float64{0.2, 0.3, 0.5}, []float32{1, -2, 0}}, {[]float64{0, 0.3, 0.7}, []float32{50, -2, 0}},
		{[]float64{1e-300, 0.5, 0.5}, []float32{1e4, -2, 0}}, {[]float64{5e-324, 1}, []float32{800, 0}},
		{[]float64{1e-200, 1}, []float32{460, 0}}, {[]float64{0.5, 0.5}, []float32{inf, 0}},
		{[]float64{0.5, 0.5}, []float32{inf, inf}}, {[]float64{0.9, 0.1}, []float32{-3e38, 3e38}},
	} {
		want := make([]float64, len(c.pi))
		for i, p := range c.pi {
			want[i] = math.Log(p) + float64(c.out[i])
		}
		chain.SoftmaxRow(want, want)
		heads := make([][]int, 1+len(want))
		for i := range want {
			heads[0] = append(heads[0], 1+i)
		}
		g, err := ddps.New([]int{1, len(want)}, heads)
		if err != nil {
			t.Fatal(err)
		}
		if err := net.Correct(g, c.pi, c.out, make([]float32, len(want))); err != nil {
			t.Fatal(err)
		}
		for d, x := range want {
			if !nettest.Near(c.pi[d], x, 2e-7) {
				t.Errorf("row: %v, want %v", c.pi, want)
			}
		}
	}
}

// Training that overfits ends with the weights that were best on validation paths, the chain's at worst.
func TestBestWeights(t *testing.T) {
	cfg, tc := small()
	tc.Steps, tc.EvalEvery, tc.Optim.LR, tc.Optim.EMA = 60, 10, 5e-2, 0.5
	tr := overfit(t, cfg, 300, tc)
	if err := tr.Run(context.Background(), Hooks{}); err != nil {
		t.Fatal(err)
	}
	last, err := tr.Evaluate()
	if err != nil {
		t.Fatal(err)
	}
	loss, err := tr.model.Net.LossGrad(&tr.eval, nil)
	if err != nil {
		t.Fatal(err)
	}
	if last.Gain() > -0.1 || loss.CE > last.BaseCE+1e-4 {
		t.Errorf("validation loss %.4f at the end of training, %.4f of the model, %.4f of the chain", last.CE, loss.CE,
			last.BaseCE)
	}
}

// drawn returns n paths that a sampler draws.
func drawn(t *testing.T, s *d3pm.Sampler, n int, seed uint64) []ddps.Path {
	t.Helper()
	paths, err := s.Sample(context.Background(), n, seed)
	if err != nil {
		t.Fatal(err)
	}
	return paths
}
