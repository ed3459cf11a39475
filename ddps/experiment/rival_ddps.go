package experiment

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"path/filepath"
	"time"

	"github.com/ddps-go/ddps/datasets"
	"github.com/ddps-go/ddps/ddps/model"
	"github.com/ddps-go/ddps/ddps/train"
)

// rivalHold is the share of the paths held out in studies of rivals: the paper's 80-20 split.
const rivalHold = 0.2

// rivalConfig returns the settings of DDPS in studies of rivals, so that they share its run.
func rivalConfig(preset string, seed uint64) Config {
	cfg := DefaultConfig().Sized(preset)
	if preset == PresetQuick { // ten paths
		cfg.Train.Steps, cfg.Train.EvalSize, cfg.Train.BoundPaths = 300, 256, 0
	}
	cfg.Hold, cfg.HoldSeed, cfg.InitSeed, cfg.Train.Seed = rivalHold, seed, seed, seed
	return cfg
}

// rivalRun opens, or makes, the run of DDPS with these settings that studies of rivals share in dir.
func rivalRun(dir string, cfg Config, data *datasets.Data) (*Run, error) {
	name := fmt.Sprintf("ddps-%d", cfg.HoldSeed)
	if cfg.Model.Network == model.NetworkNone {
		name = fmt.Sprintf("ddps-no-network-%d", cfg.HoldSeed)
	}
	folder := filepath.Join(dir, name)
	run, err := find(folder, cfg, data)
	if err == nil && run == nil {
		run, err = Create(folder, cfg, data)
	}
	return run, err
}

// trainRival returns the run's model, trained if it is not, and the seconds that training took in all sittings, which
// it keeps in the run's folder; NaN: not known.
func trainRival(ctx context.Context, run *Run, name string, w Watch) (m *model.Model, seconds float64, err error) {
	file := filepath.Join(run.Dir, "training.json")
	err = readJSON(file, &seconds)
	if exists(filepath.Join(run.Dir, modelFile)) {
		if err != nil {
			seconds = math.NaN()
		}
		m, err = run.Model()
		return m, seconds, err
	}
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, 0, err
	}
	began := time.Now()
	m, err = run.trainWatched(ctx, name, w, train.Hooks{})
	seconds += time.Since(began).Seconds()
	return m, seconds, errors.Join(err, writeJSON(file, seconds))
}
