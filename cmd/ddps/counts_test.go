package main

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/ddps-go/ddps/cmd/ddps/internal/clitest"
)

// Every model learns the same from counts as from repeated rows, of walks and of paths of a graph.
func TestCountsAreRows(t *testing.T) {
	t.Chdir(t.TempDir())
	walks := []string{"a b c a", "b a b", "c c a b", "a b a b", "b c", "c a b c", "a c b a", "b b a c"}
	var rows, counts, pathRows, pathCounts strings.Builder
	pathRows.WriteString("v1,v2,v3,v4\n")
	pathCounts.WriteString("v1,v2,v3,v4,count\n")
	for round := range 9 {
		for k, w := range walks {
			times := 1 + (5*k)%9
			if round == 0 {
				fmt.Fprintf(&counts, "%s %d\n", w, times)
				if strings.Count(w, " ") == 3 {
					fmt.Fprintf(&pathCounts, "%s,%d\n", strings.ReplaceAll(w, " ", ","), times)
				}
			}
			if round < times {
				fmt.Fprintln(&rows, w)
				if strings.Count(w, " ") == 3 {
					fmt.Fprintln(&pathRows, strings.ReplaceAll(w, " ", ","))
				}
			}
		}
	}
	clitest.Write(t, "rows.txt", rows.String())
	clitest.Write(t, "counts.ngram", counts.String())
	clitest.Write(t, "rows.csv", pathRows.String())
	clitest.Write(t, "counts.csv", pathCounts.String())
	good(t, "graph", "make", "sequences", "rows.txt", "--edges", "all", "-o", "all.json")
	for name, more := range map[string][]string{"chain": {"--model", "chain"}, "second-order": {"--model", "second-order"},
		"mixture": {"--model", "mixture"}, "context": {"--model", "context"}, "gru": {"--model", "gru"},
		"mlp": {"--model", "mlp", "--steps", "20", "--hidden", "8"}} {
		for _, pair := range [][2]string{{"rows.txt", "counts.ngram"}, {"rows.csv", "counts.csv"}} {
			var models [2]string
			for k, file := range pair {
				run := fmt.Sprint(name, "-", file)
				args := []string{"train", "-q", "--paths", file, "--hold", "0.25", "-o", run}
				if strings.HasSuffix(file, ".csv") {
					args = append(args, "--graph", "all.json")
				}
				good(t, append(args, more...)...)
				models[k] = clitest.Read(t, filepath.Join(run, "model.safetensors"))
			}
			if models[0] != models[1] {
				t.Errorf("%s: %s and %s make different models", name, pair[0], pair[1])
			}
		}
	}
}

// A graph that was written as GraphML and read again gives the same model, bit by bit.
func TestGraphMLSameModel(t *testing.T) {
	t.Chdir(t.TempDir())
	good(t, "paths", "make", "heights", "-n", "60", "--how", "memory", "-o", "h.csv")
	good(t, "graph", "convert", "heights", "h.graphml")
	good(t, "graph", "convert", "h.graphml", "back.json")
	var scores [3]string
	for k, graph := range []string{"heights", "h.graphml", "back.json"} {
		run := fmt.Sprint("run", k)
		good(t, "train", "-q", "--graph", graph, "--paths", "h.csv", "--model", "chain", "--validation-by", "path", "-o",
			run)
		scores[k], _ = good(t, "score", "-q", run, "h.csv")
	}
	if scores[1] != scores[0] || scores[2] != scores[0] || strings.Count(scores[0], "\n") < 50 {
		t.Errorf("other scores:\n%.200s\n%.200s", scores[0], scores[1])
	}
}

// Walks shorter than what a model looks back on train every model; too few to validate a stack are an error, and no run
// directory is made.
func TestShortWalks(t *testing.T) {
	t.Chdir(t.TempDir())
	clitest.Write(t, "two.txt", strings.Repeat("a b\nb a\na b\nb\na\n", 4))
	clitest.Write(t, "one.txt", "a\nb\na\n")
	for name, more := range map[string][]string{"chain": {"--model", "chain"}, "second-order": {"--model", "second-order"},
		"mixture": {"--model", "mixture"}, "context": {"--model", "context"}, "gru": {"--model", "gru"}} {
		good(t, append([]string{"train", "-q", "--paths", "two.txt", "-o", name}, more...)...)
		out, _ := good(t, "sample", name, "-q", "-n", "40", "--seed", "1")
		for _, want := range []string{"a,b,", "b,a,", "a,,", "b,,"} {
			if !strings.Contains(out, "\n"+want) {
				t.Errorf("%s: no %s of 40 samples", name, want)
			}
		}
	}
	bad(t, exitError, []string{"a share of 0.1 of 3 walks leaves no validation paths"}, "train", "-q", "--paths",
		"one.txt", "-o", "run")
	good(t, "train", "-q", "--paths", "one.txt", "--model", "chain", "-o", "run")
}
