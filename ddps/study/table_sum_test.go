package study

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// A results table in which a digit was changed is an error that names it, read or opened, and so is one
// without a sum. Killed between the two files of a row, a process leaves a table that is right.
func TestTableSum(t *testing.T) {
	type row struct {
		A int     `csv:"a"`
		B float64 `csv:"b"`
	}
	path := filepath.Join(t.TempDir(), "x.csv")
	open := func() (*Table[row], error) { return OpenTable[row](path) }
	add := func(r row) {
		t.Helper()
		l, err := open()
		if err != nil {
			t.Fatal(err)
		}
		if err := errors.Join(l.Add(r), l.Close()); err != nil {
			t.Fatal(err)
		}
	}
	add(row{1, 0.5})
	one, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	add(row{2, 0.25})
	two, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	write := func(data []byte) {
		t.Helper()
		if err := os.WriteFile(path, data, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	changed := func(data []byte) {
		t.Helper()
		write(data)
		_, err := ReadTable[row](path)
		_, err2 := open()
		for _, err := range []error{err, err2} {
			if err == nil || !strings.Contains(err.Error(), path+": its SHA-256") || !strings.Contains(err.Error(),
				"was changed or cut") {
				t.Errorf("%q: %v", data, err)
			}
		}
	}
	changed(bytes.Replace(two, []byte("0.25"), []byte("0.26"), 1))
	changed(one)
	write(two)
	l, err := open()
	if err != nil {
		t.Fatal(err)
	}
	l.sums["x.csv"] = append([]string{strings.Repeat("0", 64)}, l.sums["x.csv"]...) // of a row that did not come
	if err := errors.Join(l.sums.Write(sumsOf(path)), l.Close()); err != nil {
		t.Fatal(err)
	}
	add(row{3, 0.125})
	if rows, err := ReadTable[row](path); err != nil || len(rows) != 3 {
		t.Errorf("%v, %v", rows, err)
	}
	changed(two)
}
