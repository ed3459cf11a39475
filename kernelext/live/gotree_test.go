package live_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/ddps-go/ddps/kernelext/live"
)

const programEnv = "DDPS_LIVE_PROGRAM"

func TestMain(m *testing.M) {
	if file := os.Getenv(programEnv); file != "" {
		os.Exit(runProgram(file))
	}
	os.Exit(m.Run())
}

// runProgram runs a file as a cell; its output goes to standard output, what it fails with to standard error.
func runProgram(file string) int {
	src, err := os.ReadFile(file)
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 3
	}
	out := &screen{}
	s, err := live.New(out)
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 3
	}
	ctx, cancel := context.WithTimeout(context.Background(), 20*time.Second)
	defer cancel()
	err = s.Eval(ctx, string(src), out)
	os.Stdout.WriteString(out.take())
	if err == nil {
		return 0
	}
	var e *live.Error
	name := ""
	if errors.As(err, &e) {
		name = e.Name
	}
	fmt.Fprintf(os.Stderr, "%s: %v\n", name, err)
	if name == "compile error" || name == "unsupported" || name == "syntax error" {
		return 4
	}
	return 1
}

// program runs a file in a process of its own.
func program(t *testing.T, file string) (out, msg string, code int) {
	t.Helper()
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), programEnv+"="+file)
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	err := cmd.Run()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		t.Fatal(err)
	}
	return stdout.String(), strings.TrimSpace(stderr.String()), cmd.ProcessState.ExitCode()
}

// apart lists programs that no live cell can do alike, or in time, and why.
func apart() map[string]string {
	list := map[string]string{}
	for why, names := range map[string]string{
		"counts allocations or watches the collector": "closure.go heapsampling.go stackobj.go stackobj3.go " +
			"typeparam/chans.go deferfin.go tinyfin.go mallocfin.go",
		"looks for its own lines on the Go stack":       "devirtualization_nil_panics.go inline_literal.go",
		"recovers in a method value of package reflect": "recover.go",
		"takes minutes": "copy.go divmod.go ken/divconst.go ken/modconst.go chan/sieve1.go",
		"nests calls more deeply than is allowed": "peano.go",
	} {
		for _, n := range strings.Fields(names) {
			list[n] = why
		}
	}
	return list
}

// Programs of the Go project's own tests do as live cells what they do compiled, or are refused.
func TestGoTree(t *testing.T) {
	goroot, err := exec.Command("go", "env", "GOROOT").Output()
	if err != nil {
		t.Fatal(err)
	}
	root := filepath.Join(strings.TrimSpace(string(goroot)), "test")
	var files []string
	for _, dir := range []string{".", "ken", "chan", "interface", "typeparam"} {
		list, _ := filepath.Glob(filepath.Join(root, dir, "*.go"))
		files = append(files, list...)
	}
	if len(files) == 0 || testing.Short() {
		t.Skip("no Go tree with tests, or little time")
	}
	skip := apart()
	same, refused := 0, 0
	for _, file := range files {
		src, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		first, _, _ := strings.Cut(string(src), "\n")
		if strings.TrimSpace(first) != "// run" {
			continue
		}
		name, _ := filepath.Rel(root, file)
		if skip[filepath.ToSlash(name)] != "" {
			continue
		}
		want, _ := os.ReadFile(strings.TrimSuffix(file, ".go") + ".out")
		out, msg, code := program(t, file)
		switch {
		case code == 4:
			refused++
			t.Logf("%s: refused: %.200s", name, msg)
		case code != 0 || out != string(want):
			t.Errorf("%s: exit %d, %.300q, %.600s", name, code, out, msg)
		default:
			same++
		}
	}
	t.Logf("%d the same, %d refused", same, refused)
}

// Programs of many features do what they do compiled; the files beside them hold what go run prints.
func TestPrograms(t *testing.T) {
	files, err := filepath.Glob("eval/testdata/programs/*.go")
	if err != nil || len(files) == 0 {
		t.Fatal(files, err)
	}
	for _, file := range files {
		want, err := os.ReadFile(strings.TrimSuffix(file, ".go") + ".txt")
		if err != nil {
			t.Fatal(err)
		}
		got, msg, code := program(t, file)
		if got == string(want) && code == 0 {
			continue
		}
		g, w := strings.Split(got, "\n"), strings.Split(string(want), "\n")
		for i := range min(len(g), len(w)) {
			if g[i] != w[i] {
				t.Errorf("%s: line %d: %q, want %q", file, i+1, g[i], w[i])
			}
		}
		t.Errorf("%s: exit %d, %d lines of %d, %s", file, code, len(g), len(w), msg)
	}
}
