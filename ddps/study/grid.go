package study

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"

	"golang.org/x/sync/errgroup"

	"github.com/ddps-go/ddps/ddps/run"
)

// Grid is a study as a list of grid points. A grid point is a row of type R that has its settings and no results yet.
type Grid[R any] struct {
	Points  []R
	Same    func(a, b R) bool                       // whether two rows are of one grid point
	Measure func(ctx context.Context, row *R) error // sets the results

	Stage   string         // for progress; "": Measure shows its own
	Name    func(R) string // of a grid point, for progress and errors; nil for none
	Threads int            // grid points measured at a time; 0: one
	Retry   bool           // a grid point that fails leaves the others to be done, and is tried once more at the end
}

// Run measures the grid points that the table has no rows of, and adds their rows. Once all are there they stand in
// the order of the points, whichever was done first and however often the study was stopped. It ends early with ctx's
// error, or that of the grid point that failed; with Retry the error says how many failed twice, and why.
func (g Grid[R]) Run(ctx context.Context, to *Table[R], w run.Progress) error {
	if err := g.measure(ctx, to, w); err != nil {
		return err
	}
	return to.Arrange(g.Points, g.Same)
}

// measure measures the grid points that the table has no rows of.
func (g Grid[R]) measure(ctx context.Context, to *Table[R], w run.Progress) error {
	open := to.Missing(g.Points, g.Same)
	if len(open) == 0 {
		return nil
	}
	if w == nil || g.Stage == "" {
		w = run.NoProgress{}
	}
	w.Begin(g.Stage, len(g.Points)-len(open), len(g.Points))
	defer w.End()
	tries := 1
	if g.Retry {
		tries = 2
	}
	var failed []failure[R]
	for range tries {
		var err error
		if failed, err = g.work(ctx, open, to, w); err != nil || len(failed) == 0 {
			return err
		}
		open = nil
		for _, f := range failed {
			open = append(open, f.point)
		}
	}
	errs := []error{fmt.Errorf("study: %d grid points failed twice; the same command tries them again", len(failed))}
	for _, f := range failed[:min(len(failed), 3)] {
		errs = append(errs, f.err)
	}
	return errors.Join(errs...)
}

// failure is a grid point that failed, and why.
type failure[R any] struct {
	point R
	err   error
}

// work measures grid points. With Retry it returns those that failed; the error is what ended it early.
func (g Grid[R]) work(ctx context.Context, points []R, to *Table[R], w run.Progress) (failed []failure[R], err error) {
	var mu sync.Mutex
	grp, ctx := errgroup.WithContext(ctx)
	grp.SetLimit(max(1, g.Threads))
	done := len(g.Points) - len(points)
	for _, row := range points {
		grp.Go(func() error {
			if err := ctx.Err(); err != nil {
				return err
			}
			point := row
			err := g.Measure(ctx, &row)
			mu.Lock()
			defer mu.Unlock()
			switch {
			case ctx.Err() != nil && err != nil:
				return err
			case err != nil && !g.Retry:
				return fmt.Errorf("study: %s: %w", g.name(point), err)
			case err != nil:
				failed = append(failed, failure[R]{point, fmt.Errorf("%s: %w", g.name(point), err)})
			default:
				if err := to.Add(row); err != nil {
					return err
				}
				done++
			}
			detail := g.name(point)
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

func (g Grid[R]) name(point R) string {
	if g.Name == nil {
		return g.Stage
	}
	return g.Name(point)
}

// Results returns the table's rows of grid points, in their order, those that there are.
func (g Grid[R]) Results(t *Table[R]) (rows []R) {
	for _, p := range g.Points {
		if i := slices.IndexFunc(t.Rows, func(r R) bool { return g.Same(r, p) }); i >= 0 {
			rows = append(rows, t.Rows[i])
		}
	}
	return rows
}
