package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// The table on the standard output, as Markdown and as rows; a second run finds what is there; what is wrong is told.
func TestTable1(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "out")
	args := []string{"reproduce", "table1", "--backend", "go", "--methods", "ddps-no-network", "-n", "64", "-o", dir}
	out, _ := good(t, args...)
	row := strings.Fields(strings.Split(strings.TrimSpace(out), "\n")[1])
	if want := "DDPS, no network 100.0% 94.3% – 100.0%"; strings.Join(row[:7], " ") != want {
		t.Errorf("row %q, want %q first", row, want)
	}
	text, err := os.ReadFile(filepath.Join(dir, "table1.md"))
	if err != nil || strings.Count(string(text), "\n") != 3 || !strings.Contains(string(text),
		"| DDPS, no network | 100.0% |") {
		t.Errorf("Markdown %q, %v", text, err)
	}
	if again, _ := good(t, args...); again != out {
		t.Errorf("again %q, first %q", again, out)
	}
	bad(t, exitUsage, []string{"methods", "gan", "swingnn"}, "reproduce", "table1", "--methods", "ddps,gan")
	bad(t, exitUsage, []string{"preset", "paper"}, "reproduce", "table1", "--preset", "huge")
	bad(t, exitError, []string{"tpu"}, "reproduce", "table1", "--backend", "tpu")
}
