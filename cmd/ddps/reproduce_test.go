package main

import (
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/ddps-go/ddps/cmd/ddps/internal/clitest"
	"github.com/ddps-go/ddps/ddps/study"
)

// A miniature of every figure: made, found again, and reported.
func TestReproduceFigures(t *testing.T) {
	t.Chdir(t.TempDir())
	size := []string{"--quiet", "-n", "64", "--instances", "1", "-S", "4", "--lambda", "0,100", "--train-steps", "2"}
	for _, c := range []struct {
		figure, graph string
		files         []string
	}{
		{"fig:reward", "toy", []string{"fig4-toy-mlp-algorithm2.png", "fig4-toy-mlp-eq7-joint.png",
			"fig4-toy-mlp-eq7-austin.png", "fig4-toy-unet-algorithm2.png"}},
		{"fig:distributions", "toy", []string{"fig5-toy-mlp-algorithm2.png"}},
		{"fig:scores", "heights", []string{"fig6-heights-mixture-8-chains-algorithm2.png"}},
	} {
		out, _ := good(t, append([]string{"reproduce", c.figure, "--graph", c.graph}, size...)...)
		for _, f := range c.files {
			if info, err := os.Stat(filepath.Join("reproduce", f)); err != nil || info.Size() < 1000 ||
				!strings.Contains(out, f) {
				t.Errorf("%s: %s: %v; printed %q", c.figure, f, err, out)
			}
		}
	}
	before := clitest.Read(t, "reproduce/cells.csv")
	out, _ := good(t, append([]string{"reproduce", "fig:reward", "--graph", "toy,heights", "--dry-run"}, size...)...)
	for line := range strings.Lines(out) {
		if f := strings.Fields(line); f[0] == "all" && f[2] != "0" {
			t.Errorf("--dry-run finds rows missing: %s", out)
		}
	}
	if out, _ = good(t, append([]string{"reproduce", "fig:reward", "--dry-run", "-o", "none"},
		size...)...); !strings.Contains(
		out, "ridge") {
		t.Errorf("--dry-run printed %q", out)
	}
	if _, err := os.Stat("none"); err == nil {
		t.Error("--dry-run made a directory")
	}
	good(t, append([]string{"reproduce", "fig:reward", "--graph", "toy,heights"}, size...)...)
	if clitest.Read(t, "reproduce/cells.csv") != before {
		t.Error("results that were there were computed again")
	}
	size = slices.DeleteFunc(size, func(s string) bool { return s == "--train-steps" || s == "2" })
	good(t, append([]string{"reproduce", "fig:reward", "--run", "shipped:toy", "-o", "own"}, size...)...)
	if rows := clitest.Read(t, "own/cells.csv"); strings.Contains(rows, "heights") ||
		!strings.Contains(rows, "on 1063 distinct paths") {
		t.Errorf("rows of --run: %.600s", rows)
	}
	good(t, "reproduce", "report")
	for _, file := range []string{"report.html", "report.md"} {
		text := clitest.Read(t, "reproduce/"+file)
		for _, want := range []string{"Figure 4", "Figure 5", "Figure 6", "reproduced", "Heights, mixture of 8 chains",
			"Toy, plain U-Net", "2 steps of 32 paths", "What it took",
			"Odds of the maximum", "What the rows are of", "statements judged", "made by"} {
			if !strings.Contains(text, want) {
				t.Errorf("%s says nothing of %q", file, want)
			}
		}
	}
	if page := clitest.Read(t, "reproduce/report.html"); strings.Contains(page, "src=\"http") ||
		!strings.Contains(page, "data:image/png") {
		t.Error("the page does not stand alone")
	}
}

func TestReproduceRefuses(t *testing.T) {
	t.Chdir(t.TempDir())
	for _, c := range []struct {
		status int
		want   string
		args   []string
	}{
		{exitUsage, `not "heights"`, []string{"fig:distributions", "--graph", "heights"}},
		{exitUsage, "λ is -1, must be in 0…1e+09", []string{"fig:reward", "--lambda", "0,-1"}},
		{exitUsage, "--output is empty", []string{"fig:reward", "-o", ""}},
		{exitError, "has no results", []string{"report"}},
		{exitError, "shipped:heights is a run on another graph than toy", []string{"fig:distributions", "--run",
			"shipped:heights"}},
		{exitUsage, "does not go with --network", []string{"fig:reward", "--run", "shipped:toy", "--network", "mlp"}},
		{exitUsage, "quick, paper", []string{"all", "--preset", "huge"}},
		{exitUsage, "want 0 or more", []string{"fig:reward", "-n", "-3"}},
	} {
		bad(t, c.status, []string{c.want}, slices.Insert(c.args, 0, "reproduce")...)
	}
	if err := os.Mkdir("reproduce", 0o755); err != nil {
		t.Fatal(err)
	}
	if err := study.WriteSummed("reproduce/cells.csv", func(w io.Writer) error {
		_, err := io.WriteString(w, "graph,model\ntoy,x\n")
		return err
	}); err != nil {
		t.Fatal(err)
	}
	bad(t, exitError, []string{"cells.csv: line 1"}, "reproduce", "report")
	if err := os.Remove("reproduce/cells.csv.sha256"); err != nil {
		t.Fatal(err)
	}
	bad(t, exitError, []string{"cells.csv.sha256, its SHA-256 sum, is missing"}, "reproduce", "report")
}
