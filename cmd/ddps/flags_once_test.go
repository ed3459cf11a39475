package main

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/ddps-go/ddps/cmd/ddps/internal/clitest"
)

// A flag that takes one value refuses a second one, in every command; switches and lists do not.
func TestFlagsOnce(t *testing.T) {
	for _, args := range [][]string{
		{"sample", "shipped:toy", "-n", "3", "--where", "reward >= 1", "--where", "reward >= 2"},
		{"sample", "shipped:toy", "-n", "3", "--number", "4"},
		{"explain", "shipped:toy", "--where", "visit(vertex 7)", "--where", "visit(vertex 8)"},
		{"train", "--graph", "toy", "--graph", "dna", "-o", "x"},
	} {
		bad(t, exitUsage, []string{"given twice"}, args...)
	}
	good(t, "sample", "shipped:toy", "-n", "3", "-q", "-q")
	good(t, "graph", "draw", "example", "--path", "A,C,G,H", "--path", "A,B,E,H", "-o", filepath.Join(t.TempDir(),
		"x.svg"))
}

// A flag that has nothing to do is an error, or a note where scripts may give it always.
func TestFlagsUsed(t *testing.T) {
	t.Chdir(t.TempDir())
	clitest.Write(t, "edges.csv", "from,to\nA,B\nB,C\n")
	clitest.Write(t, "walks.txt", "a b c\nc b a\n")
	for line, want := range map[string]string{
		"paths make toy -n 3 --limit 7":                                        "--limit is for --how all",
		"graph draw example -o x.svg --vertices number":                        "--vertices goes with --paths",
		"graph draw example -o x.svg --seed 3":                                 "--seed goes with --palm",
		"view shipped:toy -n 10 -o v.html --cost random:4":                     "--cost and --aliases are for --where",
		"view --graph toy paths.csv -o v.html --aliases a.csv":                 "--aliases is for samples of a model",
		"sample shipped:toy -n 3 --cost random:4":                              "--cost is for --where",
		"graph import edges.csv --start A --depth 3 --consolidate 9 --merge 9": "none of the others can be",
	} {
		bad(t, exitUsage, []string{want}, strings.Fields(line)...)
	}
	bad(t, exitError, []string{"the nodes have no coordinates: leave out --merge"}, "graph", "import", "edges.csv",
		"--start", "A", "--depth", "3", "--merge", "20", "-q")
	bad(t, exitError, []string{"has no header"}, "train", "--paths", "walks.txt", "--header", "yes", "-o", "run", "-q")
	if _, notes := good(t, "paths", "make", "example", "--seed", "3"); !strings.Contains(notes, "--seed is not used") {
		t.Errorf("paths make: %s", notes)
	}
	good(t, "paths", "make", "heights", "-n", "40", "--how", "memory", "-o", "h.csv")
	if _, notes := good(t, "score", "shipped:heights", "h.csv", "--draws", "5", "-S", "3"); !strings.Contains(notes,
		"--draws is not used") || !strings.Contains(notes, "--steps is not used") {
		t.Errorf("score: %s", notes)
	}
}
