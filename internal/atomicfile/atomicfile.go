// Package atomicfile writes files whole or not at all, on every system that Go builds for: to a temporary file in the
// same directory, synced to the disk, which is then renamed. A reader finds the old contents or the new ones.
//
// A new file has the permissions asked for, less the umask; one that is replaced keeps its own. A symbolic link is
// followed, also to a file that is not there yet. On Windows the rename fails while another process has the old file
// open, and where that file is read-only; the old contents then stay.
//
// A process that is killed leaves its temporary file. Sweep removes those of a directory that no process holds.
package atomicfile

import (
	"errors"
	"io"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"unicode/utf8"
)

// File is a temporary file on its way to its name: Commit or Discard ends it.
type File struct {
	*os.File        // open for writing
	path     string // the name to come
	closed   bool
	done     bool
}

// Create opens a temporary file in the directory of path, or of what the symbolic link path leads to. perm holds where
// there is no regular file yet.
func Create(path string, perm fs.FileMode) (*File, error) {
	path, err := Target(path)
	if err != nil {
		return nil, err
	}
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

// maxLinks is the most symbolic links that are followed one after the other, as on Linux.
const maxLinks = 40

// Target returns what a chain of symbolic links at path ends in, which need not be there; path where it is no link.
func Target(path string) (string, error) {
	for n := 0; ; n++ {
		info, err := os.Lstat(path)
		if err != nil || info.Mode()&fs.ModeSymlink == 0 {
			return path, nil // an error shows where the file is opened
		}
		if n == maxLinks {
			return "", &fs.PathError{Op: "open", Path: path, Err: syscall.ELOOP}
		}
		to, err := os.Readlink(path)
		if err != nil {
			return "", err
		}
		if !filepath.IsAbs(to) { // not cleaned: a/../b differs where a is a link
			to = dirOf(path) + to
		}
		path = to
	}
}

// dirOf returns the directory of path with the separator at its end, "" for the working directory.
func dirOf(path string) string { dir, _ := filepath.Split(path); return dir }

// A temporary file is called ., the name to come or its start, mark and digits: together at most 255 bytes, the most
// of the usual file systems.
const (
	mark    = ".ddps-"
	digits  = 20
	maxBase = 255 - len(mark) - digits - len(".")
)

// temporary returns a name for a temporary file of a file called base.
func temporary(base string) string {
	if len(base) > maxBase {
		base = base[:maxBase]
		for !utf8.ValidString(base) && len(base) > maxBase-utf8.UTFMax {
			base = base[:len(base)-1]
		}
	}
	n := strconv.FormatUint(rand.Uint64(), 10)
	return "." + base + mark + strings.Repeat("0", digits-len(n)) + n
}

// isTemporary reports whether a file's name is one that temporary returns.
func isTemporary(name string) bool {
	at := strings.LastIndex(name, mark)
	if at < 1 || name[0] != '.' || len(name) != at+len(mark)+digits {
		return false
	}
	return strings.Trim(name[at+len(mark):], "0123456789") == ""
}

// create opens a new file beside path, which the process holds until it is closed.
func create(path string, perm fs.FileMode) (*os.File, error) {
	dir, base := filepath.Split(path)
	for try := 0; ; try++ {
		f, err := os.OpenFile(filepath.Join(dir, temporary(base)), os.O_RDWR|os.O_CREATE|os.O_EXCL, perm)
		if err == nil && !(hold(f) && at(f)) { // swept in between
			f.Close()
			err = fs.ErrExist
		}
		if !errors.Is(err, fs.ErrExist) || try == 100 {
			return f, err
		}
	}
}

// at reports whether an open file is still what its name leads to.
func at(f *os.File) bool {
	open, err := f.Stat()
	if err != nil {
		return false
	}
	named, err := os.Lstat(f.Name())
	return err == nil && os.SameFile(open, named)
}

// Sweep removes the temporary files of dir that no process holds: those of processes that were killed. It returns how
// many. What cannot be read or removed stays.
func Sweep(dir string) (removed int) {
	entries, _ := os.ReadDir(dir)
	for _, e := range entries {
		if e.Type().IsRegular() && isTemporary(e.Name()) && sweep(filepath.Join(dir, e.Name())) {
			removed++
		}
	}
	return removed
}

// Commit syncs and closes the file and gives it its name. After an error Discard is still to be called.
func (t *File) Commit() error {
	if err := t.Sync(); err != nil {
		return err
	}
	if err := t.rename(); err != nil {
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

// Write writes the file path by a function, and sweeps its directory (Sweep). If that fails, or the disk does, what was
// at path stays.
func Write(path string, perm fs.FileMode, write func(io.Writer) error) error {
	Sweep(filepath.Dir(path))
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
