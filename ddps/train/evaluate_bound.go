package train

import (
	"context"
	"fmt"
	"math"

	"github.com/ddps-go/ddps/ddps"
	"github.com/ddps-go/ddps/ddps/d3pm"
	"github.com/ddps-go/ddps/ddps/model"
)

// bound evaluates the bound under the weights w, to its end: one that was broken off could not be resumed.
func (t *Trainer) bound(w [][]float32) (info BoundInfo, err error) {
	if t.paths == nil {
		t.paths = t.held.Draw(t.cfg.BoundPaths, t.cfg.Seed^boundSeed)
	}
	err = t.with(w, func() error {
		info, err = validationBound(context.Background(), t.model, t.paths, nil, t.cfg.Seed)
		return err
	})
	if info.Step = t.step; err != nil {
		return info, fmt.Errorf("train: evaluate: step %d: %w", t.step, err)
	}
	return info, nil
}

// EvaluateBound is what training reports at its end, for a model that has nothing to train: the bound on BoundPaths of
// the validation paths, or without a network −log p of all, and what of, unless it is nil, tells of BoundPaths samples.
func EvaluateBound(ctx context.Context, m *model.Model, held *Source, cfg Config, of func([]ddps.Path) (SampleInfo,
	error)) (info BoundInfo, err error) {
	if m.Tractable() {
		info, err = validationBound(ctx, m, held.paths, held.weights, cfg.Seed)
		info.BoundErr = 0 // of all
	} else {
		info, err = validationBound(ctx, m, held.Draw(cfg.BoundPaths, cfg.Seed^boundSeed), nil, cfg.Seed)
	}
	if err == nil && of != nil {
		info.Samples, err = measure(ctx, m, cfg, of)
	}
	if err != nil {
		return info, fmt.Errorf("train: evaluate: %w", err)
	}
	return info, nil
}

// validationBound evaluates the bound on validation paths; weights may be nil: all 1.
func validationBound(ctx context.Context, m *model.Model, paths []ddps.Path, weights []float64, seed uint64) (
	info BoundInfo, err error) {
	b := &d3pm.Bound{Graph: m.Graph, Denoiser: m, Schedule: m.Schedule, Steps: reverseSteps(m)}
	w, n, err := ddps.Weights(len(paths), weights)
	if err != nil {
		return info, err
	}
	nats, err := b.Score(ctx, paths, seed^noiseSeed)
	if err != nil {
		return info, err
	}
	chain := make([]float64, len(paths))
	for i, p := range paths {
		lp, err := m.Chain.LogProb(p)
		if err != nil {
			return info, err
		}
		if chain[i] = -lp; w[i] > 0 {
			info.Bound += w[i] / n * nats[i].Mean
			info.Chain += w[i] / n * chain[i]
		}
	}
	if n <= 1 {
		return info, nil
	}
	gain, bound := 0.0, 0.0 // variances
	for i, w := range w {
		if w > 0 {
			d, e := chain[i]-nats[i].Mean-info.Gain(), nats[i].Mean-info.Bound
			gain, bound = gain+w/n*d*d, bound+w/n*e*e
		}
	}
	info.StdErr, info.BoundErr = math.Sqrt(gain/(n-1)), math.Sqrt(bound/(n-1))
	return info, nil
}

// measure draws a sample, without reverse steps where that can be, and returns what of says of it.
func measure(ctx context.Context, m *model.Model, cfg Config, of func([]ddps.Path) (SampleInfo, error)) (*SampleInfo,
	error) {
	paths, err := m.Sampler().Sample(ctx, cfg.BoundPaths, cfg.Seed^sampleSeed)
	if err != nil {
		return nil, err
	}
	info, err := of(paths)
	return &info, err
}
