package cli

import (
	"io"
	"path/filepath"
	"strings"

	"github.com/ddps-go/ddps/datasets/sequences"
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

// IsWalksFile reports whether an argument is a file of walks and no graph: one of a name that graphs do not have.
func IsWalksFile(arg string) bool {
	end := strings.ToLower(filepath.Ext(strings.TrimSuffix(arg, ".gz")))
	return arg != "-" && end != "" && end != ".json" && end != ".graphml" && end != ".xml"
}

// WalksFile returns a file of walks.
func WalksFile(path string, format sequences.Format, w *sequences.Walks) OutFile {
	return OutFile{Path: path, Write: func(out io.Writer) error {
		return sequences.Write(out, w, sequences.WriteOptions{Format: format})
	}}
}
