package run

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/BurntSushi/toml"

	"github.com/ddps-go/ddps/datasets"
	"github.com/ddps-go/ddps/ddps"
	"github.com/ddps-go/ddps/ddps/compare"
	"github.com/ddps-go/ddps/ddps/model"
	"github.com/ddps-go/ddps/ddps/run/runtest"
	"github.com/ddps-go/ddps/ddps/train"
)

// quick is a configuration that trains in no time: a residual MLP on a mixture, 20 steps, checkpoints at 4, 8, … of
// which two are kept.
func quick() Config {
	cfg := ConfigOf(model.NetworkMLP)
	cfg.Model.Mixture.Classes = 8
	cfg = cfg.On(ddps.Example())
	cfg.Hold, cfg.Keep, cfg.Model.MLP.Hidden = 0.3, 2, 4
	cfg.Train.Steps, cfg.Train.Batch, cfg.Train.EvalEvery, cfg.Train.EvalSize, cfg.Train.Checkpoint = 20, 8, 5, 16, 4
	cfg.Train.Optim.Warmup = 2
	return cfg
}

func mustCreate(t testing.TB, dir string, cfg Config) *Run {
	t.Helper()
	r, err := Create(dir, cfg, runtest.Example(t))
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// trained makes a run and trains it until after step stop, 0 for the end.
func trained(t testing.TB, dir string, cfg Config, stop int) *Run {
	t.Helper()
	r := mustCreate(t, dir, cfg)
	if err := trainUntil(r, false, stop); err != nil {
		t.Fatal(err)
	}
	return r
}

func trainUntil(r *Run, resume bool, stop int) error {
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	_, err := r.Train(ctx, resume, train.Hooks{Step: func(s train.StepInfo) {
		if s.Step == stop {
			cancel()
		}
	}})
	if stop > 0 && errors.Is(err, train.ErrStopped) {
		return nil
	}
	return err
}

func reopen(t testing.TB, dir string) (*Run, *[]string) {
	t.Helper()
	r, err := Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	var warnings []string
	r.Warn = func(s string) { warnings = append(warnings, s) }
	return r, &warnings
}

// products returns what a finished run must give to the byte: model and log.
func products(t testing.TB, dir string) (model, log []byte) {
	t.Helper()
	model, err := os.ReadFile(filepath.Join(dir, modelFile))
	if err != nil {
		t.Fatal(err)
	}
	if log, err = os.ReadFile(filepath.Join(dir, logFile)); err != nil {
		t.Fatal(err)
	}
	return model, log
}

func sameProducts(t *testing.T, what, dir, want string) {
	t.Helper()
	m, l := products(t, dir)
	m2, l2 := products(t, want)
	if !bytes.Equal(m, m2) {
		t.Errorf("%s: another model than the uninterrupted run's", what)
	}
	if !bytes.Equal(l, l2) {
		t.Errorf("%s: log\n%s\nof the uninterrupted run\n%s", what, l, l2)
	}
}

// tree lists the files below dir with their contents.
func tree(t testing.TB, dir string) []string {
	t.Helper()
	var list []string
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		data, _ := os.ReadFile(path)
		list = append(list, path+" "+string(data))
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return list
}

func TestResumeSameBytes(t *testing.T) {
	dir := t.TempDir()
	whole := filepath.Join(dir, "whole")
	trained(t, whole, quick(), 0)
	for _, stop := range []int{1, 4, 5, 11, 19} {
		part := filepath.Join(dir, fmt.Sprint(stop))
		trained(t, part, quick(), stop)
		r, warnings := reopen(t, part)
		if err := trainUntil(r, false, 0); err == nil || !strings.Contains(err.Error(), "resume it") {
			t.Errorf("trained over: %v", err)
		}
		if err := trainUntil(r, true, 0); err != nil || len(*warnings) > 0 {
			t.Fatal(err, *warnings)
		}
		sameProducts(t, fmt.Sprintf("stopped at %d", stop), part, whole)
	}
	r, _ := reopen(t, whole) // a finished run goes on to the same end
	if err := trainUntil(r, true, 0); err != nil {
		t.Fatal(err)
	}
	sameProducts(t, "once more", whole, filepath.Join(dir, "5"))
}

// A bad checkpoint is stepped over with a warning, wherever it is bad, and does not come to be kept instead of a
// good one.
func TestBadCheckpoints(t *testing.T) {
	dir := t.TempDir()
	whole := filepath.Join(dir, "whole")
	trained(t, whole, quick(), 0)
	other := quick()
	other.Train.Seed = 5
	foreign := trained(t, filepath.Join(dir, "settings"), other, 14)
	line, err := datasets.Draw(ddps.Example(), 2, 1)
	if err != nil {
		t.Fatal(err)
	}
	paths, err := Create(filepath.Join(dir, "paths"), quick(), &datasets.Data{Graph: ddps.Example(), Paths: line,
		Counts: []int{1, 1}})
	if err != nil {
		t.Fatal(err)
	}
	if err := trainUntil(paths, false, 14); err != nil {
		t.Fatal(err)
	}
	flip := func(where float64) func([]byte) []byte {
		return func(b []byte) []byte { b[int(where*float64(len(b)-1))] ^= 2; return b }
	}
	copied := func(r *Run) func([]byte) []byte {
		data, err := os.ReadFile(r.checkpoints()[0])
		if err != nil {
			t.Fatal(err)
		}
		return func([]byte) []byte { return data }
	}
	for name, c := range map[string]struct {
		change func([]byte) []byte
		want   string
	}{
		"empty":      {func([]byte) []byte { return nil }, "too short"},
		"cut":        {func(b []byte) []byte { return b[:len(b)/2] }, ""},
		"cut by one": {func(b []byte) []byte { return b[:len(b)-1] }, "damaged or cut off"},
		"garbage":    {func(b []byte) []byte { return bytes.Repeat([]byte("x"), len(b)) }, ""},
		"first bit":  {flip(0), ""}, "last bit": {flip(1), "checksum"}, "middle bit": {flip(.5), ""},
		"step": {func(b []byte) []byte {
			return bytes.Replace(b, []byte(`"step":"14"`), []byte(`"step":"12"`),
				1)
		}, "seal"},
		"settings": {func(b []byte) []byte {
			return bytes.Replace(b, []byte(`\"Hidden\":4`), []byte(`\"Hidden\":5`),
				1)
		}, "seal"},
		"of other settings": {copied(foreign), "other settings"}, "of other paths": {copied(paths), "other paths"},
	} {
		part := filepath.Join(dir, "part "+name)
		r := trained(t, part, quick(), 14) // checkpoints at 12 and 14
		newest := r.checkpoints()[0]
		data, err := os.ReadFile(newest)
		if err != nil {
			t.Fatal(err)
		}
		bad := c.change(bytes.Clone(data))
		if bytes.Equal(bad, data) {
			t.Fatalf("%s: nothing changed", name)
		}
		for _, file := range []string{newest, filepath.Join(filepath.Dir(newest), "step-00009999.safetensors")} {
			if err := os.WriteFile(file, bad, 0o644); err != nil {
				t.Fatal(err)
			}
		}
		r, warnings := reopen(t, part)
		if err := trainUntil(r, true, 17); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if len(*warnings) != 2 || !strings.Contains((*warnings)[1], "step-00000014") || !strings.Contains((*warnings)[0],
			c.want) {
			t.Errorf("%s: warnings %q, want two with %q", name, *warnings, c.want)
		}
		if got := r.checkpoints(); len(got) != 2 || filepath.Base(got[0]) != "step-00000017.safetensors" ||
			filepath.Base(got[1]) != "step-00000016.safetensors" {
			t.Errorf("%s: kept %q", name, got)
		}
		r, warnings = reopen(t, part)
		if err := trainUntil(r, true, 0); err != nil || len(*warnings) > 0 {
			t.Fatalf("%s: %v, %q", name, err, *warnings)
		}
		sameProducts(t, name, part, whole)
	}
}

func TestAllCheckpointsBad(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "run")
	r := trained(t, dir, quick(), 14)
	for _, name := range r.checkpoints() {
		if err := os.Truncate(name, 100); err != nil {
			t.Fatal(err)
		}
	}
	before := tree(t, dir)
	r, _ = reopen(t, dir)
	runtest.Has(t, "resume", trainUntil(r, true, 0), "none of 2 checkpoints is good", "step-00000014")
	_, err := r.Model()
	runtest.Has(t, "model", err, "none of 2 checkpoints is good", "step-00000014")
	if after := tree(t, dir); !slices.Equal(before, after) {
		t.Error("files changed")
	}
}

func TestBadModel(t *testing.T) {
	dir := t.TempDir()
	in := filepath.Join(dir, "run")
	r := mustCreate(t, in, quick())
	_, err := r.Model()
	runtest.Has(t, "untrained", err, "neither a model nor a checkpoint yet", "train it first")
	if err := trainUntil(r, false, 0); err != nil {
		t.Fatal(err)
	}
	g, err := ddps.New([]int{1, 2}, [][]int{{1, 2}, nil, nil})
	if err != nil {
		t.Fatal(err)
	}
	small, err := datasets.All(g, 10)
	if err != nil {
		t.Fatal(err)
	}
	other, err := Create(filepath.Join(dir, "other"), quick(), small)
	if err != nil {
		t.Fatal(err)
	}
	if err := trainUntil(other, false, 0); err != nil {
		t.Fatal(err)
	}
	foreign, _ := products(t, other.Dir)
	good, _ := products(t, in)
	for name, data := range map[string][]byte{"empty": nil, "cut": good[:len(good)-9],
		"garbage": []byte("no model at all, but long enough"), "another graph": foreign} {
		if err := os.WriteFile(filepath.Join(in, modelFile), data, 0o644); err != nil {
			t.Fatal(err)
		}
		r, warnings := reopen(t, in)
		m, err := r.Model()
		if err != nil || m.Graph.NumEdges() != r.Data.Prune().Graph.NumEdges() || len(*warnings) != 2 ||
			!strings.Contains((*warnings)[0], modelFile) || !strings.Contains((*warnings)[1], "after step 20 of 20") {
			t.Errorf("%s: %v, warnings %q", name, err, *warnings)
		}
	}
	if err := os.RemoveAll(filepath.Join(in, checkpointDir)); err != nil {
		t.Fatal(err)
	}
	r, _ = reopen(t, in)
	_, err = r.Model()
	runtest.Has(t, "nothing else", err, modelFile)
}

// Whatever is wrong with a new run leaves the directory as it was.
func TestCreateErrors(t *testing.T) {
	dir := t.TempDir()
	write := func(name, text string) {
		t.Helper()
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	write("file", "mine")
	write("mine/paths.csv", "my own paths")
	write("logs/log.jsonl", "my own log")
	write("models/model.safetensors", "my own model")
	write("points/checkpoints/step-00000001.safetensors", "my own")
	write("versions/versions.json", "{}")
	mustCreate(t, filepath.Join(dir, "run"), quick())
	write("linked/note", "mine")
	for link, to := range map[string]string{"dangling": "nowhere", "linked/graph.json": "nowhere",
		"linked/model.safetensors": "nowhere"} {
		if err := os.Symlink(to, filepath.Join(dir, link)); err != nil {
			t.Fatal(err)
		}
	}
	for name, c := range map[string]struct {
		dir    string
		change func(*Config)
		want   string
	}{
		"hold":      {"new", func(c *Config) { c.Hold = 1 }, "hold"},
		"NaN":       {"new", func(c *Config) { c.Hold = math.NaN() }, "hold"},
		"keep":      {"new", func(c *Config) { c.Keep = 0 }, "keep"},
		"lr":        {"new", func(c *Config) { c.Train.Optim.LR = 0 }, "lr"},
		"steps":     {"new", func(c *Config) { c.Train.Steps = 0 }, "steps"},
		"batch":     {"new", func(c *Config) { c.Train.Batch = 1 << 50 }, "batch"},
		"eval_size": {"new", func(c *Config) { c.Train.EvalSize = 1 << 50 }, "eval_size"},
		"kappa":     {"new", func(c *Config) { c.Model.Kappa = math.NaN() }, "pseudo-count"},
		"T":         {"new", func(c *Config) { c.Model.T = 0 }, "T is 0"},
		"large T":   {"new", func(c *Config) { c.Model.T = 1 << 60 }, "T is"},
		"network":   {"new", func(c *Config) { c.Model.Network = "brain" }, `no network "brain"`},
		"hidden":    {"new", func(c *Config) { c.Model.MLP.Hidden = 1 << 60 }, "hidden units"},
		"layers": {"new", func(c *Config) { c.Model.Network, c.Model.MLP.Layers = model.NetworkMLP, 1<<40 },
			"hidden units"},
		"backend": {"new", func(c *Config) { c.Model.Network, c.Model.MLP.Backend = model.NetworkMLP, "abacus" }, "abacus"},
		"removed": {"new", func(c *Config) { c.Model.Network = "pair" }, `model.network: network "pair" was removed`},
		"memory": {"new", func(c *Config) {
			c.Model.Network, c.Model.UNet.Channels, c.Train.Batch = model.NetworkUNet, 512, 1<<20
		}, "GiB of memory"},
		"accumulate": {"new", func(c *Config) { c.Train.Accumulate = 9 }, "accumulate"},
		"bound":      {"new", func(c *Config) { c.Train.BoundEvery, c.Train.BoundPaths = 3, 0 }, "bound_paths"},
		"patience":   {"new", func(c *Config) { c.Train.Patience, c.Hold = 3, 0 }, "patience"},
		"a run":      {"run", func(*Config) {}, "holds a run already"},
		"a file":     {"file", func(*Config) {}, "not a directory"},
		"in a file":  {"file/new", func(*Config) {}, "not a directory"},
		"my paths":   {"mine", func(*Config) {}, "holds paths.csv"},
		"my log":     {"logs", func(*Config) {}, "holds log.jsonl"},
		"my model":   {"models", func(*Config) {}, "holds model.safetensors"},
		"a link":     {"dangling", func(*Config) {}, "dangling is a symbolic link to nowhere"},
		"links":      {"linked", func(*Config) {}, "holds graph.json"},
		"my step":    {"points", func(*Config) {}, "step-00000001"},
		"versions":   {"versions", func(*Config) {}, "holds versions.json"},
	} {
		before := tree(t, dir)
		cfg := quick()
		c.change(&cfg)
		_, err := Create(filepath.Join(dir, c.dir), cfg, runtest.Example(t))
		runtest.Has(t, name, err, c.want)
		if after := tree(t, dir); !slices.Equal(before, after) {
			t.Errorf("%s: files %q, before %q", name, after, before)
		}
	}
	// what a Create left that was killed is no hindrance
	if err := os.Remove(filepath.Join(dir, "run", configFile)); err != nil {
		t.Fatal(err)
	}
	mustCreate(t, filepath.Join(dir, "run"), quick())
}

func TestUnwritableFolder(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("wants /proc")
	}
	_, err := Create("/proc/self/run", quick(), runtest.Example(t)) // where nobody may make files
	runtest.Has(t, "new", err, "/proc/self/run")
	_, err = Create("/proc/self", quick(), runtest.Example(t))
	runtest.Has(t, "there", err, "/proc/self")
}

func TestOpenRunErrors(t *testing.T) {
	dir := t.TempDir()
	whole := filepath.Join(dir, "run")
	mustCreate(t, whole, quick())
	if _, err := Open(whole); err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct {
		file   string
		change func(string) string
		want   []string
	}{
		"no config":    {configFile, nil, []string{"is no run directory"}},
		"no graph":     {graphFile, nil, []string{graphFile}},
		"no paths":     {pathsFile, nil, []string{pathsFile}},
		"empty config": {configFile, func(string) string { return "" }, []string{configFile, "keep"}},
		"unknown key":  {configFile, func(s string) string { return "hodl = 1\n" + s }, []string{configFile, "hodl"}},
		"wrong type": {configFile, func(s string) string { return strings.Replace(s, "keep = 2", "keep = \"2\"", 1) },
			[]string{configFile, "line ", "keep"}},
		"wrong line": {configFile, func(s string) string { return "hold = = 1\n" + s }, []string{configFile + ":1"}},
		"negative seed": {configFile, func(s string) string {
			return strings.Replace(s, "hold_seed = 0", "hold_seed = -1",
				1)
		}, []string{configFile, "hold_seed"}},
		"cut graph":   {graphFile, func(s string) string { return s[:len(s)/2] }, []string{graphFile}},
		"cut paths":   {pathsFile, func(s string) string { return s[:len(s)-6] }, []string{pathsFile + ":"}},
		"empty paths": {pathsFile, func(string) string { return "" }, []string{pathsFile, "no path"}},
	} {
		path := filepath.Join(whole, c.file)
		old, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		if c.change == nil {
			err = os.Remove(path)
		} else {
			err = os.WriteFile(path, []byte(c.change(string(old))), 0o644)
		}
		if err != nil {
			t.Fatal(err)
		}
		_, err = Open(whole)
		runtest.Has(t, name, err, c.want...)
		if err := os.WriteFile(path, old, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	for _, name := range []string{"", "nothing", "run/config.toml"} {
		_, err := Open(filepath.Join(dir, name))
		runtest.Has(t, name, err, "is no run directory")
	}
}

// A log whose end was lost, and checkpoints that were cleared away, do not change where resuming leads.
func TestResumeAfterLoss(t *testing.T) {
	dir := t.TempDir()
	whole := filepath.Join(dir, "whole")
	trained(t, whole, quick(), 0)
	for name, lose := range map[string]func(r *Run) error{
		"newline":     func(r *Run) error { return cutLog(r, -1) },
		"half a line": func(r *Run) error { return cutLog(r, +9) },
		"checkpoints": func(r *Run) error { return os.RemoveAll(filepath.Join(r.Dir, checkpointDir)) },
		"log":         func(r *Run) error { return os.Remove(filepath.Join(r.Dir, logFile)) },
	} {
		r := trained(t, filepath.Join(dir, name), quick(), 10)
		if err := errors.Join(r.unseal(logFile), lose(r)); err != nil { // a process that is killed leaves a log without a sum
			t.Fatal(err)
		}
		r, warnings := reopen(t, r.Dir)
		if err := trainUntil(r, true, 0); err != nil || len(*warnings) > 0 {
			t.Fatalf("%s: %v, %q", name, err, *warnings)
		}
		if name == "log" { // what was logged before is gone for good
			if log, err := r.Log(); err != nil || len(log.Steps) == 0 || log.Steps[0].Step <= 10 {
				t.Errorf("%s: %v, %v", name, log, err)
			}
			continue
		}
		sameProducts(t, name, r.Dir, whole)
	}
	if err := os.RemoveAll(filepath.Join(dir, "newline", checkpointDir)); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "newline", checkpointDir), nil, 0o644); err != nil {
		t.Fatal(err)
	}
	r, _ := reopen(t, filepath.Join(dir, "newline"))
	runtest.Has(t, "a file for the directory", trainUntil(r, true, 0), "checkpoints", "not a directory")
}

// cutLog takes n bytes off the run's log, or adds as many of a line that was never finished.
func cutLog(r *Run, n int) error {
	path := filepath.Join(r.Dir, logFile)
	data, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	return os.WriteFile(path, append(data, `{"step":10,"steps`...)[:len(data)+n], 0o644)
}

// A second training in the directory is refused while the first is at it, and a temporary file that a killed one
// left is swept away.
func TestOneProcess(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "run")
	r := mustCreate(t, dir, quick())
	litter := filepath.Join(dir, checkpointDir, ".step-00000004.safetensors123456")
	mine := filepath.Join(dir, ".notes.txt")
	for _, name := range []string{litter, mine} {
		if err := os.WriteFile(name, nil, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	_, err := r.Train(context.Background(), false, train.Hooks{Step: func(s train.StepInfo) {
		if s.Step == 6 {
			second, _ := reopen(t, dir)
			before := tree(t, dir)
			runtest.Has(t, "second", trainUntil(second, true, 0), "another process is training in "+dir)
			if after := tree(t, dir); !slices.Equal(before, after) {
				t.Error("the second changed files")
			}
		}
	}})
	if err != nil {
		t.Fatal(err)
	}
	if exists(litter) || !exists(mine) {
		t.Error("not swept, or too much")
	}
}

// full mounts a small disk, where the test may, and returns its directory and what fills it.
func full(t *testing.T) (dir string, fill func()) {
	t.Helper()
	dir = t.TempDir()
	if out, err := exec.Command("mount", "-t", "tmpfs", "-o", "size=256k", "none", dir).CombinedOutput(); err != nil {
		t.Skipf("no small disk: %s", out)
	}
	t.Cleanup(func() {
		if out, err := exec.Command("umount", dir).CombinedOutput(); err != nil {
			t.Errorf("umount: %s", out)
		}
	})
	return dir, func() {
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

func TestDiskFull(t *testing.T) {
	dir, fill := full(t)
	filler := filepath.Join(dir, "filler")
	fill()
	before := tree(t, dir)
	_, err := Create(filepath.Join(dir, "run"), quick(), runtest.Example(t))
	runtest.Has(t, "create", err, "no space left")
	if after := tree(t, dir); !slices.Equal(before, after) {
		t.Error("a run that could not be made left files")
	}
	if err := os.Remove(filler); err != nil {
		t.Fatal(err)
	}
	whole := filepath.Join(t.TempDir(), "whole")
	trained(t, whole, quick(), 0)
	r := mustCreate(t, filepath.Join(dir, "run"), quick())
	_, err = r.Train(context.Background(), false, train.Hooks{Step: func(s train.StepInfo) {
		if s.Step == 9 {
			fill()
		}
	}})
	runtest.Has(t, "checkpoint", err, "no space left", "the last good checkpoint is", "step-00000008.safetensors")
	if err := os.Remove(filler); err != nil {
		t.Fatal(err)
	}
	for _, d := range []string{r.Dir, filepath.Join(r.Dir, checkpointDir)} {
		entries, err := os.ReadDir(d)
		if err != nil {
			t.Fatal(err)
		}
		for _, e := range entries {
			if strings.HasPrefix(e.Name(), ".") && e.Name() != lockFile {
				t.Errorf("litter: %s", e.Name())
			}
		}
	}
	r, warnings := reopen(t, r.Dir)
	if err := trainUntil(r, true, 0); err != nil || len(*warnings) > 0 {
		t.Fatal(err, *warnings)
	}
	sameProducts(t, "after a full disk", r.Dir, whole)
}

// A log that cannot be written on is warned of once, and what there is reads.
func TestLogFails(t *testing.T) {
	r := trained(t, filepath.Join(t.TempDir(), "run"), quick(), 0)
	var warnings []string
	r.Warn = func(s string) { warnings = append(warnings, s) }
	h := logged(r.logger(failing{}), train.Hooks{})
	for k := range 5 {
		h.Step(train.StepInfo{Step: 10 * k, Steps: 100})
		h.Eval(train.EvalInfo{Step: 10 * k})
	}
	if len(warnings) != 1 {
		t.Errorf("warnings %q", warnings)
	}
	warnings = nil
	var b bytes.Buffer
	h = logged(r.logger(&b), train.Hooks{})
	for range 3 {
		h.Eval(train.EvalInfo{Step: 1, CE: math.Inf(1)})
		h.Eval(train.EvalInfo{Step: 1, CE: 2})
	}
	if len(warnings) != 1 || strings.Count(b.String(), "\n") != 3 {
		t.Errorf("warnings %q, log %q", warnings, b.String())
	}
}

type failing struct{}

func (failing) Write([]byte) (int, error) { return 0, errors.New("boom") }

// Training that diverges stops with the step and the last good checkpoint named; no bad checkpoint is made.
func TestDiverges(t *testing.T) {
	for _, lr := range []float64{1e10, 1e30, 1e300} {
		cfg := quick()
		cfg.Train.Optim.LR, cfg.Train.Optim.Warmup, cfg.Train.Optim.WeightDecay, cfg.Train.Checkpoint = lr, 0, 0, 1
		r := mustCreate(t, filepath.Join(t.TempDir(), "run"), cfg)
		err := trainUntil(r, false, 0)
		if err == nil && lr < 1e20 {
			continue // it may hold out
		}
		runtest.Has(t, fmt.Sprint(lr), err, "step ")
		if have := r.checkpoints(); len(have) > 0 {
			runtest.Has(t, fmt.Sprint(lr), err, "the last good checkpoint is "+have[0])
			if _, err := loadModel(have[0]); err != nil {
				t.Error(err)
			}
			m, err := r.Model()
			if err != nil {
				t.Error(err)
			} else {
				for _, p := range m.Net.Params() {
					for _, w := range p.Data {
						if w-w != 0 {
							t.Fatalf("lr %v: a checkpoint holds %v", lr, w)
						}
					}
				}
			}
		} else {
			runtest.Has(t, fmt.Sprint(lr), err, "there is no checkpoint yet")
		}
	}
}

// Where every vertex has one way on there is nothing to learn, and all goes as always.
func TestNothingToLearn(t *testing.T) {
	line, err := ddps.New([]int{1, 1, 1}, [][]int{{1}, {2}, nil})
	if err != nil {
		t.Fatal(err)
	}
	fork, err := ddps.New([]int{1, 1, 2}, [][]int{{1}, {2, 3}, nil, nil})
	if err != nil {
		t.Fatal(err)
	}
	for _, g := range []*ddps.LayeredGraph{line, fork} {
		all, err := datasets.All(g, 10)
		if err != nil {
			t.Fatal(err)
		}
		all.Paths, all.Counts = all.Paths[:1], []int{math.MaxInt} // one path, as often as a file may say
		for _, network := range model.NetworkNames() {
			cfg := quick()
			cfg.Model.Network, cfg.Model.UNet.Residual, cfg.Hold, cfg.Model.Kappa, cfg.Train.Steps = network, true, .999, 0, 3
			r, err := Create(filepath.Join(t.TempDir(), "run"), cfg, all)
			if err != nil {
				t.Fatal(err)
			}
			m, err := r.Train(context.Background(), false, train.Hooks{})
			if err != nil {
				t.Fatalf("%s: %v", network, err)
			}
			paths, err := m.Sampler().Sample(context.Background(), 5, 1)
			if err != nil {
				t.Fatalf("%s: %v", network, err)
			}
			for _, p := range paths {
				if !slices.Equal(p, all.Paths[0]) {
					t.Errorf("%s: %v", network, p)
				}
			}
			target, err := compare.DataTarget(g, r.Data.Prune())
			if err != nil {
				t.Fatal(err)
			}
			list, err := compare.Evaluate(context.Background(), target, paths, 2, 1, nil)
			if err != nil || list[0].Key != "l1" || list[0].Value.Value != 0 {
				t.Errorf("%s: %v, %v", network, list, err)
			}
		}
	}
}

// A configuration file has the table of the model's own network alone; one of an earlier version, with all of them,
// reads as well, and both as the same run.
func TestConfigOneNetwork(t *testing.T) {
	for _, network := range model.NetworkNames() {
		cfg := quick()
		cfg.Model.Network = network
		dir := filepath.Join(t.TempDir(), "run")
		mustCreate(t, dir, cfg)
		file := filepath.Join(dir, configFile)
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, other := range model.NetworkNames() {
			if other != model.NetworkNone && strings.Contains(string(text), "[model."+other+"]") != (other == network) {
				t.Errorf("%s: the file of a %s model\n%s", other, network, text)
			}
		}
		if !strings.Contains(string(text), "[model.mixture]") || !strings.Contains(string(text), "[train") {
			t.Errorf("%s: tables are missing\n%s", network, text)
		}
		if r, err := Find(dir, cfg, runtest.Example(t)); err != nil || r == nil {
			t.Errorf("%s: found %v, %v", network, r, err)
		}
		var old bytes.Buffer
		if err := toml.NewEncoder(&old).Encode(cfg); err != nil {
			t.Fatal(err)
		}
		if err := errors.Join(os.WriteFile(file, old.Bytes(), 0o644), os.Remove(filepath.Join(dir, sumsFile))); err != nil {
			t.Fatal(err)
		}
		if r, err := Find(dir, cfg, runtest.Example(t)); err != nil || r == nil || r.Config != cfg {
			t.Errorf("%s, an earlier version's file: %v", network, err)
		}
		other := cfg
		other.Model.MLP.Hidden++
		if _, err := Find(dir, other, runtest.Example(t)); (err != nil) != (network == model.NetworkMLP) {
			t.Errorf("%s: another MLP: %v", network, err)
		}
	}
}
