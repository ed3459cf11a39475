package cli

import (
	"context"
	"errors"
	"path/filepath"
	"time"

	"github.com/ddps-go/ddps/ddps/study"
	"github.com/ddps-go/ddps/ddps/train"
	"github.com/ddps-go/ddps/internal/cputime"
)

// Built says what program makes a row: revision, Go, platform, vectors.
func (v versionInfo) Built() string {
	s := v.Revision
	if s == "" {
		s = v.DDPS
	} else if len(s) > 12 {
		s = s[:12] + s[min(len(s), 40):] // with +dirty
	}
	return s + ", " + v.Go + ", " + v.Platform + ", " + v.Vectors
}

// Costed does a part of the experiments, which adds rows to a results table, and adds what it took to the directory's
// costs. A part that adds nothing costs nothing.
func (a *App) Costed(ctx context.Context, dir, part, preset string, rows func() int, do func() error) (err error) {
	began, cpu, had := time.Now(), cputime.Process(), rows()
	err = do()
	r := study.CostRow{Part: part, Preset: preset, Began: began.UTC().Format(time.RFC3339),
		Seconds: time.Since(began).Seconds(),
		CPU:     cputime.Process() - cpu, Rows: rows() - had, Ended: "done", Built: Versions().Built()}
	switch {
	case ctx.Err() != nil || errors.Is(err, train.ErrStopped):
		r.Ended = "stopped"
	case err != nil:
		r.Ended = "failed"
	case r.Rows == 0:
		return nil
	}
	costs, e := study.OpenTable[study.CostRow](filepath.Join(dir, study.CostFile))
	if e == nil {
		e = errors.Join(costs.Add(r), costs.Close())
	}
	return errors.Join(err, e)
}
