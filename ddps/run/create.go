package run

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"strings"
	"time"

	"github.com/ddps-go/ddps/datasets"
	"github.com/ddps-go/ddps/datasets/pathfile"
	"github.com/ddps-go/ddps/ddps/model"
	"github.com/ddps-go/ddps/ddps/query"
	"github.com/ddps-go/ddps/internal/atomicfile"
)

// Create makes a run directory for data. It is an error if a setting is out of range, if dir holds a run already or
// other files that a run would write over, or if it cannot be written; it then leaves all as it was.
func Create(dir string, cfg Config, data *datasets.Data) (r *Run, err error) {
	r = &Run{Dir: dir, Config: cfg, Data: data}
	if _, ok := r.shipped(); ok {
		return nil, fmt.Errorf("run: %s is a shipped model: choose another directory", dir)
	}
	if exists(filepath.Join(dir, configFile)) {
		return nil, errHolds(dir)
	}
	if err := r.checkSettings(); err != nil {
		return nil, err
	}
	made, err := makeFolder(dir)
	if err != nil {
		return nil, fmt.Errorf("run: run directory: %w", err)
	}
	defer func() {
		if err != nil {
			remove(made)
		}
	}()
	l, err := r.lock()
	if err != nil {
		return nil, err
	}
	defer l.Unlock()
	if exists(filepath.Join(dir, configFile)) { // another process was faster
		return nil, errHolds(dir)
	}
	made = append(made, l.Path())
	files, err := r.files()
	if err != nil {
		return nil, err
	}
	var checkpoints []string
	if checkpoints, err = makeFolder(filepath.Join(dir, checkpointDir)); err != nil {
		return nil, fmt.Errorf("run: run directory: %w", err)
	}
	made = append(made, checkpoints...)
	for _, f := range files {
		path := filepath.Join(dir, f.name)
		if !taken(path) {
			made = append(made, path)
		}
		if err := pathfile.WriteWhole(path, func(w io.Writer) error { _, err := w.Write(f.data); return err }); err != nil {
			return nil, fmt.Errorf("run: run directory: %w", err)
		}
	}
	return r, nil
}

// FindOrCreate opens the run directory that a run of these settings and data is kept in, or makes it. It is an error if
// dir holds another run; the error says in what it differs.
func FindOrCreate(dir string, cfg Config, data *datasets.Data) (*Run, error) {
	r, err := Find(dir, cfg, data)
	if err == nil && r == nil {
		r, err = Create(dir, cfg, data)
	}
	return r, err
}

func errHolds(dir string) error {
	return fmt.Errorf("run: %s holds a run already: resume it, or choose another directory", dir)
}

// checkSettings makes all that training will make, and so finds what is out of range before anything is written.
func (r *Run) checkSettings() (err error) {
	if r.Data, err = r.Data.Checked(); err != nil {
		return fmt.Errorf("run: %w", err)
	}
	if r.Config = r.Config.validated(r.Data); r.Config.Check() != nil {
		return r.Config.Check()
	}
	if b := r.Config.Model.Backend(); b != "" {
		if _, err := model.CheckBackend(b); err != nil {
			return err
		}
	}
	if r.Config.Where != "" { // the graph knows its names, and some path meets it
		if _, err := query.ParseWhere(r.Config.Where, r.Data.Graph.Prune(), nil, nil); err != nil {
			return fmt.Errorf("run: %w", err)
		}
	}
	r.Config.Model = r.Config.Model.Own() // as it is read again
	_, err = r.Plan()
	return err
}

// taken reports whether the name is taken, be it by a link to nothing.
func taken(path string) bool {
	_, err := os.Lstat(path)
	return err == nil
}

// makeFolder makes a directory and those above it, and returns the ones that were not there, the outermost first.
func makeFolder(dir string) (made []string, err error) {
	for d := filepath.Clean(dir); !taken(d); d = filepath.Dir(d) {
		made = append([]string{d}, made...)
		if d == filepath.Dir(d) {
			break
		}
	}
	if err := atomicfile.MakeDir(dir); err != nil {
		remove(made)
		return nil, err
	}
	return made, nil
}

// remove takes away what was made, the last first; directories in which others made something stay.
func remove(made []string) {
	for i := len(made) - 1; i >= 0; i-- {
		os.Remove(made[i])
	}
}

// content is a file of a run that there is from its beginning.
type content struct {
	name string
	data []byte
}

// files returns the files of a new run, the configuration last: it makes the directory a run. It is an error if one
// is there already, unless it is what a Create that was killed left.
func (r *Run) files() ([]content, error) {
	versions, err := json.MarshalIndent(versionsNow(), "", "  ")
	if err != nil {
		return nil, err
	}
	var list []content
	for _, f := range []struct {
		name  string
		write func(io.Writer) error
	}{
		{graphFile, func(w io.Writer) error { _, err := r.Data.Graph.WriteTo(w); return err }},
		{pathsFile, func(w io.Writer) error { return pathfile.WriteCSV(w, r.Data, pathfile.ByName) }},
		{versionsFile, func(w io.Writer) error { _, err := w.Write(append(versions, '\n')); return err }},
		{configFile, r.Config.Write},
	} {
		var b bytes.Buffer
		if err := f.write(&b); err != nil {
			return nil, err
		}
		if f.name == configFile { // it makes the directory a run, and comes last
			list = append(list, r.newSums(append(list, content{configFile, b.Bytes()})))
		}
		list = append(list, content{f.name, b.Bytes()})
		old, err := os.ReadFile(filepath.Join(r.Dir, f.name))
		ours := err == nil && (bytes.Equal(old, b.Bytes()) || f.name == versionsFile &&
			bytes.Contains(old, []byte(`"began": `)))
		if !ours && taken(filepath.Join(r.Dir, f.name)) {
			return nil, r.errForeign(f.name)
		}
	}
	if old, err := os.ReadFile(filepath.Join(r.Dir, sumsFile)); err == nil && !oursSums(old) || err != nil &&
		taken(filepath.Join(r.Dir, sumsFile)) {
		return nil, r.errForeign(sumsFile)
	}
	for _, name := range []string{logFile, modelFile} {
		if taken(filepath.Join(r.Dir, name)) {
			return nil, r.errForeign(name)
		}
	}
	if have := r.checkpoints(); len(have) > 0 {
		return nil, r.errForeign(filepath.Join(checkpointDir, filepath.Base(have[0])))
	}
	return list, nil
}

func (r *Run) errForeign(name string) error {
	return fmt.Errorf("run: %s is no run directory, but holds %s, which a run would write over: choose another directory",
		r.Dir, name)
}

// versionsNow says what a run is made with.
func versionsNow() map[string]string {
	v := map[string]string{"go": runtime.Version(), "os": runtime.GOOS, "arch": runtime.GOARCH,
		"began": time.Now().UTC().Format(time.RFC3339)}
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
