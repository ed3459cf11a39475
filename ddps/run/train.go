package run

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/ddps-go/ddps/datasets"
	"github.com/ddps-go/ddps/ddps"
	"github.com/ddps-go/ddps/ddps/compare"
	"github.com/ddps-go/ddps/ddps/metrics"
	"github.com/ddps-go/ddps/ddps/model"
	"github.com/ddps-go/ddps/ddps/train"
	"github.com/ddps-go/ddps/internal/atomicfile"
)

// NewModel returns an untrained model for the run: the chain and the mixture are fitted to the paths to train on, with
// the pseudo-count and the mixture's pulls chosen on those of the validation set where Config.TuneKappa and TuneMixture
// are set and there are any. They stand in the model's Config.
func (r *Run) NewModel() (*model.Model, error) {
	m, _, err := r.newModel(context.Background(), r.Config.Model.Mixture, nil)
	return m, err
}

// Fit returns the model of data in one call, in memory: fitted, and with a network trained to the end of its steps, as
// Train would in a run directory, but without checkpoints or a log. ConfigFor gives the recommended settings; they are
// taken as they serve for the data's graph (Config.On). The model is of data.Prune: its Graph has the vertices on paths
// alone, and so other numbers than data.Graph where there are others; datasets.Unprune gives its paths in those. The
// error names the setting out of range, says what of the data is wrong, or that the memory is short.
func Fit(data *datasets.Data, cfg Config) (*model.Model, error) {
	return FitContext(context.Background(), data, cfg, train.Hooks{})
}

// FitContext is Fit that calls h as the work goes on, and ends with train.Stopped, wrapped, when ctx ends.
func FitContext(ctx context.Context, data *datasets.Data, cfg Config, h train.Hooks) (m *model.Model, err error) {
	if data == nil || data.Graph == nil {
		return nil, errors.New("run: there are no data, or they have no graph")
	}
	r := &Run{Config: cfg.On(data.Graph), Data: data}
	if err := r.checkSettings(); err != nil {
		return nil, err
	}
	if r.Config.Model.Stacked() {
		m, err = r.stack(ctx, h, func(any) {})
	} else if m, _, err = r.newModel(ctx, r.Config.Model.Mixture, h.Fit); err == nil && m.Net != nil {
		var t *train.Trainer
		if t, err = r.trainer(m); err == nil {
			err = t.Run(ctx, h)
		}
	}
	if err != nil {
		return nil, stopped(ctx, err)
	}
	return m, nil
}

// Train trains the run's model, from its newest good checkpoint if resume is set, and writes the model. A directory
// with checkpoints and resume not set is an error, and so is one where another process trains. Stopped by ctx it
// makes a checkpoint, once it has come to the steps, and returns train.Stopped, wrapped. Any other error names the
// last good checkpoint. A model without a network is fitted, if it is not there, and its bound on the validation paths
// logged. Of a stack each part that is fitted is kept as a checkpoint.
func (r *Run) Train(ctx context.Context, resume bool, h train.Hooks) (m *model.Model, err error) {
	l, err := r.lock()
	if err != nil {
		return nil, err
	}
	defer l.Unlock()
	r.sweep()
	if err := r.adopt(); err != nil {
		return nil, err
	}
	defer func() {
		if e := r.seal(logFile); e != nil {
			err = errors.Join(err, e)
		}
	}()
	if have := r.checkpoints(); len(have) > 0 && !resume {
		return nil, r.errTrained(filepath.Base(have[0]))
	}
	if h.Measure == nil {
		h.Measure = r.measure()
	}
	if r.Config.Model.Network == model.NetworkNone {
		return r.fit(ctx, resume, h)
	}
	m, chosen, err := r.newModel(ctx, r.Config.Model.Mixture, h.Fit)
	if err == nil {
		err = r.trainNet(ctx, m, chosen, h)
	}
	if err != nil {
		return nil, stopped(ctx, err)
	}
	return m, r.write(modelFile, m.Save)
}

// stopped returns the error of a fit that ctx ended as train.Stopped.
func stopped(ctx context.Context, err error) error {
	if ctx.Err() == nil || !errors.Is(err, ctx.Err()) || errors.Is(err, train.ErrStopped) {
		return err
	}
	return fmt.Errorf("run: the fit: %w", train.Stopped(ctx))
}

// errTrained says that the directory has what training made, a file of that name.
func (r *Run) errTrained(file string) error {
	return fmt.Errorf("run: %s has been trained in (%s): resume it, or choose another directory", r.Dir, file)
}

// trainNet trains m's network from where the checkpoints are.
func (r *Run) trainNet(ctx context.Context, m *model.Model, chosen choices, h train.Hooks) error {
	t, err := r.trainer(m)
	if err != nil {
		return err
	}
	last, err := r.newest(t.Restore)
	if err != nil {
		return err
	}
	if err := r.setAside(last); err != nil {
		return err
	}
	if err := atomicfile.MakeDir(filepath.Join(r.Dir, checkpointDir)); err != nil { // somebody may have cleared it away
		return fmt.Errorf("run: checkpoints: %w", err)
	}
	log, empty, err := r.openLog(cmp.Or(t.Step(), -1)) // what was chosen may be there in part
	if err != nil {
		return fmt.Errorf("run: log: %w", err)
	}
	defer log.Close()
	write := r.logger(log)
	if empty {
		chosen.log(write)
	}
	hooks := logged(write, h)
	hooks.Checkpoint = func(step int, save func(io.Writer) error) error {
		name := filepath.Join(r.Dir, checkpointDir, fmt.Sprintf("step-%08d.safetensors", step))
		if err := r.write(checkpointDir+"/"+filepath.Base(name), save); err != nil {
			return err
		}
		last = name
		return r.prune()
	}
	err = t.Run(ctx, hooks)
	if err != nil && !errors.Is(err, train.ErrStopped) {
		if last == "" {
			return fmt.Errorf("%w (there is no checkpoint yet)", err)
		}
		return fmt.Errorf("%w (the last good checkpoint is %s)", err, last)
	}
	return err
}

// Lengthen gives the run more steps than it had, be it at its end or not: Train with resume set goes on from its last
// checkpoint. The learning rate is then that of the longer run, which rises again from where it was. It is an error if
// the steps are no more, or if another process trains in the directory. Until the longer run has ended the directory's
// model, if there is one, is that of the shorter.
func (r *Run) Lengthen(steps int) error {
	l, err := r.lock()
	if err != nil {
		return err
	}
	defer l.Unlock()
	if had := r.Config.Train.Steps; steps <= had {
		return fmt.Errorf("run: %s is a run of %d steps: %d are no more", r.Dir, had, steps)
	}
	if err := r.adopt(); err != nil {
		return err
	}
	cfg := r.Config
	cfg.Train.Steps = steps
	if err := r.write(configFile, cfg.Write); err != nil {
		return fmt.Errorf("run: run directory: %w", err)
	}
	r.Config = cfg
	return nil
}

// measure returns what holds a sample against the validation paths; nil where there are none.
func (r *Run) measure() func([]ddps.Path) (train.SampleInfo, error) {
	_, held := r.Split()
	if held == nil {
		return nil
	}
	return func(paths []ddps.Path) (info train.SampleInfo, err error) {
		g, n := held.Graph, len(paths)
		info.N = n
		if info.Valid, err = metrics.ValidRate(g, paths); err != nil {
			return info, err
		}
		info.Unique = float64(metrics.NewSupport(metrics.Keys(paths)).Len()) / float64(n)
		target, err := compare.NewTarget(g, held.Paths, held.Weights())
		if err != nil {
			return info, err
		}
		for _, s := range []struct {
			to    *float64
			paths []ddps.Path
		}{{&info.ISLKL, paths}, {&info.Floor, target.Draw(n, r.Config.Train.Seed, 0)}} {
			*s.to, err = metrics.ISL(g, metrics.Sample{Paths: target.Paths, Weights: target.P}, metrics.Sample{Paths: s.paths},
				metrics.KLFloor(n))
			if err != nil {
				return info, err
			}
		}
		return info, nil
	}
}

// trainer makes the trainer of m on the run's paths. It is an error if the machine lacks the memory.
func (r *Run) trainer(m *model.Model) (*train.Trainer, error) {
	if _, _, err := r.memory(m); err != nil {
		return nil, err
	}
	data, held, err := r.sources(m)
	if err != nil {
		return nil, err
	}
	return train.NewTrainer(m, data, held, r.Config.Train)
}

// sources returns where m's paths to train on and those of the validation set, nil for none, are drawn from.
func (r *Run) sources(m *model.Model) (data, held *train.Source, err error) {
	on, out := r.Split()
	if data, err = train.NewSource(m, on.Paths, on.Weights()); err == nil && out != nil {
		held, err = train.NewSource(m, out.Paths, Counts(out)) // whose sum is the number of walks
	}
	return data, held, err
}

// prune deletes all checkpoints but the newest Keep.
func (r *Run) prune() error {
	for i, name := range r.checkpoints() {
		if i >= r.Config.Keep {
			if err := os.Remove(name); err != nil {
				return fmt.Errorf("run: old checkpoint: %w", err)
			}
		}
	}
	return nil
}
