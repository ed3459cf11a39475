package cli

import (
	"context"

	"github.com/ddps-go/ddps/ddps"
	"github.com/ddps-go/ddps/ddps/d3pm"
)

// Scores is b.Score with progress.
func Scores(a *App, ctx context.Context, b *d3pm.Bound, paths []ddps.Path, seed uint64) ([]d3pm.Estimate, error) {
	p := a.NewProgress("paths scored", 0, len(paths))
	defer p.Done()
	b.Progress = func(done, _ int) { p.Set(done, "") }
	return b.Score(ctx, paths, seed)
}
