package main

import (
	"encoding/csv"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/ddps-go/ddps/cmd/ddps/internal/clitest"
	"github.com/ddps-go/ddps/ddps/study"
)

// Shards done in any order merge into the bytes of one run, at once or in rounds.
func TestShards(t *testing.T) {
	t.Chdir(t.TempDir())
	good(t, "sample", "shipped:toy", "-n", "500", "--seed", "3", "-o", "walks.csv")
	for name, args := range map[string][]string{
		"sample": {"sample", "shipped:toy", "-n", "200", "--seed", "5"},
		"steps":  {"sample", "shipped:toy", "-n", "100", "--seed", "5", "--steps", "4"},
		"count":  {"paths", "count", "toy", "walks.csv"},
	} {
		good(t, append(args, "-o", name+".csv")...)
		want := clitest.Read(t, name+".csv")
		if n := strings.Count(want, "\n"); n < 50 {
			t.Fatalf("%s: %d lines", name, n)
		}
		for _, n := range []int{1, 3, 7, 64} {
			store := fmt.Sprint(name, n)
			for k, i := range rand.New(rand.NewPCG(1, uint64(n))).Perm(n) {
				if k == n-1 && n > 1 {
					status, _, errs := call("merge", store)
					if status != exitError || !strings.Contains(errs, fmt.Sprintf("missing shards: %d/%d", i+1, n)) {
						t.Errorf("%s: status %d, %q", store, status, errs)
					}
				}
				good(t, append(args, "--shard", fmt.Sprintf("%d/%d", i+1, n), "-o", store)...)
			}
			if n == 64 {
				good(t, "merge", store, "--only", "1-20/64")
				good(t, "merge", store, "--only", "21-30/64")
				good(t, "merge", store, "--only", "1-40/64") // of two objects and ten shards; none counts twice
			}
			good(t, "merge", store, "-o", "merged.csv")
			if clitest.Read(t, "merged.csv") != want {
				t.Errorf("%s of %d shards: other bytes than one run", name, n)
			}
		}
	}
}

// Shards of other settings or versions are named and not merged, and so are damaged ones.
func TestForeignShards(t *testing.T) {
	t.Chdir(t.TempDir())
	good(t, "sample", "shipped:toy", "-n", "20", "--shard", "1/2", "-o", "store")
	good(t, "sample", "shipped:toy", "-n", "20", "--shard", "2/2", "-o", "store", "--seed", "7")
	status, _, errs := call("merge", "store", "-o", "out.csv")
	if status != exitError || !strings.Contains(errs, "setting seed: ") ||
		!strings.Contains(errs, "do not belong together") {
		t.Errorf("status %d, %q", status, errs)
	}
	good(t, "sample", "shipped:toy", "-n", "20", "--shard", "2/2", "-o", "store")
	files, err := filepath.Glob("store/*/0000002-0000002-of-0000002.shard")
	if err != nil || len(files) != 2 {
		t.Fatal(files, err)
	}
	both, err := filepath.Glob("store/*/0000001-*")
	if err != nil || len(both) != 1 {
		t.Fatal(both, err)
	}
	key := filepath.Base(filepath.Dir(both[0]))
	good(t, "merge", "store", "--job", key[:12], "-o", "out.csv")
	data := []byte(clitest.Read(t, both[0]))
	data[len(data)/2] ^= 1
	if err := os.WriteFile(both[0], data, 0o644); err != nil {
		t.Fatal(err)
	}
	status, _, errs = call("merge", "store", "--job", key, "-o", "damaged.csv")
	if status != exitError || !strings.Contains(errs, both[0][len("store/"):]+": damaged") ||
		!strings.Contains(errs, "missing shards: 1/2") {
		t.Errorf("status %d, %q", status, errs)
	}
	if _, err := os.Stat("damaged.csv"); err == nil {
		t.Error("a file of damaged shards")
	}
	status, _, errs = call("merge", "nowhere", "-o", "x.csv")
	if status != exitError || !strings.Contains(errs, "nowhere") {
		t.Errorf("status %d, %q", status, errs)
	}
	if _, err := os.Stat("nowhere"); err == nil {
		t.Error("merge makes a store")
	}
	for _, args := range [][]string{
		{"sample", "shipped:toy", "--shard", "1/2"},
		{"sample", "shipped:toy", "--shard", "3/2", "-o", "x"},
		{"sample", "shipped:toy", "--shard", "1/2", "-o", "x", "--distinct"},
		{"paths", "count", "toy", "--shard", "1/2", "-o", "x"},
		{"submit", "--shards", "2", "--", "sample", "shipped:toy", "--shard", "1/2"},
	} {
		if status, _, _ := call(args...); status != exitUsage {
			t.Errorf("%q: status %d", args, status)
		}
	}
}

// What cannot run in shards is refused before a script of it is made.
func TestSubmitRefuses(t *testing.T) {
	for command, want := range map[string]string{
		"sample shipped:heights -n 1000":  `"sample" names no store: give it -o`,
		"paths count heights w.csv":       `"paths count" names no store`,
		"train --graph heights --paths w": `"train" names no store`,
		"evaluate shipped:toy -o x":       `"evaluate" has no --shard`,
		"nothing -o s":                    `there is no command "nothing"`,
		"sample x --nothing 3 -o s":       `"sample": unknown flag: --nothing`,
		"sample x -o s --shard=1/2":       "COMMAND has --shard",
	} {
		for _, to := range []string{"local", "slurm", "k8s"} {
			bad(t, exitUsage, []string{want}, append([]string{"submit", "--to", to, "--image", "i", "--shards", "3", "--"},
				strings.Fields(command)...)...)
		}
	}
	if out, _ := good(t, "submit", "--to", "slurm", "--shards", "3", "--", "reproduce", "steps"); !strings.Contains(out,
		"ddps reproduce steps --shard") {
		t.Error(out)
	}
}

// A bad row is an error by file and line, also in a shard, or left out and counted.
func TestCountBadRow(t *testing.T) {
	t.Chdir(t.TempDir())
	good(t, "sample", "shipped:toy", "-n", "300", "-o", "walks.csv")
	lines := strings.SplitAfter(clitest.Read(t, "walks.csv"), "\n")
	lines[200] = "nowhere" + lines[200]
	clitest.Write(t, "walks.csv", strings.Join(lines, ""))
	for _, more := range [][]string{nil, {"--shard", "3/4"}, {"--shard", "1/1"}} {
		status, _, errs := call(append([]string{"paths", "count", "toy", "walks.csv", "-o", "out.csv"}, more...)...)
		if status != exitError || !strings.Contains(errs, "walks.csv:201: ") {
			t.Errorf("%q: status %d, %q", more, status, errs)
		}
	}
	if _, errs := good(t, "paths", "count", "toy", "walks.csv", "--skip-bad", "-o", "-"); !strings.Contains(errs,
		"299 in all; 1 rows left out") {
		t.Errorf("%q", errs)
	}
}

// Columns that are not used are named, once a file.
func TestCountNotes(t *testing.T) {
	t.Chdir(t.TempDir())
	clitest.Write(t, "walks.csv", "v1,v2,who,v3,v4,count\nA,C,bob,G,H,2\n")
	for _, more := range [][]string{nil, {"-o", "-"}, {"--shard", "1/2", "-o", "counts"}} {
		if _, errs := good(t, append([]string{"paths", "count", "example", "walks.csv"}, more...)...); strings.Count(errs,
			"walks.csv: columns not used: who") != 1 {
			t.Errorf("%q: %q", more, errs)
		}
	}
}

// submit --to local survives workers that are killed: what it lacks is done when it is called again.
func TestSubmitLocal(t *testing.T) {
	if testing.Short() || runtime.GOOS != "linux" {
		t.Skip("builds the program, and finds its processes in /proc")
	}
	program := filepath.Join(t.TempDir(), "ddps")
	if out, err := exec.Command("go", "build", "-o", program, ".").CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	t.Chdir(t.TempDir())
	sample := []string{"sample", "shipped:heights", "-n", "200000", "--seed", "4"}
	whole := exec.Command(program, append(sample, "-o", "whole.csv")...)
	if out, err := whole.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	run := append([]string{"submit", "--shards", "6", "--"}, append(sample, "-o", "store")...)
	for tries := 1; !killWorker(t, program, run); tries++ { // a worker that was killed may have been done
		if tries == 50 {
			t.Fatal("no worker was killed before it was done")
		}
		if err := os.RemoveAll("store"); err != nil {
			t.Fatal(err)
		}
	}
	if out, err := exec.Command(program, run...).CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	if out, err := exec.Command(program, "merge", "store", "-o", "merged.csv").CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	if clitest.Read(t, "merged.csv") != clitest.Read(t, "whole.csv") {
		t.Error("other bytes than one run")
	}
	otherBuild(t, program)
}

// killWorker runs a submit to the store, kills a worker, and reports whether submit and merge miss a shard.
func killWorker(t *testing.T, program string, run []string) bool {
	t.Helper()
	first := exec.Command(program, run...)
	if err := first.Start(); err != nil {
		t.Fatal(err)
	}
	submitted := make(chan error, 1)
	go func() { submitted <- first.Wait() }()
	var err error
	for killed, done := false, false; !done; {
		select {
		case err = <-submitted:
			done = true
		case <-time.After(time.Millisecond):
			for _, pid := range children(first.Process.Pid) {
				line, _ := os.ReadFile(fmt.Sprintf("/proc/%d/cmdline", pid))
				if p, err := os.FindProcess(pid); !killed && err == nil && strings.Contains(string(line), "--shard\x00") {
					killed = p.Kill() == nil
				}
			}
		}
	}
	out, missing := exec.Command(program, "merge", "store", "-o", "merged.csv").CombinedOutput()
	if missing != nil && (err == nil || !strings.Contains(string(out), "missing shards")) {
		t.Errorf("submit says %v; merge: %v, %s", err, missing, out)
	}
	return err != nil && missing != nil
}

// otherBuild has a second build of the program do the second shard: merging names both versions and merges neither.
func otherBuild(t *testing.T, program string) {
	second := filepath.Join(t.TempDir(), "ddps")
	build := exec.Command("go", "build", "-ldflags=-s", "-o", second, "github.com/ddps-go/ddps/cmd/ddps")
	build.Dir = filepath.Dir(thisFile(t))
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	for i, p := range []string{program, second} {
		out, err := exec.Command(p, "sample", "shipped:toy", "-n", "20", "--shard", fmt.Sprintf("%d/2", i+1), "-o",
			"builds").CombinedOutput()
		if err != nil {
			t.Fatalf("%v: %s", err, out)
		}
	}
	out, err := exec.Command(program, "merge", "builds", "-o", "builds.csv").CombinedOutput()
	if err == nil || !strings.Contains(string(out), "do not belong together") ||
		!strings.Contains(string(out), "program version: ") {
		t.Errorf("merging shards of two builds: %v, %s", err, out)
	}
	if _, err := os.Stat("builds.csv"); err == nil {
		t.Error("a file of shards of two builds")
	}
}

// thisFile is the path of this source file.
func thisFile(t *testing.T) string {
	_, file, _, ok := runtime.Caller(0)
	if !ok {
		t.Fatal("no source path")
	}
	return file
}

// children returns the processes that a process has started, where /proc tells.
func children(pid int) (list []int) {
	files, _ := filepath.Glob("/proc/[0-9]*/stat")
	for _, f := range files {
		data, _ := os.ReadFile(f)
		_, rest, _ := strings.Cut(string(data), ") ")
		if fields := strings.Fields(rest); len(fields) > 1 && fields[1] == strconv.Itoa(pid) {
			if child, err := strconv.Atoi(filepath.Base(filepath.Dir(f))); err == nil {
				list = append(list, child)
			}
		}
	}
	return list
}

// A model of counts and rounds of EM is the same bytes for any number of shards, in any order, and the chain is the
// core's.
func TestTrainShards(t *testing.T) {
	t.Chdir(t.TempDir())
	good(t, "sample", "shipped:toy", "-n", "400", "--seed", "3", "-o", "walks.csv")
	round := func(n int, name string, args ...string) string {
		store := fmt.Sprint(name, n)
		args = append([]string{"train", "--paths", "walks.csv", "--kappa", "0.5"}, args...)
		for _, i := range rand.New(rand.NewPCG(2, uint64(n))).Perm(n) {
			good(t, append(args, "--shard", fmt.Sprintf("%d/%d", i+1, n), "-o", store)...)
		}
		if n == 7 {
			good(t, "merge", store, "--only", "2-5/7")
		}
		_, notes := good(t, "merge", store, "-o", store+".safetensors")
		if !strings.Contains(notes, "400 walks, NLL before this round ") {
			t.Errorf("%q", notes)
		}
		return clitest.Read(t, store+".safetensors")
	}
	counts, first, second := "", "", ""
	for _, n := range []int{1, 3, 7, 64} {
		a := round(n, "counts", "--graph", "toy")
		b := round(n, "first", "--from", "counts1.safetensors", "--classes", "3", "--seed", "2")
		c := ""
		if n < 64 {
			c = round(n, "second", "--from", "first1.safetensors")
		}
		if n == 1 {
			counts, first, second = a, b, c
		}
		if a != counts || b != first || c != second && n < 64 {
			t.Errorf("%d shards: another model", n)
		}
	}
	good(t, "train", "--graph", "toy", "--paths", "walks.csv", "--kappa", "0.5", "--model", "chain", "--hold", "0", "-o",
		"run")
	nll := func(model string) float64 {
		out, _ := good(t, "score", model, "walks.csv", "--json")
		var s struct {
			NLL float64 `json:"nll"`
		}
		if err := json.Unmarshal([]byte(out), &s); err != nil {
			t.Fatalf("%v: %s", err, out)
		}
		return s.NLL
	}
	chain := nll("run")
	if got := nll("counts1.safetensors"); got != chain {
		t.Errorf("NLL %v of counted shards, %v of one run", got, chain)
	}
	if a, b := nll("first1.safetensors"), nll("second1.safetensors"); !(b < a) {
		t.Errorf("NLL %v after two rounds, %v after one", b, a)
	}
	for _, args := range [][]string{
		{"--graph", "toy"},
		{"--graph", "toy", "--paths", "walks.csv", "--classes", "2"},
		{"--graph", "toy", "--paths", "walks.csv", "--from", "counts1.safetensors"},
		{"--graph", "toy", "--paths", "walks.csv", "--steps", "5"},
	} {
		if status, _, errs := call(append(append([]string{"train"}, args...), "--shard", "1/2", "-o", "x")...); status !=
			exitUsage {
			t.Errorf("%q: status %d, %q", args, status, errs)
		}
	}
	if status, _, _ := call("train", "--graph", "toy", "--order", "2", "-o", "x"); status != exitUsage {
		t.Errorf("--order without --shard: status %d", status)
	}
}

// Shards of the figure of a run's model are of one model.
func TestReproduceShardsOfRun(t *testing.T) {
	t.Chdir(t.TempDir())
	good(t, "train", "--graph", "toy", "--network", "mlp", "--steps", "1", "-o", "run")
	args := []string{"reproduce", "fig:reward", "--run", "run", "--lambda", "10", "-n", "8", "--instances", "1", "-S", "2",
		"-o", "store"}
	good(t, append(args, "--shard", "1/2")...)
	if err := os.RemoveAll("run"); err != nil {
		t.Fatal(err)
	}
	good(t, "train", "--graph", "toy", "--network", "mlp", "--steps", "2", "-o", "run")
	good(t, append(args, "--shard", "2/2")...) // of another job
	bad(t, exitError, []string{"do not belong together", "content of run"}, "merge", "store", "-o", "merged")
}

// The tables of a study in shards are those of one run, times apart, and the figure is drawn of them.
func TestReproduceShards(t *testing.T) {
	if testing.Short() {
		t.Skip("measures a study four times")
	}
	t.Chdir(t.TempDir())
	args := []string{"reproduce", "fig:reward", "--graph", "toy", "--network", "mlp", "--lambda", "0,10", "-n", "20",
		"--instances", "1", "-S", "4"}
	good(t, append(args, "-o", "whole")...)
	blank := func(dir, file string) (rows []string) {
		all, err := csv.NewReader(strings.NewReader(clitest.Read(t, filepath.Join(dir, file)))).ReadAll()
		if err != nil {
			t.Fatal(err)
		}
		seconds := slices.Index(all[0], "seconds")
		for _, row := range all {
			if seconds >= 0 {
				row[seconds] = ""
			}
			rows = append(rows, strings.Join(row, ","))
		}
		slices.Sort(rows[1:]) // one run measures two at a time
		return rows
	}
	order := ""
	for _, n := range []int{1, 3, 7} {
		store, dir := fmt.Sprint("store", n), fmt.Sprint("merged", n)
		for _, i := range rand.New(rand.NewPCG(4, uint64(n))).Perm(n) {
			good(t, append(args, "--shard", fmt.Sprintf("%d/%d", i+1, n), "-o", store)...)
		}
		if n == 7 {
			good(t, "merge", store, "--only", "3-6/7")
		}
		good(t, "merge", store, "-o", dir)
		for _, file := range []string{study.GuidanceFile, study.RewardFile} {
			if got, want := blank(dir, file), blank("whole", file); !slices.Equal(got, want) {
				t.Errorf("%d shards: %s has other rows: %q, expected %q", n, file, got, want)
			}
		}
		rows := clitest.Read(t, filepath.Join(dir, study.RewardFile)) // no times in it: the order is fixed too
		if order == "" {
			order = rows
		}
		if rows != order {
			t.Errorf("%d shards: rows in another order", n)
		}
		before := clitest.Read(t, filepath.Join(dir, study.GuidanceFile))
		good(t, append(args, "-o", dir)...)
		if clitest.Read(t, filepath.Join(dir, study.GuidanceFile)) != before {
			t.Errorf("%d shards: measured again", n)
		}
		if status, _, errs := call("merge", store, "-o", dir); status != exitError || !strings.Contains(errs, "already") {
			t.Errorf("merged over other tables: status %d, %q", status, errs)
		}
	}
}
