package train

import (
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/ddps-go/ddps/ddps"
	"github.com/ddps-go/ddps/ddps/internal/engine"
	"github.com/ddps-go/ddps/ddps/model"
	"github.com/ddps-go/ddps/ddps/net"
)

// StepInfo describes one training step. Losses are nats per path.
type StepInfo struct {
	Step     int      `json:"step"`  // steps taken
	Steps    int      `json:"steps"` // of so many
	Loss     net.Loss `json:"loss"`
	BaseCE   float64  `json:"base_ce"` // the base's cross-entropy on the same examples: without the network
	LR       float64  `json:"lr"`
	GradNorm float64  `json:"grad_norm"`
	// steps per second since Run began; kept out of files, which are the same for the same run
	Rate float64 `json:"-"`
}

// Hooks are called as training proceeds; any may be nil. An error of Checkpoint or Measure ends the run.
type Hooks struct {
	Fit        func(round, rounds int) // of the mixture of chains, before the first step
	Part       func(PartInfo)          // of each part of a stack, once it is fitted
	Parting    func(PartProgress)      // of a part that is being fitted
	Step       func(StepInfo)
	Eval       func(EvalInfo)
	Bound      func(BoundInfo)
	Measure    func(sample []ddps.Path) (SampleInfo, error) // of BoundPaths samples with each bound; nil: none is drawn
	Checkpoint func(step int, save func(io.Writer) error) error
}

// PartInfo is a part of a stack that has been fitted to the training paths, or was left out.
type PartInfo struct {
	Step     int     `json:"step"` // 0
	Part     string  `json:"part"`
	NLL      float64 `json:"validation_nll"` // nats per path; 0 where it was left out
	Seconds  float64 `json:"seconds"`
	Settings string  `json:"settings,omitempty"` // what was chosen, and what else was tried
	Note     string  `json:"note,omitempty"`     // why it was left out
}

// PartProgress says how far the fit of a part is.
type PartProgress struct {
	Part        string
	Done, Total int
	Detail      string // such as the rate and the time left
}

// Trainer trains a model's network.
type Trainer struct {
	model       *model.Model
	train, held *Source
	cfg         Config
	opt         *engine.Optimizer
	device      *engine.Resident // where the weights are in Run; nil: on the host
	ahead       ahead            // batches for the device
	step        int
	grads, part [][]float32 // of the step, of one part of its batch; the same arrays where it has one
	batch, eval net.Batch
	paths       []ddps.Path // of the bound
	best        [][]float32 // the averaged weights of the least validation score so far; nil: none
	score       float64     // that score, a bound or a loss
	stale       int         // evaluations since
}

// NewTrainer makes a trainer of m on paths from train; held may be nil. The error names the setting out of
// range; a model without a network has nothing to train, and patience without validation paths would have no end.
func NewTrainer(m *model.Model, train, held *Source, cfg Config) (*Trainer, error) {
	if err := cfg.check(); err != nil {
		return nil, err
	}
	if m.Net == nil {
		return nil, errors.New("train: the model has no network")
	}
	if cfg.Patience > 0 && held == nil {
		return nil, fmt.Errorf("train: patience is %d, but no paths are kept for validation to evaluate on", cfg.Patience)
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

// ErrStopped is what Run returns, wrapped with the context's error, when its context ended it: a checkpoint has been
// made.
var ErrStopped = engine.ErrStopped

// Stopped returns ErrStopped with the error of ctx, which has ended: errors.Is finds both.
func Stopped(ctx context.Context) error { return engine.Stopped(ctx) }

// Run trains from the step where the trainer is to the last, or until Patience ends it, then sets the model's weights
// to their average: where there are validation paths that of the evaluation with the least bound (BoundEvery above 0)
// or loss on them, else the last one. The start is an evaluation too, so that a residual network never ends worse
// than its chain on them. When ctx ends it makes a checkpoint after the step at hand, and its evaluation, and returns
// Stopped. A loss or gradient that is not finite is an error that names the step, and leaves the weights as they
// were before it; one that makes a weight not finite is an error too. No checkpoint is made then. On XLA whole steps
// are taken there, and the model has the weights of the last evaluation or checkpoint in between.
func (t *Trainer) Run(ctx context.Context, h Hooks) error {
	if err := errors.Join(t.run(ctx, h), t.leave()); err != nil {
		return err
	}
	for i, w := range t.model.Weights() {
		copy(w, t.kept()[i])
	}
	return nil
}

// run takes the steps.
func (t *Trainer) run(ctx context.Context, h Hooks) error {
	if t.step == 0 && t.held != nil {
		if err := t.begin(); err != nil {
			return err
		}
	}
	return t.loop(h).Run(ctx, &t.step)
}

// loop returns the loop of the run.
func (t *Trainer) loop(h Hooks) *engine.Loop[StepInfo] {
	return &engine.Loop[StepInfo]{Name: "train", Steps: t.cfg.Steps, Every: t.cfg.Checkpoint, Over: t.impatient,
		Next: func(int) (StepInfo, error) { return t.next() },
		Report: func(step int, s StepInfo, rate float64) {
			if s.Step, s.Steps, s.Rate = step, t.cfg.Steps, rate; h.Step != nil {
				h.Step(s)
			}
		},
		Evaluate: func(due func(every int) bool) error {
			if due(t.cfg.EvalEvery) || due(t.cfg.BoundEvery) {
				if err := t.home(); err != nil {
					return err
				}
			}
			if t.held == nil {
				return nil
			}
			return t.evaluations(h)
		},
		Save: func(step int) error {
			if h.Checkpoint == nil {
				return nil
			}
			if err := t.home(); err != nil {
				return err
			}
			return h.Checkpoint(step, t.Save)
		}}
}

// finished reports whether the run has come to its last step, or to the end of its patience.
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
	if err := t.settle(); err != nil {
		return StepInfo{}, err
	}
	if t.device != nil {
		if info, err := t.residentStep(); !errors.Is(err, errDiverged) {
			return info, err
		}
		if err := t.leave(); err != nil {
			return StepInfo{}, err
		}
	}
	loss, baseCE, err := t.gradient()
	if err != nil {
		return StepInfo{}, err
	}
	if err := engine.CheckLoss(loss.Total); err != nil {
		return StepInfo{}, err
	}
	norm, err := t.opt.Update(t.model.Net.Params(), t.grads, t.step, t.opt.Rate(t.step, t.cfg.Steps))
	return StepInfo{Loss: loss, BaseCE: baseCE, LR: t.opt.Rate(t.step, t.cfg.Steps), GradNorm: norm}, err
}

// gradient sets grads to that of the mean loss of the step's batch, ∇ = Σ_k n_k/N ∇_k over its parts of n_k examples,
// which are made and worked on one after another. It returns that loss and the base's cross-entropy.
func (t *Trainer) gradient() (loss net.Loss, baseCE float64, err error) {
	n, parts := t.cfg.Batch, max(t.cfg.Accumulate, 1)
	for k := range parts {
		lo, hi := k*n/parts, (k+1)*n/parts
		t.train.fillPart(&t.batch, n, lo, hi, t.cfg.Seed, t.step)
		l, err := t.model.Net.LossGrad(&t.batch, t.part)
		if err != nil {
			return loss, 0, err
		}
		share := float64(hi-lo) / float64(n)
		loss.Add(l, share)
		if baseCE += share * t.batch.MeanBaseCE(); parts > 1 {
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
