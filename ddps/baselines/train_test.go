package baselines

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
)

// quadratic is the task to bring w to 3 with noise in the gradient.
func quadratic(seed uint64) Task {
	w := make([]float32, 2)
	return Task{Kind: "quad", Config: map[string]int{"size": 2}, Data: "d", Params: []Param{{Name: "w", Shape: []int{2},
		Data: w}}, Epoch: 10,
		LossGrad: func(k int, grads [][]float32) (loss float64, err error) {
			rng := ddps.Rand(seed, uint64(k))
			for i := range w {
				d := float64(w[i]) - 3 + 0.1*rng.NormFloat64()
				loss += d * d / 2
				grads[0][i] = float32(d)
			}
			return loss, nil
		},
		Held: func() (float64, error) { return math.Abs(float64(w[0]) - 3), nil }}
}

func quadConfig() TrainConfig {
	return TrainConfig{Steps: 600, Batch: 1, LRDecay: 0.9, EvalEvery: 100, Checkpoint: 250,
		Optim: OptimConfig{LR: 0.1, Beta1: 0.9, Beta2: 0.999, Eps: 1e-8, EMA: 0.9}}
}

func newQuad(t *testing.T) (*Trainer, Task) {
	t.Helper()
	task := quadratic(1)
	tr, err := NewTrainer(task, quadConfig())
	if err != nil {
		t.Fatal(err)
	}
	return tr, task
}

func saved(t *testing.T, save func(io.Writer) error) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := save(&b); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// A run that is stopped, saved and gone on with ends in the same bytes as one that is not.
func TestResume(t *testing.T) {
	whole, task := newQuad(t)
	evals := 0
	if err := whole.Run(context.Background(), Hooks{Eval: func(EvalInfo) { evals++ }}); err != nil {
		t.Fatal(err)
	}
	if d := math.Abs(float64(task.Params[0].Data[0]) - 3); d > 0.05 || evals != 6 {
		t.Errorf("ended %v from the optimum after %d evaluations", d, evals)
	}
	want := saved(t, whole.Save)

	first, _ := newQuad(t)
	ctx, cancel := context.WithCancel(context.Background())
	var file []byte
	err := first.Run(ctx, Hooks{
		Step: func(s StepInfo) {
			if s.Step == 123 {
				cancel()
			}
		},
		Checkpoint: func(_ int, save func(io.Writer) error) error { file = saved(t, save); return nil }})
	if !errors.Is(err, ErrStopped) || first.Step() != 123 {
		t.Fatalf("stopped with %v after %d", err, first.Step())
	}
	second, task2 := newQuad(t)
	if err := second.Restore(bytes.NewReader(file)); err != nil {
		t.Fatal(err)
	}
	if err := second.Run(context.Background(), Hooks{}); err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(saved(t, second.Save), want) {
		t.Error("the resumed run ended otherwise")
	}
	f, err := Read(bytes.NewReader(want), "quad")
	if err != nil {
		t.Fatal(err)
	}
	other := quadratic(1)
	if err := f.Weights(other.Params); err != nil || !slices.Equal(other.Params[0].Data, task2.Params[0].Data) {
		t.Errorf("weights %v, error %v, want %v", other.Params[0].Data, err, task2.Params[0].Data)
	}
}

// A checkpoint of anything else, or a damaged one, is refused and changes nothing.
func TestRestoreRefuses(t *testing.T) {
	tr, _ := newQuad(t)
	good := saved(t, tr.Save)
	for name, change := range map[string]func(*Task, *TrainConfig){
		"of \"quad\"":      func(task *Task, _ *TrainConfig) { task.Kind = "other" },
		"another network":  func(task *Task, _ *TrainConfig) { task.Config = map[string]int{"size": 3} },
		"other data":       func(task *Task, _ *TrainConfig) { task.Data = "e" },
		"another settings": func(_ *Task, cfg *TrainConfig) { cfg.Seed = 9 },
	} {
		task, cfg := quadratic(1), quadConfig()
		change(&task, &cfg)
		other, err := NewTrainer(task, cfg)
		if err != nil {
			t.Fatal(err)
		}
		if err := other.Restore(bytes.NewReader(good)); err == nil || !strings.Contains(err.Error(), name) {
			t.Errorf("%s: error %v", name, err)
		}
	}
	bad := slices.Clone(good)
	bad[len(bad)-1] ^= 1
	if tr.Restore(bytes.NewReader(bad)) == nil || tr.Restore(bytes.NewReader(good[:len(good)/2])) == nil {
		t.Error("a damaged checkpoint was taken")
	}
}

func TestTrainerRefuses(t *testing.T) {
	for name, change := range map[string]func(*TrainConfig){
		"steps": func(c *TrainConfig) { c.Steps = 0 }, "batch": func(c *TrainConfig) { c.Batch = 0 },
		"lr_decay": func(c *TrainConfig) { c.LRDecay = 0 }, "eval_every": func(c *TrainConfig) { c.EvalEvery = -1 },
		"lr": func(c *TrainConfig) { c.Optim.LR = math.NaN() },
	} {
		cfg := quadConfig()
		change(&cfg)
		if _, err := NewTrainer(quadratic(1), cfg); err == nil || !strings.Contains(err.Error(), name) {
			t.Errorf("%s: error %v", name, err)
		}
	}
	task := quadratic(1)
	task.LossGrad = func(int, [][]float32) (float64, error) { return math.NaN(), nil }
	tr, err := NewTrainer(task, quadConfig())
	if err != nil {
		t.Fatal(err)
	}
	if err := tr.Run(context.Background(), Hooks{}); err == nil || !strings.Contains(err.Error(), "step 1") {
		t.Errorf("a loss of NaN: %v", err)
	}
}

// Every epoch has each example once, in an order of its own that the way it is asked for does not change.
func TestOrder(t *testing.T) {
	const n = 7
	o, back := NewOrder(n, 5), NewOrder(n, 5)
	var list []int
	for k := range 3 * n {
		list = append(list, o.At(k))
	}
	for k := 3*n - 1; k >= 0; k-- {
		if back.At(k) != list[k] {
			t.Fatalf("place %d: %d and %d", k, back.At(k), list[k])
		}
	}
	for e := range 3 {
		epoch := slices.Clone(list[e*n : (e+1)*n])
		slices.Sort(epoch)
		for i, x := range epoch {
			if i != x {
				t.Fatalf("epoch %d: %v", e, list[e*n:(e+1)*n])
			}
		}
	}
	if slices.Equal(list[:n], list[n:2*n]) {
		t.Error("two epochs have the same order")
	}
}

// The rate falls from epoch to epoch, after the warm-up.
func TestRate(t *testing.T) {
	c := quadConfig()
	c.Optim.Warmup = 4
	for k, want := range map[int]float64{0: 0.025, 3: 0.1, 9: 0.1, 10: 0.09, 25: 0.081} {
		if got := c.rate(k, 10); math.Abs(got-want) > 1e-12 {
			t.Errorf("step %d: %v, want %v", k, got, want)
		}
	}
}

// Over other numbers of steps the learning rate falls as far.
func TestWithSteps(t *testing.T) {
	c := quadConfig()
	const epoch = 10
	want := c.rate(c.Steps, epoch)
	for _, factor := range []int{2, 5} {
		longer := c.WithSteps(factor * c.Steps)
		if got := longer.rate(longer.Steps, epoch); math.Abs(got/want-1) > 1e-9 || longer.Steps != factor*c.Steps {
			t.Errorf("%d steps: the rate ends at %g, want %g", longer.Steps, got, want)
		}
	}
	if same := c.WithSteps(c.Steps); same != c {
		t.Errorf("as many steps: %+v, want %+v", same, c)
	}
}
