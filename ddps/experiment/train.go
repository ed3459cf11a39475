package experiment

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/ddps-go/ddps/datasets"
	"github.com/ddps-go/ddps/ddps/chain"
	"github.com/ddps-go/ddps/ddps/d3pm"
)

// Split returns the run's paths on the pruned graph, those to train on and those held out (none if Hold is 0).
func (r *Run) Split() (train, held *datasets.Data) {
	data := r.Data.Prune()
	if r.Config.Hold == 0 {
		return data, nil
	}
	train, held = data.Split(r.Config.Hold, r.Config.HoldSeed)
	if len(held.Paths) == 0 {
		held = nil
	}
	return train, held
}

// NewModel returns an untrained model for the run: the chain and the mixture are fitted to the paths to train on.
func (r *Run) NewModel() (*d3pm.Model, error) {
	train, _ := r.Split()
	c, err := FitChain(train, r.Config.Model.Kappa)
	if err != nil {
		return nil, err
	}
	mix, err := chain.FitMixture(c, train.Paths, Counts(train), r.Config.Model.Mixture, r.Config.InitSeed)
	if err != nil {
		return nil, err
	}
	return d3pm.NewModelOn(c, mix, r.Config.Model, r.Config.InitSeed)
}

// FitChain fits a first-order chain to data. The pseudo-count kappa is in paths, repetitions counted.
func FitChain(data *datasets.Data, kappa float64) (*chain.Chain, error) {
	return chain.Fit(data.Graph, data.Paths, Counts(data), kappa)
}

// Counts returns how often each path of data stands in it, as weights: pseudo-counts are in paths.
func Counts(data *datasets.Data) []float64 {
	counts := make([]float64, len(data.Counts))
	for i, n := range data.Counts {
		counts[i] = float64(n)
	}
	return counts
}

// Train trains the run's model, from its newest good checkpoint if resume is set, and writes the model. A folder
// with checkpoints and resume not set is an error, and so is one where another process trains. Stopped by ctx it
// makes a checkpoint and returns d3pm.ErrStopped, wrapped. Any other error names the last good checkpoint.
func (r *Run) Train(ctx context.Context, resume bool, h d3pm.Hooks) (*d3pm.Model, error) {
	l, err := r.lock()
	if err != nil {
		return nil, err
	}
	defer l.Unlock()
	r.sweep()
	if have := r.checkpoints(); len(have) > 0 && !resume {
		return nil, fmt.Errorf("experiment: %s has been trained in (%s): resume it, or choose another folder", r.Dir, filepath.Base(have[0]))
	}
	m, err := r.NewModel()
	if err != nil {
		return nil, err
	}
	if m.Net != nil {
		if err := r.trainNet(ctx, m, h); err != nil {
			return nil, err
		}
	}
	return m, writeFile(filepath.Join(r.Dir, modelFile), m.Save)
}

// trainNet trains m's network from where the checkpoints are.
func (r *Run) trainNet(ctx context.Context, m *d3pm.Model, h d3pm.Hooks) error {
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
	if err := os.MkdirAll(filepath.Join(r.Dir, checkpointDir), 0o755); err != nil { // somebody may have cleared it away
		return fmt.Errorf("experiment: checkpoints: %w", err)
	}
	log, err := r.openLog(t.Step())
	if err != nil {
		return fmt.Errorf("experiment: log: %w", err)
	}
	defer log.Close()
	hooks := r.logged(log, h)
	hooks.Checkpoint = func(step int, save func(io.Writer) error) error {
		name := filepath.Join(r.Dir, checkpointDir, fmt.Sprintf("step-%08d.safetensors", step))
		if err := writeFile(name, save); err != nil {
			return err
		}
		last = name
		return r.prune()
	}
	err = t.Run(ctx, hooks)
	if err != nil && !errors.Is(err, d3pm.ErrStopped) {
		if last == "" {
			return fmt.Errorf("%w (there is no checkpoint yet)", err)
		}
		return fmt.Errorf("%w (the last good checkpoint is %s)", err, last)
	}
	return err
}

// trainer makes the trainer of m on the run's paths.
func (r *Run) trainer(m *d3pm.Model) (*d3pm.Trainer, error) {
	train, held := r.Split()
	src, err := d3pm.NewSource(m, train.Paths, train.Weights())
	if err != nil {
		return nil, err
	}
	var heldSrc *d3pm.Source
	if held != nil {
		if heldSrc, err = d3pm.NewSource(m, held.Paths, held.Weights()); err != nil {
			return nil, err
		}
	}
	return d3pm.NewTrainer(m, src, heldSrc, r.Config.Train)
}

// logEvery is how many steps there are from one logged step to the next.
const logEvery = 10

// openLog opens the log to go on after a step: lines of later ones, left by a run that was killed, go.
func (r *Run) openLog(step int) (*os.File, error) {
	path := filepath.Join(r.Dir, logFile)
	old, err := os.ReadFile(path)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	var kept []byte
	for line := range bytes.Lines(old) {
		var at struct {
			Step int `json:"step"`
		}
		if json.Unmarshal(line, &at) == nil && at.Step <= step {
			kept = append(append(kept, bytes.TrimSuffix(line, []byte("\n"))...), '\n') // the last may lack it
		}
	}
	if err := writeFile(path, func(w io.Writer) error { _, err := w.Write(kept); return err }); err != nil {
		return nil, err
	}
	return os.OpenFile(path, os.O_APPEND|os.O_WRONLY, 0o644)
}

// logged returns hooks that also write log.jsonl. A log that cannot be written does not stop training: it ends
// there, with a warning, and so in at most one line that is cut off.
func (r *Run) logged(w io.Writer, h d3pm.Hooks) d3pm.Hooks {
	enc, full, odd := json.NewEncoder(w), false, false
	write := func(line any) {
		if full {
			return
		}
		err := enc.Encode(line)
		var unsupported *json.UnsupportedValueError // before anything is written
		if errors.As(err, &unsupported) {
			if !odd {
				r.warn("log: numbers that are not finite are left out")
			}
			odd = true
		} else if err != nil {
			full = true
			r.warn("the log ends here: " + err.Error())
		}
	}
	return d3pm.Hooks{
		Step: func(s d3pm.StepInfo) {
			if s.Step%logEvery == 0 || s.Step == 1 || s.Step == s.Steps {
				write(s)
			}
			if h.Step != nil {
				h.Step(s)
			}
		},
		Eval: func(e d3pm.EvalInfo) {
			write(e)
			if h.Eval != nil {
				h.Eval(e)
			}
		},
	}
}

// prune deletes all checkpoints but the newest Keep.
func (r *Run) prune() error {
	for i, name := range r.checkpoints() {
		if i >= r.Config.Keep {
			if err := os.Remove(name); err != nil {
				return fmt.Errorf("experiment: old checkpoint: %w", err)
			}
		}
	}
	return nil
}
