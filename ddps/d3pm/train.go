package d3pm

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"time"

	"github.com/ddps-go/ddps/ddps"
	"github.com/ddps-go/ddps/ddps/internal/engine"
)

// TrainConfig sets a training run. Two runs of the same configuration, model and data give the same bytes.
type TrainConfig struct {
	Steps      int    `toml:"steps"`       // at least 1
	Batch      int    `toml:"batch"`       // examples a step, at least 1
	Accumulate int    `toml:"accumulate"`  // parts that a step's batch is worked on in, to take the memory of one; 0 or 1: the whole
	Seed       uint64 `toml:"seed"`        // of all that training draws
	EvalEvery  int    `toml:"eval_every"`  // steps between evaluations of the loss on held-out paths; 0: only at the end
	EvalSize   int    `toml:"eval_size"`   // examples of one, the same ones every time, at least 1
	BoundEvery int    `toml:"bound_every"` // steps between evaluations of the bound on held-out paths; 0: only at the end
	BoundPaths int    `toml:"bound_paths"` // paths of one, drawn by weight, the same ones every time; 0: no bound

	// Patience ends the run after so many evaluations in a row without a new best: of the bound where BoundEvery is
	// above 0, else of the loss. 0: never.
	Patience   int         `toml:"patience"`
	Checkpoint int         `toml:"checkpoint"` // steps between checkpoints; 0: only at the end and when stopped
	Optim      OptimConfig `toml:"optim"`
}

// DefaultTrain returns settings for the MLP on Toy.
func DefaultTrain() TrainConfig {
	return TrainConfig{Steps: 2000, Batch: 256, Accumulate: 1, EvalEvery: 100, EvalSize: 2048, BoundPaths: 256, Checkpoint: 200, Optim: DefaultOptim()}
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
	case c.Accumulate < 0 || c.Accumulate > c.Batch:
		return fmt.Errorf("d3pm: train: accumulate is %d, must be in 0…%d, the batch", c.Accumulate, c.Batch)
	case c.EvalEvery < 0 || c.BoundEvery < 0 || c.Checkpoint < 0 || c.Patience < 0:
		return errors.New("d3pm: train: eval_every, bound_every, checkpoint and patience must be at least 0")
	case c.EvalSize < 1:
		return fmt.Errorf("d3pm: train: eval_size is %d, must be at least 1", c.EvalSize)
	case c.Batch > maxBatch || c.EvalSize > maxBatch || c.BoundPaths > maxBatch:
		return fmt.Errorf("d3pm: train: batch, eval_size and bound_paths are %d, %d and %d, must be at most %d", c.Batch, c.EvalSize, c.BoundPaths, maxBatch)
	case c.BoundPaths < 0 || c.BoundPaths == 0 && c.BoundEvery > 0:
		return fmt.Errorf("d3pm: train: bound_paths is %d, must be at least 1 with a bound every %d steps, else 0", c.BoundPaths, c.BoundEvery)
	}
	if err := c.Optim.Check(); err != nil {
		return fmt.Errorf("d3pm: train: %w", err)
	}
	return nil
}

// byBound tells whether the bound, not the loss, says which weights are best.
func (c TrainConfig) byBound() bool { return c.BoundEvery > 0 }

// StepInfo tells of one training step. Losses are nats a path.
type StepInfo struct {
	Step     int     `json:"step"`  // steps taken
	Steps    int     `json:"steps"` // of so many
	Loss     Loss    `json:"loss"`
	BaseCE   float64 `json:"base_ce"` // the base's cross-entropy on the same examples: without the network
	LR       float64 `json:"lr"`
	GradNorm float64 `json:"grad_norm"`
	Rate     float64 `json:"-"` // steps a second since Run began; kept out of files, which are the same for the same run
}

// Hooks are told what happens in training; any may be nil. An error of Checkpoint or Measure ends the run.
type Hooks struct {
	Fit        func(round, rounds int) // of the mixture of chains, before the first step
	Step       func(StepInfo)
	Eval       func(EvalInfo)
	Bound      func(BoundInfo)
	Measure    func(sample []ddps.Path) (SampleInfo, error) // of BoundPaths samples with each bound; nil: none is drawn
	Checkpoint func(step int, save func(io.Writer) error) error
}

// Trainer trains a model's network.
type Trainer struct {
	model       *Model
	train, held *Source
	cfg         TrainConfig
	opt         *engine.Optimizer
	step        int
	grads, part [][]float32 // of the step, of one part of its batch; the same arrays where it has one
	batch, eval Batch
	paths       []ddps.Path // of the bound
	best        [][]float32 // the averaged weights of the least held-out score so far; nil: none
	score       float64     // that score, a bound or a loss
	stale       int         // evaluations since
}

// NewTrainer makes a trainer of m on paths from train; held may be nil. The error names the setting out of
// range; a model without a network has nothing to train, and patience without held-out paths would have no end.
func NewTrainer(m *Model, train, held *Source, cfg TrainConfig) (*Trainer, error) {
	if err := cfg.check(); err != nil {
		return nil, err
	}
	if m.Net == nil {
		return nil, errors.New("d3pm: train: the model has no network")
	}
	if cfg.Patience > 0 && held == nil {
		return nil, fmt.Errorf("d3pm: train: patience is %d, but no paths are held out to evaluate on", cfg.Patience)
	}
	t := &Trainer{model: m, train: train, held: held, cfg: cfg, opt: engine.NewOptimizer(cfg.Optim, m.Net.Params())}
	for _, p := range m.Net.Params() {
		t.grads = append(t.grads, make([]float32, len(p.Data)))
	}
	t.part = t.grads
	if cfg.Accumulate > 1 {
		t.part = nil
		for _, g := range t.grads {
			t.part = append(t.part, make([]float32, len(g)))
		}
	}
	return t, nil
}

// Step returns the number of steps taken.
func (t *Trainer) Step() int { return t.step }

// ErrStopped is what Run returns, wrapped, when its context ended it: a checkpoint has been made.
var ErrStopped = engine.ErrStopped

// Run trains from the step where the trainer is to the last, or until Patience ends it, then sets the model's weights
// to their average: where there are held-out paths that of the evaluation with the least bound (BoundEvery above 0) or
// loss on them, else the last one. The start is an evaluation too, so that a residual network never ends worse than its
// chain on them.
// When ctx ends it makes a checkpoint after the step at hand, and its evaluation, and returns ErrStopped. A loss or
// gradient that is not finite is an error that names the step, and leaves the weights as they were before it; one that
// makes a weight not finite is an error too. No checkpoint is made then.
func (t *Trainer) Run(ctx context.Context, h Hooks) error {
	if t.step == 0 && t.held != nil {
		if err := t.begin(); err != nil {
			return err
		}
	}
	start, first := time.Now(), t.step
	for !t.finished() {
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
	for i, w := range t.model.weights() {
		copy(w, t.kept()[i])
	}
	return nil
}

// finished tells whether the run has come to its last step, or to the end of its patience.
func (t *Trainer) finished() bool { return t.step >= t.cfg.Steps || t.impatient() }

func (t *Trainer) impatient() bool { return t.cfg.Patience > 0 && t.stale >= t.cfg.Patience }

// kept returns the weights that the run would end with now.
func (t *Trainer) kept() [][]float32 {
	if t.best != nil {
		return t.best
	}
	return t.opt.Mean
}

// next takes one step.
func (t *Trainer) next() (StepInfo, error) {
	loss, baseCE, err := t.gradient()
	if err != nil {
		return StepInfo{}, err
	}
	if math.IsNaN(loss.Total) || math.IsInf(loss.Total, 0) {
		return StepInfo{}, fmt.Errorf("the loss is %v", loss.Total)
	}
	norm, err := t.opt.Update(t.model.Net.Params(), t.grads, t.step, t.opt.Rate(t.step, t.cfg.Steps))
	return StepInfo{Loss: loss, BaseCE: baseCE, LR: t.opt.Rate(t.step, t.cfg.Steps), GradNorm: norm}, err
}

// gradient sets grads to that of the mean loss of the step's batch, ∇ = Σ_k n_k/N ∇_k over its parts of n_k examples,
// which are made and worked on one after another. It returns that loss and the base's cross-entropy.
func (t *Trainer) gradient() (loss Loss, baseCE float64, err error) {
	n, parts := t.cfg.Batch, max(t.cfg.Accumulate, 1)
	for k := range parts {
		lo, hi := k*n/parts, (k+1)*n/parts
		t.train.fillPart(&t.batch, n, lo, hi, t.cfg.Seed, t.step)
		l, err := t.model.Net.LossGrad(&t.batch, t.part)
		if err != nil {
			return loss, 0, err
		}
		share := float64(hi-lo) / float64(n)
		loss.add(l, share)
		if baseCE += share * t.batch.baseCE(); parts > 1 {
			t.accumulate(float32(share), k == 0)
		}
	}
	return loss, baseCE, nil
}

// accumulate adds share times the part's gradient to grads, cleared before where it is the first.
func (t *Trainer) accumulate(share float32, first bool) {
	for i, g := range t.grads {
		if first {
			clear(g)
		}
		for j, x := range t.part[i] {
			g[j] += share * x
		}
	}
}

// after evaluates and makes a checkpoint where one is due.
func (t *Trainer) after(h Hooks) error {
	if t.held != nil {
		if err := t.evaluations(h); err != nil {
			return err
		}
	}
	if every := t.cfg.Checkpoint; t.finished() || every > 0 && t.step%every == 0 {
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
