package engine

import (
	"context"
	"fmt"
	"math"
	"time"
)

// Loop is the training loop of all networks, of models and of baselines: steps, what is due after them, checkpoints,
// and the end, by the last step, a criterion or an interrupt. S is what a step reports.
type Loop[S any] struct {
	Name     string                               // what errors begin with
	Steps    int                                  // to take in all
	Every    int                                  // steps between checkpoints; 0: only at the end and when stopped
	Next     func(k int) (S, error)               // takes step k, from 0
	Report   func(step int, s S, rate float64)    // of a step that was taken; rate is steps per second of this Run
	Evaluate func(due func(every int) bool) error // does what is due after a step
	Save     func(step int) error                 // makes a checkpoint
	Over     func() bool                          // reports whether to end before the last step; nil: never
}

// Finished reports whether a run of which so many steps are taken is at its end.
func (l *Loop[S]) Finished(step int) bool { return step >= l.Steps || l.Over != nil && l.Over() }

// Run takes the steps after *step, which it counts up. When ctx ends it makes a checkpoint after the step at hand and
// returns Stopped, wrapped. An error of a step is returned with the step's number, and no checkpoint made.
func (l *Loop[S]) Run(ctx context.Context, step *int) error {
	start, first := time.Now(), *step
	due := func(every int) bool { return l.Finished(*step) || every > 0 && *step%every == 0 }
	for !l.Finished(*step) {
		if ctx.Err() != nil {
			if err := l.Save(*step); err != nil {
				return err
			}
			return fmt.Errorf("%s: %w after step %d of %d", l.Name, Stopped(ctx), *step, l.Steps)
		}
		s, err := l.Next(*step)
		if err != nil {
			return fmt.Errorf("%s: step %d: %w", l.Name, *step+1, err)
		}
		*step++
		l.Report(*step, s, float64(*step-first)/time.Since(start).Seconds())
		if err := l.Evaluate(due); err != nil {
			return err
		}
		if due(l.Every) {
			if err := l.Save(*step); err != nil {
				return err
			}
		}
	}
	return nil
}

// CheckLoss returns an error where a loss is not finite.
func CheckLoss(loss float64) error {
	if math.IsNaN(loss) || math.IsInf(loss, 0) {
		return fmt.Errorf("the loss is %v", loss)
	}
	return nil
}
