package cli

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

// CheckOut reports before long work whether the paths can be written; nothing is
// left, and what is no regular file is not touched.
func (a *App) CheckOut(paths ...string) error {
	if err := CheckApart(paths...); err != nil {
		return err
	}
	for _, path := range paths {
		if path == "" || path == "-" {
			continue
		}
		_, info, err := lookOut(path)
		if err != nil {
			return err
		}
		if info != nil && !info.Mode().IsRegular() {
			continue
		}
		p, err := a.open(path)
		if err != nil {
			return err
		}
		p.drop()
	}
	return nil
}

// CheckApart refuses outputs that are one file, whatever it is called.
func CheckApart(paths ...string) error {
	seen := map[string]bool{}
	for _, path := range paths {
		if path == "" || path == "-" {
			continue
		}
		key, info, err := lookOut(path)
		if err != nil || info != nil && !info.Mode().IsRegular() {
			continue // nothing is lost there, or another will tell
		}
		if dir, err := filepath.EvalSymlinks(filepath.Dir(key)); err == nil {
			key = filepath.Join(dir, filepath.Base(key))
		}
		if full, err := filepath.Abs(key); err == nil {
			key = full
		}
		if seen[key] {
			return Usagef("two outputs are the same file %s", filepath.Clean(path))
		}
		seen[key] = true
	}
	return nil
}

// CheckDir reports whether files can be made in dir, which may be new: then
// whether it can be made. Nothing is left.
func CheckDir(dir string) error {
	parent := dir
	for {
		info, err := os.Stat(parent)
		if err == nil && !info.IsDir() {
			return fmt.Errorf("cannot write into %s: %s is no directory", dir, parent)
		}
		if err == nil {
			break
		}
		if !errors.Is(err, fs.ErrNotExist) || parent == filepath.Dir(parent) {
			return fmt.Errorf("cannot write into %s: %w", dir, Reason(err))
		}
		parent = filepath.Dir(parent)
	}
	f, err := os.CreateTemp(parent, ".ddps-")
	if err != nil {
		return fmt.Errorf("cannot write into %s: %w", dir, Reason(err))
	}
	f.Close()
	return os.Remove(f.Name())
}
