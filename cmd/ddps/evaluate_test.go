package main

import (
	"encoding/json"
	"os"
	"strings"
	"testing"

	"github.com/ddps-go/ddps/cmd/ddps/internal/clitest"
)

func TestEvaluate(t *testing.T) {
	trainable(t)
	rewardFiles(t)
	trainTiny(t, "run")
	good(t, "sample", "run", "-n", "200", "-o", "samples.csv")
	clitest.Write(t, "part.csv", "A,B,E,H,3\n")
	for args, want := range map[string][]string{
		"evaluate run -n 100":                         {"samples", "100", "L1", "KL", "FLGD", "floor"},
		"evaluate run samples.csv":                    {"200"},
		"evaluate run -n 1":                           {"samples"},
		"evaluate run part.csv":                       {"samples"},
		"evaluate run samples.csv --floor-draws 0":    {"–"},
		"evaluate --graph example part.csv paths.csv": {"L1"}, // samples where the target has no mass
		"evaluate --graph example paths.csv part.csv --reward reward.csv --given-max": {"at the greatest reward", "100.0%"},
		"evaluate run samples.csv --reward random:2":                                  {"mean reward"},
	} {
		out, errs := good(t, append(strings.Fields(args), "-q")...)
		for _, w := range want {
			if !strings.Contains(out, w) {
				t.Errorf("%s: lacks %q:\n%s", args, w, out)
			}
		}
		if errs != "" {
			t.Errorf("%s: %q", args, errs)
		}
		js, _ := good(t, append(strings.Fields(args), "--json")...)
		var v map[string]any
		if err := json.Unmarshal([]byte(js), &v); err != nil || v["valid"] != 1.0 {
			t.Errorf("%s: JSON %v: %s", args, err, js)
		}
	}
	a, _ := good(t, "evaluate", "run", "-n", "100", "--seed", "3")
	b, _ := good(t, "evaluate", "run", "-n", "100", "--seed", "3")
	if a != b {
		t.Error("the same seed, another table")
	}
}

// The graph may come from standard input, once for both files.
func TestEvaluateGraphFromInput(t *testing.T) {
	trainable(t)
	good(t, "graph", "make", "example", "-o", "graph.json")
	f, err := os.Open("graph.json")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	old := os.Stdin
	os.Stdin = f
	defer func() { os.Stdin = old }()
	good(t, "evaluate", "--graph", "-", "paths.csv", "paths.csv")
}

func TestEvaluateErrors(t *testing.T) {
	trainable(t)
	rewardFiles(t)
	trainTiny(t, "run")
	good(t, "graph", "make", "toy", "-o", "toy.json")
	good(t, "paths", "make", "toy", "-n", "20", "--how", "uniform", "-o", "toy.csv")
	good(t, "train", "--graph", "toy", "--paths", "toy.csv", "--config", "tiny.toml", "-o", "toy")
	clitest.Write(t, "few.csv", "A,B,E,H\n")
	clitest.Write(t, "low.csv", "1,A,B,-1e308\n2,B,E,-1e308\n")
	clitest.Write(t, "huge.csv", "A,B,E,H,1000000000000\n")
	clitest.Write(t, "away.csv", "1,A,C,5\n") // no path of few.csv goes there
	for args, want := range map[string][]string{
		"evaluate nothing":                          {"nothing is no run directory"},
		"evaluate run/model.safetensors":            {"is no run directory"},
		"evaluate run none.csv":                     {"none.csv", "no such file"},
		"evaluate run empty.csv":                    {"empty.csv", "no path"},
		"evaluate run toy.csv":                      {"toy.csv:1", "of no layer"},
		"evaluate run huge.csv":                     {"huge.csv", "1,000,000,000,000 samples, more than 10,000,000"},
		"evaluate run --steps 257 -q":               {"257 steps"},
		"evaluate run --reward edge.csv":            {"edge.csv:3"},
		"evaluate run --reward large.csv":           {"add up to +Inf"},
		"evaluate run --reward low.csv":             {"add up to -Inf"},
		"evaluate run --reward random:9":            {"9 is not in 1…3"},
		"evaluate --graph toy.json few.csv few.csv": {"few.csv:1"},
		"evaluate --graph none few.csv few.csv":     {"none", "no such file"},
		"evaluate --graph example few.csv few.csv --reward away.csv --given-max": {"--given-max: no path of the data " +
			"earns the greatest reward, 5.00"},
	} {
		bad(t, exitError, want, strings.Fields(args)...)
	}
	for args, want := range map[string][]string{
		"evaluate":                             {"RUN is missing"},
		"evaluate run --given-max":             {"needs a --reward"},
		"evaluate run -n 0":                    {"want 1 or more"},
		"evaluate run few.csv -n 7":            {"--number and --steps are for samples drawn from the model"},
		"evaluate run --floor-draws 100000000": {"--floor-draws: want 1,000,000 or less"},
		"evaluate run --floor-draws -1":        {"--floor-draws"},
		"evaluate --graph example few.csv":     {"two files of paths"},
		"evaluate run few.csv few.csv":         {"one too many"},
	} {
		bad(t, exitUsage, want, strings.Fields(args)...)
	}
	// a model of another graph in the directory is stepped over, or told
	clitest.Write(t, "run/model.safetensors", clitest.Read(t, "toy/model.safetensors"))
	if err := os.Remove("run/SHA256SUMS"); err != nil { // the change is meant
		t.Fatal(err)
	}
	for _, args := range []string{"evaluate run -n 10", "score run paths.csv", "sample run -n 10"} {
		if _, errs := good(t, strings.Fields(args)...); !strings.Contains(errs, "warning: run/model.safetensors: the "+
			"model is of another graph") {
			t.Errorf("%s: %q", args, errs)
		}
	}
	if err := os.RemoveAll("run/checkpoints"); err != nil {
		t.Fatal(err)
	}
	for _, args := range []string{"evaluate run -n 10", "score run paths.csv", "sample run -n 10"} {
		bad(t, exitError, []string{"run/model.safetensors: the model is of another graph"}, strings.Fields(args)...)
	}
}
