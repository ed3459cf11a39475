package d3pm

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"time"
)

// TrainConfig sets a training run. Two runs of the same configuration, model and data give the same bytes.
type TrainConfig struct {
	Steps      int         `toml:"steps"`      // at least 1
	Batch      int         `toml:"batch"`      // examples a step, at least 1
	Seed       uint64      `toml:"seed"`       // of all that training draws
	EvalEvery  int         `toml:"eval_every"` // steps between evaluations on held-out paths; 0: only at the end
	EvalSize   int         `toml:"eval_size"`  // examples an evaluation, the same ones every time, at least 1
	Checkpoint int         `toml:"checkpoint"` // steps between checkpoints; 0: only at the end and when stopped
	Optim      OptimConfig `toml:"optim"`
}

// DefaultTrain returns settings for the MLP on Toy.
func DefaultTrain() TrainConfig {
	return TrainConfig{Steps: 2000, Batch: 256, EvalEvery: 100, EvalSize: 2048, Checkpoint: 200, Optim: DefaultOptim()}
}

// maxBatch bounds the examples of a batch: a slip of the finger must not take all memory.
const maxBatch = 1 << 20

// check returns an error that names the setting out of range.
func (c TrainConfig) check() error {
	switch {
	case c.Steps < 1:
		return fmt.Errorf("d3pm: train: steps is %d, must be at least 1", c.Steps)
	case c.Batch < 1:
		return fmt.Errorf("d3pm: train: batch is %d, must be at least 1", c.Batch)
	case c.EvalEvery < 0 || c.Checkpoint < 0:
		return errors.New("d3pm: train: eval_every and checkpoint must be at least 0")
	case c.EvalSize < 1:
		return fmt.Errorf("d3pm: train: eval_size is %d, must be at least 1", c.EvalSize)
	case c.Batch > maxBatch || c.EvalSize > maxBatch:
		return fmt.Errorf("d3pm: train: batch and eval_size are %d and %d, must be at most %d", c.Batch, c.EvalSize, maxBatch)
	}
	return c.Optim.check()
}

// StepInfo tells of one training step. Losses are nats a path.
type StepInfo struct {
	Step     int     `json:"step"`  // steps taken
	Steps    int     `json:"steps"` // of so many
	Loss     Loss    `json:"loss"`
	ChainCE  float64 `json:"chain_ce"` // the chain's cross-entropy on the same examples
	LR       float64 `json:"lr"`
	GradNorm float64 `json:"grad_norm"`
	Rate     float64 `json:"-"` // steps a second since Run began; kept out of files, which are the same for the same run
}

// EvalInfo tells of an evaluation of the averaged weights on held-out paths: cross-entropy in nats a path,
// and the chain's on the same examples and noise.
type EvalInfo struct {
	Step    int     `json:"step"`
	CE      float64 `json:"held_ce"`
	ChainCE float64 `json:"held_chain_ce"`
	Best    bool    `json:"best"` // the least CE so far, that of the untrained network counted
}

// Gain returns by how much the network is better than the chain's exact denoiser.
func (e EvalInfo) Gain() float64 { return e.ChainCE - e.CE }

// Hooks are told what happens in training; any may be nil. An error of Checkpoint ends the run.
type Hooks struct {
	Step       func(StepInfo)
	Eval       func(EvalInfo)
	Checkpoint func(step int, save func(io.Writer) error) error
}

// Trainer trains a model's network.
type Trainer struct {
	model       *Model
	train, held *Source
	cfg         TrainConfig
	opt         *optimizer
	step        int
	grads       [][]float32
	batch, eval Batch
	best        [][]float32 // the averaged weights of the least held-out loss so far; nil: none
	bestCE      float64     // that loss
}

// NewTrainer makes a trainer of m on paths from train; held may be nil. The error names the setting out of
// range; a model without a network has nothing to train.
func NewTrainer(m *Model, train, held *Source, cfg TrainConfig) (*Trainer, error) {
	if err := cfg.check(); err != nil {
		return nil, err
	}
	if m.Net == nil {
		return nil, errors.New("d3pm: train: the model has no network, only a chain")
	}
	t := &Trainer{model: m, train: train, held: held, cfg: cfg, opt: newOptimizer(cfg.Optim, m.Net.Params())}
	for _, p := range m.Net.Params() {
		t.grads = append(t.grads, make([]float32, len(p.Data)))
	}
	return t, nil
}

// Step returns the number of steps taken.
func (t *Trainer) Step() int { return t.step }

// ErrStopped is what Run returns, wrapped, when its context ended it: a checkpoint has been made.
var ErrStopped = errors.New("stopped")

// evalSeed sets the stream of evaluations apart from that of training.
const evalSeed = 0x9e3779b97f4a7c15

// Run trains from the step where the trainer is to the last, then sets the model's weights to their average, that of
// the evaluation with the least held-out loss where there are held-out paths: the start is one, so that a residual
// network never ends worse than its chain on them.
// When ctx ends it makes a checkpoint and returns ErrStopped. A loss or gradient that is not finite is an error
// that names the step, and leaves the weights as they were before it; one that makes a weight not finite is an
// error too. No checkpoint is made then.
func (t *Trainer) Run(ctx context.Context, h Hooks) error {
	if t.step == 0 && t.held != nil {
		if _, err := t.evaluate(); err != nil {
			return err
		}
	}
	start, first := time.Now(), t.step
	for t.step < t.cfg.Steps {
		if ctx.Err() != nil {
			if err := t.checkpoint(h); err != nil {
				return err
			}
			return fmt.Errorf("d3pm: train: %w after step %d of %d", ErrStopped, t.step, t.cfg.Steps)
		}
		info, err := t.next()
		if err != nil {
			return fmt.Errorf("d3pm: train: step %d: %w", t.step+1, err)
		}
		t.step++
		info.Step, info.Steps = t.step, t.cfg.Steps
		info.Rate = float64(t.step-first) / time.Since(start).Seconds()
		if h.Step != nil {
			h.Step(info)
		}
		if err := t.after(h); err != nil {
			return err
		}
	}
	final := t.best
	if final == nil {
		final = t.opt.ema
	}
	for i, w := range t.model.weights() {
		copy(w, final[i])
	}
	return nil
}

// evaluate is Evaluate, and keeps the weights if they are the best so far.
func (t *Trainer) evaluate() (EvalInfo, error) {
	info, err := t.Evaluate()
	if err == nil && info.CE <= math.MaxFloat64 && (t.best == nil || info.CE < t.bestCE) {
		t.best, t.bestCE, info.Best = make([][]float32, len(t.opt.ema)), info.CE, true
		for i, w := range t.opt.ema {
			t.best[i] = append([]float32(nil), w...)
		}
	}
	return info, err
}

// next takes one step.
func (t *Trainer) next() (StepInfo, error) {
	t.train.Fill(&t.batch, t.cfg.Batch, t.cfg.Seed, t.step)
	loss, err := t.model.Net.LossGrad(&t.batch, t.grads)
	if err != nil {
		return StepInfo{}, err
	}
	if math.IsNaN(loss.Total) || math.IsInf(loss.Total, 0) {
		return StepInfo{}, fmt.Errorf("the loss is %v", loss.Total)
	}
	norm, err := t.opt.update(t.model.Net.Params(), t.grads, t.step, t.cfg.Steps)
	return StepInfo{Loss: loss, ChainCE: t.batch.chainCE(), LR: t.opt.rate(t.step, t.cfg.Steps), GradNorm: norm}, err
}

// after evaluates and makes a checkpoint where one is due.
func (t *Trainer) after(h Hooks) error {
	last := t.step == t.cfg.Steps
	if every := t.cfg.EvalEvery; t.held != nil && (last || every > 0 && t.step%every == 0) {
		info, err := t.evaluate()
		if err != nil {
			return err
		}
		if h.Eval != nil {
			h.Eval(info)
		}
	}
	if every := t.cfg.Checkpoint; last || every > 0 && t.step%every == 0 {
		return t.checkpoint(h)
	}
	return nil
}

func (t *Trainer) checkpoint(h Hooks) error {
	if h.Checkpoint == nil {
		return nil
	}
	return h.Checkpoint(t.step, t.Save)
}

// Evaluate returns the cross-entropy of the averaged weights on held-out paths.
func (t *Trainer) Evaluate() (EvalInfo, error) {
	if t.eval.N == 0 {
		t.held.Fill(&t.eval, t.cfg.EvalSize, t.cfg.Seed^evalSeed, 0)
	}
	live := make([][]float32, len(t.opt.ema))
	for i, w := range t.model.weights() {
		live[i] = append([]float32(nil), w...)
		copy(w, t.opt.ema[i])
	}
	loss, err := t.model.Net.LossGrad(&t.eval, nil)
	for i, w := range t.model.weights() {
		copy(w, live[i])
	}
	if err != nil {
		return EvalInfo{}, fmt.Errorf("d3pm: evaluate: step %d: %w", t.step, err)
	}
	return EvalInfo{Step: t.step, CE: loss.CE, ChainCE: t.eval.chainCE()}, nil
}
