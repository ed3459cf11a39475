package cli

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/ddps-go/ddps/datasets"
	"github.com/ddps-go/ddps/datasets/pathfile"
	"github.com/ddps-go/ddps/datasets/sequences"
	"github.com/ddps-go/ddps/ddps"
	"github.com/ddps-go/ddps/internal/plaintext"
)

// WalksFormat returns the format of a file of walks to write, which its ending says.
func WalksFormat(path string) (sequences.Format, error) {
	format, ok := map[string]sequences.Format{".csv": sequences.Wide, ".jsonl": sequences.JSONL,
		".ndjson":  sequences.JSONL,
		".parquet": sequences.Parquet, ".fasta": sequences.FASTA, ".fa": sequences.FASTA, ".fna": sequences.FASTA,
		".txt": sequences.Lines, ".ngram": sequences.NGram,
		".xes": sequences.XES}[strings.ToLower(filepath.Ext(path))]
	if !ok {
		return "", Usagef("%s: walks are written to files that end in .csv, .jsonl, .parquet, .fasta, .txt, .ngram or .xes",
			path)
	}
	return format, nil
}

// IsWalks reports whether an argument is a file of walks and no graph: its name ends as no graph's does, or it is text
// like that of walks (sequences.Like). - is standard input.
func (a *App) IsWalks(arg string) bool {
	end := strings.ToLower(filepath.Ext(strings.TrimSuffix(arg, ".gz")))
	switch {
	case arg == "-":
		head, _ := a.Input().Peek(headSize)
		return sequences.Like(head)
	case slices.Contains(GraphNames(), strings.ToLower(arg)):
		return false
	case end != "" && end != ".json" && end != ".graphml" && end != ".xml":
		return true
	}
	if info, err := os.Stat(arg); err != nil || !info.Mode().IsRegular() { // a pipe is read once
		return false
	}
	f, err := os.Open(arg)
	if err != nil {
		return false
	}
	defer f.Close()
	head, _ := bufio.NewReaderSize(plaintext.Unpacked(f), headSize).Peek(headSize)
	return sequences.Like(head)
}

// LoadGraph is LoadGraph of an argument that may have been looked at.
func (a *App) LoadGraph(arg string) (*ddps.LayeredGraph, error) {
	if arg == "-" {
		return readGraph("standard input", a.Input())
	}
	return LoadGraph(arg)
}

const standardInput = "standard input"

// inputFormat returns the format of paths on standard input, which its beginning says.
func (a *App) inputFormat() (string, error) {
	head, _ := a.Input().Peek(headSize)
	switch text := strings.TrimLeft(string(head), "\ufeff \t\r\n"); {
	case strings.HasPrefix(text, "PAR1"):
		return "", fmt.Errorf("%s: Parquet is read from files alone", standardInput)
	case strings.HasPrefix(text, "{"), strings.HasPrefix(text, "["):
		return pathfile.JSONL, nil
	case strings.HasPrefix(text, ">"):
		return pathfile.FASTA, nil
	}
	return pathfile.CSV, nil
}

// readInput reads paths of g from standard input.
func (a *App) readInput(g *ddps.LayeredGraph, by string) (*datasets.Data, error) {
	format, err := a.inputFormat()
	switch {
	case err != nil:
		return nil, err
	case format == pathfile.JSONL:
		return pathfile.ReadJSONL(standardInput, a.Input(), g)
	case format == pathfile.FASTA:
		return pathfile.ReadFASTA(standardInput, a.Input(), g)
	}
	return pathfile.ReadCSV(standardInput, a.Input(), g, Vertices(by))
}

// WalksFile returns a file of walks.
func WalksFile(path string, format sequences.Format, w *sequences.Walks) OutFile {
	return OutFile{Path: path, Write: func(out io.Writer) error {
		return sequences.Write(out, w, sequences.WriteOptions{Format: format})
	}}
}
