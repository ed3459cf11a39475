package swingnn

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
	"github.com/ddps-go/ddps/ddps/baselines"
)

// tiny is a network for the example graph, its data and a training run of a few steps.
func tiny(t *testing.T, seed uint64) (*Model, dataset, baselines.TrainConfig) {
	t.Helper()
	g := ddps.Example()
	cfg := configs()["whole"]
	cfg.SelfCond, cfg.Backend = true, "go"
	n, err := New(g.NumVertices(), cfg, seed)
	if err != nil {
		t.Fatal(err)
	}
	paths := slices.Collect(g.Paths())
	tc := DefaultTrain()
	tc.Steps, tc.Batch, tc.EvalEvery, tc.Checkpoint, tc.Optim.LR = 8, 4, 0, 3, 1e-2
	return n, dataset{g, paths[1:], paths[:1]}, tc
}

type dataset struct {
	Graph       *ddps.LayeredGraph
	Train, Held []ddps.Path
}

func trainer(t *testing.T, n *Model, d dataset, cfg baselines.TrainConfig) *baselines.Trainer {
	t.Helper()
	tr, err := n.Trainer(d.Graph, d.Train, d.Held, cfg)
	if err != nil {
		t.Fatal(err)
	}
	return tr
}

func saved(t *testing.T, n *Model) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := n.Save(&b); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// Stopped and resumed, in a new network, a run ends in the bytes of one that was not; another seed in others.
func TestResume(t *testing.T) {
	whole, data, cfg := tiny(t, 1)
	var evals int
	if err := trainer(t, whole, data, cfg).Run(context.Background(),
		baselines.Hooks{Eval: func(baselines.EvalInfo) { evals++ }}); err != nil {
		t.Fatal(err)
	}
	first, _, _ := tiny(t, 1)
	ctx, cancel := context.WithCancel(context.Background())
	var checkpoint bytes.Buffer
	err := trainer(t, first, data, cfg).Run(ctx, baselines.Hooks{
		Step: func(s baselines.StepInfo) {
			if s.Step == 5 {
				cancel()
			}
		},
		Checkpoint: func(step int, save func(io.Writer) error) error {
			checkpoint.Reset()
			return save(&checkpoint)
		}})
	if !errors.Is(err, baselines.ErrStopped) {
		t.Fatalf("error %v", err)
	}
	second, _, _ := tiny(t, 99)
	tr := trainer(t, second, data, cfg)
	if err := tr.Restore(bytes.NewReader(checkpoint.Bytes())); err != nil || tr.Step() != 5 {
		t.Fatalf("step %d, error %v", tr.Step(), err)
	}
	if err := tr.Run(context.Background(), baselines.Hooks{}); err != nil {
		t.Fatal(err)
	}
	if evals != 1 || !bytes.Equal(saved(t, whole), saved(t, second)) {
		t.Errorf("%d evaluations, or other weights after a stop", evals)
	}
	cfg.Seed = 1
	other, _, _ := tiny(t, 1)
	if err := trainer(t, other, data, cfg).Run(context.Background(), baselines.Hooks{}); err != nil {
		t.Fatal(err)
	}
	if bytes.Equal(saved(t, whole), saved(t, other)) {
		t.Error("the seed changes nothing")
	}
}

// Training lowers the loss, on the same examples.
func TestTrains(t *testing.T) {
	n, data, cfg := tiny(t, 1)
	cfg.Steps, cfg.Batch, cfg.Optim.EMA = 60, 16, 0
	task, err := n.task(data.Graph, data.Train, data.Held, cfg)
	if err != nil {
		t.Fatal(err)
	}
	before, err := task.Held()
	if err != nil {
		t.Fatal(err)
	}
	if err := trainer(t, n, data, cfg).Run(context.Background(), baselines.Hooks{}); err != nil {
		t.Fatal(err)
	}
	if after, err := task.Held(); err != nil || !(after < 0.8*before) {
		t.Errorf("loss %.3f, %.3f before, error %v", after, before, err)
	}
}

func TestSaveLoad(t *testing.T) {
	n := make1(t, 7, configs()["moved"], "go")
	file := saved(t, n)
	back, err := Load(bytes.NewReader(file))
	if err != nil {
		t.Fatal(err)
	}
	back.SetBackend("go")
	x := make([]float64, n.Dim())
	want, got := make([]float64, n.Dim()), make([]float64, n.Dim())
	if err := errors.Join(n.Denoise(want, x, nil, 1), back.Denoise(got, x, nil, 1)); err != nil ||
		!slices.Equal(got, want) {
		t.Errorf("another network came back, error %v", err)
	}
	if !bytes.Equal(saved(t, back), file) {
		t.Error("other bytes the second time")
	}
	other, err := New(7, configs()["moved"], 9)
	if err != nil {
		t.Fatal(err)
	}
	if err := other.ReadWeights(bytes.NewReader(file)); err != nil || !bytes.Equal(saved(t, other), file) {
		t.Errorf("other weights, error %v", err)
	}
	small, _, _ := tiny(t, 1)
	if err := small.ReadWeights(bytes.NewReader(file)); err == nil {
		t.Error("weights of another network: no error")
	}
	file[len(file)-1] ^= 1
	if _, err := Load(bytes.NewReader(file)); err == nil {
		t.Error("a damaged file: no error")
	}
}

// Examples are paths as coordinates of −1 and 1, with noise of the published distribution; a permuted one is a path's
// matrix with other names.
func TestExamples(t *testing.T) {
	n, data, _ := tiny(t, 1)
	n.cfg.SelfCond = false
	for _, permute := range []bool{false, true} {
		s, err := n.source(data.Graph, data.Train, 3, 0)
		if err != nil {
			t.Fatal(err)
		}
		n.cfg.Permute = permute
		var b batch
		const N = 2000
		if err := s.fill(&b, 0, N, func(k int) int { return k % len(data.Train) }); err != nil {
			t.Fatal(err)
		}
		var logs, squares, noise float64
		same := 0
		for k := range N {
			p, edges := data.Train[k%len(data.Train)], Edges(n.V, b.Clean[k*n.Dim():(k+1)*n.Dim()])[0]
			if q, o := baselines.Check(data.Graph, edges); o == baselines.Valid && slices.Equal(p, q) {
				same++
			}
			degree := map[int]int{}
			for _, e := range edges {
				degree[e.U]++
				degree[e.V]++
			}
			if len(edges) != len(p)-1 || len(degree) != len(p) {
				t.Fatalf("example %d: edges %v of path %v", k, edges, p)
			}
			l := math.Log(b.Sigma[k])
			logs, squares = logs+l/N, squares+l*l/N
			for c := range n.Dim() {
				z := (b.Noisy[k*n.Dim()+c] - b.Clean[k*n.Dim()+c]) / b.Sigma[k]
				noise += z * z / float64(N*n.Dim())
			}
		}
		if std := math.Sqrt(squares - logs*logs); math.Abs(logs+1.2) > 0.1 || math.Abs(std-1.2) > 0.08 ||
			math.Abs(noise-1) > 0.02 {
			t.Errorf("ln σ has mean %.3f and deviation %.3f, the noise variance %.3f", logs, std, noise)
		}
		if !permute && same != N || permute && same > N/10 {
			t.Errorf("permute is %v: %d of %d are the path itself", permute, same, N)
		}
	}
}

// The reward of a path's matrix is the path's, and its gradient the slope between matrices.
func TestReward(t *testing.T) {
	n, data, _ := tiny(t, 1)
	g := data.Graph
	u := make([]float64, g.NumEdges())
	for e := range u {
		u[e] = float64(e%3) - 0.5
	}
	r, err := NewReward(g, u)
	if err != nil {
		t.Fatal(err)
	}
	grad := make([]float64, n.Dim())
	if err := GuideNoisy(func(d, x, self []float64, sigma float64) error { return nil }, r)(nil, grad, nil, nil,
		1); err != nil {
		t.Fatal(err)
	}
	for _, p := range data.Train {
		total := 0.0 // R of the path's matrix, from that of no edge, 0, along the gradient
		for l := 1; l < len(p); l++ {
			total += 2 * grad[entry(n.V, p[l-1], p[l])]
		}
		if want := g.Total(u, p); math.Abs(total-want) > 1e-12 {
			t.Errorf("path %v: reward %g, want %g", p, total, want)
		}
	}
	for name, err := range map[string]error{
		"numbers": func() error { _, err := NewReward(g, u[1:]); return err }(),
	} {
		if err == nil || !strings.Contains(err.Error(), name) {
			t.Errorf("%s: error %v", name, err)
		}
	}
}

// Guidance through D is that by ½Σ u·D, and at λ = 0 the unguided sampler's.
func TestGuideDenoised(t *testing.T) {
	n, data, _ := tiny(t, 1)
	u := make([]float64, data.Graph.NumEdges())
	u[2], u[5] = 1, -3
	r, err := NewReward(data.Graph, u)
	if err != nil {
		t.Fatal(err)
	}
	D := n.Dim()
	half, x := make([]float64, D), gauss(ddps.Rand(1, 1), 2*D, 1)
	for e, z := range u {
		half[entry(n.V, data.Graph.Tail(e), data.Graph.Head(e))] = z / 2
	}
	d, g, d2, g2 := make([]float64, 2*D), make([]float64, 2*D), make([]float64, 2*D), make([]float64, 2*D)
	if err := errors.Join(n.GuideDenoised(r)(d, g, x, nil, 0.7), n.DenoiseGrad(d2, g2, x, nil, half, 0.7)); err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(d, d2) || !slices.Equal(g, g2) || slices.Max(g) == 0 {
		t.Error("another gradient than that of ½Σ u·D")
	}
	cfg := DefaultSample()
	cfg.Steps = 3
	s := n.Sampler(cfg)
	plain, err := s.Sample(context.Background(), 0, 2, 1)
	if err != nil {
		t.Fatal(err)
	}
	s.Guide = n.GuideDenoised(r)
	if x, err := s.Sample(context.Background(), 0, 2, 1); err != nil || !near(plain, x) {
		t.Errorf("λ = 0 is not the unguided sampler, error %v", err)
	}
	s.Lambda = 20
	if x, err := s.Sample(context.Background(), 0, 2, 1); err != nil || near(plain, x) {
		t.Errorf("λ = 20 changes nothing, error %v", err)
	}
}

func near(a, b []float64) bool {
	for i := range a {
		if math.Abs(a[i]-b[i]) > 1e-3*(1+math.Abs(b[i])) {
			return false
		}
	}
	return true
}

func TestTaskErrors(t *testing.T) {
	n, data, cfg := tiny(t, 1)
	for name, set := range map[string]func(d *dataset){
		"no paths": func(d *dataset) { d.Train = nil }, "path 1": func(d *dataset) { d.Train = []ddps.Path{{0}} },
		"vertices": func(d *dataset) { d.Graph, _ = ddps.New([]int{1, 1}, [][]int{{1}, nil}) },
	} {
		d := data
		set(&d)
		if _, err := n.Trainer(d.Graph, d.Train, d.Held, cfg); err == nil || !strings.Contains(err.Error(), name) {
			t.Errorf("%s: error %v", name, err)
		}
	}
}
