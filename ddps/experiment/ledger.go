package experiment

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/gofrs/flock"
	"github.com/jszwec/csvutil"

	"github.com/ddps-go/ddps/datasets/pathfile"
)

// Ledger is a CSV file of results, a row of type T each with its fields' csv tags as header, that grows row by row:
// what was measured stays, whatever ends the process, and need not be measured again. One process at a time.
type Ledger[T any] struct {
	Rows []T // those there are; add by Add

	path string
	lock *flock.Flock
}

// OpenLedger opens the file, or one that is yet to be made. The error names the file, and the line that is wrong. Close it.
func OpenLedger[T any](path string) (*Ledger[T], error) {
	l := &Ledger[T]{path: path, lock: flock.New(path+".lock", flock.SetPermissions(0o644))}
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return nil, fmt.Errorf("experiment: results: %w", err)
	}
	ok, err := l.lock.TryLock()
	if err != nil {
		return nil, fmt.Errorf("experiment: results: %w", err)
	}
	if !ok {
		return nil, fmt.Errorf("experiment: another process adds to %s", path)
	}
	if l.Rows, err = ReadLedger[T](path); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, errors.Join(err, l.lock.Unlock())
	}
	return l, nil
}

// ReadLedger returns the rows of a ledger. The error names the file, and the line that is wrong.
func ReadLedger[T any](path string) (rows []T, err error) {
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, fmt.Errorf("experiment: results: %w", err)
	}
	if err := csvutil.Unmarshal(data, &rows); err != nil {
		return nil, fmt.Errorf("experiment: results: %s: %w", path, err)
	}
	header, err := csvutil.Header(*new(T), "csv")
	if err != nil {
		return nil, fmt.Errorf("experiment: results: %w", err)
	}
	first, _, _ := bytes.Cut(data, []byte("\n"))
	if want := strings.Join(header, ","); len(data) > 0 && string(bytes.TrimSpace(first)) != want {
		return nil, fmt.Errorf("experiment: results: %s: line 1 is %q, want %q: choose another folder", path, first, want)
	}
	return rows, nil
}

// Add adds a row and writes the file, whole or not at all.
func (l *Ledger[T]) Add(row T) error {
	rows := append(l.Rows[:len(l.Rows):len(l.Rows)], row)
	data, err := csvutil.Marshal(rows)
	if err != nil {
		return fmt.Errorf("experiment: results: %w", err)
	}
	if err := pathfile.WriteWhole(l.path, func(w io.Writer) error { _, err := w.Write(data); return err }); err != nil {
		return fmt.Errorf("experiment: results: %w", err)
	}
	l.Rows = rows
	return nil
}

// Close lets other processes add.
func (l *Ledger[T]) Close() error { return l.lock.Unlock() }
