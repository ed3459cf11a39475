package main

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/ddps-go/ddps/cmd/ddps/internal/clitest"
	"github.com/ddps-go/ddps/ddps/run"
	"github.com/ddps-go/ddps/ddps/study"
	"github.com/ddps-go/ddps/ddps/study/table1"
)

// miniature are the flags of reproduce all that make it take seconds.
func miniature(dir string) []string {
	return []string{"reproduce", "all", "--graph", "toy", "-n", "4", "--instances", "1", "-S", "4", "--lambda", "0,100",
		"--train-steps", "2", "--backend", "go", "-o", dir}
}

// cellsOf are the rows of a directory, in their order.
func cellsOf(t *testing.T, dir string) (list []string) {
	t.Helper()
	rows, err := study.ReadTable[study.GuidanceRow](filepath.Join(dir, study.GuidanceFile))
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range rows {
		list = append(list, fmt.Sprint(r))
	}
	return list
}

// Killed in the middle and started again, reproduce all ends with the rows of a run that was not; the third time
// nothing is computed. The report has every table and figure.
func TestReproduceAll(t *testing.T) {
	if testing.Short() {
		t.Skip("minutes under the race detector, which is all that -short is for")
	}
	t.Chdir(t.TempDir())
	p := start(t, miniature("killed")...)
	waitFor(t, "killed/cells.csv")
	p.Process.Kill()
	p.status(t)
	before := len(cellsOf(t, "killed"))
	good(t, miniature("killed")...)
	figures := miniature("whole")
	figures = append([]string{"reproduce", "fig:scores"}, slices.DeleteFunc(figures[2:],
		func(s string) bool { return s == "--backend" || s == "go" })...)
	good(t, figures...)
	rows, want := cellsOf(t, "killed"), cellsOf(t, "whole")
	if !slices.Equal(rows, want) {
		t.Errorf("%d rows of a run that was killed, %d of one that was not, not the same", len(rows), len(want))
	}
	if n := 4 * (3 + 3*2 + 3 + 2); len(rows) != n || before >= n { // residual MLP, U-Net
		t.Errorf("%d rows, %d of them before the kill, want %d", len(rows), before, n)
	}
	files := []string{"killed/cells.csv", "killed/rewards.csv", "killed/costs.csv", "killed/example/table1.csv",
		"killed/example/validity.csv", "killed/example/swingnn.csv"}
	was := map[string]string{}
	for _, f := range files {
		was[f] = clitest.Read(t, f)
	}
	good(t, miniature("killed")...)
	for _, f := range files {
		if clitest.Read(t, f) != was[f] {
			t.Errorf("%s was written anew", f)
		}
	}
	text := clitest.Read(t, "killed/report.md")
	for _, want := range []string{"Table 1: valid rates", "On the ten paths of the example graph, preset quick", "EDP-GNN",
		"Figure 3: valid rates under guidance", "validity-example.png",
		"SwinGNN after 2 steps", "Toy, plain U-Net", "| toy, unet | quick |", "| table 1 | quick |", "| figure 3 | quick |",
		"0.57, ", "cannot be compared (a)"} {
		if !strings.Contains(text, want) {
			t.Errorf("the report says nothing of %q", want)
		}
	}
	if strings.Contains(text, "several revisions") || strings.Contains(text, "not run here") {
		t.Errorf("the report:\n%s", text[:1500])
	}
}

// Rows of a longer run are used, each method's instead of the example graph's; rows of several programs are told.
func TestReproduceAllLonger(t *testing.T) {
	if testing.Short() {
		t.Skip("minutes under the race detector, which is all that -short is for")
	}
	t.Chdir(t.TempDir())
	table, err := study.OpenTable[table1.Row]("out/table1.csv")
	if err != nil {
		t.Fatal(err)
	}
	for _, m := range table1.Methods()[1:] {
		rate := map[bool]float64{true: .5, false: 1}[m == table1.MethodSwinGNN]
		if err := table.Add(table1.Row{Method: m, Graph: table1.GraphRQ1, Preset: run.PresetQuick, Samples: 1024,
			Valid:     int(rate * 1024),
			ValidRate: rate, ValidLow: rate - .1, ValidHigh: rate}); err != nil {
			t.Fatal(err)
		}
	}
	if err := table.Close(); err != nil {
		t.Fatal(err)
	}
	validity, err := study.OpenTable[table1.ValidityRow]("out/validity.csv")
	if err != nil {
		t.Fatal(err)
	}
	for _, m := range []string{table1.ValidDDPS, table1.ValidNoisy, table1.ValidDenoised} {
		for i, l := range []float64{0, 100} {
			v := 1.0
			if m != table1.ValidDDPS {
				v -= .99 * float64(i)
			}
			if err := validity.Add(table1.ValidityRow{Method: m, Edge: "a→b", Lambda: l, Samples: 256, Valid: v, Low: v - .005,
				High: v, Reward: 1}); err != nil {
				t.Fatal(err)
			}
		}
	}
	if err := validity.Close(); err != nil {
		t.Fatal(err)
	}
	good(t, miniature("out")...)
	example, err := study.ReadTable[table1.Row]("out/example/table1.csv")
	if err != nil || len(example) != 1 || example[0].Method != table1.MethodEDPGNN ||
		example[0].Graph != table1.GraphExample || example[0].Preset != run.PresetQuick {
		t.Errorf("%+v, %v", example, err)
	}
	if _, err := os.Stat("out/example/validity.csv"); err == nil {
		t.Error("figure 3 was run although a longer run has made it")
	}
	costs, err := study.OpenTable[study.CostRow]("out/costs.csv")
	if err == nil {
		err = costs.Add(study.CostRow{Part: "toy, mlp", Built: "another"})
	}
	if err == nil {
		err = costs.Close()
	}
	if err != nil {
		t.Fatal(err)
	}
	good(t, "reproduce", "report", "-o", "out")
	text := clitest.Read(t, "out/report.md")
	for _, want := range []string{"On the 1,350 paths of RQ1, preset quick", "| table 1 | SwinGNN | 99.7% valid | 50% " +
		"of 1024 samples (95% interval 40% to 50%), rq1, preset quick | differs (",
		"made by 2 programs", "| figure 3 | SwinGNN, R(x) | nearly always valid at small λ, falls to 0 as λ grows | 100% " +
			"at λ = 0, 1% at λ = 100, 1% at least | reproduced |"} {
		if !strings.Contains(text, want) {
			t.Errorf("the report says nothing of %q:\n%s", want, text[:3000])
		}
	}
}

// Ridge's model is fitted, its rewards are listed down to odds of less than one in ten million.
func TestReproduceRidge(t *testing.T) {
	if testing.Short() {
		t.Skip("minutes under the race detector, which is all that -short is for")
	}
	t.Chdir(t.TempDir())
	good(t, "reproduce", "fig:scores", "--graph", "ridge", "--network", "none", "-n", "16", "-S", "2", "--lambda", "0,100",
		"--train-steps", "2")
	rows, err := study.ReadTable[study.RewardRow]("reproduce/rewards.csv")
	if err != nil || len(rows) != 40 {
		t.Fatalf("%d rewards, %v", len(rows), err)
	}
	rarest := slices.MinFunc(rows, func(a, b study.RewardRow) int {
		return map[bool]int{true: -1, false: 1}[a.Share < b.Share]
	})
	if !(rarest.Share < 1e-7 && rarest.Paths >= 1) {
		t.Errorf("the rarest reward: %+v", rarest)
	}
	if cells := cellsOf(t, "reproduce"); len(cells) != 4*(3+2) {
		t.Errorf("%d cells", len(cells))
	}
	good(t, "reproduce", "report")
	if text := clitest.Read(t, "reproduce/report.md"); !strings.Contains(text, "Ridge, mixture") ||
		!strings.Contains(text, "fig6-ridge-mixture-8-chains-algorithm2.png") {
		t.Error("no row of Ridge in the report")
	}
}
