package run

import (
	"context"
	"fmt"
	"math"
	"path/filepath"

	"github.com/ddps-go/ddps/ddps/model"
	"github.com/ddps-go/ddps/ddps/train"
)

// fit is Train without a network: a fit where there is no model yet or the one there is damaged, its bound on the paths
// validation set where the log has none.
func (r *Run) fit(ctx context.Context, resume bool, h train.Hooks) (m *model.Model, err error) {
	path := filepath.Join(r.Dir, modelFile)
	if exists(path) && !resume {
		return nil, r.errTrained(modelFile)
	}
	log, err := r.Log()
	if err != nil {
		return nil, err
	}
	chosen := choices{log.Kappa, log.Mixture}
	if exists(path) {
		if m, err = r.loadModel(); err != nil {
			r.warn(fmt.Sprintf("%v; fitting again", err))
		} else if err := r.fitted(m); err != nil {
			return nil, err
		}
	}
	if m != nil && (len(log.Bounds) > 0 || m.Stack != nil) {
		return m, nil
	}
	if r.Config.Model.Stacked() {
		return r.fitStack(ctx, resume, h)
	}
	if m == nil {
		m, chosen, err = r.newModel(ctx, r.Config.Model.Mixture, h.Fit)
	}
	if err == nil {
		err = r.keepFit(ctx, m, chosen, h)
	}
	return m, stopped(ctx, err)
}

// fitted returns an error if m is not of the run's settings and paths. What was chosen on validation paths may differ.
func (r *Run) fitted(m *model.Model) error {
	have, want := m.Config, r.Config.Model
	have.Kappa, have.Mixture.Ridge, have.Mixture.Smooth = want.Kappa, want.Mixture.Ridge, want.Mixture.Smooth
	if r.Config.TuneMixture && have.Mixture.Simple() { // the chain may have been better
		have.Mixture = want.Mixture
	}
	train, _ := r.Split()
	if r.Config.Model.Stacked() && r.Config.Refit {
		train = r.Data.Prune()
	}
	c, err := FitChain(train, m.Config.Kappa)
	if err != nil {
		return err
	}
	same := (Config{Model: have}).same(Config{Model: want}) && len(c.P) == len(m.Chain.P)
	for e := 0; same && e < len(c.P); e++ {
		same = math.Abs(c.P[e]-m.Chain.P[e]) <= 1e-9 // a CPU may round in its own way
	}
	if !same {
		return fmt.Errorf("run: %s is of other settings or other paths than its directory: delete it to fit again",
			filepath.Join(r.Dir, modelFile))
	}
	return nil
}

// keepFit writes what was chosen to the log, the model, and what the validation paths show of it.
func (r *Run) keepFit(ctx context.Context, m *model.Model, chosen choices, h train.Hooks) error {
	log, _, err := r.openLog(-1)
	if err != nil {
		return fmt.Errorf("run: log: %w", err)
	}
	defer log.Close()
	write := r.logger(log)
	chosen.log(write)
	if err := r.write(modelFile, m.Save); err != nil {
		return err
	}
	_, held, err := r.sources(m)
	if err != nil || held == nil || r.Config.Train.BoundPaths == 0 {
		return err
	}
	info, err := train.EvaluateBound(ctx, m, held, r.Config.Train, h.Measure)
	if err != nil {
		return err
	}
	info.Best = true
	logged(write, h).Bound(info)
	return nil
}
