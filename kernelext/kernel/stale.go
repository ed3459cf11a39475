//go:build unix

package kernel

import (
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/ddps-go/ddps/kernelext/kernel/setup"
)

// stale is what the kernel last said of source that is newer than its program.
type stale struct {
	looked time.Time // when it looked last
	said   time.Time // the time of the newest file that it spoke of
}

// lookAgain is how long the kernel does not look at the source again.
const lookAgain = 2 * time.Second

// noteStale says once for each change that the module's source is newer than the program: live cells use the packages
// that were compiled into it, compiled cells the source. A module other than the program's own is none of its business.
func (k *kernel) noteStale(w io.Writer) {
	now := time.Now()
	if now.Sub(k.stale.looked) < lookAgain {
		return
	}
	k.stale.looked = now
	module, err := setup.FindModule(k.Dir)
	if err != nil || !isOwn(module) {
		return
	}
	program, err := os.Stat(k.Program[0])
	if err != nil {
		return
	}
	newest, name := newestSource(module)
	if !newest.After(program.ModTime()) || !newest.After(k.stale.said) {
		return
	}
	k.stale.said = newest
	fmt.Fprintf(w, "note: %s is newer than the kernel's program: live cells use the packages as they were built, "+
		"compiled cells as they are now\n", name)
}

// isOwn reports whether a module is the one that the program is built from.
func isOwn(module string) bool {
	text, err := os.ReadFile(filepath.Join(module, "go.mod"))
	return err == nil && strings.HasPrefix(string(text), "module github.com/ddps-go/ddps\n")
}

// newestSource returns the newest file of Go below a module that is no test, and when it was changed.
func newestSource(module string) (newest time.Time, name string) {
	// nolint:errcheck // what cannot be read is not compiled
	filepath.WalkDir(module, func(path string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return nil
		case d.IsDir() && path != module && (strings.HasPrefix(d.Name(), ".") || strings.HasPrefix(d.Name(), "_") ||
			d.Name() == "testdata"):
			return fs.SkipDir
		case d.IsDir() || !strings.HasSuffix(d.Name(), ".go") || strings.HasSuffix(d.Name(), "_test.go"):
			return nil
		}
		if info, err := d.Info(); err == nil && info.ModTime().After(newest) {
			newest, name = info.ModTime(), path
		}
		return nil
	})
	if rel, err := filepath.Rel(module, name); err == nil {
		name = rel
	}
	return newest, name
}
