package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/ddps-go/ddps/cmd/ddps/internal/clitest"
	"github.com/ddps-go/ddps/ddps/model"
	"github.com/ddps-go/ddps/ddps/run"
)

// asCommand makes the test's own binary be the command, for tests that need a process.
const asCommand = "DDPS_TEST_AS_COMMAND"

func TestMain(m *testing.M) {
	if os.Getenv(asCommand) != "" {
		main()
	}
	os.Exit(m.Run())
}

// process is the command as a process of its own.
type process struct {
	*exec.Cmd
	out, errs bytes.Buffer
}

func start(t *testing.T, args ...string) *process {
	t.Helper()
	p := &process{Cmd: exec.Command(os.Args[0], args...)}
	p.Env = append(os.Environ(), asCommand+"=1")
	p.Stdout, p.Stderr = &p.out, &p.errs
	if err := p.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if p.ProcessState == nil {
			p.Process.Kill()
			p.Wait()
		}
	})
	return p
}

// status waits for the process to end; −1 for one that was killed.
func (p *process) status(t *testing.T) int {
	t.Helper()
	err := p.Wait()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		t.Fatal(err)
	}
	return p.ProcessState.ExitCode()
}

// waitFor waits until there is a file of that pattern.
func waitFor(t *testing.T, pattern string) {
	t.Helper()
	for end := time.Now().Add(time.Minute); time.Now().Before(end); time.Sleep(2 * time.Millisecond) {
		if names, err := filepath.Glob(pattern); err == nil && len(names) > 0 {
			return
		}
	}
	t.Fatalf("%s does not come", pattern)
}

// trainable makes paths.csv of the example graph and tiny.toml in a new working directory.
func trainable(t *testing.T) {
	t.Helper()
	t.Chdir(t.TempDir())
	good(t, "paths", "make", "example", "-o", "paths.csv")
	clitest.Write(t, "tiny.toml", clitest.Tiny)
}

// trainTiny trains a run directory.
func trainTiny(t *testing.T, dir string, more ...string) {
	t.Helper()
	args := []string{"train", "--graph", "example", "--paths", "paths.csv", "-o", dir}
	if !slices.Contains(more, "--config") {
		args = append(args, "--config", "tiny.toml")
	}
	good(t, append(args, more...)...)
}

func sameRun(t *testing.T, a, b string) {
	t.Helper()
	for _, name := range []string{"model.safetensors", "log.jsonl", "config.toml", "graph.json", "paths.csv"} {
		if clitest.Read(t, filepath.Join(a, name)) != clitest.Read(t, filepath.Join(b, name)) {
			t.Errorf("%s differs in %s and %s", name, a, b)
		}
	}
}

func TestTrain(t *testing.T) {
	trainable(t)
	out, errs := good(t, "train", "--graph", "example", "--paths", "paths.csv", "--config", "tiny.toml", "-o", "deep/run")
	if !strings.Contains(out, "deep/run: mlp network on 10 vertices") || !strings.Contains(errs, "validation") {
		t.Errorf("%q, %q", out, errs)
	}
	if _, errs := good(t, "train", "-q", "--resume", "-o", "deep/run"); errs != "" {
		t.Errorf("quiet: %q", errs)
	}
	bad(t, exitError, []string{"deep/run holds a run already", "resume it"},
		"train", "--graph", "example", "--paths", "paths.csv", "--config", "tiny.toml", "-o", "deep/run")
	trainTiny(t, "again")
	sameRun(t, "deep/run", "again")
	trainTiny(t, "seeded", "--seed", "18446744073709551615")
	good(t, "train", "--resume", "-o", "seeded")
	// the defaults are those of the network that the file names
	clitest.Write(t, "unet.toml", strings.NewReplacer(`"mlp"`, `"unet"`, "model.mlp", "model.unet", "hidden",
		"channels").Replace(clitest.Tiny))
	trainTiny(t, "unet", "--config", "unet.toml")
	if text := clitest.Read(t, "unet/config.toml"); !strings.Contains(text, "lr = 0.004") {
		t.Errorf("config.toml:\n%s", text)
	}
}

// Ctrl-C and kill -9 in the middle, and a second process in the same directory, change nothing of the result.
func TestTrainInterrupted(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("no signals")
	}
	trainable(t)
	const steps = 2000 // long enough not to end before the signal comes
	args := func(dir string) []string {
		return []string{"train", "--graph", "example", "--paths", "paths.csv", "--config", "tiny.toml", "--steps",
			fmt.Sprint(steps), "-o", dir}
	}
	good(t, args("whole")...)
	signals := []os.Signal{os.Interrupt, syscall.SIGTERM, syscall.SIGQUIT, os.Kill}
	if !signal.Ignored(syscall.SIGHUP) { // as under nohup, where it stays so
		signals = append(signals, syscall.SIGHUP)
	}
	for _, signal := range signals {
		dir := "run-" + strings.ReplaceAll(signal.String(), " ", "-")
		p := start(t, args(dir)...)
		waitFor(t, filepath.Join(dir, "checkpoints", "step-*.safetensors"))
		if signal == os.Interrupt {
			status, out, errs := call("train", "--resume", "-o", dir)
			if status != exitError || out != "" || !strings.HasSuffix(errs, "\nddps: another process is training in "+dir+"\n") {
				t.Errorf("second process: status %d, %q, %q", status, out, errs)
			}
		}
		if err := p.Process.Signal(signal); err != nil {
			t.Fatalf("it ended too early: %v", err)
		}
		status := p.status(t)
		if signal == os.Kill && status != -1 || signal != os.Kill && (status != exitInterrupted ||
			!strings.Contains(p.errs.String(), "go on with: ddps train --resume -o "+dir) || !strings.Contains(p.errs.String(),
			"\nddps: interrupted\n")) {
			t.Errorf("%v: status %d, %q", signal, status, p.errs.String())
		}
		if p.out.Len() > 0 {
			t.Errorf("%v: standard output %q", signal, p.out.String())
		}
		if _, err := os.Stat(filepath.Join(dir, "model.safetensors")); err == nil {
			t.Fatalf("%v: it ended before it was stopped", signal)
		}
		good(t, "sample", dir, "-n", "3") // from the last checkpoint
		good(t, "train", "--resume", "-o", dir)
		sameRun(t, dir, "whole")
		litter, err := filepath.Glob(filepath.Join(dir, "*", ".step*"))
		if err != nil || len(litter) > 0 {
			t.Errorf("%v: left %q", signal, litter)
		}
	}
}

// Damage of the newest checkpoint is a warning, of all of them an error.
func TestTrainDamage(t *testing.T) {
	trainable(t)
	trainTiny(t, "whole")
	trainTiny(t, "run")
	last := "run/checkpoints/step-00000012.safetensors"
	for _, text := range []string{"", "garbage", clitest.Read(t, last)[:1000]} {
		clitest.Write(t, last, text)
		if err := os.Remove("run/model.safetensors"); err != nil {
			t.Fatal(err)
		}
		_, errs := good(t, "train", "--resume", "-o", "run")
		if strings.Count(errs, "warning: ") != 1 || !strings.Contains(errs, last) || !strings.Contains(errs, "falling back") {
			t.Errorf("standard error %q", errs)
		}
		sameRun(t, "run", "whole")
	}
	for _, name := range []string{last, "run/checkpoints/step-00000009.safetensors"} {
		clitest.Write(t, name, "garbage")
	}
	status, out, errs := call("train", "-q", "--resume", "-o", "run")
	if status != exitError || out != "" || strings.Count(errs, "\n") != 1 ||
		!strings.Contains(errs, "none of 2 checkpoints is good: "+last) {
		t.Errorf("status %d, %q, %q", status, out, errs)
	}
	clitest.Write(t, "run/model.safetensors", clitest.Read(t, "whole/model.safetensors")[:500])
	bad(t, exitError, []string{"none of 2 checkpoints is good"}, "sample", "-q", "run")
	bad(t, exitError, []string{"run/model.safetensors", "cut off"}, "sample", "run/model.safetensors")
}

func TestTrainErrors(t *testing.T) {
	trainable(t)
	trainTiny(t, "run")
	good(t, "graph", "make", "example", "-o", "graph.json")
	clitest.Write(t, "cut.json", clitest.Read(t, "graph.json")[:150])
	clitest.Write(t, "empty.csv", "")
	clitest.Write(t, "unknown.csv", clitest.Read(t, "paths.csv")+"A,B,Q,J\n")
	clitest.Write(t, "jump.csv", clitest.Read(t, "paths.csv")+"A,B,C,H\n")
	clitest.Write(t, "counts.csv", "A,B,E,H,9223372036854775807\nA,B,E,H,1\n")
	clitest.Write(t, "one.csv", "A,B,E,H,9223372036854775807\n")
	for name, text := range map[string]string{"type": "hold = \"much\"\n", "line": "keep = 2\nhold = = 2\n",
		"key": "hodl = 0.1\n", "seed": "hold_seed = -1\n",
		"hold": "hold = nan\n", "steps": "[train]\nsteps = 1.5\n", "net": "[model]\nnetwork = \"brain\"\n",
		"T": "[model]\nT = 1000000000000\n"} {
		clitest.Write(t, name+".toml", text)
	}
	base := "train --graph example --paths paths.csv "
	for args, want := range map[string][]string{
		base + "-o new --config type.toml":               {"type.toml", "line 1", "hold"},
		base + "-o new --config line.toml":               {"line.toml:2"},
		base + "-o new --config key.toml":                {"key.toml", "unknown key hodl"},
		base + "-o new --config seed.toml":               {"seed.toml", "hold_seed"},
		base + "-o new --config hold.toml":               {"hold.toml", "hold is NaN"},
		base + "-o new --config steps.toml":              {"steps.toml", "line 2", "steps"},
		base + "-o new --config net.toml":                {`no network "brain"`},
		base + "-o new --config T.toml":                  {"T is"},
		base + "-o new --config none.toml":               {"none.toml", "no such file"},
		base + "-o new --config .":                       {"config: "},
		base + "-o new --hold 1":                         {"hold is 1"},
		base + "-o new --lr 0":                           {"lr"},
		base + "-o new --batch 1000000000":               {"batch"},
		base + "-o new --hidden 1000000000":              {"hidden units"},
		base + "-o new --backend abacus":                 {"abacus"},
		base + "-o tiny.toml":                            {"tiny.toml", "not a directory"},
		base + "-o paths.csv/new":                        {"paths.csv", "not a directory"},
		base + "-o .":                                    {"holds paths.csv, which a run would write over"},
		"train --graph cut.json --paths paths.csv -o n":  {"cut.json", "line"},
		"train --graph none.json --paths paths.csv -o n": {"none.json", "no such file"},
		"train --graph town.json -o n":                   {"town.json", "no such file"},
		"train --graph toy --paths paths.csv -o n":       {"paths.csv:1", "the graph has 11 layers"},
		"train --graph example --paths empty.csv -o n":   {"empty.csv", "no path"},
		"train --graph example --paths unknown.csv -o n": {"unknown.csv:", `no vertex "Q" in layer 3`},
		"train --graph example --paths jump.csv -o n":    {"jump.csv:"},
		"train --graph example --paths counts.csv -o n":  {"counts.csv:2", "more than fits"},
		"train --graph example --paths none.csv -o n":    {"none.csv", "no such file"},
		"train --resume -o none":                         {"none is no run directory"},
		"train --resume -o paths.csv":                    {"paths.csv is no run directory"},
	} {
		if strings.Contains(args, "-o . ") || strings.HasSuffix(args, "-o .") {
			args = strings.Replace(args, "paths.csv", "unlike.csv", 1)
			clitest.Write(t, "unlike.csv", "A,B,E,H,7\n")
		}
		bad(t, exitError, want, strings.Fields(args)...)
	}
	for args, want := range map[string][]string{
		base:               {"output"},
		base + "--output=": {"--output is empty"}, "quickstart --output=": {"--output is empty"},
		"train -o new":                            {"needed"},
		"train --resume -o run --steps 9":         {"has 12 already", "only be lengthened"},
		"train --resume -o run --vertices number": {"leave out --vertices"},
		base + "-o new --hold nan":                {"--hold"}, base + "-o new --hold -1": {"--hold"},
		base + "-o new --steps 0": {"--steps"}, base + "-o new --lr inf": {"--lr"}, base + "-o new --kappa -1": {"--kappa"},
		base + "-o new --network brain": {"--network"}, base + "-o new --hidden 99999999999": {"--hidden", "or less"},
		base + "-o new extra": {`"extra" is one too many`},
	} {
		bad(t, exitUsage, want, strings.Fields(args)...)
	}
	// what is odd but not wrong
	for _, args := range []string{"--paths one.csv -o odd1 --hold .9",
		"--paths one.csv -o odd2 --network mlp --hidden 2 --kappa 0", "--paths paths.csv -o odd3 --hold .5 --kappa 0"} {
		_, errs := good(t, append([]string{"train", "--graph", "example", "--config", "tiny.toml"},
			strings.Fields(args)...)...)
		if strings.Count(errs, "warning: ") > 1 {
			t.Errorf("%s: %q", args, errs)
		}
		good(t, "sample", strings.Fields(args)[3], "-n", "5")
	}
}

// Training that diverges ends with the step and the last good checkpoint named.
func TestTrainDiverges(t *testing.T) {
	trainable(t)
	clitest.Write(t, "wild.toml", strings.NewReplacer("checkpoint = 3", "checkpoint = 1", "warmup = 2",
		"warmup = 0\nlr = 1e30").Replace(clitest.Tiny))
	status, out, errs := call("train", "-q", "--graph", "example", "--paths", "paths.csv", "--config", "wild.toml", "-o",
		"run")
	if status != exitError || out != "" || strings.Count(errs, "\n") != 1 || !strings.Contains(errs, "step ") ||
		!(strings.Contains(errs, "the last good checkpoint is run/checkpoints/step-0000000") ||
			strings.Contains(errs, "there is no checkpoint yet")) {
		t.Errorf("status %d, %q, %q", status, out, errs)
	}
}

func TestTrainUnwritable(t *testing.T) {
	trainable(t)
	if runtime.GOOS == "linux" {
		bad(t, exitError, []string{"/proc/self/run"}, "train", "--graph", "example", "--paths", "paths.csv", "-o",
			"/proc/self/run")
	}
	if os.Geteuid() == 0 {
		return
	}
	trainTiny(t, "run")
	for _, dir := range []string{"run", "run/checkpoints"} {
		if err := os.Chmod(dir, 0o500); err != nil {
			t.Fatal(err)
		}
		defer os.Chmod(dir, 0o700)
	}
	bad(t, exitError, []string{"permission denied"}, "train", "--resume", "-o", "run")
	bad(t, exitError, []string{"permission denied"}, "train", "--graph", "example", "--paths", "paths.csv", "-o",
		"run/new")
}

// smallDisk mounts a small disk in the working directory, where the test may, and returns what fills it.
func smallDisk(t *testing.T, dir string) (fill func()) {
	t.Helper()
	if err := os.Mkdir(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	if out, err := exec.Command("mount", "-t", "tmpfs", "-o", "size=512k", "none", dir).CombinedOutput(); err != nil {
		t.Skipf("no small disk: %s", out)
	}
	t.Cleanup(func() {
		if out, err := exec.Command("umount", dir).CombinedOutput(); err != nil {
			t.Errorf("umount: %s", out)
		}
	})
	return func() {
		f, err := os.Create(filepath.Join(dir, "filler"))
		if err != nil {
			t.Fatal(err)
		}
		for err == nil {
			_, err = f.Write(make([]byte, 4096))
		}
		f.Close()
	}
}

func TestTrainDiskFull(t *testing.T) {
	trainable(t)
	fill := smallDisk(t, "disk")
	trainTiny(t, "disk/run")
	fill()
	bad(t, exitError, []string{"no space left"}, "train", "--graph", "example", "--paths", "paths.csv", "--config",
		"tiny.toml", "-o", "disk/new")
	before := clitest.Listing(t)
	for _, args := range []string{"sample disk/run -n 1000 -q -o disk/paths.csv",
		"sample disk/run -n 1000 -q -o disk/run/more.csv", "score disk/run paths.csv -q -o disk/scores.csv"} {
		bad(t, exitError, []string{"writing disk/", "no space left"}, strings.Fields(args)...)
	}
	if after := clitest.Listing(t); !slices.Equal(before, after) {
		t.Error("files changed")
	}
}

// Every network trains by the command, on a GoMLX backend where it is asked to, plain or residual, and is sampled from.
func TestTrainNetworks(t *testing.T) {
	trainable(t)
	for _, c := range []struct{ name, args, want string }{
		{"unet", "--network unet --backend go --hidden 4", "residual = false\n"},
		{"mlp", "--network mlp --backend go --hidden 4", "backend = \"go\"\n"},
		{"residual", "--network unet --backend go --hidden 4 --residual", "gamma = 0.0\n"},
		{"plain", "--network mlp --hidden 4 --residual=false", "gamma = 0.01\n"},
	} {
		trainTiny(t, c.name, strings.Fields(c.args)...)
		if got := clitest.Read(t, c.name+"/config.toml"); !strings.Contains(got, c.want) {
			t.Errorf("%s: settings %s, want %q among them", c.name, got, c.want)
		}
		if out, _ := good(t, "sample", c.name, "-n", "3", "-q"); len(strings.Split(out, "\n")) < 4 {
			t.Errorf("%s: samples %q", c.name, out)
		}
	}
	bad(t, exitError, []string{"abacus"}, "train", "--graph", "example", "--paths", "paths.csv", "--network", "unet",
		"--backend", "abacus", "-o", "run")
}

// --dry-run checks all that train does, says what it would do, and writes nothing.
func TestTrainDryRun(t *testing.T) {
	trainable(t)
	trainTiny(t, "run")
	before := clitest.Listing(t)
	args := []string{"train", "--graph", "example", "--paths", "paths.csv", "--config", "tiny.toml", "--dry-run"}
	out, errs := good(t, append(args, "-o", "new")...)
	for _, want := range []string{"mlp network, ", " weights, T = 256", "12 steps of 4 examples, 48 in all", "validation",
		"κ", "memory, about", "MiB"} {
		if !strings.Contains(out, want) {
			t.Errorf("%q is not in\n%s", want, out)
		}
	}
	if errs != "" {
		t.Errorf("standard error %q", errs)
	}
	if out, _ = good(t, "train", "--resume", "--steps", "40", "--dry-run", "-o", "run"); !strings.Contains(out,
		"40 steps of 4 examples") {
		t.Errorf("lengthened:\n%s", out)
	}
	if out, _ = good(t, "train", "--graph", "example", "--network", "none", "--dry-run", "-o", "new"); strings.Contains(
		out, "steps") {
		t.Errorf("no network:\n%s", out)
	}
	bad(t, exitError, []string{"holds a run already"}, append(args, "-o", "run")...)
	bad(t, exitError, []string{"GiB of memory", "train.accumulate"}, append(args, "-o", "new", "--network", "unet",
		"--hidden", "512", "--batch", "1000000")...)
	bad(t, exitError, []string{"lr"}, append(args, "-o", "new", "--lr", "0")...)
	if after := clitest.Listing(t); !slices.Equal(before, after) {
		t.Errorf("files %q, before %q", after, before)
	}
}

// A run directory, a settings file and a flag that name the network "pair" of earlier versions are errors that say what
// became of it, and write nothing; one that names another network may have that one's settings.
func TestTrainRemovedNetwork(t *testing.T) {
	trainable(t)
	trainTiny(t, "run")
	clitest.Write(t, "other.toml", strings.Replace(clitest.Tiny, "[train]",
		"[model.pair]\nhidden = 32\nshared = true\n[train]", 1))
	trainTiny(t, "other", "--config", "other.toml")
	sameRun(t, "run", "other")
	pair := strings.NewReplacer(`"mlp"`, `"pair"`, "model.mlp", "model.pair")
	clitest.Write(t, "pair.toml", pair.Replace(clitest.Tiny))
	clitest.Write(t, "run/config.toml", pair.Replace(clitest.Read(t, "run/config.toml")))
	before, removed := clitest.Listing(t), []string{`network "pair" was removed`, "mlp or unet"}
	train := []string{"train", "--graph", "example", "--paths", "paths.csv", "-o", "new"}
	bad(t, exitError, append(removed, "pair.toml", "model.network"), append(train, "--config", "pair.toml")...)
	bad(t, exitUsage, append(removed, "--network"), append(train, "--network", "pair")...)
	bad(t, exitError, append(removed, "run/config.toml"), "train", "--resume", "-o", "run")
	bad(t, exitUsage, append(removed, "--network"), "reproduce", "fig:reward", "--network", "pair")
	if after := clitest.Listing(t); !slices.Equal(before, after) {
		t.Errorf("files %q, before %q", after, before)
	}
}

// A run is lengthened by --resume and more steps, and the same command continues with it.
func TestTrainLengthen(t *testing.T) {
	trainable(t)
	trainTiny(t, "run")
	for range 2 {
		_, errs := good(t, "train", "--resume", "--steps", "20", "-o", "run")
		if !strings.Contains(errs, "validation bound") || strings.Contains(errs, "warning") {
			t.Errorf("standard error %q", errs)
		}
	}
	if log := clitest.Read(t, "run/log.jsonl"); !strings.Contains(log, `{"step":20,"steps":20,`) ||
		!strings.Contains(log, `{"step":12,"steps":12,`) {
		t.Errorf("log %s", log)
	}
}

// Help shows the defaults of the network and size asked for; the paper's data need no file.
func TestTrainDefaults(t *testing.T) {
	t.Chdir(t.TempDir())
	for args, want := range map[string][]string{
		"":                               {"(default 2000)", "(default 256)", "(default 192)", "(default true)"},
		"--network unet":                 {"(default 128)", "(default 64)"},
		"--network unet --preset paper":  {"(default 20000)", "(default paper)"},
		"--preset quick --network=unet ": {"(default 0.004)"},
	} {
		out, _ := good(t, append([]string{"train", "--help"}, strings.Fields(args)...)...)
		for _, w := range append(want, "mlp  2,000 steps of 256 paths", "mixture of 8 chains") {
			if !strings.Contains(out, w) {
				t.Errorf("%s: %q is not in\n%s", args, w, out)
			}
		}
	}
	out, _ := good(t, "train", "--graph", "example", "--preset", "paper", "--dry-run", "-o", "run")
	if !strings.Contains(out, "20,000 steps of 256 examples") {
		t.Errorf("paper:\n%s", out)
	}
	bad(t, exitUsage, []string{"--preset"}, "train", "--graph", "example", "--preset", "huge", "-o", "run")
}

// A configuration that has been written reads back the same.
func TestConfigRoundTrip(t *testing.T) {
	t.Chdir(t.TempDir())
	for _, cfg := range []run.Config{run.DefaultConfig(), run.MapConfig(), run.ConfigOf(model.NetworkUNet)} {
		var b bytes.Buffer
		if err := cfg.Write(&b); err != nil {
			t.Fatal(err)
		}
		clitest.Write(t, "c.toml", b.String())
		if back, err := run.ReadConfig("c.toml", run.Config{}); err != nil || back != cfg {
			t.Errorf("%+v, %v, want %+v", back, err, cfg)
		}
	}
}

// cancelled runs the command and interrupts it once it has begun; it must leave nothing.
func cancelled(t *testing.T, args ...string) {
	t.Helper()
	if out := interruptedOut(t, args...); out != "" {
		t.Errorf("ddps %s: standard output %.100q", strings.Join(args, " "), out)
	}
}

// interruptedOut is cancelled, but returns what was written to standard output.
func interruptedOut(t *testing.T, args ...string) string {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), 300*time.Millisecond)
	defer cancel()
	interrupt, stop := context.WithCancel(context.Background())
	context.AfterFunc(ctx, stop)
	before := clitest.Listing(t)
	var out, errs bytes.Buffer
	if status := execute(interrupt, args, &out, &errs); status != exitInterrupted || !strings.HasSuffix(errs.String(),
		"ddps: interrupted\n") {
		t.Errorf("ddps %s: status %d, %q", strings.Join(args, " "), status, errs.String())
	}
	if after := clitest.Listing(t); !slices.Equal(before, after) {
		t.Errorf("ddps %s: files %q, before %q", strings.Join(args, " "), after, before)
	}
	return out.String()
}

// On a map the default is a stack: flags of networks are refused, not ignored.
func TestTrainStack(t *testing.T) {
	t.Chdir(t.TempDir())
	good(t, "paths", "make", "heights", "-n", "200", "--how", "memory", "-o", "walks.csv")
	clitest.Write(t, "parts.toml", "[model]\nnetwork = \"none\"\n[model.stack]\nparts = \"first-order context\"\n")
	train := []string{"train", "--graph", "heights", "--paths", "walks.csv", "-o", "run"}
	bad(t, exitUsage, []string{"--steps is of a network"}, append(train, "--steps", "5")...)
	bad(t, exitUsage, []string{"--budget is of a stack"}, append(train, "--model", "mixture", "--budget", "5s")...)
	bad(t, exitUsage, []string{"--model and --network"}, append(train, "--model", "stack", "--network", "none")...)
	train = append(train, "--validation-by", "walk") // of the paper's maps it is by path
	out, _ := good(t, append(train, "--config", "parts.toml", "--dry-run")...)
	for _, want := range []string{"stack of first-order, context", "by walk; the parts are then fitted again",
		"fit of context"} {
		if !strings.Contains(out, want) {
			t.Errorf("--dry-run: no %q in %q", want, out)
		}
	}
	out, errs := good(t, append(train, "--config", "parts.toml")...)
	if !strings.Contains(out, "run: stack of first-order, context on") ||
		!strings.Contains(errs, "validation NLL  weight") {
		t.Errorf("%q, %q", out, errs)
	}
	model := clitest.Read(t, "run/model.safetensors")
	good(t, "train", "--resume", "-o", "run")
	if clitest.Read(t, "run/model.safetensors") != model {
		t.Error("resumed, the model is another")
	}
	out, _ = good(t, "explain", "run", "--where", "visit(place 3)")
	if !strings.Contains(out, "under the part context") {
		t.Errorf("%q", out)
	}
	out, errs = good(t, "sample", "run", "-n", "3", "--where", "visit(place 3)")
	if strings.Count(out, "\n") != 4 || !strings.Contains(errs, "probability under the model") {
		t.Errorf("%q, %q", out, errs)
	}
	_, errs = good(t, "sample", "run", "-n", "2", "--guide", "eq7", "--reward", "random:4")
	if !strings.Contains(errs, "16 reverse steps") {
		t.Errorf("%q", errs)
	}
	bad(t, exitUsage, []string{"--particles correct the reverse steps"}, "sample", "run", "-n", "3", "--where",
		"visit(place 3)", "--particles", "4")
	if out, _ = good(t, "score", "run", "walks.csv", "--given", "visit(place 3)"); !strings.Contains(out, "nll,stderr") {
		t.Errorf("%q", out)
	}
}

// A mixture of chains on a map is another model.
func TestTrainOnMap(t *testing.T) {
	t.Chdir(t.TempDir())
	good(t, "paths", "make", "heights", "-n", "300", "--how", "memory", "-o", "walks.csv")
	train := []string{"train", "--graph", "heights", "--paths", "walks.csv", "--model", "mixture", "-o", "run"}
	bad(t, exitUsage, []string{"--steps is of a network"}, append(train, "--steps", "5")...)
	out, errs := good(t, train...)
	if !strings.Contains(out, "run: mixture of 8 chains on") || !strings.Contains(errs, "validation NLL") {
		t.Errorf("%q, %q", out, errs)
	}
	model := clitest.Read(t, "run/model.safetensors")
	bad(t, exitUsage, []string{"--steps is of a network"}, "train", "--resume", "--steps", "9", "-o", "run")
	good(t, "train", "--resume", "-o", "run")
	if clitest.Read(t, "run/model.safetensors") != model {
		t.Error("resumed, the model is another")
	}
	out, _ = good(t, "explain", "run", "--where", "visit(place 3)")
	if !strings.Contains(out, "most likely under the model") || strings.Contains(out, "±") {
		t.Errorf("%q", out)
	}
	out, _ = good(t, "sample", "run", "-n", "3", "--where", "visit(place 3)")
	if strings.Count(out, "\n") != 4 {
		t.Errorf("%q", out)
	}
}

// Of recorded walks some are for validation, of any model without a network; of made paths distinct ones.
func TestValidationByDefault(t *testing.T) {
	t.Chdir(t.TempDir())
	clitest.Write(t, "walks.txt", strings.Repeat("A B C\nA C\nB C A\n", 40))
	for _, c := range []struct {
		how string
		by  bool
	}{{"--paths walks.txt --model chain", true}, {"--paths walks.txt --model chain --validation-by path", false},
		{"--graph example --network none", false}} {
		good(t, append(strings.Fields("train -o run"), strings.Fields(c.how)...)...)
		if got := strings.Contains(clitest.Read(t, "run/config.toml"), `validation_by = "walk"`); got != c.by {
			t.Errorf("%s: validation by walk is %v", c.how, got)
		}
		if err := os.RemoveAll("run"); err != nil {
			t.Fatal(err)
		}
	}
}
