package study

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/gofrs/flock"
	"github.com/jszwec/csvutil"

	"github.com/ddps-go/ddps/ddps/study/internal/earlier"
	"github.com/ddps-go/ddps/internal/atomicfile"
	"github.com/ddps-go/ddps/internal/digest"
)

// Table is a results table: a CSV file, a row of type T each with its fields' csv tags as header, that grows row by
// row. What was measured stays, whatever ends the process, and need not be measured again. One process at a time.
// Beside the file stands its SHA-256 sum, FILE.sha256: rows that were changed by hand are an error, and so is a table
// without the sum.
type Table[T any] struct {
	Rows []T // those there are; add by Add

	// Shard k of n, from 1, takes every n-th grid point from the k-th on, in the order in which Missing first lists them,
	// and leaves the others to other workers. 0 of 0: all.
	Shard, Shards int
	First         int // number of the first grid point, for Numbered

	Earlier bool // the file has the columns of an earlier version; Add writes today's

	points []T // listed by Missing
	same   func(a, b T) bool
	path   string
	lock   *flock.Flock
	sums   digest.Sums // of the file
}

// OpenTable opens the file, or one that is yet to be made. The error names the file, and the line that is wrong. Close
// it.
func OpenTable[T any](path string) (*Table[T], error) {
	l := &Table[T]{path: path, lock: flock.New(path+".lock", flock.SetPermissions(0o644))}
	if err := atomicfile.MakeDir(filepath.Dir(path)); err != nil {
		return nil, fmt.Errorf("study: results: %w", err)
	}
	ok, err := l.lock.TryLock()
	if err != nil {
		return nil, fmt.Errorf("study: results: %w", err)
	}
	if !ok {
		return nil, fmt.Errorf("study: another process adds to %s", path)
	}
	atomicfile.Sweep(filepath.Dir(path)) // what killed processes left
	if l.sums, err = sumsBeside(path); err != nil {
		return nil, errors.Join(fmt.Errorf("study: results: %w", err), l.lock.Unlock())
	}
	if l.Rows, l.Earlier, err = readTable[T](path); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, errors.Join(err, l.lock.Unlock())
	}
	return l, nil
}

// ReadTable returns the rows of a results table. The error names the file, and the line that is wrong. For one release
// it reads the columns of earlier versions as well.
func ReadTable[T any](path string) (rows []T, err error) {
	rows, _, err = readTable[T](path)
	return rows, err
}

func readTable[T any](path string) (rows []T, old bool, err error) {
	data, err := ReadSummed(path)
	if err != nil {
		return nil, false, fmt.Errorf("study: results: %w", err)
	}
	return tableRows[T](path, data)
}

// ReadForeign is ReadTable of a table that another program wrote, without a sum.
func ReadForeign[T any](path string) (rows []T, err error) {
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, fmt.Errorf("study: results: %w", err)
	}
	rows, _, err = tableRows[T](path, data)
	return rows, err
}

// tableRows returns the rows of the text of a table, the file of which errors name, and whether it is of an earlier
// version.
func tableRows[T any](path string, data []byte) (rows []T, old bool, err error) {
	data, old = earlier.Table(data)
	if err := csvutil.Unmarshal(data, &rows); err != nil {
		return nil, old, fmt.Errorf("study: results: %s: %w", path, err)
	}
	header, err := csvutil.Header(*new(T), "csv")
	if err != nil {
		return nil, old, fmt.Errorf("study: results: %w", err)
	}
	first, _, _ := bytes.Cut(data, []byte("\n"))
	if want := strings.Join(header, ","); len(data) > 0 && string(bytes.TrimSpace(first)) != want {
		return nil, old, fmt.Errorf("study: results: %s: line 1 is %q, expected %q: choose another directory", path,
			first, want)
	}
	return rows, old, nil
}

// Add adds a row and writes the file, whole or not at all.
func (l *Table[T]) Add(row T) error { return l.set(append(l.Rows[:len(l.Rows):len(l.Rows)], row)) }

// Arrange puts the rows of grid points in the points' order, into the places that they have together among the rows,
// and writes the file if that changes it.
func (l *Table[T]) Arrange(points []T, same func(a, b T) bool) error {
	point, places := make([]int, len(l.Rows)), []int(nil) // [row]
	for i, r := range l.Rows {
		point[i] = slices.IndexFunc(points, func(p T) bool { return same(r, p) })
		if point[i] >= 0 {
			places = append(places, i)
		}
	}
	order := slices.Clone(places)
	slices.SortStableFunc(order, func(i, j int) int { return cmp.Compare(point[i], point[j]) })
	if slices.Equal(places, order) {
		return nil
	}
	rows := slices.Clone(l.Rows)
	for k, place := range places {
		rows[place] = l.Rows[order[k]]
	}
	return l.set(rows)
}

// set writes the file with these rows, whole or not at all.
func (l *Table[T]) set(rows []T) error {
	data, err := csvutil.Marshal(rows)
	if err != nil {
		return fmt.Errorf("study: results: %w", err)
	}
	dir, name := filepath.Split(l.path)
	if err := l.sums.Replace(dir, name, name+sumEnding, func(w io.Writer) error {
		_, err := w.Write(data)
		return err
	}); err != nil {
		return fmt.Errorf("study: results: %w", err)
	}
	l.Rows = rows
	return nil
}

// Missing returns the grid points of the shard that the table has no row of.
func (l *Table[T]) Missing(points []T, same func(a, b T) bool) (open []T) {
	l.same = same
	for _, p := range points {
		if l.Shards > 0 {
			k := l.find(p)
			if k < 0 {
				k, l.points = len(l.points), append(l.points, p)
			}
			if (l.First+k)%l.Shards != l.Shard-1 {
				continue
			}
		}
		if !slices.ContainsFunc(l.Rows, func(r T) bool { return same(r, p) }) {
			open = append(open, p)
		}
	}
	return open
}

// Points returns how many grid points Missing has listed in shards.
func (l *Table[T]) Points() int { return len(l.points) }

// Close lets other processes add.
func (l *Table[T]) Close() error { return l.lock.Unlock() }
