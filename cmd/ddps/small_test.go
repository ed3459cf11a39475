package main

import (
	"encoding/json"
	"math"
	"strings"
	"testing"

	"github.com/ddps-go/ddps/cmd/ddps/internal/clitest"
)

// Paths in the order of weighed probabilities are said to be, with both.
func TestExplainWeighed(t *testing.T) {
	t.Chdir(t.TempDir())
	clitest.Write(t, "p.csv", "A,B,E,H,4\nA,C,G,J,3\nA,D,F,I,1\n")
	clitest.Write(t, "r.csv", "layer,from,to,reward\n1,A,D,2\n")
	good(t, "train", "--graph", "example", "--paths", "p.csv", "--model", "chain", "--hold", "0", "-o", "run")
	args := []string{"explain", "run", "--where", "boltzmann(2)", "--reward", "r.csv", "-k", "3"}
	out, _ := good(t, args...)
	for _, want := range []string{"times its weight", "weighed", "without the weight"} {
		if !strings.Contains(out, want) {
			t.Errorf("no %q in\n%s", want, out)
		}
	}
	js, _ := good(t, append(args, "--json")...)
	var e struct {
		Best []struct {
			LogProb float64 `json:"log_probability"`
			Weight  float64 `json:"log_weight"`
		}
	}
	if err := json.Unmarshal([]byte(js), &e); err != nil || len(e.Best) != 3 || e.Best[0].Weight != 4 {
		t.Fatalf("%v: %s", err, js)
	}
	last := math.Inf(1)
	for _, b := range e.Best {
		if x := b.LogProb + b.Weight; x > last {
			t.Errorf("%v after %v", x, last)
		} else {
			last = x
		}
	}
	out, _ = good(t, "explain", "run", "--where", `visit("D")`, "-k", "3")
	if strings.Contains(out, "weigh") {
		t.Error(out)
	}
}

// Errors of numbers name the total; those of steps come before any progress. A decimal comma is read, and said.
func TestSmallErrors(t *testing.T) {
	trainable(t)
	trainTiny(t, "run")
	clitest.Write(t, "cost.csv", "layer,from,to,cost\n1,A,B,x\n")
	for args, want := range map[string]string{
		"sample run --where cost<=1 --cost cost.csv":         `cost "x" from "A" to "B" is not a finite number`,
		"sample run --steps 100000000":                       "100000000 steps, must be in 1…",
		"score run paths.csv --steps 100000000":              "100000000 steps, must be in 1…",
		"explain run --where visit(\"B\") --steps 100000000": "100000000 steps, must be in 1…",
		"view run --steps 100000000 -o page.html":            "100000000 steps, must be in 1…",
		"evaluate run --steps 100000000 -n 10":               "100000000 steps, must be in 1…",
	} {
		bad(t, exitError, []string{want}, strings.Fields(args)...)
		_, _, errs := call(strings.Fields(args)...)
		if strings.Contains(errs, "paths ×") || strings.Contains(errs, "scored") {
			t.Errorf("%s: progress before the error: %s", args, errs)
		}
	}
	clitest.Write(t, "comma.csv", "layer;from;to;reward\n1;A;B;1,5\n")
	if _, notes := good(t, "sample", "run", "--reward", "comma.csv", "--guide", "eq7"); !strings.Contains(notes,
		"comma.csv: numbers with a decimal comma: 1") || !strings.Contains(notes, "of at most 1.50") {
		t.Errorf("a decimal comma: %s", notes)
	}
	good(t, "train", "--graph", "example", "--paths", "paths.csv", "--model", "chain", "--budget", "0s", "-o", "zero")
	bad(t, exitUsage, []string{"--budget is of a stack"}, "train", "--graph", "example", "--paths", "paths.csv", "--model",
		"chain", "--budget", "1s", "-o", "one")
}
