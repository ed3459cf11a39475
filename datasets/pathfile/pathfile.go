package pathfile

import (
	"fmt"
	"io"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/ddps-go/ddps/datasets"
	"github.com/ddps-go/ddps/datasets/internal/input"
	"github.com/ddps-go/ddps/ddps"
)

// Vertices says how a file calls the vertices of a path.
type Vertices int

// Ways to call a vertex.
const (
	ByName   Vertices = iota // ddps.LayeredGraph.Name: the name, else the ID
	ByNumber                 // its number in the graph, 0…V-1
	Timed                    // the places of a walk by name, with the times of day at which they are reached; written only
)

// ReadFile reads a file of paths of g in the format that its ending says: CSV
// (.csv), JSON Lines (.jsonl, .ndjson), Parquet (.parquet) or, of a DNA lattice,
// FASTA (.fasta, .fa, .fna); see ReadCSV, ReadJSONL, ReadParquet and ReadFASTA. All
// but Parquet may be packed by gzip, with .gz after the ending.
func ReadFile(path string, g *ddps.LayeredGraph, by Vertices) (*datasets.Data, error) {
	return readFile(path, newGather(g), by)
}

// WriteFile writes data whole or not at all: to a temporary file that then takes the name. The ending chooses the
// format, as FormatOf says.
func WriteFile(path string, d *datasets.Data) error {
	format, err := FormatOf(path)
	if err != nil {
		return fmt.Errorf("datasets: %w", err)
	}
	err = WriteWhole(path, func(f io.Writer) error {
		w, err := NewWriter(f, d.Graph, format, ByName)
		if err != nil {
			return err
		}
		return WritePaths(w, d)
	})
	if err != nil {
		return fmt.Errorf("datasets: %w", err)
	}
	return nil
}

// unpacked returns the name of a file that is read without the .gz after it.
func unpacked(path string) string {
	if end := filepath.Ext(path); strings.EqualFold(end, ".gz") {
		return strings.TrimSuffix(path, end)
	}
	return path
}

// gather is a Collector of rows: it looks their vertices up.
type gather struct {
	*datasets.Collector
	g     *ddps.LayeredGraph
	names *vertexNames
	keys  input.Keys
	words []string         // what objects call a path
	rows  *Rows            // nil: what is no path is an error
	why   map[string]error // of names that are not in their layers, with rows
}

func newGather(g *ddps.LayeredGraph) *gather {
	return &gather{Collector: datasets.NewCollector(g), g: g, names: newVertexNames(g), words: input.WalkWords(),
		why: map[string]error{}}
}

// numbered returns the vertex of layer l with a number in decimal.
func (b *gather) numbered(l int, text string) (int, error) {
	text = strings.TrimSpace(text)
	v, err := strconv.Atoi(text)
	if err != nil {
		return 0, fmt.Errorf("%q is not the number of a vertex", text)
	}
	if lo, hi := b.g.Layer(l); v < lo || v >= hi {
		return 0, fmt.Errorf("vertex %d is not in layer %d, which has %d…%d", v, l+1, lo, hi-1)
	}
	return v, nil
}

// note adds to what the data say of their reading.
func (b *gather) note(list ...string) {
	d := b.Data()
	d.Notes = append(d.Notes, list...)
}

// count reads how often a path occurs: a whole number of at least 1.
func count(text string) (int, error) {
	whole := strings.TrimSpace(text)
	if bare := strings.TrimRight(whole, "0"); strings.HasSuffix(bare, ".") { // 2.0, as a column of floats has it
		if len(bare) <= len("999.") && len(whole) == len(bare)+len("000") {
			return 0, fmt.Errorf("count %q may be %s or %s000: write a whole number", text, bare[:len(bare)-1],
				bare[:len(bare)-1])
		}
		whole = strings.TrimSuffix(bare, ".")
	}
	n, err := strconv.Atoi(whole)
	if err != nil || n < 1 {
		return 0, fmt.Errorf("count %q is not a whole number of 1 or more", text)
	}
	return n, nil
}

// done returns the data, refusing a file without a path.
func (b *gather) done(name string) (*datasets.Data, error) {
	if len(b.Data().Paths) == 0 {
		if b.rows != nil && len(b.rows.Stray) > 0 {
			first := b.rows.Stray[0]
			return nil, fmt.Errorf("datasets: %s:%d: %w; no row is a path of the graph", name, first.Line, first.Err)
		}
		return nil, fmt.Errorf("datasets: %s: no path in the file", name)
	}
	b.note(b.names.notes()...)
	return b.Data(), nil
}
