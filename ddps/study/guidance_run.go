package study

import (
	"context"
	"sync"

	"github.com/ddps-go/ddps/ddps"
	"github.com/ddps-go/ddps/ddps/compare"
	"github.com/ddps-go/ddps/ddps/d3pm"
	"github.com/ddps-go/ddps/ddps/model"
	"github.com/ddps-go/ddps/ddps/run"
)

// guidance is a Study at work.
type guidance struct {
	*Guidance
	model   *model.Model
	name    string // of the model
	key     string
	trained string
	do      func(context.Context, *GuidanceRow) error // measures a grid point

	dist *compare.Target // of the data, where all paths are listed; nil on maps
	made *madeBy         // of a network on a map: the true distribution; else nil
	free map[string]*freeSamples
	us   map[[2]int][]float64 // rewards by maximum and instance: many draws may be rejected
	mu   sync.Mutex
}

// freeSamples are the samples of one reverse step at λ = 0, which are the same for every reward.
type freeSamples struct {
	once  sync.Once
	paths []ddps.Path
	err   error
}

// Run adds to the table the rows that it lacks. The model is the shipped one where there is one of the study's kind,
// else that of a run directory in dir, trained there if need be. Two grid points are measured at a time. One
// that fails is shown by w and tried once more at the end; the error then names it and says why, and all others are
// done.
func (s *Guidance) Run(ctx context.Context, dir string, to *Table[GuidanceRow], w run.Progress) error {
	if err := s.Check(); err != nil {
		return err
	}
	if w == nil {
		w = run.NoProgress{}
	}
	at, err := s.prepare(ctx, dir, w)
	if err != nil {
		return err
	}
	return at.run(ctx, to, w)
}

func (s *guidance) run(ctx context.Context, to *Table[GuidanceRow], w run.Progress) error {
	g := Grid[GuidanceRow]{Points: s.rows(), Same: GuidanceRow.same, Measure: s.do, Stage: s.part(s.name),
		Threads: 2, Retry: true,
		Name: func(r GuidanceRow) string { return r.Graph + ", " + r.Model + ": " + r.name() }}
	return g.Run(ctx, to, w)
}

// rows returns the grid points with all that is known of their rows before they are measured.
func (s *guidance) rows() []GuidanceRow {
	list := s.points()
	for i := range list {
		r := &list[i]
		r.Graph, r.Model, r.Key, r.Steps, r.Samples, r.Seed = s.Graph, s.name, s.key, s.steps(r), s.Samples, s.Seed
		r.Preset, r.Trained, r.Built = s.Preset, s.trained, s.Built
	}
	return list
}

// same reports whether x is of the same grid point.
func (r GuidanceRow) same(x GuidanceRow) bool {
	return r.Graph == x.Graph && r.Model == x.Model && r.Key == x.Key && r.RMax == x.RMax && r.Instance == x.Instance &&
		r.Distribution == x.Distribution && r.Kernel == x.Kernel && r.Lambda == x.Lambda && r.Steps == x.Steps &&
		r.Samples == x.Samples && r.Seed == x.Seed
}

// steps returns the reverse steps of a grid point's sampler, 0 where there is none.
func (s *guidance) steps(c *GuidanceRow) int {
	switch c.Distribution {
	case ReferenceExact, ReferenceChain:
		return 0
	case ReferenceMax:
		return d3pm.DefaultSteps
	}
	return s.Steps
}
