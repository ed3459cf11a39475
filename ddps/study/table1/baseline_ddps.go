package table1

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
	"github.com/ddps-go/ddps/ddps/run"
	"github.com/ddps-go/ddps/ddps/train"
)

// hold is the share of validation paths in studies of the baselines: the paper's 80-20 split.
const hold = 0.2

// ddpsConfig returns the settings of DDPS in studies of the baselines, so that they share its run.
func ddpsConfig(n size, seed uint64) run.Config {
	cfg := run.DefaultConfig()
	switch n {
	case sizePaper:
		cfg = cfg.Sized(run.PresetPaper)
	case sizeExample: // ten paths
		cfg.Train.Steps, cfg.Train.EvalSize, cfg.Train.BoundPaths = 300, 256, 0
	}
	cfg.Hold, cfg.HoldSeed, cfg.InitSeed, cfg.Train.Seed = hold, seed, seed, seed
	return cfg
}

// ddpsRun opens, or makes, the run of DDPS with these settings that studies of the baselines share in dir.
func ddpsRun(dir string, cfg run.Config, data *datasets.Data) (*run.Run, error) {
	name := fmt.Sprintf("ddps-%d", cfg.HoldSeed)
	if cfg.Model.Network == model.NetworkNone {
		name = fmt.Sprintf("ddps-no-network-%d", cfg.HoldSeed)
	}
	return run.FindOrCreate(filepath.Join(dir, name), cfg, data)
}

// trainDDPS returns the run's model, trained if it is not, and the seconds that training took over all runs, which
// it keeps in the run's directory; NaN: not known.
func trainDDPS(ctx context.Context, r *run.Run, name string, w run.Progress) (m *model.Model, seconds float64,
	err error) {
	file := filepath.Join(r.Dir, "training.json")
	err = readJSON(file, &seconds)
	if r.HasModel() {
		if err != nil {
			seconds = math.NaN()
		}
		m, err = r.Model()
		return m, seconds, err
	}
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, 0, err
	}
	began := time.Now()
	m, err = r.Resume(ctx, name, w, train.Hooks{})
	seconds += time.Since(began).Seconds()
	return m, seconds, errors.Join(err, writeJSON(file, seconds))
}
