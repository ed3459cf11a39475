package run

import (
	"cmp"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/ddps-go/ddps/internal/atomicfile"
)

// leftover matches the names that temporary files of a run had before they could be told from others
// (atomicfile.Sweep).
var leftover = regexp.MustCompile(
	`^\.(config\.toml|graph\.json|paths\.csv|versions\.json|log\.jsonl|model\.safetensors|` +
		`(step-\d+|part-[a-z-]+)\.safetensors)\d+$`)

// sweep removes the temporary files that a process left which was killed as it wrote. The directory must be locked.
func (r *Run) sweep() {
	for _, dir := range []string{r.Dir, filepath.Join(r.Dir, checkpointDir)} {
		atomicfile.Sweep(dir)
		entries, _ := os.ReadDir(dir) // what cannot be read cannot be swept either
		for _, e := range entries {
			if leftover.MatchString(e.Name()) {
				os.Remove(filepath.Join(dir, e.Name()))
			}
		}
	}
}

// checkpoints lists the run's checkpoints, the newest first.
func (r *Run) checkpoints() []string {
	dir := filepath.Join(r.Dir, checkpointDir)
	entries, _ := os.ReadDir(dir) // a directory that cannot be read holds none for us
	var names []string
	for _, e := range entries {
		if ok, _ := filepath.Match("step-*.safetensors", e.Name()); ok {
			names = append(names, filepath.Join(dir, e.Name()))
		}
	}
	// by number
	slices.SortStableFunc(names, func(a, b string) int { return cmp.Or(len(b)-len(a), strings.Compare(b, a)) })
	return names
}

// parts lists the parts of a stack that are kept.
func (r *Run) parts() []string {
	list, _ := filepath.Glob(filepath.Join(r.Dir, checkpointDir, partName("*")))
	return list
}

// newest gives load the newest checkpoint that it takes, with a warning for each that it does not, and returns
// its name: "" where there is none at all. Where none is good the error is the newest one's.
func (r *Run) newest(load func(io.Reader) error) (string, error) {
	var first error
	names := r.checkpoints()
	for i, name := range names {
		err := loadFile(name, load)
		if err == nil {
			err = r.check(checkpointDir + "/" + filepath.Base(name))
		}
		if err == nil {
			return name, nil
		}
		if first == nil {
			first = err
		}
		if i < len(names)-1 {
			r.warn(fmt.Sprintf("%v; falling back to the checkpoint before it", err))
		}
	}
	if len(names) > 1 {
		first = fmt.Errorf("run: none of %d checkpoints is good: %w", len(names), first)
	}
	return "", first
}

// loadFile gives load a file, which errors name.
func loadFile(name string, load func(io.Reader) error) error {
	f, err := os.Open(name)
	if err != nil {
		return err
	}
	defer f.Close()
	if err := load(f); err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	return nil
}

// setAside renames the checkpoints newer than the good one: they are bad, and must not count among those kept.
func (r *Run) setAside(good string) error {
	for _, name := range r.checkpoints() {
		if name == good {
			break
		}
		if err := os.Rename(name, name+".bad"); err != nil {
			return fmt.Errorf("run: bad checkpoint: %w", err)
		}
	}
	return nil
}
