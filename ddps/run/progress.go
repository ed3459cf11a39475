package run

import (
	"context"
	"fmt"
	"path/filepath"

	"github.com/ddps-go/ddps/ddps/model"
	"github.com/ddps-go/ddps/ddps/train"
)

// Progress is called with the stages of long work, and how much of each is done. It may be nil.
type Progress interface {
	Begin(stage string, done, total int)
	Set(done int, detail string)
	End()
}

// NoProgress is a Progress that shows nothing.
type NoProgress struct{}

// Begin implements Progress.
func (NoProgress) Begin(string, int, int) {}

// Set implements Progress.
func (NoProgress) Set(int, string) {}

// End implements Progress.
func (NoProgress) End() {}

// Resume is Train, resumed where it can be, with its stages shown by w under a name, and h called too.
func (r *Run) Resume(ctx context.Context, name string, w Progress, h train.Hooks) (*model.Model, error) {
	stage := ""
	in := func(now string, done, total int) {
		if now == stage {
			return
		}
		if stage != "" {
			w.End()
		}
		w.Begin(name+": "+now, done, total)
		stage = now
	}
	told := h
	told.Fit = func(round, rounds int) {
		in("fitting the mixture of chains", 0, rounds)
		w.Set(round, "")
		if h.Fit != nil {
			h.Fit(round, rounds)
		}
	}
	told.Step = also(func(s train.StepInfo) {
		in("training", s.Step-1, s.Steps)
		w.Set(s.Step, fmt.Sprintf("loss %.3f, without the network %.3f", s.Loss.Total, s.BaseCE))
	}, h.Step)
	m, err := r.Train(ctx, true, told)
	if stage != "" {
		w.End()
	}
	return m, err
}

// HasModel reports whether the run has ended, and its model is there.
func (r *Run) HasModel() bool { return exists(filepath.Join(r.Dir, modelFile)) }

// Trained returns the run's model, which it trains first, or trains on, if it is not there: see Resume.
func (r *Run) Trained(ctx context.Context, name string, w Progress) (*model.Model, error) {
	if r.HasModel() {
		return r.Model()
	}
	return r.Resume(ctx, name, w, train.Hooks{})
}
