package main

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/ddps-go/ddps/cmd/ddps/internal/clitest"
)

// Sampling under a condition: every path meets it, by any guide, and the caret points at what is wrong.
func TestSampleWhere(t *testing.T) {
	trainable(t)
	rewardFiles(t)
	trainTiny(t, "run")
	for line, met := range map[string]func(row string) bool{
		`--where 'visit("C")'`: func(r string) bool {
			return strings.Contains(r, "C")
		},
		`--where 'avoid("C") and end in {"H","I"}'`: func(r string) bool {
			return !strings.Contains(r, "C") && !strings.Contains(r, "J")
		},
		`--where 'visit({"B","G"}) and visit({"E","J"})' --particles 4`: func(r string) bool {
			return strings.ContainsAny(r, "BG") && strings.ContainsAny(r, "EJ")
		},
		`--where 'cost <= 0' --cost reward.csv --reverse occupancy`: func(r string) bool {
			return !strings.Contains(r, "B")
		},
		`--where 'visit("J")' --guide eq7 --reward reward.csv --lambda 1e6`: func(r string) bool {
			return strings.Contains(r, "J")
		},
		`--where 'end in "I"' --guide max --reward reward.csv`: func(r string) bool {
			return r == "A,B,E,I"
		},
		`--where 'end in "I" and visit("E")' --guide boltzmann --reward rare:2 --steps 3`: func(r string) bool {
			return strings.HasSuffix(r, "E,I")
		},
		`--where 'edge("C",vertex 6)' --guide algorithm2 --reward reward.csv --particles 2`: func(r string) bool {
			return strings.Contains(r, "C,G")
		},
	} {
		args := append([]string{"sample", "run", "-n", "40"}, words(line)...)
		one, errs := good(t, append(args, "--threads", "1")...)
		two, _ := good(t, append(args, "-q")...)
		if one != two {
			t.Errorf("%s: one thread and two differ", line)
		}
		rows := strings.Split(strings.TrimSpace(one), "\n")[1:]
		for _, row := range rows {
			if !met(strings.TrimSuffix(row, ",1")) {
				t.Errorf("%s: %s", line, row)
			}
		}
		if len(rows) != 40 || strings.Contains(line, "particles") != strings.Contains(errs,
			"the condition's probability under the model") {
			t.Errorf("%s: %d rows, %q", line, len(rows), errs)
		}
	}
	for line, want := range map[string]string{
		`--where 'visit("Q")'`:                                 `--where: character 7: no vertex on any path is called "Q"`,
		`--where 'visit("B" or'`:                               "--where: character 11: expected ), found or",
		`--where 'reward >= 2'`:                                "--where: character 1: no reward is given: add --reward",
		`--where 'cost <= 2'`:                                  "no cost is given: add --cost",
		`--where 'visit("B") and visit("C")'`:                  `no path meets visit("B") and visit("C") together`,
		`--where 'end in "J"' --guide max --reward reward.csv`: `no path meets the greatest reward and end in {"J"} together`,
	} {
		bad(t, exitError, []string{want}, append([]string{"sample", "run"}, words(line)...)...)
	}
	for line, want := range map[string]string{
		"--particles 3": "--particles correct a condition",
		`--where 'visit("B")' --particles 1000000`: "want 100,000 or less", "--cost reward.csv": "--cost is for --where",
		"--guide eq7 --reward reward.csv --particles 2": "--particles correct a condition",
	} {
		bad(t, exitUsage, []string{want}, append([]string{"sample", "run"}, words(line)...)...)
	}
	if _, _, errs := call("sample", "run", "--where", `visit("B" or`); !strings.Contains(errs,
		"visit(\"B\" or\n          ^\n") {
		t.Errorf("no caret under the character: %q", errs)
	}
}

func TestExplain(t *testing.T) {
	trainable(t)
	rewardFiles(t)
	trainTiny(t, "run")
	out, notes := good(t, "explain", "run", "--where", `visit("C") and end in {"H"}`, "-n", "64")
	if !strings.HasPrefix(notes, "the condition's product with the graph: ") {
		t.Errorf("the size is not told first: %q", notes)
	}
	for _, want := range []string{`visit("C") and end in {"H"}`, "2 of 10 (20.0%)", "probability in the data",
		"probability under the fitted chain", " ± ", "A → C → ", "alone", `end in {"H"}`} {
		if !strings.Contains(out, want) {
			t.Errorf("%q lacks %q", out, want)
		}
	}
	out, _ = good(t, "explain", "run", "--where", "boltzmann(1)", "--reward", "reward.csv", "-n", "16", "-q")
	if !strings.Contains(out, "expected weight under the model") || strings.Contains(out, "alone") {
		t.Errorf("%q", out)
	}
	out, _ = good(t, "explain", "run", "--where", `visit("C")`, "-n", "2000", "-q", "--json")
	var e struct {
		Condition          string
		Paths              int
		All                int `json:"all_paths"`
		Data, Chain, Model float64
		StdErr             float64 `json:"model_stderr"`
		MostLikely         struct {
			Path []string
			Sure bool
		} `json:"most_likely_chain"`
	}
	if err := json.Unmarshal([]byte(out), &e); err != nil {
		t.Fatal(err)
	}
	if e.Condition != `visit("C")` || e.Paths != 4 || e.All != 10 || len(e.MostLikely.Path) != 4 ||
		e.MostLikely.Path[1] != "C" || !e.MostLikely.Sure || e.Data != 0.4 {
		t.Errorf("%+v", e)
	}
	if d := e.Model - e.Chain; d > 0.2 || d < -0.2 || e.StdErr <= 0 || e.StdErr > 0.05 {
		t.Errorf("%+v", e)
	}
	// A file of weights has no data; a chain of one path alone makes most conditions impossible.
	if _, notes := good(t, "explain", "run/model.safetensors", "--where", `visit("C")`, "-n", "8"); !strings.Contains(notes,
		"--number 8: the standard error of an estimate from fewer than 32 is rough") {
		t.Errorf("few groups: %s", notes)
	}
	out, _ = good(t, "explain", "run/model.safetensors", "--where", `visit("C")`, "-n", "8", "-q")
	if !strings.Contains(out, "–") {
		t.Errorf("%q", out)
	}
	clitest.Write(t, "one.csv", "v1,v2,v3,v4\nA,B,E,H\n")
	good(t, "train", "--graph", "example", "--paths", "one.csv", "--network", "none", "--kappa", "0", "--hold", "0", "-o",
		"one")
	out, _ = good(t, "explain", "one", "--where", `visit("C")`, "-q")
	if !strings.Contains(out, "most likely under the chain         none") {
		t.Errorf("%q", out)
	}
	bad(t, exitError, []string{"the condition is impossible", `visit("C")`}, "sample", "one", "-q", "--where",
		`visit("C")`)
	for line, want := range map[string]string{
		`--where 'visit("B") and visit("C")'`: "no path meets", `--where 'vsit("B")'`: "--where: character 1: there is no " +
			"condition vsit; did you mean visit?", `--where 'max(cost)'`: "add --cost",
		`--where ''`: "--where: character 1: expected a condition",
	} {
		bad(t, exitError, []string{want}, append([]string{"explain", "run"}, words(line)...)...)
	}
	bad(t, exitUsage, []string{"where"}, "explain", "run")
	bad(t, exitUsage, []string{"RUN is missing"}, "explain", "--where", "x")
	cancelled(t, "explain", "run", "--where", `visit("C")`, "-n", "100000000")
}
