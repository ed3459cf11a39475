package main

import (
	"os"
	"strings"
	"testing"

	"github.com/ddps-go/ddps/cmd/ddps/internal/clitest"
)

// piped runs a command with a text on standard input.
func piped(t *testing.T, text string, args ...string) (stdout, stderr string) {
	t.Helper()
	clitest.Write(t, "stdin", text)
	f, err := os.Open("stdin")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	old := os.Stdin
	os.Stdin = f
	defer func() { os.Stdin = old }()
	return good(t, args...)
}

// Walks, and paths of a graph, come from standard input as from files; a graph does where there may be either.
func TestStdin(t *testing.T) {
	t.Chdir(t.TempDir())
	walks := strings.Repeat("A B A\nB C\n", 10)
	for args, want := range map[string]string{
		"paths list - -n 1":                        "A → B → A\n",
		"paths list - -n 1 --input-format lines":   "A → B → A\n",
		"paths convert - - --format ngram":         "A,B,A,1\nB,C,1\n",
		"paths count -":                            "paths with repeats    20\n",
		"paths split - --train a.csv --held b.csv": "",
		"graph make sequences -":                   `{"format":"ddps-graph"`,
		"train --paths - --model chain -o run":     "",
	} {
		if out, _ := piped(t, walks, strings.Fields(args)...); !strings.HasPrefix(out, want) {
			t.Errorf("%s: %s", args, out)
		}
	}
	if out, _ := piped(t, "A B A\n", "score", "run", "-"); !strings.Contains(out, "A,B,A,") {
		t.Errorf("score: %s", out)
	}
	for _, text := range []string{"A,B,E,H\n", `{"path":["A","B","E","H"]}`} {
		if out, _ := piped(t, text, "paths", "list", "example", "-"); out != "A → B → E → H\n" {
			t.Errorf("%s: %s", text, out)
		}
	}
	graph, _ := good(t, "graph", "make", "example")
	if out, _ := piped(t, graph, "paths", "list", "-", "-n", "1"); out != "A → B → E → H\n" {
		t.Errorf("a graph: %s", out)
	}
	bad(t, exitUsage, []string{"ranges of bytes"}, "paths", "count", "example", "-", "-o", "c.csv")
}

// What an error names is a flag of the command, or of the one that has it.
func TestFormatFlag(t *testing.T) {
	t.Chdir(t.TempDir())
	clitest.Write(t, "w.txt", strings.Repeat("A B A\nB C\n", 10))
	clitest.Write(t, "x.csv", "A,B,A,3\nB,C,7\n")
	clitest.Write(t, "e.csv", "1,2020-01-01 10:00,A\n1,2020-01-01 11:00,B\n")
	good(t, "graph", "make", "sequences", "w.txt", "-o", "g.json")
	good(t, "train", "--paths", "w.txt", "--model", "chain", "-o", "run")
	for args, want := range map[string]string{
		"paths list x.csv":                             "say --input-format ngram if it is, or --input-format lines or csv",
		"paths convert x.csv -":                        "say --input-format ngram",
		"paths list e.csv":                             "say --input-format events if it is, or --input-format csv",
		"graph make sequences x.csv":                   "say --format ngram if it is, or --format lines or csv",
		"train --paths x.csv -o other":                 "say --format ngram",
		"train --graph g.json --paths x.csv -o other":  "say --format ngram",
		"paths count x.csv":                            "say --input-format ngram",
		"score run x.csv":                              "say --format ngram if it is",
		"paths list w.txt --input-format csv":          "is it --input-format lines?",
		"paths convert g.json x.csv -":                 "without a GRAPH",
		"paths split x.csv --train a.csv --held b.csv": "say --format ngram",
	} {
		bad(t, exitError, []string{want}, strings.Fields(args)...)
	}
	_, _, errs := call("paths", "split", "example", "x.csv", "--train", "a.bin", "--held", "b.csv")
	if !strings.Contains(errs, "--train a.bin") || strings.Contains(errs, "--format") { // that is of x.csv
		t.Error(errs)
	}
}

// Files whose names may be of graphs or of walks are read as what they hold.
func TestWalksOrGraph(t *testing.T) {
	t.Chdir(t.TempDir())
	clitest.Write(t, "w.json", `[["A","B"],["B"]]`)
	clitest.Write(t, "walks", "A B\nB\n")
	clitest.Write(t, "log.xml", `<?xml version="1.0"?><log><trace><event><string key="concept:name" value="A"/></event>`+
		`<event><string key="concept:name" value="B"/></event></trace></log>`)
	for _, name := range []string{"w.json", "walks", "log.xml"} {
		if out, _ := good(t, "paths", "list", name, "-n", "1"); out != "A → B\n" {
			t.Errorf("%s: %s", name, out)
		}
	}
	good(t, "paths", "count", "w.json")
	good(t, "graph", "make", "example", "-o", "g.json")
	if out, _ := good(t, "paths", "count", "g.json"); out != "10\n" {
		t.Error(out)
	}
	clitest.Write(t, "bad.json", `{"version":1}`)
	bad(t, exitError, []string{"bad.json: graph:"}, "paths", "list", "bad.json")
}
