package reproducecmd

import (
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	pathstudy "github.com/ddps-go/ddps/ddps/study/paths"
)

// The table of rows and baselines takes the place of what a document has between its two lines, and of nothing else.
func TestWriteDoc(t *testing.T) {
	file := filepath.Join(t.TempDir(), "doc.md")
	if err := os.WriteFile(file, []byte("# Title\n\n"+tableBegin+"old\n"+tableEnd+"\nEnd.\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	rows := []pathstudy.Row{{Set: "a", Model: "stack", NLL: 1.25, CPU: 10, True: math.NaN()},
		{Set: "a", Model: "stack: gru", NLL: 1.5}}
	header, cells := pathsCells(pathstudy.Means(rows), []pathstudy.BaselineRow{{Set: "a", Model: "gru", Seed: 1, NLL: 2}})
	for range 2 {
		if err := writeDoc(file, markdown(header, cells)); err != nil {
			t.Fatal(err)
		}
	}
	got, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	text := string(got)
	for _, want := range []string{"# Title\n\n" + tableBegin + "| set ", "| a | 2.000 | – | 1.250 | 1.500 |", tableEnd +
		"\nEnd.\n"} {
		if !strings.Contains(text, want) {
			t.Errorf("%q is not in\n%s", want, text)
		}
	}
	if strings.Contains(text, "old") {
		t.Error("the old table is left")
	}
	if err := os.WriteFile(file, []byte("no table"), 0o644); err != nil {
		t.Fatal(err)
	}
	if err := writeDoc(file, markdown(header, cells)); err == nil || !strings.Contains(err.Error(), "doc.md") {
		t.Errorf("a document without the lines: %v", err)
	}
}
