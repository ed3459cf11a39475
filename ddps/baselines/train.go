package baselines

import (
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/ddps-go/ddps/ddps/internal/engine"
)

// Task is what a Trainer trains: a network on data.
type Task struct {
	Kind   string  // the method, lower case: "edpgnn"
	Config any     // the network's settings, which JSON must hold
	Data   string  // a fingerprint of the training data
	Params []Param // the live arrays
	Epoch  int     // steps an epoch, at least 1

	// LossGrad sets grads, of the sizes of Params, to the gradient of the mean loss of the batch of step k, from 0, and
	// returns the loss. The same step and weights give the same bits.
	LossGrad func(k int, grads [][]float32) (loss float64, err error)
	// Held returns the mean loss on the validation data, with the same noise every time; nil: there are none.
	Held func() (loss float64, err error)
}

// StepInfo describes one training step.
type StepInfo struct {
	Step     int     `json:"step"`  // steps taken
	Steps    int     `json:"steps"` // of so many
	Loss     float64 `json:"loss"`
	LR       float64 `json:"lr"`
	GradNorm float64 `json:"grad_norm"`
	Rate     float64 `json:"-"` // steps per second since Run began; kept out of files, which are the same for the same run
}

// EvalInfo describes an evaluation of the averaged weights on validation data.
type EvalInfo struct {
	Step int     `json:"step"`
	Loss float64 `json:"held_loss"`
}

// Hooks are called as training proceeds; any may be nil. An error of Checkpoint ends the run.
type Hooks struct {
	Step       func(StepInfo)
	Eval       func(EvalInfo)
	Checkpoint func(step int, save func(io.Writer) error) error
}

// ErrStopped is what Run returns, wrapped with the context's error, when its context ended it: a checkpoint has been
// made.
var ErrStopped = engine.ErrStopped

// Trainer trains a Task's network.
type Trainer struct {
	task  Task
	cfg   TrainConfig
	opt   *engine.Optimizer
	grads [][]float32
	step  int
}

// NewTrainer makes a trainer. The error names the setting out of range.
func NewTrainer(task Task, cfg TrainConfig) (*Trainer, error) {
	if err := cfg.Check(); err != nil {
		return nil, fmt.Errorf("%s: train: %w", task.Kind, err)
	}
	if task.Epoch < 1 || task.LossGrad == nil {
		return nil, errors.New("baselines: a task needs an epoch of at least one step, and a loss")
	}
	t := &Trainer{task: task, cfg: cfg, opt: engine.NewOptimizer(cfg.Optim, task.Params)}
	for _, p := range task.Params {
		t.grads = append(t.grads, make([]float32, len(p.Data)))
	}
	return t, nil
}

// Step returns the number of steps taken.
func (t *Trainer) Step() int { return t.step }

// Run trains from the step where the trainer is to the last, then sets the weights to their average. When ctx ends it
// makes a checkpoint after the step at hand and returns ErrStopped. A loss or gradient that is not finite is an error
// that names the step; no checkpoint is made then.
func (t *Trainer) Run(ctx context.Context, h Hooks) error {
	if err := t.loop(h).Run(ctx, &t.step); err != nil {
		return err
	}
	t.setWeights(t.opt.Mean)
	return nil
}

// loop returns the loop of the run.
func (t *Trainer) loop(h Hooks) *engine.Loop[StepInfo] {
	return &engine.Loop[StepInfo]{Name: t.task.Kind + ": train", Steps: t.cfg.Steps, Every: t.cfg.Checkpoint, Next: t.next,
		Report: func(step int, s StepInfo, rate float64) {
			if s.Step, s.Steps, s.Rate = step, t.cfg.Steps, rate; h.Step != nil {
				h.Step(s)
			}
		},
		Evaluate: func(due func(every int) bool) error {
			if t.task.Held == nil || !due(t.cfg.EvalEvery) {
				return nil
			}
			loss, err := t.held()
			if err != nil {
				return fmt.Errorf("%s: train: step %d: validation: %w", t.task.Kind, t.step, err)
			}
			if h.Eval != nil {
				h.Eval(EvalInfo{Step: t.step, Loss: loss})
			}
			return nil
		},
		Save: func(step int) error {
			if h.Checkpoint == nil {
				return nil
			}
			return h.Checkpoint(step, t.Save)
		}}
}

// next takes step k.
func (t *Trainer) next(k int) (StepInfo, error) {
	loss, err := t.task.LossGrad(k, t.grads)
	if err == nil {
		err = engine.CheckLoss(loss)
	}
	if err != nil {
		return StepInfo{}, err
	}
	rate := t.cfg.rate(k, t.task.Epoch)
	norm, err := t.opt.Update(t.task.Params, t.grads, k, rate)
	return StepInfo{Loss: loss, LR: rate, GradNorm: norm}, err
}

// held returns the loss of the averaged weights on the validation data.
func (t *Trainer) held() (float64, error) {
	var now [][]float32
	for _, p := range t.task.Params {
		now = append(now, append([]float32(nil), p.Data...))
	}
	t.setWeights(t.opt.Mean)
	defer t.setWeights(now)
	return t.task.Held()
}

func (t *Trainer) setWeights(w [][]float32) {
	for i, p := range t.task.Params {
		copy(p.Data, w[i])
	}
}
