package artefact

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/gofrs/flock"
)

// Dirs returns the directories below root, itself too, that hold results, in the order of their names. Hidden
// directories are passed over, and those that cannot be read.
func Dirs(root string) ([]string, error) {
	if _, err := os.Stat(root); err != nil {
		return nil, fmt.Errorf("artefact: %w", err)
	}
	var dirs []string
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return nil
		}
		if d.IsDir() && path != root && strings.HasPrefix(d.Name(), ".") {
			return fs.SkipDir
		}
		if dir := filepath.Dir(path); strings.HasSuffix(path, ending) && !d.IsDir() && !slices.Contains(dirs, dir) {
			dirs = append(dirs, dir)
		}
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("artefact: %w", err)
	}
	slices.Sort(dirs)
	return dirs, nil
}

// Policy says what Collect removes.
type Policy struct {
	Before time.Time // what was not used since; the zero time spares all
	Keep   int64     // bytes that may stay: beyond them goes what was used longest ago; 0 spares all
	Dry    bool      // only tell
}

// Collect removes results from directories, and returns them in the order in which they were last used. What a process
// waits for or computes is spared, and who wants again what was removed computes it again. With the results go their
// lock files, and what was left half-written more than a day ago.
func Collect(dirs []string, p Policy) (removed []Info, err error) {
	var all []Info
	var size int64
	for _, dir := range dirs {
		list, err := List(dir)
		if err != nil {
			return nil, err
		}
		all = append(all, list...)
	}
	for _, info := range all {
		size += info.Size
	}
	slices.SortStableFunc(all, func(a, b Info) int { return cmp.Or(a.Used.Compare(b.Used), cmp.Compare(a.Key, b.Key)) })
	for _, info := range all {
		if !info.Used.Before(p.Before) && (p.Keep <= 0 || size <= p.Keep) {
			continue
		}
		gone := p.Dry
		if !gone {
			if gone, err = remove(info); err != nil {
				return removed, err
			}
		}
		if gone {
			removed = append(removed, info)
			size -= info.Size
		}
	}
	if !p.Dry {
		for _, dir := range dirs {
			sweep(dir)
		}
	}
	return removed, nil
}

// remove removes a result, unless another holds its lock or has used it in the meantime.
func remove(info Info) (bool, error) {
	lock := filepath.Join(info.Dir, info.Key+lockEnding)
	l := flock.New(lock)
	if ok, err := l.TryLock(); err != nil || !ok {
		return false, nil
	}
	defer l.Close()
	path := filepath.Join(info.Dir, info.Key+ending)
	if now, err := os.Stat(path); err != nil || !now.ModTime().Equal(info.Used) {
		return false, nil
	}
	if err := os.Remove(path); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return false, fmt.Errorf("artefact: %w", err)
	}
	if current(l, lock) {
		os.Remove(lock) // who waits for it sees that it is gone
	}
	return true, nil
}

// half is the name of a file being written.
var half = regexp.MustCompile(`^\.[0-9a-f]{40}\.artefact\d+$`)

// sweep removes what writers that were killed left.
func sweep(dir string) {
	entries, _ := os.ReadDir(dir)
	for _, e := range entries {
		if info, err := e.Info(); err == nil && half.MatchString(e.Name()) && time.Since(info.ModTime()) > 24*time.Hour {
			os.Remove(filepath.Join(dir, e.Name()))
		}
	}
}
