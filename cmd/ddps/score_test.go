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
		strings.Join(rows[0], ",") != "v1,v2,v3,v4,nll,stderr,chain,difference" {
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
		if d, err := strconv.ParseFloat(line[strings.LastIndex(line, ",")+1:], 64); err != nil || d > 2e-3 || d < -2e-3 {
			t.Errorf("%s: %v", line, err)
		}
	}
}

func TestScoreErrors(t *testing.T) {
	trainable(t)
	trainTiny(t, "run")
	good(t, "paths", "make", "toy", "-n", "3", "--how", "uniform", "-o", "toy.csv")
	clitest.Write(t, "jump.csv", "A,B,E,H\nA,B,C,H\n")
	clitest.Write(t, "unknown.jsonl", `{"path":["A","B","Q","H"]}`+"\n")
	clitest.Write(t, "garbage", "garbage")
	for args, want := range map[string][]string{
		"score run toy.csv":                     {"toy.csv:1", "of no layer"},
		"score run jump.csv":                    {"jump.csv:2"},
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
