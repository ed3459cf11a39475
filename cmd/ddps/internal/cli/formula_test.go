package cli

import (
	"bytes"
	"encoding/csv"
	"io"
	"path/filepath"
	"strings"
	"testing"
)

// Cells that a spreadsheet takes for formulas are counted in tables, and written as they are.
func TestFormulas(t *testing.T) {
	rows := [][]string{{"v1", "v2", "count"}, {"=1+1", "a=b", "-3"}, {"@SUM(A1,\"x\")", "+4e5", "- b"},
		{"a\n=b", "=\"q", "+x\ny"}}
	const want = "a spreadsheet takes cells that begin with =, +, - or @ for formulas: 5 of them, the first \"=1+1\"\n"
	for _, name := range []string{"x.csv", "x.TSV", "-", "x.jsonl"} {
		var out, notes bytes.Buffer
		a := &App{Stdout: &out, Stderr: &notes}
		path := name
		if name != "-" {
			path = filepath.Join(t.TempDir(), name)
		}
		if err := a.WriteFile(path, func(w io.Writer) error {
			c := csv.NewWriter(w)
			if name == "x.TSV" {
				c.Comma = '\t'
			}
			return c.WriteAll(rows)
		}); err != nil {
			t.Fatal(err)
		}
		if got := notes.String(); strings.HasSuffix(got, want) == (name == "x.jsonl") {
			t.Errorf("%s: %q", name, got)
		}
		if name == "-" && !strings.HasPrefix(out.String(), "v1,v2,count\n=1+1,a=b,-3\n") {
			t.Errorf("changed: %q", out.String())
		}
	}
}
