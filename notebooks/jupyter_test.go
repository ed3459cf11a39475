package notebooks

import (
	"bytes"
	"errors"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/ddps-go/ddps/kernelext/kernel/setup"
)

// failures are cells and what is said of them, nothing of one that is well.
var failures = map[string]struct{ code, want string }{
	"good":    {"%%\nfmt.Println(\"all is well\")", ""},
	"panic":   {"%%\nvar m map[string]int\nm[\"a\"] = 1", "Panic: assignment to entry in nil map (cell [2], line 3)"},
	"exit":    {"%%\nos.Exit(3)", "ExitStatus: exit status 3"},
	"fatal":   {"%%\nlog.Fatal(\"on purpose\")", "ExitStatus: exit status 1: "},
	"shell":   {"!false", "ExitStatus: line 1: !false: exit status 1"},
	"compile": {"%%\n\nfmt.Println(nowhere)", "CompileError: cell [2], line 3: undefined: nowhere"},
	"live":    {"%%live\nnowhere", "LiveError: cell [2], line 2: undefined: nowhere"},
}

// jupyter is an environment of Python with the kernel as it is in this tree.
type jupyter struct {
	python string
	env    []string
}

// newJupyter builds the program and its kernelspec. DDPS_TEST_JUPYTER names a Python that has what requirements.txt
// names; without it these tests have nothing to run.
func newJupyter(t *testing.T) jupyter {
	t.Helper()
	python := os.Getenv("DDPS_TEST_JUPYTER")
	if python == "" {
		t.Skip("DDPS_TEST_JUPYTER names no Python that has requirements.txt")
	}
	prefix := t.TempDir()
	program := filepath.Join(prefix, "ddps")
	for _, args := range [][]string{{"go", "build", "-o", program, "../cmd/ddps"}, {program, "kernel", "install",
		"--prefix", prefix}} {
		if out, err := exec.Command(args[0], args[1:]...).CombinedOutput(); err != nil {
			t.Fatalf("%v: %v\n%s", args, err, out)
		}
	}
	return jupyter{python, append(os.Environ(), "JUPYTER_PATH="+setup.PrefixData(prefix))}
}

// command runs Python, without modules from elsewhere.
func (j jupyter) command(args ...string) *exec.Cmd {
	cmd := exec.Command(j.python, args...)
	cmd.Env = append(j.env, "GOPROXY=off", "GOFLAGS=-mod=readonly", "DDPS_PRESET=quick")
	return cmd
}

func TestJupyter(t *testing.T) {
	j := newJupyter(t)
	t.Run("all", j.all)
	t.Run("broken", j.broken)
	t.Run("papermill", j.papermill)
}

// All notebooks run from top to bottom where there is no network, and show what is stored in them.
func (j jupyter) all(t *testing.T) {
	dir := *ran
	if dir == "" {
		dir = t.TempDir()
		aside(t, "runs")
		cmd := j.command("testdata/offline.py", j.python, "run.py", "--out", dir)
		cutOff(cmd)
		out, err := cmd.CombinedOutput()
		t.Logf("%s", out)
		if err != nil {
			t.Fatal(err)
		}
	}
	names, err := filepath.Glob("*.ipynb")
	if err != nil || len(names) == 0 {
		t.Fatal(names, err)
	}
	for _, name := range names {
		compareRun(t, name, dir)
		offlinePage(t, strings.TrimSuffix(filepath.Join(dir, name), ".ipynb")+".html")
	}
}

// aside keeps results of earlier runs out of the way: what notebooks show must not depend on them.
func aside(t *testing.T, dir string) {
	t.Helper()
	kept := dir + ".aside"
	switch err := os.Rename(dir, kept); {
	case err == nil:
		t.Cleanup(func() {
			if err := errors.Join(os.RemoveAll(dir), os.Rename(kept, dir)); err != nil {
				t.Error(err)
			}
		})
	case !errors.Is(err, fs.ErrNotExist):
		t.Fatal(err)
	}
}

// fetched matches what a page would load, formula what only a script would show.
var (
	fetched = regexp.MustCompile(`<(?:script|link|img)[^>]+(?:src|href)="https?:[^"]*"`)
	formula = regexp.MustCompile(`\$[^$<>]*\\[a-z]+[^$<>]*\$`)
)

// offlinePage checks that a page shows its formulas without a network.
func offlinePage(t *testing.T, file string) {
	t.Helper()
	page, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if m := fetched.Find(page); m != nil {
		t.Errorf("%s loads %s", filepath.Base(file), m)
	}
	if m := formula.Find(page); m != nil {
		t.Errorf("%s has a formula that only a script shows: %s", filepath.Base(file), m)
	}
	if !bytes.Contains(page, []byte("<math")) && !strings.Contains(file, "00_") && !strings.Contains(file, "10_") {
		t.Errorf("%s has no formulas", filepath.Base(file))
	}
}

// Parameters of papermill's command line replace those of the cell that is tagged.
func (j jupyter) papermill(t *testing.T) {
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "go.mod"), []byte("module parameters\n\ngo 1.26.0\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	book := notebookOf("# Parameters", "%%parameters\nvar lr = 0.1\nvar name, list = \"toy\", []int{1}",
		"%%live\nfmt.Println(lr*4, name, list)", "%%\nfmt.Println(lr, name, list)")
	book = bytes.Replace(book, []byte(`"id":"c0","metadata":{}`), []byte(`"id":"c0","metadata":{"tags":["parameters"]}`), 1)
	in, out := filepath.Join(dir, "in.ipynb"), filepath.Join(dir, "out.ipynb")
	if err := os.WriteFile(in, book, 0o600); err != nil {
		t.Fatal(err)
	}
	script, err := filepath.Abs("papermill_go.py")
	if err != nil {
		t.Fatal(err)
	}
	cmd := j.command(script, in, out, "--cwd", dir, "-p", "lr", "0.5", "-p", "name", "größer", "-y", "list: [2, 3]")
	if said, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, said)
	}
	ran, err := os.ReadFile(out)
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"2 größer [2 3]", "0.5 größer [2 3]"} {
		if !strings.Contains(string(ran), want) {
			t.Errorf("%q is not in\n%s", want, ran)
		}
	}
}

// A cell that fails fails the run, with the cell named, whether Jupyter's own program or ours runs it.
func (j jupyter) broken(t *testing.T) {
	dir, out := t.TempDir(), t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "go.mod"), []byte("module broken\n\ngo 1.26.0\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	args := []string{"run.py", "--out", out}
	for name, c := range failures {
		file := filepath.Join(dir, name+".ipynb")
		if err := os.WriteFile(file, notebookOf("# "+name, "%%live\n1 + 1", c.code, "%%live\n\"never\" + \" run\""),
			0o600); err != nil {
			t.Fatal(err)
		}
		args = append(args, file)
	}
	said, err := j.command(args...).CombinedOutput()
	if err == nil {
		t.Errorf("run.py ends well:\n%s", said)
	}
	for name, c := range failures {
		book, err := os.ReadFile(filepath.Join(out, name+".ipynb"))
		if err != nil {
			t.Fatal(err)
		}
		failed := strings.Contains(string(said), "\n"+name+".ipynb: cell [2] (id c1)")
		if failed == (c.want == "") || strings.Contains(string(book), "never run") == failed {
			t.Errorf("%s, run.py:\n%s", name, said)
		}
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			said, err := j.command("-m", "nbconvert", "--execute", "--to", "notebook", "--output-dir", t.TempDir(),
				filepath.Join(dir, name+".ipynb")).CombinedOutput()
			if (err == nil) != (c.want == "") || !strings.Contains(string(said), c.want) ||
				c.want != "" && !strings.Contains(string(said), "\n"+c.code+"\n") {
				t.Errorf("%v; %q is wanted of %q:\n%s", err, c.want, c.code, said)
			}
		})
	}
}
