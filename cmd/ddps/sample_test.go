package main

import (
	"bytes"
	"os"
	"strings"
	"testing"

	"github.com/ddps-go/ddps/cmd/ddps/internal/clitest"
)

// rewardFiles writes a reward of the example graph, and several kinds of wrong ones.
func rewardFiles(t *testing.T) {
	t.Helper()
	clitest.Write(t, "reward.csv", "layer,from,to,reward\n1,A,B,1\n*,B,E,2\n")
	clitest.Write(t, "edge.csv", "layer,from,to,reward\n1,A,B,1\n1,A,J,2\n")
	clitest.Write(t, "nan.csv", "1,A,B,NaN\n")
	clitest.Write(t, "empty.csv", "")
	clitest.Write(t, "short.csv", "1,A,B\n")
	clitest.Write(t, "large.csv", "1,A,B,1e308\n2,B,E,1e308\n3,E,H,1e308\n")
}

// The same seed gives the same bytes for any number of threads and any guide.
func TestSample(t *testing.T) {
	trainable(t)
	rewardFiles(t)
	trainTiny(t, "run", "--kappa", "0.5") // all paths alike would leave a reverse step no choice
	seen := map[string]string{}
	for _, guide := range []string{"", "--guide eq7 --reward reward.csv", "--guide algorithm2 --lambda 100 --reward " +
		"random:2 --steps 32", "--guide max --reward rare:2:7",
		"--guide boltzmann --beta -2 --reward reward.csv", "--reverse occupancy", "--reverse mixture",
		"--reverse undivided --format jsonl", "--vertices number", "--distinct"} {
		args := append([]string{"sample", "run", "-n", "100", "--seed", "5"}, strings.Fields(guide)...)
		one, errs := good(t, append(args, "--threads", "1")...)
		two, _ := good(t, append(args, "--threads", "2", "-q")...)
		if one != two {
			t.Errorf("%s: one thread and two differ", guide)
		}
		if strings.Contains(guide, "--reward") != strings.Contains(errs, "mean reward") {
			t.Errorf("%s: %q", guide, errs)
		}
		if strings.Contains(guide, "max") && !strings.Contains(errs, "100.0%") {
			t.Errorf("%s: %q", guide, errs)
		}
		if old, ok := seen[one]; ok {
			t.Errorf("%q and %q give the same", old, guide)
		}
		seen[one] = guide
	}
	a, _ := good(t, "sample", "run", "-n", "20", "--seed", "5")
	b, _ := good(t, "sample", "run", "-n", "10", "--seed", "5")
	if !strings.HasPrefix(a, b) {
		t.Error("the first samples depend on how many there are")
	}
	c, _ := good(t, "sample", "run/model.safetensors", "-n", "10", "--seed", "5")
	if b != c {
		t.Error("a file of weights and its run directory give different samples")
	}
	good(t, "sample", "run", "-n", "10", "--seed", "5", "-o", "out.csv")
	if clitest.Read(t, "out.csv") != b {
		t.Error("a file and standard output differ")
	}
}

// However strong the guide, every sample is a path.
func TestSampleExtremes(t *testing.T) {
	trainable(t)
	rewardFiles(t)
	trainTiny(t, "run")
	for _, guide := range []string{"eq7 --lambda 1e9", "algorithm2 --lambda 1e6",
		"algorithm2-printed --lambda 1e9", "eq7-printed --lambda 1e6", "boltzmann --beta 1e300", "boltzmann --beta -1e300",
		"eq7 --lambda 1e6 --steps 1 --reverse undivided"} {
		good(t, append(strings.Fields("sample run -n 50 -q -o out.csv --reward reward.csv --guide"),
			strings.Fields(guide)...)...)
		// checks that they are paths
		good(t, "evaluate", "-q", "--graph", "example", "--floor-draws", "0", "paths.csv", "out.csv")
	}
}

func TestSampleErrors(t *testing.T) {
	trainable(t)
	rewardFiles(t)
	trainTiny(t, "run")
	trainTiny(t, "none", "--network", "none")
	clitest.Write(t, "garbage", strings.Repeat("garbage ", 100))
	if err := os.MkdirAll("directory", 0o755); err != nil {
		t.Fatal(err)
	}
	for args, want := range map[string][]string{
		"sample nothing":   {"nothing is no run directory"},
		"sample directory": {"directory is no run directory: it has no config.toml"},
		"sample garbage":   {"garbage: load: not a"},
		"sample empty.csv": {
			"empty.csv: load: not a safetensors file: too short"},
		"sample run -q --steps 257":                                     {"257 steps, must be in 1…256"},
		"sample run -o away/paths.csv":                                  {"cannot write away/paths.csv"},
		"sample run -o directory --format csv":                          {"cannot write directory", "it is a directory"},
		"sample run --reward none.csv":                                  {"none.csv", "no such file"},
		"sample run --reward edge.csv":                                  {"edge.csv:3", `no edge from "A" to "J"`},
		"sample run --reward nan.csv":                                   {"nan.csv:1: field 4"},
		"sample run --reward empty.csv":                                 {"empty.csv", "no rewards"},
		"sample run --reward short.csv":                                 {"short.csv:1", "3 fields"},
		"sample run --reward large.csv --guide max":                     {"large.csv", "add up to +Inf"},
		"sample run --reward random:99":                                 {"99 is not in 1…3"},
		"sample run --reward rare:0":                                    {"0 is not in 1…3"},
		"sample run --guide boltzmann --beta 1e308 --reward reward.csv": {"overflows"},
		"sample none/model.safetensors -q --steps 300":                  {"300 steps"},
	} {
		bad(t, exitError, want, strings.Fields(args)...)
	}
	for args, want := range map[string][]string{
		"sample":                         {"RUN is missing"},
		"sample run -n 0":                {"want 1 or more"},
		"sample run -n -1":               {"want 1 or more"},
		"sample run -n 9000000000000000": {"want 1,000,000,000 or less"},
		"sample run -n 1e3":              {"not a whole number"},
		"sample run --steps -1":          {"--steps"},
		"sample run --threads -1":        {"--threads"},
		"sample run --reverse up":        {"--reverse"},
		"sample run --guide luck":        {"--guide"},
		"sample run --guide max":         {"needs a --reward"},
		"sample run --lambda 3":          {"--lambda is for the guides eq7"},
		"sample run --beta 3":            {"--beta is for the guide boltzmann"},
		"sample run --guide eq7 --reward reward.csv --lambda nan":           {"--lambda", "not a finite number"},
		"sample run --guide eq7 --reward reward.csv --lambda inf":           {"--lambda", "not a finite number"},
		"sample run --guide eq7 --reward reward.csv --lambda 1e309":         {"--lambda", "not a finite number"},
		"sample run --guide boltzmann --reward reward.csv --beta -inf":      {"--beta", "not a finite number"},
		"sample run --guide algorithm2 --reward reward.csv --reverse joint": {"leave out --reverse"},
		"sample run --reward random:":                                       {"random:R"},
		"sample run --reward random:x":                                      {"random:R"},
		"sample run --reward random:2:x":                                    {"seed is not a whole number"},
		"sample run --seed -1":                                              {"--seed"},
		"sample run -o paths.txt":                                           {"--format"},
	} {
		bad(t, exitUsage, want, strings.Fields(args)...)
	}
}

// Ctrl-C in the middle of a huge draw leaves nothing behind.
func TestSampleInterrupted(t *testing.T) {
	trainable(t)
	trainTiny(t, "run")
	clitest.Write(t, "old.csv", "old")
	cancelled(t, "sample", "run", "-n", "20000000", "-o", "old.csv")
	out := interruptedOut(t, "sample", "run", "-n", "20000000") // written as they are drawn, line by line
	if out != "" && (!strings.HasPrefix(out, "v1,") || !strings.HasSuffix(out, "\n")) {
		t.Errorf("standard output %.100q … %q", out, out[max(0, len(out)-100):])
	}
	cancelled(t, "score", "run", "paths.csv", "--draws", "1000000000", "-o", "old.csv")
	cancelled(t, "evaluate", "run", "-n", "20000000")
	cancelled(t, "evaluate", "run", "-n", "5000", "--floor-draws", "1000000")
}

// A full disk under what is written in place.
func TestSampleFull(t *testing.T) {
	full, err := os.OpenFile("/dev/full", os.O_WRONLY, 0)
	if err != nil {
		t.Skip("no /dev/full")
	}
	defer full.Close()
	trainable(t)
	trainTiny(t, "run")
	for _, args := range []string{"sample run -q", "sample run -q -n 1", "evaluate run -q -n 20",
		"evaluate run -q -n 20 --json", "score run paths.csv -q", "train --resume -q -o run"} {
		var errs bytes.Buffer
		if status := execute(t.Context(), strings.Fields(args), full, &errs); status != exitError ||
			!strings.Contains(errs.String(), "no space left") || strings.Count(errs.String(), "\n") != 1 {
			t.Errorf("%s: status %d, %q", args, status, errs.String())
		}
	}
	bad(t, exitUsage, []string{"--where is empty"}, "sample", "run", "--where", " ")
	bad(t, exitError, []string{"writing /dev/full: no space left"}, "sample", "run", "-q", "--format", "csv", "-o",
		"/dev/full")
}

// --backend names XLA, and says so where it has nothing to do.
func TestSampleBackend(t *testing.T) {
	bad(t, exitUsage, []string{"--backend", "xla:cpu"}, "sample", "shipped:toy", "--backend", "go")
	bad(t, exitUsage, []string{"--backend"}, "reproduce", "fig:reward", "--backend", "tpu", "-o", t.TempDir())
	bad(t, exitError, []string{"none.so"}, "sample", "shipped:toy", "-n", "2", "--backend", "xla:/none.so")
	status, _, errs := call("sample", "shipped:heights", "-n", "2", "--backend", "xla:/none.so")
	if status != 0 || !strings.Contains(errs, "mixture of chains") {
		t.Errorf("status %d: %s", status, errs)
	}
}

// The forms that replaced old guides give the same paths, and the old ones say so.
func TestOldGuides(t *testing.T) {
	t.Chdir(t.TempDir())
	for old, now := range map[string]string{
		"--guide algorithm2 --lambda 10":         "--guide eq7 --reverse algorithm2 --lambda 10",
		"--guide eq13 --lambda 10":               "--guide eq7 --lambda 10",
		"--guide algorithm2-printed --lambda 10": "--guide eq7-printed --reverse algorithm2 --lambda 10",
		"--guide max":                            "--where max(reward)",
		"--guide boltzmann --beta 0.5":           "--where boltzmann(0.5)",
	} {
		common := "sample shipped:toy -n 200 --steps 4 --reward random:4 "
		_, notes := good(t, strings.Fields(common+old+" -o old.csv")...)
		if !strings.Contains(notes, "works for one more release") {
			t.Errorf("%s: no note in %q", old, notes)
		}
		_, notes = good(t, strings.Fields(common+now+" -o new.csv")...)
		if strings.Contains(notes, "one more release") {
			t.Errorf("%s: %q", now, notes)
		}
		a, err := os.ReadFile("old.csv")
		b, err2 := os.ReadFile("new.csv")
		if err != nil || err2 != nil || string(a) != string(b) {
			t.Errorf("%s and %s: other paths (%v, %v)", old, now, err, err2)
		}
	}
}
