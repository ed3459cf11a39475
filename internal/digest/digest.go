// Package digest keeps the SHA-256 sums of files beside them, in the form that sha256sum -c reads.
//
// A file may have two sums while it is replaced: its writer first adds the new one, then renames the file, then drops
// the old one, so that a process can be killed at any point.
package digest

import (
	"bufio"
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/ddps-go/ddps/internal/atomicfile"
)

// Sums are the sums of files by name, with slashes, relative to the directory of the file of sums. Each is 64
// lower-case hexadecimal digits.
type Sums map[string][]string

// maxSize is the most bytes of a file of sums.
const maxSize = 1 << 24

// Read reads a file of sums. The error names the file and the line.
func Read(path string) (Sums, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	text, err := io.ReadAll(io.LimitReader(f, maxSize))
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	s := Sums{}
	for n, line := range bytes.Split(text, []byte("\n")) {
		if len(line) == 0 && n > 0 && n == bytes.Count(text, []byte("\n")) {
			return s, nil
		}
		sum, name, ok := strings.Cut(string(line), "  ")
		if b, err := hex.DecodeString(sum); !ok || err != nil || len(b) != sha256.Size || name == "" ||
			strings.ToLower(sum) != sum {
			return nil, fmt.Errorf("%s:%d: expected a SHA-256 sum, two spaces and a name", path, n+1)
		}
		s[name] = append(s[name], sum)
	}
	return nil, fmt.Errorf("%s: the last line is cut off", path)
}

// Write writes a file of sums, whole or not at all.
func (s Sums) Write(path string) error {
	return atomicfile.Write(path, 0o644, func(w io.Writer) error {
		b := bufio.NewWriter(w)
		for _, name := range slices.Sorted(maps.Keys(s)) {
			for _, sum := range s[name] {
				fmt.Fprintf(b, "%s  %s\n", sum, name)
			}
		}
		return b.Flush()
	})
}

// ErrChanged is what errors of Check wrap for a file that has another sum.
var ErrChanged = errors.New("the file was changed or cut after it was written")

// Check reports whether the file name of directory dir has one of its sums. The error names the file; it wraps
// fs.ErrNotExist for a file that is not there and ErrChanged for one with another sum or none.
func (s Sums) Check(dir, name string) error {
	path := filepath.Join(dir, filepath.FromSlash(name))
	sum, err := File(path)
	switch {
	case err != nil:
		return err
	case len(s[name]) == 0:
		return fmt.Errorf("%s: it has no SHA-256 sum in its directory's list: %w", path, ErrChanged)
	case !slices.Contains(s[name], sum):
		return fmt.Errorf("%s: its SHA-256 is %s…, not %s…: %w", path, sum[:12], s[name][0][:12], ErrChanged)
	}
	return nil
}

// File returns the sum of a file.
func File(path string) (string, error) {
	f, err := os.Open(path)
	if err != nil {
		return "", err
	}
	defer f.Close()
	if info, err := f.Stat(); err == nil && !info.Mode().IsRegular() {
		return "", &fs.PathError{Op: "read", Path: path, Err: errors.New("it is no regular file")}
	}
	h := sha256.New()
	if _, err := io.Copy(h, f); err != nil {
		return "", err
	}
	return hex.EncodeToString(h.Sum(nil)), nil
}

// Replace writes the file name of directory dir, whole or not at all, and keeps its sum in s and in the file of sums
// list of the same directory.
func (s Sums) Replace(dir, name, list string, write func(io.Writer) error) error {
	t, err := atomicfile.Create(filepath.Join(dir, filepath.FromSlash(name)), 0o644)
	if err != nil {
		return err
	}
	old, h := s[name], sha256.New()
	err = write(io.MultiWriter(t, h))
	if err == nil {
		err = t.Sync()
	}
	if err == nil {
		s[name] = slices.Compact(append([]string{hex.EncodeToString(h.Sum(nil))}, old...))
		err = s.Write(filepath.Join(dir, list))
	}
	if err == nil {
		err = t.Commit()
	}
	if err != nil {
		return errors.Join(err, t.Discard())
	}
	if len(s[name]) == 1 {
		return nil
	}
	s[name] = s[name][:1]
	return s.Write(filepath.Join(dir, list))
}
