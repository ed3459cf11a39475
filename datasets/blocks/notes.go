package blocks

import (
	"errors"
	"fmt"
	"os"

	"github.com/ddps-go/ddps/datasets/pathfile"
	"github.com/ddps-go/ddps/ddps"
	"github.com/ddps-go/ddps/internal/plaintext"
)

// Notes says which columns of a file of paths of g are not used, the file's name before each note. The error is that of
// Each of a block of it.
func Notes(file string, g *ddps.LayeredGraph, format string, vertices pathfile.Vertices) (notes []string, err error) {
	f, size, format, err := open(file, format)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	if format == pathfile.Parquet {
		rows, err := pathfile.OpenParquetRows(f, size, g, vertices)
		if err != nil {
			return nil, fmt.Errorf("blocks: %s: %w", file, err)
		}
		notes = rows.Notes()
	} else {
		r, err := Open(f, size, Block{File: file}, g, format, vertices)
		if err != nil {
			return nil, err
		}
		notes = r.notes
	}
	for i := range notes {
		notes[i] = file + ": " + notes[i]
	}
	return notes, nil
}

// open opens a file, and returns its size and its format, which an empty one leaves to its ending.
func open(file, format string) (f *os.File, size int64, _ string, err error) {
	if format == "" {
		if format, err = FormatOf(file); err != nil {
			return nil, 0, "", fmt.Errorf("blocks: %w", err)
		}
	}
	if f, err = os.Open(file); err != nil {
		return nil, 0, "", fmt.Errorf("blocks: %w", err)
	}
	info, err := f.Stat()
	if err != nil {
		return nil, 0, "", errors.Join(fmt.Errorf("blocks: %w", err), f.Close())
	}
	head := make([]byte, 2)
	if n, _ := f.ReadAt(head, 0); plaintext.Packed(head[:n]) {
		return nil, 0, "", errors.Join(fmt.Errorf("blocks: %s: %w", file, errPacked), f.Close())
	}
	return f, info.Size(), format, nil
}
