package main

import (
	"context"
	"errors"
	"path/filepath"

	"github.com/ddps-go/ddps/ddps/experiment"
	"github.com/ddps-go/ddps/ddps/model"
	"github.com/ddps-go/ddps/ddps/train"
)

// rivalRowsOf runs a study of rivals on a backend, which keeps its rows in file: a part, by name, of what its folder cost.
// One that was stopped says how it goes on.
func rivalRowsOf[R any](ctx context.Context, a *app, backend, file, name, preset string, study func(*experiment.Ledger[R], experiment.Watch) ([]R, error)) (rows []R, err error) {
	description, err := model.CheckBackend(backend)
	if err != nil {
		return nil, err
	}
	a.notef("%s", description)
	ledger, err := experiment.OpenLedger[R](file)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, ledger.Close()) }()
	err = a.costed(ctx, filepath.Dir(file), name, preset, func() int { return len(ledger.Rows) }, func() (err error) {
		rows, err = study(ledger, &stages{a: a})
		return err
	})
	if errors.Is(err, train.ErrStopped) || err != nil && ctx.Err() != nil {
		a.notef("%s; the same command goes on from there", message(err))
		return nil, ctx.Err()
	}
	return rows, err
}
