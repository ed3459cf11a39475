package pathfile

import (
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	"github.com/ddps-go/ddps/datasets"
	"github.com/ddps-go/ddps/datasets/internal/input"
	"github.com/ddps-go/ddps/ddps"
)

// Rows says where paths stand in a file, and what is no path of the graph there.
type Rows struct {
	Lines []int // of the paths of the data: where each stands first, from 1; of Parquet the row
	Stray []Stray
}

// Stray is a row that is whole and no path of the graph: it names a vertex that is not in its layer, or a move that the
// graph lacks. Under any distribution over the graph's paths it is impossible.
type Stray struct {
	Names       []string
	Count, Line int
	Err         error // why
}

// ReadRows is ReadFile by name for files that may have rows that are no paths of g, which are not an error unless none
// is a path. Rows that cannot be read are one, as are those of another number of vertices than layers, but for FASTA.
func ReadRows(path string, g *ddps.LayeredGraph) (*datasets.Data, *Rows, error) {
	b := newGather(g)
	b.rows = &Rows{}
	d, err := readFile(path, b, ByName)
	return d, b.rows, err
}

// ReadRowsFrom is ReadRows of a text in a format, CSV, JSONL or FASTA. name only serves the messages.
func ReadRowsFrom(name string, r io.Reader, format string, g *ddps.LayeredGraph) (*datasets.Data, *Rows, error) {
	b := newGather(g)
	b.rows = &Rows{}
	d, err := readText(name, r, format, b, ByName)
	return d, b.rows, err
}

// readFile reads a file into b.
func readFile(path string, b *gather, by Vertices) (*datasets.Data, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, fmt.Errorf("datasets: %w", err)
	}
	defer f.Close()
	format, err := FormatOf(unpacked(path))
	switch {
	case err != nil:
		return nil, fmt.Errorf("datasets: %w", err)
	case format == Parquet && unpacked(path) != path:
		return nil, fmt.Errorf("datasets: %s: Parquet is read where it is not packed: unpack it first", path)
	case format == Parquet:
		return parquetOf(path, f, b, by)
	}
	return readText(path, f, format, b, by)
}

// parquetOf reads a file.
func parquetOf(path string, f *os.File, b *gather, by Vertices) (*datasets.Data, error) {
	size, err := input.Size(f)
	if err != nil {
		return nil, fmt.Errorf("datasets: %s: parquet: %w", path, err)
	}
	return parquetInto(path, f, size, b, by)
}

// parquetInto reads Parquet into b.
func parquetInto(name string, r io.ReaderAt, size int64, b *gather, by Vertices) (d *datasets.Data, err error) {
	defer func() { // the library's decoders index what a damaged file says
		if p := recover(); p != nil {
			d, err = nil, fmt.Errorf("datasets: %s: parquet: the file is damaged: %v", name, p)
		}
	}()
	if err := readParquet(b, r, size, by); err != nil {
		return nil, fmt.Errorf("datasets: %s: %w", name, err)
	}
	return b.done(name)
}

// readText reads a text in a format.
func readText(name string, r io.Reader, format string, b *gather, by Vertices) (*datasets.Data, error) {
	switch format {
	case CSV:
		return readCSV(name, r, b, by)
	case JSONL:
		return readJSONL(name, r, b)
	case FASTA:
		return readFASTA(name, r, b)
	}
	return nil, fmt.Errorf("datasets: %s: paths are written as GeoJSON, not read", name)
}

// stray is the error of a vertex that is not in its layer, or a move that the graph lacks.
type stray struct{ error }

func (s stray) Unwrap() error { return s.error }

// named finds a vertex by name.
func (b *gather) named(l int, name string) (int, error) {
	if b.rows == nil || strings.TrimSpace(name) == "" {
		return b.names.find(l, name)
	}
	if v, found := b.names.lookup(l, name); found && b.names.on[v] {
		return v, nil
	}
	key := fmt.Sprint(l, " ", name) // its reason takes long to find
	if b.why[key] == nil {
		b.why[key] = stray{b.names.why(l, name)}
	}
	return 0, b.why[key]
}

// take adds a path of a row, or notes a row that is none, of which err says why.
func (b *gather) take(p ddps.Path, names []string, n, line int, err error) error {
	if err == nil && b.rows != nil {
		if e := b.g.Check(p); e != nil {
			err = stray{e}
		}
	}
	if err == nil {
		err = b.Add(p, n)
	}
	switch {
	case b.rows == nil || err != nil && !errors.As(err, &stray{}):
		return err
	case err != nil:
		b.rows.Stray = append(b.rows.Stray, Stray{slices.Clone(names), n, line, err})
	case len(b.Data().Paths) > len(b.rows.Lines):
		b.rows.Lines = append(b.rows.Lines, line)
	}
	return nil
}
