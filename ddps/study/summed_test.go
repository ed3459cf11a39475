package study

import (
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// A results table without its sum, or with rows that were changed, is an error that names it, whoever opens it; the sum
// that sha256sum makes accepts it again. A table of another program is read without one.
func TestTableWithoutSum(t *testing.T) {
	path := filepath.Join(t.TempDir(), "costs.csv")
	l, err := OpenTable[CostRow](path)
	if err != nil {
		t.Fatal(err)
	}
	if err := l.Add(CostRow{Part: "a", Rows: 1}); err != nil {
		t.Fatal(err)
	}
	if err := l.Close(); err != nil {
		t.Fatal(err)
	}
	sum, err := os.ReadFile(sumsOf(path))
	if err != nil {
		t.Fatal(err)
	}
	refused := func(want string) {
		t.Helper()
		_, read := ReadTable[CostRow](path)
		l, open := OpenTable[CostRow](path)
		if open == nil {
			l.Close()
		}
		for _, err := range []error{read, open} {
			if err == nil || !strings.Contains(err.Error(), path) || !strings.Contains(err.Error(), want) {
				t.Errorf("%v, expected %q", err, want)
			}
		}
	}
	if err := os.Remove(sumsOf(path)); err != nil {
		t.Fatal(err)
	}
	refused("costs.csv.sha256, its SHA-256 sum, is missing")
	if rows, err := ReadForeign[CostRow](path); err != nil || len(rows) != 1 {
		t.Errorf("of another program: %v, %v", rows, err)
	}
	if err := os.WriteFile(sumsOf(path), sum, 0o644); err != nil {
		t.Fatal(err)
	}
	if rows, err := ReadTable[CostRow](path); err != nil || len(rows) != 1 {
		t.Errorf("with its sum again: %v, %v", rows, err)
	}
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, append(data, data[strings.Index(string(data), "\n")+1:]...), 0o644); err != nil {
		t.Fatal(err)
	}
	refused("sha256sum costs.csv > costs.csv.sha256")
	if err := os.Remove(sumsOf(path)); err != nil {
		t.Fatal(err)
	}
	if err := WriteSummed(path, func(w io.Writer) error { _, err := w.Write(data); return err }); err != nil {
		t.Fatal(err)
	}
	if _, err := ReadTable[CostRow](path); err != nil {
		t.Errorf("written anew: %v", err)
	}
}
