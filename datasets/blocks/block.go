package blocks

import (
	"errors"
	"fmt"
	"os"
	"strings"

	"github.com/ddps-go/ddps/datasets/pathfile"
)

// Lines is the format of walks, places separated by blanks, beside pathfile.CSV and pathfile.JSONL.
const Lines = "lines"

// Formats returns the names of the formats.
func Formats() []string { return []string{pathfile.CSV, pathfile.JSONL, pathfile.Parquet, Lines} }

// errPacked is the error of a file that is packed.
var errPacked = errors.New("files are read by ranges of bytes, which one packed by gzip has not: unpack it first")

// FormatOf returns the format that a file's ending says, Lines for .txt, .walks and .lines.
func FormatOf(file string) (string, error) {
	if strings.HasSuffix(strings.ToLower(file), ".gz") {
		return "", fmt.Errorf("%s: %w", file, errPacked)
	}
	for _, end := range []string{".txt", ".walks", ".lines"} {
		if strings.HasSuffix(strings.ToLower(file), end) {
			return Lines, nil
		}
	}
	format, err := pathfile.FormatOf(file)
	if err == nil && format != pathfile.CSV && format != pathfile.JSONL && format != pathfile.Parquet {
		err = fmt.Errorf("%s: %s is not read by rows: 'ddps paths convert' makes CSV of it", file, format)
	}
	return format, err
}

// Block is the rows of a file whose first bytes are From…To-1.
type Block struct {
	File     string
	From, To int64
}

// Split returns the blocks of the bytes lo…hi-1 of files, one after the other, whose sizes are given.
func Split(files []string, sizes []int64, lo, hi int64) (list []Block) {
	at := int64(0)
	for i, file := range files {
		from, to := max(lo-at, 0), min(hi-at, sizes[i])
		if from < to {
			list = append(list, Block{file, from, to})
		}
		at += sizes[i]
	}
	return list
}

// Cut returns blocks of at most size bytes that make up b.
func (b Block) Cut(size int64) (list []Block) {
	for from := b.From; from < b.To; from += size {
		list = append(list, Block{b.File, from, min(from+size, b.To)})
	}
	return list
}

// Sizes returns the sizes of files in bytes.
func Sizes(files []string) (sizes []int64, total int64, err error) {
	for _, file := range files {
		info, err := os.Stat(file)
		if err != nil {
			return nil, 0, fmt.Errorf("blocks: %w", err)
		}
		if !info.Mode().IsRegular() {
			return nil, 0, fmt.Errorf("blocks: %s is no regular file", file)
		}
		sizes, total = append(sizes, info.Size()), total+info.Size()
	}
	return sizes, total, nil
}
