package pathfile

import (
	"fmt"
	"io"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/ddps-go/ddps/datasets"
	"github.com/ddps-go/ddps/ddps"
)

// The formats of files of paths.
const (
	CSV      = "csv"
	JSONL    = "jsonl"
	Parquet  = "parquet"
	FASTA    = "fasta"         // of DNA lattices
	GeoJSON  = "geojson"       // a line per path; written only
	GeoEdges = "geojson-edges" // GeoJSON with a line a street; written only
)

// Formats returns the names of the formats.
func Formats() []string {
	return []string{CSV, JSONL, Parquet, FASTA, Lines, GeoJSON, GeoEdges}
}

// FormatOf returns the format that the ending of a file's name says: .csv,
// .jsonl or .ndjson, .parquet, .fasta, .fa or .fna, .geojson. The error lists them.
func FormatOf(path string) (string, error) {
	switch end := strings.ToLower(filepath.Ext(path)); end {
	case ".csv", ".jsonl", ".parquet", ".fasta", ".geojson":
		return end[1:], nil
	case ".ndjson":
		return JSONL, nil
	case ".fa", ".fna":
		return FASTA, nil
	}
	return "", fmt.Errorf("%s: ends in none of .csv, .jsonl, .ndjson, .parquet, .fasta, .fa, .fna, .geojson", path)
}

// Writer writes paths one by one, in the memory of a few thousand, however
// many there are.
type Writer interface {
	// Write writes a path that occurs count ≥ 1 times; it does not keep p.
	Write(p ddps.Path, count int) error
	// Close ends the file; it does not close what is written to. What a writer that
	// is not closed leaves is no whole file.
	Close() error
}

// NewWriter returns a writer of paths of g in one of the formats, vertices
// called by name or number (FASTA, GeoJSON: always by name). Where g's paths are walks (ddps.LayeredGraph.Walks), they
// are written by name without source, END and what is on the way between two places, as long as they are, and may be
// Lines. Timed adds the times of day at which places are reached, to CSV as columns t1, … after v1, …, to JSON Lines as
// an array "times"; times past midnight are 24:00 and more. The error says which
// formats there are, or what g lacks: FASTA needs a lattice of A, C, G, T, GeoJSON
// longitude and latitude, Timed layers that have times (ddps.LayeredGraph.Clock).
func NewWriter(w io.Writer, g *ddps.LayeredGraph, format string, by Vertices) (Writer, error) {
	if by == Timed {
		return newTimedWriter(w, g, format)
	}
	if by == ByName && g.Walks() {
		if out := newWalkWriter(w, g, format); out != nil {
			return out, nil
		}
	}
	switch format {
	case Lines:
		return nil, fmt.Errorf("datasets: paths as lines: only walks of names, as of 'graph make sequences'")
	case CSV:
		return NewCSVWriter(w, g, by), nil
	case JSONL:
		return NewJSONLWriter(w, g, by), nil
	case Parquet:
		return NewParquetWriter(w, g, by), nil
	case FASTA:
		return NewFASTAWriter(w, g)
	case GeoJSON:
		return NewGeoJSONWriter(w, g)
	case GeoEdges:
		return NewGeoJSONEdgeWriter(w, g)
	}
	return nil, fmt.Errorf("datasets: paths as %q: expected one of %s", format, strings.Join(Formats(), ", "))
}

// WritePaths writes all paths of d with their counts, nil Counts as 1 each, and closes w.
func WritePaths(w Writer, d *datasets.Data) error {
	if d.Counts != nil && len(d.Counts) != len(d.Paths) {
		return fmt.Errorf("datasets: %d counts for %d paths", len(d.Counts), len(d.Paths))
	}
	for i, p := range d.Paths {
		if err := w.Write(p, d.Count(i)); err != nil {
			return err
		}
	}
	return w.Close()
}

// vertexColumns returns the names of the columns of vertices: v1, …, vL.
func vertexColumns(g *ddps.LayeredGraph) []string {
	names := make([]string, g.NumLayers())
	for l := range names {
		names[l] = "v" + strconv.Itoa(l+1)
	}
	return names
}

// called returns what vertex v is called.
func called(g *ddps.LayeredGraph, v int, by Vertices) string {
	if by == ByName {
		return g.Name(v)
	}
	return strconv.Itoa(v)
}
