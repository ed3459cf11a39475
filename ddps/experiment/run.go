package experiment

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"slices"
	"strings"
	"time"

	"github.com/ddps-go/ddps/datasets"
	"github.com/ddps-go/ddps/ddps"
	"github.com/ddps-go/ddps/ddps/d3pm"
	"github.com/gofrs/flock"
	"github.com/google/renameio/v2"
)

// Run is a folder that holds all of one training run:
//
//	config.toml        Config
//	graph.json         the graph as it was given, with what lies on no path
//	paths.csv          the paths, by name, with counts
//	versions.json      of Go, this module and its dependencies, and when the run began
//	log.jsonl          a line a logged step or evaluation
//	checkpoints/       step-00001000.safetensors, the newest Config.Keep of them
//	model.safetensors  the trained model, once training has ended
//
// Files are written whole and renamed. One process trains in a folder at a time.
type Run struct {
	Dir    string
	Config Config
	Data   *datasets.Data // on the graph as given
	Warn   func(string)   // told of damage that was got round; may be nil
}

// names of the files of a run.
const (
	configFile, graphFile, pathsFile, versionsFile = "config.toml", "graph.json", "paths.csv", "versions.json"
	logFile, modelFile, lockFile, checkpointDir    = "log.jsonl", "model.safetensors", ".lock", "checkpoints"
)

// Create makes a run folder for data. It is an error if dir holds a run already, or cannot be written; it then
// leaves no run behind.
func Create(dir string, cfg Config, data *datasets.Data) (*Run, error) {
	if err := cfg.check(); err != nil {
		return nil, err
	}
	if exists(filepath.Join(dir, configFile)) {
		return nil, fmt.Errorf("experiment: %s holds a run already: resume it, or choose another folder", dir)
	}
	if err := os.MkdirAll(filepath.Join(dir, checkpointDir), 0o755); err != nil {
		return nil, fmt.Errorf("experiment: run folder: %w", err)
	}
	versions, err := json.MarshalIndent(versionsNow(), "", "  ")
	if err != nil {
		return nil, err
	}
	for _, f := range []struct { // the configuration last: it makes the folder a run
		name  string
		write func(io.Writer) error
	}{
		{graphFile, func(w io.Writer) error { _, err := data.Graph.WriteTo(w); return err }},
		{pathsFile, data.WriteCSV},
		{versionsFile, func(w io.Writer) error { _, err := w.Write(append(versions, '\n')); return err }},
		{configFile, cfg.Write},
	} {
		if err := writeFile(filepath.Join(dir, f.name), f.write); err != nil {
			return nil, err
		}
	}
	return &Run{Dir: dir, Config: cfg, Data: data}, nil
}

// OpenRun reads a run folder. The error names the file that is missing or wrong.
func OpenRun(dir string) (*Run, error) {
	path := filepath.Join(dir, configFile)
	if !exists(path) {
		return nil, fmt.Errorf("experiment: %s is no run folder: it has no %s", dir, configFile)
	}
	cfg, err := ReadConfig(path, Config{})
	if err != nil {
		return nil, err
	}
	g, err := ReadGraphFile(filepath.Join(dir, graphFile))
	if err != nil {
		return nil, err
	}
	data, err := datasets.ReadPathFile(filepath.Join(dir, pathsFile), g, datasets.ByName)
	if err != nil {
		return nil, err
	}
	return &Run{Dir: dir, Config: cfg, Data: data}, nil
}

// ReadGraphFile reads a graph's JSON form from a file, which errors name.
func ReadGraphFile(path string) (*ddps.LayeredGraph, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	g, err := ddps.ReadGraph(f)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return g, nil
}

// Model returns the run's trained model, or what its newest good checkpoint holds if training has not ended.
func (r *Run) Model() (*d3pm.Model, error) {
	if path := filepath.Join(r.Dir, modelFile); exists(path) {
		m, err := LoadModel(path)
		if err == nil {
			return m, nil
		}
		r.warn(fmt.Sprintf("%v; trying the checkpoints", err))
	}
	var model *d3pm.Model
	name, err := r.newest(func(f io.Reader) (err error) { model, err = d3pm.Load(f); return err })
	if err == nil && name == "" {
		err = fmt.Errorf("experiment: %s has neither a model nor a checkpoint yet: train it first", r.Dir)
	}
	return model, err
}

// LoadModel reads a model or a checkpoint from a file, which errors name.
func LoadModel(path string) (*d3pm.Model, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	m, err := d3pm.Load(f)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return m, nil
}

// checkpoints lists the run's checkpoints, the newest first.
func (r *Run) checkpoints() []string {
	dir := filepath.Join(r.Dir, checkpointDir)
	entries, _ := os.ReadDir(dir) // a folder that cannot be read holds none for us
	var names []string
	for _, e := range entries {
		if ok, _ := filepath.Match("step-*.safetensors", e.Name()); ok {
			names = append(names, filepath.Join(dir, e.Name()))
		}
	}
	slices.Reverse(names) // ReadDir sorts by name
	return names
}

// newest gives load the newest checkpoint that it takes, with a warning for each that it does not, and returns
// its name: "" where there is none at all. Where none is good the error is the newest one's.
func (r *Run) newest(load func(io.Reader) error) (string, error) {
	var first error
	for _, name := range r.checkpoints() {
		f, err := os.Open(name)
		if err == nil {
			err = load(f)
			f.Close()
		}
		if err == nil {
			return name, nil
		}
		err = fmt.Errorf("%s: %w", name, err)
		if first == nil {
			first = err
		}
		r.warn(fmt.Sprintf("%v; falling back to the checkpoint before it", err))
	}
	return "", first
}

func (r *Run) warn(s string) {
	if r.Warn != nil {
		r.Warn(s)
	}
}

// lock makes sure that one process trains in the folder.
func (r *Run) lock() (*flock.Flock, error) {
	l := flock.New(filepath.Join(r.Dir, lockFile))
	ok, err := l.TryLock()
	if err != nil {
		return nil, fmt.Errorf("experiment: lock: %w", err)
	}
	if !ok {
		return nil, fmt.Errorf("experiment: another process is training in %s", r.Dir)
	}
	return l, nil
}

// writeFile writes a file whole or not at all.
func writeFile(path string, write func(io.Writer) error) error {
	f, err := renameio.NewPendingFile(path, renameio.WithPermissions(0o644), renameio.WithExistingPermissions())
	if err != nil {
		return err
	}
	if err := write(f); err != nil {
		return errors.Join(fmt.Errorf("writing %s: %w", path, err), f.Cleanup())
	}
	if err := f.CloseAtomicallyReplace(); err != nil {
		return errors.Join(fmt.Errorf("writing %s: %w", path, err), f.Cleanup())
	}
	return nil
}

// versionsNow tells what a run is made with.
func versionsNow() map[string]string {
	v := map[string]string{"go": runtime.Version(), "os": runtime.GOOS, "arch": runtime.GOARCH, "began": time.Now().UTC().Format(time.RFC3339)}
	if info, ok := debug.ReadBuildInfo(); ok {
		v[info.Main.Path] = info.Main.Version
		for _, d := range info.Deps {
			if strings.Contains(d.Path, "gomlx") || strings.HasPrefix(d.Path, "gonum.org/") {
				v[d.Path] = d.Version
			}
		}
		for _, s := range info.Settings {
			if s.Key == "vcs.revision" || s.Key == "-tags" || s.Key == "CGO_ENABLED" {
				v[s.Key] = s.Value
			}
		}
	}
	return v
}
