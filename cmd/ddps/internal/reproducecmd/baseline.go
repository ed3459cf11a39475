package reproducecmd

import (
	"context"
	"errors"
	"path/filepath"

	"github.com/ddps-go/ddps/cmd/ddps/internal/cli"
	"github.com/ddps-go/ddps/ddps/model"
	"github.com/ddps-go/ddps/ddps/run"
	"github.com/ddps-go/ddps/ddps/study"
	"github.com/ddps-go/ddps/ddps/train"
)

// baselineRowsOf runs a study of baselines on a backend, which keeps its rows in file: a part, by name, of what its
// directory cost. One that was stopped says how it resumes.
func baselineRowsOf[R any](ctx context.Context, a *cli.App, sh *sharding, backend, file, name, preset string,
	rowsOf func(*study.Table[R], run.Progress) ([]R, error)) (rows []R, err error) {
	description, err := model.CheckBackend(backend)
	if err != nil {
		return nil, err
	}
	a.Notef("%s", description)
	results, err := openTable[R](a, sh, file)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, results.Close()) }()
	err = a.Costed(ctx, filepath.Dir(file), name, preset, func() int { return len(results.Rows) }, func() (err error) {
		rows, err = rowsOf(results, cli.NewStages(a))
		return err
	})
	if errors.Is(err, train.ErrStopped) || err != nil && ctx.Err() != nil {
		a.Notef("%s; the same command resumes from there", cli.Message(err))
		return nil, ctx.Err()
	}
	return rows, err
}
