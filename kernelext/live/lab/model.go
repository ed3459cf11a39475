package lab

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/ddps-go/ddps/ddps/chain"
	"github.com/ddps-go/ddps/ddps/model"
	"github.com/ddps-go/ddps/ddps/run"
	"github.com/ddps-go/ddps/ddps/train"
	"github.com/ddps-go/ddps/kernelext"
	"github.com/ddps-go/ddps/kernelext/artefact"
)

// Fit fits a first-order Markov chain to data, with a pseudo-count an edge in paths.
func Fit(d *Data, kappa float64) (*Chain, error) { return run.FitChain(d, kappa) }

// UniformChain returns the chain whose distribution is uniform over all paths of g.
func UniformChain(g *Graph) *Chain { return chain.Uniform(g) }

// DefaultConfig returns the settings that a network ("mlp", "unet", …, see Networks) starts from.
func DefaultConfig(network string) Config { return run.ConfigOf(network) }

// Networks lists the networks that a model may have.
func Networks() []string { return model.NetworkNames() }

// Load reads a model from a run directory, a checkpoint or a file of weights, or takes one that comes with the program.
//
//	m := must(Load("shipped:heights")) // or "shipped:toy"
func (l *Lab) Load(path string) (*Model, error) {
	m, _, err := run.OpenModel(path, l.warn)
	return m, err
}

func (l *Lab) warn(s string) { fmt.Fprintln(l.out.Stderr(), s) }

// Train returns the model of data: of settings given, or else a mixture of chains on street maps and the MLP elsewhere.
// It is kept in a directory below runs/ that is named by what it is made from, code, settings and data: the second time
// it is only read, and one that was interrupted goes on where it was. The training curve shows as it grows.
//
//	m := must(Train(data))
//	cfg := DefaultConfig("mlp")
//	cfg.Train.Steps = 200
//	m := must(Train(data, cfg))
func (l *Lab) Train(d *Data, config ...Config) (*Model, error) {
	cfg := run.MixtureConfigFor(d.Graph)
	if len(config) > 0 {
		cfg = config[0]
	}
	code, err := artefact.Code(trainRun)
	if err != nil {
		return nil, err
	}
	key, err := artefact.Key(code, cfg, d)
	if err != nil {
		return nil, err
	}
	return trainRun(l, filepath.Join("runs", key[:16]), d, cfg)
}

// TrainIn is Train in a run directory of a given name; one that is there goes on with its own settings and data.
func (l *Lab) TrainIn(dir string, d *Data, config ...Config) (*Model, error) {
	cfg := run.MixtureConfigFor(d.Graph)
	if len(config) > 0 {
		cfg = config[0]
	}
	return trainRun(l, dir, d, cfg)
}

// trainRun makes or resumes a run. It is a function for its name: see artefact.Code.
func trainRun(l *Lab, dir string, d *Data, cfg Config) (*Model, error) {
	r, resume, err := openOrCreate(dir, d, cfg)
	if err != nil {
		return nil, err
	}
	r.Warn = l.warn
	if resume {
		if _, err := os.Stat(filepath.Join(dir, "model.safetensors")); err == nil {
			fmt.Fprintf(l.out.Stdout(), "%s was trained before\n", dir)
			if p, err := TrainingPlot(dir); err == nil {
				l.Show(p)
			}
			return r.Model()
		}
	}
	sight := &training{dir: dir, place: kernelext.NewPlace(l.out)}
	m, err := r.Train(l.ctx(), resume, train.Hooks{Fit: sight.fit, Step: sight.step, Eval: sight.eval})
	if errors.Is(err, train.ErrStopped) {
		return nil, fmt.Errorf("%w; the same call goes on from there: %s", err, dir)
	}
	if err != nil {
		return nil, err
	}
	sight.end()
	return m, nil
}

func openOrCreate(dir string, d *Data, cfg Config) (r *run.Run, resume bool, err error) {
	if _, err := os.Stat(filepath.Join(dir, "config.toml")); err == nil {
		r, err := run.Open(dir)
		if err != nil {
			return nil, false, err
		}
		steps, err := filepath.Glob(filepath.Join(dir, "checkpoints", "*.safetensors"))
		_, done := os.Stat(filepath.Join(dir, "model.safetensors"))
		return r, err == nil && (len(steps) > 0 || done == nil), err
	} else if !errors.Is(err, fs.ErrNotExist) {
		return nil, false, fmt.Errorf("lab: %w", err)
	}
	r, err = run.Create(dir, cfg.On(d.Graph), d)
	return r, false, err
}
