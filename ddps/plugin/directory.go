package plugin

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"github.com/gofrs/flock"
)

// Names in a directory while something is installed there. No plugin is looked for under them.
const (
	lockName   = ".ddps-backend.lock"
	partPrefix = ".ddps-backend.part-"
)

// lock makes the directory and waits until this process alone works there. unlock leaves no trace: the lock goes, and
// of the directories made those that are empty.
func lock(ctx context.Context, directory string, wait func()) (unlock func(), err error) {
	name := filepath.Join(directory, lockName)
	made := missing(directory)
	told := false
	for gone := 0; ; {
		if err := os.MkdirAll(directory, 0o755); err != nil {
			return nil, fmt.Errorf("cannot make %s: %w", directory, reason(err))
		}
		l := flock.New(name, flock.SetPermissions(0o644))
		ok, err := l.TryLock()
		if errors.Is(err, fs.ErrNotExist) && gone < 20 { // the directory may have gone with another's lock
			gone++
			continue
		}
		if err != nil {
			remove(made)
			return nil, fmt.Errorf("cannot write into %s: %w", directory, reason(err))
		}
		if ok && same(l, name) {
			return func() {
				os.Remove(name) // while it is held: who waits for it sees that it is no longer the one
				l.Close()
				remove(made)
			}, nil
		}
		l.Close()
		if !ok && !told && wait != nil {
			wait()
			told = true
		}
		select {
		case <-ctx.Done():
			return nil, ctx.Err()
		case <-time.After(50 * time.Millisecond):
		}
	}
}

// same reports whether the lock held is the file that has its name now.
func same(l *flock.Flock, name string) bool {
	held, err := l.Stat()
	if err != nil {
		return false
	}
	now, err := os.Stat(name)
	return err == nil && os.SameFile(held, now)
}

// missing are the directories that os.MkdirAll would make, the deepest first.
func missing(directory string) (list []string) {
	for ; ; directory = filepath.Dir(directory) {
		if _, err := os.Stat(directory); err == nil || directory == filepath.Dir(directory) {
			return list
		}
		list = append(list, directory)
	}
}

// remove removes directories that are empty.
func remove(directories []string) {
	for _, f := range directories {
		os.Remove(f)
	}
}

// reason drops the operation and the name from an error of a file.
func reason(err error) error {
	var path *fs.PathError
	if errors.As(err, &path) {
		return path.Err
	}
	return err
}

// temporary makes a file in directory that sweep knows.
func temporary(directory string) (*os.File, error) {
	f, err := os.CreateTemp(directory, partPrefix+"*")
	if err != nil {
		return nil, fmt.Errorf("cannot write into %s: %w", directory, reason(err))
	}
	return f, nil
}

// sweep removes what processes that were killed left in the directory, whose lock is held.
func sweep(directory string) {
	names, _ := filepath.Glob(filepath.Join(directory, partPrefix+"*"))
	for _, n := range names {
		os.Remove(n)
	}
}

// syncDir makes names last; not all file systems can.
func syncDir(directory string) {
	if d, err := os.Open(directory); err == nil {
		d.Sync()
		d.Close()
	}
}

// Uninstall removes the plugin from the directory of plugins, by default backend.DefaultDir, and returns its file. A
// plugin that is not there is an error.
func Uninstall(ctx context.Context, plugin, dir string) (string, error) {
	file, err := uninstall(ctx, plugin, dir)
	if err != nil {
		return "", fmt.Errorf("plugin: uninstall xla:%s: %w", plugin, err)
	}
	return file, nil
}

func uninstall(ctx context.Context, plugin, dir string) (string, error) {
	file, err := place(plugin, dir)
	if err != nil {
		return "", err
	}
	info, err := os.Lstat(file)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return "", fmt.Errorf("there is no %s", file)
	case err != nil:
		return "", err
	case info.IsDir():
		return "", fmt.Errorf("%s is a directory", file)
	}
	unlock, err := lock(ctx, filepath.Dir(file), nil)
	if err != nil {
		return "", err
	}
	defer unlock()
	sweep(filepath.Dir(file))
	if err := os.Remove(file); err != nil {
		return "", err
	}
	syncDir(filepath.Dir(file))
	return file, nil
}
