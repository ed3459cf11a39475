package main

import (
	"encoding/csv"
	"encoding/json"
	"strings"
	"testing"

	"github.com/ddps-go/ddps/cmd/ddps/internal/clitest"
)

// writeWalks makes walks.txt, 40 walks of 2 to 4 places that begin and end anywhere, and test.txt with one of an unknown
// place and one of a move that is not in walks.txt.
func writeWalks(t *testing.T) {
	t.Helper()
	t.Chdir(t.TempDir())
	var b strings.Builder
	for k := range 40 {
		b.WriteString([]string{"A B A\n", "A B C A\n", "B C\n", "C A B\n"}[k%4])
	}
	clitest.Write(t, "walks.txt", b.String())
	clitest.Write(t, "test.txt", "A B A\nA B C\nB A C\nA Q\n")
}

func TestMakeSequences(t *testing.T) {
	writeWalks(t)
	_, errs := good(t, "graph", "make", "sequences", "walks.txt", "-o", "g.json")
	for _, want := range []string{"40 walks, 4 distinct, of 2 to 4 places", "separated by blanks"} {
		if !strings.Contains(errs, want) {
			t.Errorf("%q not in:\n%s", want, errs)
		}
	}
	seen, _ := good(t, "paths", "count", "g.json")
	good(t, "graph", "make", "sequences", "walks.txt", "--edges", "all", "-o", "all.json")
	all, _ := good(t, "paths", "count", "all.json")
	if want := "117\n"; all != want { // 3² + 3³ + 3⁴
		t.Errorf("all: %s paths, want %s", all, want)
	}
	// A→B, B→A, B→C, C→A: walks of 2, 3 and 4 places by hand: 4, 6 (ABA ABC BAB BCA CAB … ) counted by powers of the matrix
	m, n := [3][3]int{{0, 1, 0}, {1, 0, 1}, {1, 0, 0}}, 0
	row := [3]int{1, 1, 1}
	for range 3 {
		var next [3]int
		for i := range 3 {
			for j := range 3 {
				next[j] += row[i] * m[i][j]
			}
		}
		row = next
		n += row[0] + row[1] + row[2]
	}
	if seen != strings.TrimSpace(seen)+"\n" || strings.TrimSpace(seen) != itoa(n) {
		t.Errorf("seen: %s paths, want %d", seen, n)
	}
	// edges of a file, starts, ends and lengths leave walks out, which are counted
	clitest.Write(t, "moves.csv", "from,to\nA,B\nB,A\n")
	_, errs = good(t, "graph", "make", "sequences", "walks.txt", "--edges", "moves.csv", "-o", "few.json")
	if !strings.Contains(errs, "left out 30: a move that the edges lack") || !strings.Contains(errs, "10 walks, 1 distinct") {
		t.Errorf("given edges:\n%s", errs)
	}
	_, errs = good(t, "graph", "make", "sequences", "walks.txt", "--start", "A", "--start", "B", "--end", "A", "-o", "s.json")
	if !strings.Contains(errs, "left out 10: begins elsewhere") || !strings.Contains(errs, "left out 10: ends elsewhere") {
		t.Errorf("starts and ends:\n%s", errs)
	}
	bad(t, exitError, []string{"--strict: 30 left out"}, "graph", "make", "sequences", "walks.txt", "--edges", "moves.csv", "--strict", "-o", "x.json")
	bad(t, exitError, []string{"--edges none.csv", "neither seen nor all"}, "graph", "make", "sequences", "walks.txt", "--edges", "none.csv")
	bad(t, exitError, []string{"place of no walk", "Q"}, "graph", "make", "sequences", "walks.txt", "--start", "Q")
	bad(t, exitUsage, []string{"FILE is missing"}, "graph", "make", "sequences")
}

// Training on walks makes the graph; samples are walks again, of no source and no END, in every format, and can be read
// again by the commands.
func TestTrainWalks(t *testing.T) {
	writeWalks(t)
	out, errs := good(t, "train", "--paths", "walks.txt", "--test", "test.txt", "-o", "run")
	for _, want := range []string{"40 walks, 4 distinct", "the graph: 5 layers", "test: 4 walks, 1 of them (25.0 %) of paths that are learnt from"} {
		if !strings.Contains(errs, want) {
			t.Errorf("%q not in:\n%s", want, errs)
		}
	}
	if !strings.Contains(out, "test: NLL ") {
		t.Errorf("no NLL: %s", out)
	}
	// on the graph of the walks alone two of the test walks are impossible
	good(t, "graph", "make", "sequences", "walks.txt", "-o", "g.json")
	out, _ = good(t, "train", "--graph", "g.json", "--paths", "walks.txt", "--test", "test.txt", "-o", "on")
	if !strings.Contains(out, "(2 walks; 2 more are no paths of the graph)") {
		t.Errorf("impossible walks: %s", out)
	}
	csvText, _ := good(t, "sample", "on", "-n", "50", "-q")
	rows, err := csv.NewReader(strings.NewReader(csvText)).ReadAll()
	if err != nil || strings.Join(rows[0], ",") != "v1,v2,v3,v4,count" || len(rows) != 51 {
		t.Fatalf("%v: %d rows, header %q", err, len(rows), rows[0])
	}
	text, _ := good(t, "sample", "on", "-n", "50", "-q", "--format", "jsonl")
	lines := strings.Split(strings.TrimSpace(text), "\n")
	for k, line := range lines {
		var row struct{ Path []string }
		if err := json.Unmarshal([]byte(line), &row); err != nil {
			t.Fatal(err)
		}
		if got := strings.TrimRight(strings.Join(rows[k+1][:4], " "), " "); got != strings.Join(row.Path, " ") {
			t.Errorf("sample %d: %q as CSV, %q as JSON Lines", k+1, got, row.Path)
		}
	}
	for _, file := range []string{"s.csv", "s.jsonl", "s.parquet", "s.txt"} {
		format := strings.NewReplacer("s.", "", "txt", "lines").Replace(file)
		good(t, "sample", "on", "-n", "50", "-q", "-o", file, "--format", format)
		_, errs := good(t, "paths", "convert", "g.json", file, "-", "--format", "lines")
		if !strings.Contains(errs, " 50 in all") {
			t.Errorf("%s: %s", file, errs)
		}
	}
	for _, name := range []string{"source", "END"} {
		if strings.Contains(csvText+text, name) {
			t.Errorf("samples show %s", name)
		}
	}
	for args, want := range map[string][]string{
		"train --paths walks.txt --edges all --graph g.json -o x": {"--edges", "--graph"},
		"train --paths walks.txt --vertices number -o x":          {"--graph"},
		"train -o x":                                        {"--paths is needed"},
		"train --graph heights --sep comma -o x":            {"--sep"},
		"train --resume --edges all -o on":                  {"--resume", "--edges"},
		"train --graph toy --paths walks.txt --test a -o x": {"--test"},
	} {
		bad(t, exitUsage, want, strings.Fields(args)...)
	}
}

func itoa(n int) string {
	b, _ := json.Marshal(n)
	return string(b)
}
