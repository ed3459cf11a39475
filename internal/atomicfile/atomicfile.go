// Package atomicfile writes files whole or not at all, on every system that Go builds for: to a temporary file in the
// same directory, synced to the disk, which is then renamed. A reader finds the old contents or the new ones.
//
// A new file has the permissions asked for, less the umask; one that is replaced keeps its own. A symbolic link is
// replaced, not followed. On Windows the rename fails while another process has the old file open, and where that file
// is read-only; the old contents then stay.
package atomicfile

import (
	"errors"
	"io"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
)

// File is a temporary file on its way to its name: Commit or Discard ends it.
type File struct {
	*os.File        // open for writing
	path     string // the name to come
	closed   bool
	done     bool
}

// Create opens a temporary file in path's directory, called like path with a dot before and digits after. perm holds
// where there is no regular file at path.
func Create(path string, perm fs.FileMode) (*File, error) {
	old, err := os.Lstat(path)
	keep := err == nil && old.Mode().IsRegular()
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	if keep {
		perm = old.Mode().Perm()
	}
	f, err := create(path, perm)
	if err != nil {
		return nil, err
	}
	t := &File{File: f, path: path}
	if keep { // the umask does not count
		if err := f.Chmod(perm); err != nil {
			return nil, errors.Join(err, t.Discard())
		}
	}
	return t, nil
}

// create opens a new file beside path.
func create(path string, perm fs.FileMode) (*os.File, error) {
	dir, base := filepath.Split(path)
	for try := 0; ; try++ {
		name := filepath.Join(dir, "."+base+strconv.FormatUint(rand.Uint64(), 10))
		f, err := os.OpenFile(name, os.O_RDWR|os.O_CREATE|os.O_EXCL, perm)
		if !errors.Is(err, fs.ErrExist) || try == 100 {
			return f, err
		}
	}
}

// Commit syncs and closes the file and gives it its name. After an error Discard is still to be called.
func (t *File) Commit() error {
	if err := t.Sync(); err != nil {
		return err
	}
	t.closed = true
	if err := t.Close(); err != nil {
		return err
	}
	if err := os.Rename(t.Name(), t.path); err != nil {
		return err
	}
	t.done = true
	if dir, err := os.Open(filepath.Dir(t.path)); err == nil {
		dir.Sync() // not all file systems can
		dir.Close()
	}
	return nil
}

// Discard closes and removes the temporary file; after Commit succeeded it does nothing.
func (t *File) Discard() error {
	if t.done {
		return nil
	}
	t.done = true
	var err error
	if !t.closed {
		err = t.Close()
	}
	return errors.Join(err, os.Remove(t.Name()))
}

// Write writes the file path by a function. If that fails, or the disk does, what was at path stays.
func Write(path string, perm fs.FileMode, write func(io.Writer) error) error {
	t, err := Create(path, perm)
	if err != nil {
		return err
	}
	if err := write(t); err != nil {
		return errors.Join(err, t.Discard())
	}
	if err := t.Commit(); err != nil {
		return errors.Join(err, t.Discard())
	}
	return nil
}

// WriteFile is os.WriteFile, whole or not at all.
func WriteFile(path string, data []byte, perm fs.FileMode) error {
	return Write(path, perm, func(w io.Writer) error { _, err := w.Write(data); return err })
}
