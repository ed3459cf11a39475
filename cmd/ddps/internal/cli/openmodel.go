package cli

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"

	"github.com/ddps-go/ddps/ddps/guide/where"
	"github.com/ddps-go/ddps/ddps/model"
	"github.com/ddps-go/ddps/ddps/run"
	"github.com/ddps-go/ddps/internal/names"
)

// OpenModel is run.OpenModel, with a suggestion where nothing is at path.
func (a *App) OpenModel(path string) (*model.Model, *run.Run, error) {
	m, r, err := run.OpenModel(path, a.Warn)
	var at *where.Error
	if errors.As(err, &at) { // the condition in its config.toml
		fmt.Fprintln(a.Stderr, at.Caret())
	}
	return m, r, suggestRun(path, err)
}

// OpenRun is run.Open, likewise.
func OpenRun(path string) (*run.Run, error) {
	r, err := run.Open(path)
	return r, suggestRun(path, err)
}

// suggestRun adds to an error of a run that is not there the shipped model that path is like.
func suggestRun(path string, err error) error {
	if err == nil {
		return nil
	}
	if _, e := os.Stat(path); !errors.Is(e, fs.ErrNotExist) {
		return err
	}
	if slices.Contains(run.ShippedNames(), path) {
		return fmt.Errorf("%w; did you mean %s%s?", err, run.ShippedPrefix, path)
	}
	var shipped []string
	for _, n := range run.ShippedNames() {
		shipped = append(shipped, run.ShippedPrefix+n)
	}
	if near := names.Near(path, shipped); near != "" {
		return fmt.Errorf("%w; did you mean %s?", err, near)
	}
	if slices.Contains(GraphNames(), path) {
		return fmt.Errorf("%w: %s is a graph, and 'ddps train --graph %s -o RUN' makes a model of it", err, path, path)
	}
	return err
}
