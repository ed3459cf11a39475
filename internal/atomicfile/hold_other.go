//go:build !(darwin || dragonfly || freebsd || linux || netbsd || openbsd)

package atomicfile

import (
	"os"
	"runtime"
)

// hold does nothing: Windows removes no file that is open.
func hold(*os.File) bool { return true }

// sweep removes a file that no process has open on Windows, and none on systems that would remove it all the same.
func sweep(path string) bool { return runtime.GOOS == "windows" && os.Remove(path) == nil }

// rename closes the file and gives it its name: Windows renames no file that is open.
func (t *File) rename() error {
	t.closed = true
	if err := t.Close(); err != nil {
		return err
	}
	return os.Rename(t.Name(), t.path)
}
