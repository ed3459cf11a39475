package main

import (
	"encoding/csv"
	"strconv"
	"strings"
	"testing"

	"github.com/ddps-go/ddps/cmd/ddps/internal/clitest"
)

func TestScore(t *testing.T) {
	trainable(t)
	trainTiny(t, "run")
	out, errs := good(t, "score", "run", "paths.csv", "--draws", "3", "--seed", "2")
	rows, err := csv.NewReader(strings.NewReader(out)).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	if len(rows) != strings.Count(clitest.Read(t, "paths.csv"), "\n") ||
		strings.Join(rows[0], ",") != "v1,v2,v3,v4,nll,stderr,chain,difference,count,line,reason" {
		t.Errorf("%d rows, header %q", len(rows), rows[0])
	}
	for _, r := range rows[1:] {
		var x [4]float64
		for i := range x {
			if x[i], err = strconv.ParseFloat(r[4+i], 64); err != nil {
				t.Error(err)
			}
		}
		if x[0] < 0 || x[2] < 0 || x[1] < 0 || r[6] == "-0.000000" {
			t.Errorf("row %q", r)
		}
	}
	if !strings.Contains(errs, "nats per walk") {
		t.Errorf("note %q", errs)
	}
	again, _ := good(t, "score", "run/model.safetensors", "paths.csv", "--draws", "3", "--seed", "2", "-q")
	if again != out {
		t.Error("run directory and weights score differently")
	}
	good(t, "score", "run", "paths.csv", "-o", "scores.csv", "-q")
	// under the chain alone the bound is the chain's −log p
	trainTiny(t, "chain", "--network", "none")
	out, _ = good(t, "score", "chain", "paths.csv", "-q", "--steps", "256", "--draws", "1")
	for _, line := range strings.Split(strings.TrimSpace(out), "\n")[1:] {
		if d, err := strconv.ParseFloat(strings.Split(line, ",")[7], 64); err != nil || d > 2e-3 || d < -2e-3 {
			t.Errorf("%s: %v", line, err)
		}
	}
}

func TestScoreErrors(t *testing.T) {
	trainable(t)
	trainTiny(t, "run")
	good(t, "paths", "make", "toy", "-n", "3", "--how", "uniform", "-o", "toy.csv")
	clitest.Write(t, "short.csv", "A,B,E,H\nA,B,C\n")
	clitest.Write(t, "gap.csv", "A,B,E,H\nA,Q,,H\n")
	clitest.Write(t, "unknown.jsonl", `{"path":["A","B","Q","H"]}`+"\n")
	clitest.Write(t, "garbage", "garbage")
	for args, want := range map[string][]string{
		"score run toy.csv":                     {"toy.csv:1", "of no layer"},
		"score run short.csv":                   {"short.csv:2"},
		"score run gap.csv":                     {"gap.csv:2", "field 3"},
		"score run unknown.jsonl":               {"unknown.jsonl:1", "Q"},
		"score run none.csv":                    {"none.csv", "no such file"},
		"score run/model.safetensors toy.csv":   {"toy.csv:1"},
		"score run paths.csv --steps 257":       {"257 steps"},
		"score run paths.csv -o none/s.csv":     {"cannot write none/s.csv"},
		"score garbage paths.csv":               {"garbage: load"},
		"score nothing paths.csv":               {"nothing is no run directory"},
		"score run paths.csv --vertices number": {"paths.csv:2", "not the number of a vertex"},
	} {
		bad(t, exitError, want, strings.Fields(args)...)
	}
	for args, want := range map[string][]string{
		"score run":                                    {"FILE is missing"},
		"score run paths.csv --draws 0":                {"--draws"},
		"score run paths.csv --draws 9000000000000000": {"or less"},
		"score run paths.csv --steps 0":                {"--steps"},
	} {
		bad(t, exitUsage, want, strings.Fields(args)...)
	}
}

// Rows of whole walks that are no paths of a graph are impossible, counted and named, whatever the format; each row of
// the result can be joined to the file.
func TestScoreStrays(t *testing.T) {
	t.Chdir(t.TempDir())
	clitest.Write(t, "all.csv", "A,B,E,H\nA,B,F,I\nA,C,G,J\n")
	good(t, "train", "--graph", "example", "--paths", "all.csv", "--model", "chain", "-o", "run")
	rows := [][]string{{"A", "B", "E", "H"}, {"A", "B", "C", "H"}, {"A", "B", "E", "H"}, {"A", "Q", "G", "H"},
		{"A", "D", "E", "H"}, {"A", "Q", "G", "H"}, {"A", "C", "G", "J"}}
	var table, lines strings.Builder
	for _, r := range rows {
		table.WriteString(strings.Join(r, ",") + "\n")
		lines.WriteString(`{"path":["` + strings.Join(r, `","`) + `"]}` + "\n")
	}
	clitest.Write(t, "walks.csv", table.String())
	clitest.Write(t, "walks.jsonl", lines.String())
	want := ""
	for _, file := range []string{"walks.csv", "walks.jsonl"} {
		out, errs := good(t, "score", "run", file)
		list, err := csv.NewReader(strings.NewReader(out)).ReadAll()
		if err != nil || len(list) != 6 {
			t.Fatalf("%s: %v\n%s", file, err, out)
		}
		for k, is := range [][]string{{"H", "2", "1", ""}, {"H", "1", "2", `"C"`}, {"H", "2", "4", `"Q"`}, {"H", "1", "5", "D"},
			{"J", "1", "7", ""}} {
			r := list[k+1]
			if r[3] != is[0] || r[8] != is[1] || r[9] != is[2] || !strings.Contains(r[10], is[3]) ||
				(r[10] == "") == (r[4] == "+Inf") || r[4] == "+Inf" && r[5]+r[6]+r[7] != "" {
				t.Errorf("%s: row %d: %q", file, k+1, r)
			}
		}
		if !strings.Contains(errs, "left out 4: no paths of the graph (first: "+file+":2: ") ||
			!strings.Contains(errs, "4 walks are impossible") || !strings.Contains(errs, "mean of 3") {
			t.Errorf("%s: %s", file, errs)
		}
		if bare := strings.ReplaceAll(out, "path[2]", "3"); want != "" && strings.Count(bare, "+Inf") != strings.Count(want,
			"+Inf") {
			t.Errorf("%s: %s, of CSV %s", file, bare, want)
		}
		want = out
	}
	js, _ := good(t, "score", "run", "walks.csv", "--json")
	if !strings.Contains(js, `"walks": 3`) || !strings.Contains(js, `"impossible": 4`) {
		t.Error(js)
	}
	_, errs := good(t, "evaluate", "run", "--test", "walks.csv", "-n", "10", "--floor-draws", "0")
	if !strings.Contains(errs, "left out 4: no paths of the graph") {
		t.Error(errs)
	}
	if out, _ := piped(t, table.String(), "score", "run", "-"); !strings.Contains(out, `,+Inf,,,,2,4,"`) {
		t.Error(out)
	}
	bad(t, exitError, []string{"walks.csv:2"}, "paths", "convert", "example", "walks.csv", "-")
	clitest.Write(t, "log.csv", "case,time,place\nx,1,A\ny,1,B\nx,2,B\ny,2,A\nz,1,A\nz,2,B\n")
	good(t, "train", "--paths", "log.csv", "--model", "chain", "--hold", "0", "-o", "log")
	if out, _ := good(t, "score", "log", "log.csv", "-q"); !strings.HasPrefix(out,
		"v1,v2,nll,stderr,chain,difference,count,line,reason,case\n") || !strings.Contains(out, ",2,2,,x\n") ||
		!strings.Contains(out, ",1,3,,y\n") {
		t.Error(out)
	}
}
