package train

import (
	"context"
	"fmt"
	"math"

	"github.com/ddps-go/ddps/ddps/d3pm"
	"github.com/ddps-go/ddps/ddps/model"
)

// EvalInfo describes an evaluation of the averaged weights on validation paths: cross-entropy in nats per path,
// and the base's, without the network, on the same examples and noise.
type EvalInfo struct {
	Step   int     `json:"step"`
	CE     float64 `json:"held_ce"`
	BaseCE float64 `json:"held_base_ce"`
	// where BoundEvery is 0: the least CE so far, that of the untrained network counted
	Best bool `json:"best"`
	Stop bool `json:"stop,omitempty"` // it ended the run: Patience
}

// Gain returns by how much the network is better than the base alone.
func (e EvalInfo) Gain() float64 { return e.BaseCE - e.CE }

// BoundInfo describes an evaluation of the Bound at the sampler's default steps, in nats per path, and of the fitted
// chain's −log p, means over the same validation paths: BoundPaths that are drawn, or without a network all, by weight,
// of which Bound is −log p. The weights are the averaged ones; where BoundEvery is 0, at
// the end, those that the run keeps.
type BoundInfo struct {
	Step   int     `json:"step"`
	Bound  float64 `json:"held_bound"`
	Chain  float64 `json:"held_chain"`
	StdErr float64 `json:"held_gain_err"` // standard error of Gain over the paths; 0 for a single one
	// standard error of Bound over the paths, where they are drawn; 0 for all validation paths, or a single one
	BoundErr float64 `json:"held_bound_err,omitempty"`
	// where BoundEvery is above 0: the least Bound so far, the untrained network's counted
	Best    bool        `json:"best"`
	Stop    bool        `json:"stop,omitempty"`   // it ended the run: Patience
	Samples *SampleInfo `json:"sample,omitempty"` // where Hooks.Measure is set
}

// Gain returns by how much the network is better than the chain.
func (b BoundInfo) Gain() float64 { return b.Chain - b.Bound }

// SampleInfo is what Hooks.Measure reports of a sample.
type SampleInfo struct {
	N      int     `json:"n"`
	Valid  float64 `json:"valid"`         // share that are paths, in [0, 1]
	Unique float64 `json:"unique"`        // distinct paths, as a share of N
	ISLKL  float64 `json:"is_l_kl"`       // layer imitation score in nats, validation paths to sample, floored at 0.5/N
	Floor  float64 `json:"is_l_kl_floor"` // that of as many draws of the validation paths
}

// Seeds that set the streams of evaluations apart from that of training.
const (
	evalSeed   = 0x9e3779b97f4a7c15
	boundSeed  = 0x243f6a8885a308d3
	noiseSeed  = 0x13198a2e03707344
	sampleSeed = 0xa4093822299f31d0
)

// begin evaluates the untrained network.
func (t *Trainer) begin() error {
	var score float64
	if t.cfg.byBound() {
		info, err := t.bound(t.opt.Mean)
		if err != nil {
			return err
		}
		score = info.Bound
	} else {
		info, err := t.Evaluate()
		if err != nil {
			return err
		}
		score = info.CE
	}
	t.consider(score)
	t.stale = 0
	return nil
}

// consider keeps the averaged weights if their validation score is the least so far, and counts those since that are
// not.
func (t *Trainer) consider(score float64) (best bool) {
	if !(score <= math.MaxFloat64 && (t.best == nil || score < t.score)) {
		t.stale++
		return false
	}
	t.best, t.score, t.stale = make([][]float32, len(t.opt.Mean)), score, 0
	for i, w := range t.opt.Mean {
		t.best[i] = append([]float32(nil), w...)
	}
	return true
}

// evaluations makes those that are due after a step.
func (t *Trainer) evaluations(h Hooks) error {
	last := t.step == t.cfg.Steps
	due := func(every int) bool { return last || every > 0 && t.step%every == 0 }
	if due(t.cfg.EvalEvery) {
		info, err := t.Evaluate()
		if err != nil {
			return err
		}
		if !t.cfg.byBound() {
			info.Best = t.consider(info.CE)
			info.Stop = !last && t.impatient()
		}
		if h.Eval != nil {
			h.Eval(info)
		}
	}
	if t.cfg.BoundPaths == 0 || !(t.cfg.byBound() && due(t.cfg.BoundEvery) || t.finished()) {
		return nil
	}
	w := t.opt.Mean
	if !t.cfg.byBound() {
		w = t.kept()
	}
	info, err := t.bound(w)
	if err == nil && h.Measure != nil {
		err = t.with(w, func() error {
			info.Samples, err = measure(context.Background(), t.model, t.cfg, h.Measure)
			return err
		})
	}
	if err != nil {
		return err
	}
	if t.cfg.byBound() {
		info.Best = t.consider(info.Bound)
		info.Stop = !last && t.impatient()
	}
	if h.Bound != nil {
		h.Bound(info)
	}
	return nil
}

// with calls f while the model has the weights w.
func (t *Trainer) with(w [][]float32, f func() error) error {
	live := make([][]float32, len(w))
	for i, p := range t.model.Weights() {
		live[i] = append([]float32(nil), p...)
		copy(p, w[i])
	}
	defer func() {
		for i, p := range t.model.Weights() {
			copy(p, live[i])
		}
	}()
	return f()
}

// Evaluate returns the cross-entropy of the averaged weights on validation paths.
func (t *Trainer) Evaluate() (info EvalInfo, err error) {
	info.Step = t.step
	err = t.with(t.opt.Mean, func() error {
		size := t.cfg.evalPart()
		for lo := 0; lo < t.cfg.EvalSize; lo += size {
			hi := min(lo+size, t.cfg.EvalSize)
			if size < t.cfg.EvalSize || t.eval.N == 0 { // else they are there
				t.held.fillPart(&t.eval, t.cfg.EvalSize, lo, hi, t.cfg.Seed^evalSeed, 0)
			}
			loss, err := t.model.Net.LossGrad(&t.eval, nil)
			if err != nil {
				return fmt.Errorf("train: evaluate: step %d: %w", t.step, err)
			}
			share := float64(hi-lo) / float64(t.cfg.EvalSize)
			info.CE += share * loss.CE
			info.BaseCE += share * t.eval.MeanBaseCE()
		}
		return nil
	})
	return info, err
}

// evalPart returns how many examples are evaluated at a time: all, unless memory is to be spared.
func (c Config) evalPart() int {
	if c.Accumulate > 1 {
		return min(c.EvalSize, (c.Batch+c.Accumulate-1)/c.Accumulate)
	}
	return c.EvalSize
}

// reverseSteps returns the sampler's default number of steps, or T where that is less.
func reverseSteps(m *model.Model) int { return min(d3pm.DefaultSteps, m.Schedule.T()) }
