package run

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"time"

	"github.com/gofrs/flock"

	"github.com/ddps-go/ddps/datasets"
	"github.com/ddps-go/ddps/datasets/pathfile"
	"github.com/ddps-go/ddps/ddps"
	"github.com/ddps-go/ddps/ddps/model"
	"github.com/ddps-go/ddps/internal/digest"
)

// Run is a directory that holds all of one training run:
//
//	config.toml        Config
//	graph.json         the graph as it was given, with what lies on no path
//	paths.csv          the paths, by name, with counts
//	versions.json      of Go, this module and its dependencies, and when the run began
//	log.jsonl          a line a logged step or evaluation
//	checkpoints/       step-00001000.safetensors, the newest Config.Keep of them; of a stack its parts, until it is whole
//	model.safetensors  the trained model, once training has ended
//	SHA256SUMS         of the other files, of the log where no training is under way; sha256sum -c reads it
//
// Files are written whole and renamed. A file that has changed since is an error, but a log is one only where training
// goes on or the log is read: a model opens with a warning. One process trains in a directory at a time.
type Run struct {
	Dir    string
	Config Config
	Data   *datasets.Data // on the graph as given
	Warn   func(string)   // called with damage that was got round; may be nil

	sums  digest.Sums      // of the directory's files, while it is locked
	clock func() time.Time // of budgets; nil: time.Now
}

// names of the files of a run.
const (
	configFile, graphFile, pathsFile, versionsFile = "config.toml", "graph.json", "paths.csv", "versions.json"
	logFile, modelFile, lockFile, checkpointDir    = "log.jsonl", "model.safetensors", ".lock", "checkpoints"
)

// Open reads a run directory, or makes that of a shipped model ("shipped:toy", see ShippedNames) without a directory:
// it can be looked at, not trained. The error names the file that is missing or wrong; it is fs.ErrNotExist, wrapped,
// where dir is no run directory.
func Open(dir string) (*Run, error) {
	if name, ok := strings.CutPrefix(dir, ShippedPrefix); ok {
		return openShipped(name)
	}
	cfg, err := ReadConfig(filepath.Join(dir, configFile), Config{})
	if errors.Is(err, fs.ErrNotExist) || errors.Is(err, syscall.ENOTDIR) {
		return nil, fmt.Errorf("run: %s is no run directory: it has no %s: %w", dir, configFile, fs.ErrNotExist)
	}
	if err != nil {
		return nil, err
	}
	g, err := ReadGraphFile(filepath.Join(dir, graphFile))
	if err != nil {
		return nil, err
	}
	data, err := pathfile.ReadFile(filepath.Join(dir, pathsFile), g, pathfile.ByName)
	changed := checkFixed(dir) // what names the graph's file, where its names no longer fit the paths
	if err != nil && (changed == nil || strings.Contains(changed.Error(), pathsFile)) {
		return nil, err
	}
	if changed != nil {
		return nil, changed
	}
	return &Run{Dir: dir, Config: cfg, Data: data}, nil
}

// Find opens the run directory that a run of these settings and data is kept in, nil if dir holds no run. It is an
// error if dir holds another run, and the error says in what it differs.
func Find(dir string, cfg Config, data *datasets.Data) (*Run, error) {
	if !exists(filepath.Join(dir, configFile)) {
		return nil, nil
	}
	r, err := Open(dir)
	if err == nil {
		data, err = data.Checked()
	}
	if err != nil {
		return nil, err
	}
	what := ""
	switch {
	case model.Fingerprint(r.Data.Graph) != model.Fingerprint(data.Graph):
		what = "on another graph"
	case !slices.EqualFunc(r.Data.Paths, data.Paths, slices.Equal[ddps.Path]) || !slices.Equal(r.Data.Counts, data.Counts):
		what = fmt.Sprintf("on other paths (%d distinct ones, these are %d)", len(r.Data.Paths), len(data.Paths))
	case !r.Config.same(cfg) && !r.Config.same(cfg.validated(data)):
		what = "with other settings"
	default:
		return r, nil
	}
	return nil, fmt.Errorf("run: %s holds a run %s: choose another directory", dir, what)
}

// ReadGraphFile reads a graph's JSON form from a file, which errors name.
func ReadGraphFile(path string) (g *ddps.LayeredGraph, err error) {
	err = loadFile(path, func(f io.Reader) (err error) { g, err = ddps.ReadGraph(f); return err })
	return g, err
}

// Model returns the run's trained model, or what its newest good checkpoint holds if training has not ended. A
// model of another graph than the run's is as bad as a damaged one.
func (r *Run) Model() (*model.Model, error) {
	if name, ok := r.shipped(); ok {
		return Shipped(name)
	}
	r.WarnUnsummed()
	r.warnLog()
	want := model.Fingerprint(r.Data.Graph.Prune())
	fits := func(m *model.Model, err error) error {
		if err == nil && model.Fingerprint(m.Graph) != want {
			err = fmt.Errorf("the model is of another graph (%s, the run's is %s)", model.Fingerprint(m.Graph), want)
		}
		return err
	}
	var damage error
	if path := filepath.Join(r.Dir, modelFile); exists(path) {
		m, err := r.loadModel()
		if damage = fits(m, err); damage == nil {
			return m, nil
		}
		if err == nil {
			damage = fmt.Errorf("%s: %w", path, damage)
		}
		if len(r.checkpoints()) == 0 {
			return nil, damage
		}
		r.warn(fmt.Sprintf("%v; trying the checkpoints", damage))
	}
	if damage == nil {
		r.warnGone(modelFile)
	}
	r.warnGone(r.newestListed())
	var m *model.Model
	name, err := r.newest(func(f io.Reader) (err error) { m, err = model.Load(f); return fits(m, err) })
	if err == nil && name == "" {
		err = fmt.Errorf("run: %s has neither a model nor a checkpoint yet: train it first", r.Dir)
		if n := len(r.parts()); n > 0 {
			err = fmt.Errorf("run: %s has %d parts of a stack and no model yet: resume its training", r.Dir, n)
		}
	}
	if err != nil {
		return nil, err
	}
	step := 0
	fmt.Sscanf(filepath.Base(name), "step-%d", &step)
	r.warn(fmt.Sprintf("the model of %s is its checkpoint after step %d of %d: 'ddps train --resume' goes on from there",
		r.Dir, step, r.Config.Train.Steps))
	return m, nil
}

// loadModel reads the directory's model.
func (r *Run) loadModel() (*model.Model, error) {
	m, err := loadModel(filepath.Join(r.Dir, modelFile))
	if err == nil {
		err = r.check(modelFile)
	}
	return m, err
}

// loadModel reads a model or a checkpoint from a file, which errors name.
func loadModel(path string) (m *model.Model, err error) {
	err = loadFile(path, func(f io.Reader) (err error) { m, err = model.Load(f); return err })
	return m, err
}

func (r *Run) warn(s string) {
	if r.Warn != nil {
		r.Warn(s)
	}
}

// lock makes sure that one process trains in the directory.
func (r *Run) lock() (*flock.Flock, error) {
	if name, ok := r.shipped(); ok {
		return nil, fmt.Errorf("run: %s comes with the program and cannot be trained: train another on its data, with "+
			"--graph %s", r.Dir, name)
	}
	l := flock.New(filepath.Join(r.Dir, lockFile), flock.SetPermissions(0o644))
	ok, err := l.TryLock()
	if err != nil {
		return nil, fmt.Errorf("run: lock: %w", err)
	}
	if !ok {
		return nil, fmt.Errorf("run: another process is training in %s", r.Dir)
	}
	return l, nil
}
