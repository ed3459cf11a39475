package experiment

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"

	"golang.org/x/sync/errgroup"

	"github.com/ddps-go/ddps/ddps"
	"github.com/ddps-go/ddps/ddps/d3pm"
	"github.com/ddps-go/ddps/ddps/model"
)

// study is a Study at work.
type study struct {
	*Study
	model   *model.Model
	name    string // of the model
	key     string
	trained string
	do      func(context.Context, studyCell) (*StudyRow, error) // works on a cell

	law  *Target // of the data, where all paths are listed; nil on maps
	made *madeBy // of a network on a map: the true distribution; else nil
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

// Run adds to the ledger the rows that it lacks. The model is the shipped one where there is one of the study's kind,
// else that of a run folder in dir, trained there if need be. Two cells are worked on at a time. A cell that fails is
// told to w and tried once more at the end; the error then names it and says why, and all others are done.
func (s *Study) Run(ctx context.Context, dir string, to *Ledger[StudyRow], w Watch) error {
	if err := s.Check(); err != nil {
		return err
	}
	if w == nil {
		w = unwatched{}
	}
	at, err := s.prepare(ctx, dir, w)
	if err != nil {
		return err
	}
	return at.run(ctx, to, w)
}

func (s *study) run(ctx context.Context, to *Ledger[StudyRow], w Watch) error {
	cells := s.cells()
	open := slices.DeleteFunc(slices.Clone(cells), func(c studyCell) bool { return s.have(to.Rows, c) })
	if len(open) == 0 {
		return nil
	}
	w.Begin(fmt.Sprintf("%s, %s", s.Graph, s.name), len(cells)-len(open), len(cells))
	defer w.End()
	var failed []failure
	for range 2 {
		var err error
		if failed, err = s.work(ctx, open, to, len(cells), w); err != nil || len(failed) == 0 {
			return err
		}
		open = nil
		for _, f := range failed {
			open = append(open, f.cell)
		}
	}
	errs := []error{fmt.Errorf("experiment: study: %d cells failed twice; the same command tries them again", len(failed))}
	for _, f := range failed[:min(len(failed), 3)] {
		errs = append(errs, f.err)
	}
	return errors.Join(errs...)
}

// failure is a cell that failed, and why.
type failure struct {
	cell studyCell
	err  error
}

// have tells whether rows hold the cell.
func (s *study) have(rows []StudyRow, c studyCell) bool {
	return slices.ContainsFunc(rows, func(r StudyRow) bool {
		return r.Graph == s.Graph && r.Model == s.name && r.Key == s.key && r.RMax == c.rmax && r.Instance == c.instance &&
			r.Law == c.law && r.Kernel == c.kernel && r.Lambda == c.lambda && r.Steps == s.steps(c) && r.Samples == s.Samples && r.Seed == s.Seed
	})
}

// steps returns the reverse steps of a cell's sampler, 0 where there is none.
func (s *study) steps(c studyCell) int {
	switch c.law {
	case StudyExact, StudyChain:
		return 0
	case StudyMax:
		return d3pm.DefaultSteps
	}
	return s.Steps
}

// work does cells and returns those that failed; the error is what ended it early.
func (s *study) work(ctx context.Context, cells []studyCell, to *Ledger[StudyRow], total int, w Watch) (failed []failure, err error) {
	var mu sync.Mutex
	grp, ctx := errgroup.WithContext(ctx)
	grp.SetLimit(2)
	done := total - len(cells)
	for _, c := range cells {
		grp.Go(func() error {
			if err := ctx.Err(); err != nil {
				return err
			}
			row, err := s.do(ctx, c)
			mu.Lock()
			defer mu.Unlock()
			switch {
			case ctx.Err() != nil:
				return ctx.Err()
			case err != nil:
				failed = append(failed, failure{c, fmt.Errorf("%s, %s: %v: %w", s.Graph, s.name, c, err)})
			default:
				if err := to.Add(*row); err != nil {
					return err
				}
				done++
			}
			detail := c.String()
			if len(failed) > 0 {
				detail += fmt.Sprintf("; %d failed, the last: %v", len(failed), failed[len(failed)-1].err)
			}
			w.Set(done, detail)
			return nil
		})
	}
	err = grp.Wait()
	return failed, err
}
