package frame

import (
	"bytes"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"os"
	"strconv"

	"github.com/ddps-go/ddps/internal/atomicfile"
)

// ReadCSV reads a CSV file whose first line names the columns. A column is of ints, float64s or bools if all that
// stands in it reads as such, and of strings otherwise, where an empty cell is an empty string; in others it is a
// missing value.
func ReadCSV(path string) (*Frame, error) {
	in, err := os.Open(path)
	if err != nil {
		return nil, fmt.Errorf("frame: %w", err)
	}
	defer in.Close()
	f, err := parseCSV(in)
	if err != nil {
		return nil, fmt.Errorf("frame: %s: %w", path, err)
	}
	return f, nil
}

func parseCSV(in io.Reader) (*Frame, error) {
	list, err := csv.NewReader(in).ReadAll()
	if err != nil {
		return nil, err
	}
	if len(list) == 0 {
		return nil, errors.New("no line that names the columns")
	}
	f := &Frame{}
	for c, name := range list[0] {
		if f.has(name) {
			return nil, fmt.Errorf("two columns %q", name)
		}
		text := make([]string, len(list)-1)
		for r, row := range list[1:] {
			text[r] = row[c]
		}
		f.add(name, values(text))
	}
	return f, nil
}

// values reads text as values of the first type that all of it reads as.
func values(text []string) []any {
	for _, read := range []func(string) (any, error){
		func(s string) (any, error) { return strconv.Atoi(s) },
		func(s string) (any, error) { return strconv.ParseFloat(s, 64) },
		func(s string) (any, error) {
			if s != "true" && s != "false" {
				return nil, strconv.ErrSyntax
			}
			return s == "true", nil
		},
	} {
		if col := all(text, read); col != nil {
			return col
		}
	}
	col := make([]any, len(text))
	for i, s := range text {
		col[i] = s
	}
	return col
}

func all(text []string, read func(string) (any, error)) []any {
	col, some := make([]any, len(text)), false
	for i, s := range text {
		if s == "" {
			continue
		}
		v, err := read(s)
		if err != nil {
			return nil
		}
		col[i], some = v, true
	}
	if !some {
		return nil
	}
	return col
}

// WriteCSV writes the frame to a CSV file, whole or not at all: a line of names, then the values as fmt.Sprint has
// them, nothing for missing ones.
func (f *Frame) WriteCSV(path string) error {
	var b bytes.Buffer
	w := csv.NewWriter(&b)
	w.Write(f.names) //nolint:errcheck // Error reports it
	row := make([]string, len(f.names))
	for r := range f.rows {
		for c, col := range f.cols {
			if row[c] = ""; col[r] != nil {
				row[c] = fmt.Sprint(col[r])
			}
		}
		w.Write(row) //nolint:errcheck // Error reports it
	}
	w.Flush()
	if err := w.Error(); err != nil {
		return fmt.Errorf("frame: %w", err)
	}
	if err := atomicfile.WriteFile(path, b.Bytes(), 0o644); err != nil {
		return fmt.Errorf("frame: %w", err)
	}
	return nil
}
