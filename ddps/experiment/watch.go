package experiment

import (
	"context"
	"fmt"

	"github.com/ddps-go/ddps/ddps/model"
	"github.com/ddps-go/ddps/ddps/train"
)

// Watch is told of the stages of a study: their names, and how much of each is done. It may be nil.
type Watch interface {
	Begin(stage string, done, total int)
	Set(done int, detail string)
	End()
}

// unwatched is the Watch that nobody looks at.
type unwatched struct{}

func (unwatched) Begin(string, int, int) {}
func (unwatched) Set(int, string)        {}
func (unwatched) End()                   {}

// trainWatched is Train, resumed where it can be, with its stages told to w under a name and to h.
func (r *Run) trainWatched(ctx context.Context, name string, w Watch, h train.Hooks) (*model.Model, error) {
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
	told.Step = func(s train.StepInfo) {
		in("training", s.Step-1, s.Steps)
		w.Set(s.Step, fmt.Sprintf("loss %.3f, without the network %.3f", s.Loss.Total, s.BaseCE))
		if h.Step != nil {
			h.Step(s)
		}
	}
	m, err := r.Train(ctx, true, told)
	if stage != "" {
		w.End()
	}
	return m, err
}
