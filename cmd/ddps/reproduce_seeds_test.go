package main

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/ddps-go/ddps/cmd/ddps/internal/clitest"
	"github.com/ddps-go/ddps/ddps/study"
)

// Each seed has a model of its own; figures and statements are of the first, the report has the spread over all. A
// second run computes nothing, and an estimate finds no row missing.
func TestReproduceSeeds(t *testing.T) {
	t.Chdir(t.TempDir())
	args := []string{"reproduce", "fig:scores", "--quiet", "--graph", "toy,heights", "--network", "none", "--guide",
		"algorithm2", "-n", "64", "--instances", "1", "-S", "4", "--lambda", "0,100", "--train-steps", "2"}
	good(t, append(args, "-o", "one")...)
	good(t, append(args, "--seeds", "2")...)
	rows, err := study.ReadTable[study.GuidanceRow]("reproduce/cells.csv")
	if err != nil {
		t.Fatal(err)
	}
	keys := map[string]map[uint64]string{"toy": {}, "heights": {}}
	for _, r := range rows {
		if k, ok := keys[r.Graph][r.Seed]; ok && k != r.Key {
			t.Errorf("%s, seed %d: models %s and %s", r.Graph, r.Seed, k, r.Key)
		}
		keys[r.Graph][r.Seed] = r.Key
	}
	if len(keys["toy"]) != 2 || len(keys["heights"]) != 2 || keys["heights"][0] == keys["heights"][1] {
		t.Errorf("models %v", keys)
	}
	if one := clitest.Read(t, "one/fig6-heights-mixture-8-chains-algorithm2.png"); one !=
		clitest.Read(t, "reproduce/fig6-heights-mixture-8-chains-algorithm2.png") {
		t.Error("the figure is not that of the first seed alone")
	}
	before := clitest.Read(t, "reproduce/cells.csv")
	if out, _ := good(t, append(args, "--seeds", "2", "--dry-run")...); !strings.Contains(out, "seed 1") ||
		strings.Fields(lastLine(out))[2] != "0" {
		t.Errorf("--dry-run finds rows missing: %s", out)
	}
	good(t, append(args, "--seeds", "2")...)
	if clitest.Read(t, "reproduce/cells.csv") != before {
		t.Error("results that were there were computed again")
	}
	table := []string{"reproduce", "table1", "--graph", "example", "--backend", "go", "--methods", "ddps-no-network", "-n",
		"64"}
	if out, _ := good(t, append(table, "--seeds", "3", "-o", filepath.Join("reproduce", "example"))...); !strings.Contains(
		lastLine(out), "100.00% ± 0.00") {
		t.Errorf("table 1 over seeds: %s", out)
	}
	good(t, "reproduce", "report")
	text := clitest.Read(t, "reproduce/report.md")
	_, spread, _ := strings.Cut(text, "## Beyond the paper: spread over seeds")
	spread, _, _ = strings.Cut(spread, "\n## ")
	for _, want := range []string{"| Toy, ", "| Heights, ", "| 1 | 64 | 2 |", "| DDPS, no network |",
		"| 64 | 3 | 100.00% ± 0.00 |"} {
		if !strings.Contains(spread, want) {
			t.Errorf("the spread over seeds lacks %q:\n%s", want, spread)
		}
	}
	good(t, "reproduce", "report", "-o", "one")
	figure4 := func(text string) string {
		_, text, _ = strings.Cut(text, "## Figure 4")
		text, _, _ = strings.Cut(text, "\n## ")
		return text
	}
	if f := figure4(text); f == "" || f != figure4(clitest.Read(t, "one/report.md")) {
		t.Errorf("figure 4 is not the first seed's alone:\n%s", f)
	}
	bad(t, exitUsage, []string{"--seeds"}, "reproduce", "fig:scores", "--seed", "18446744073709551615", "--seeds", "2")
	bad(t, exitUsage, []string{"--seeds"}, "reproduce", "table1", "--seed", "18446744073709551615", "--seeds", "2")
}

// lastLine is the last line of a text.
func lastLine(text string) string {
	lines := strings.Split(strings.TrimSpace(text), "\n")
	return lines[len(lines)-1]
}
