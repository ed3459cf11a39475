//go:build unix

package kernel

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/ddps-go/ddps/kernelext/kernel/internal/proctest"
	"github.com/ddps-go/ddps/kernelext/kernel/jupyter"
	"github.com/ddps-go/ddps/kernelext/kernel/setup"
)

// buildProgram builds ddps, with the tools set up, which takes minutes the first time.
func buildProgram(t *testing.T) string {
	t.Helper()
	program := filepath.Join(t.TempDir(), "ddps")
	if out, err := exec.Command("go", "build", "-o", program, "../../cmd/ddps").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	if err := setup.Setup(t.Context(), "", os.Stderr); err != nil {
		t.Fatal(err)
	}
	return program
}

// python is the Python that has what notebooks/requirements.txt names; without it these tests have nothing to run.
func python(t *testing.T) string {
	t.Helper()
	python := os.Getenv("DDPS_TEST_JUPYTER")
	if python == "" {
		t.Skip("DDPS_TEST_JUPYTER names no Python that has notebooks/requirements.txt")
	}
	return python
}

// What jupyter_kernel_test checks, with Jupyter's own client.
func TestConformance(t *testing.T) {
	python := python(t)
	program, prefix := buildProgram(t), t.TempDir()
	if out, err := exec.Command(program, "kernel", "install", "--prefix", prefix).CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	cmd := exec.Command(python, "testdata/conformance.py")
	cmd.Env = append(os.Environ(), "JUPYTER_PATH="+setup.PrefixData(prefix))
	out, err := cmd.CombinedOutput()
	if err != nil || strings.Contains(string(out), "skipped") {
		t.Errorf("%v\n%s", err, out)
	}
}

// Compiled cells through the program as it is, with Go's own client: long, failing, interrupted.
func TestCompiledCells(t *testing.T) {
	python(t)
	c, err := jupyter.StartKernel([]string{buildProgram(t), "kernel", "run"}, ".")
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	const limit = 5 * time.Minute
	for code, want := range map[string]string{
		"%%\nfmt.Fprintln(os.Stderr, \"exit status 1\")": "",
		"!true":            "",
		"!false\n!echo no": "ExitStatus: line 1: !false: exit status 1",
		"%%bash\nexit 4":   "ExitStatus: bash: exit status 4",
		"%%\nos.Exit(3)":   "ExitStatus: exit status 3",
		"func f(x []int) int {\n\treturn x[3]\n}\n\n%%\nfmt.Println(f(nil))": "Panic: runtime error: index out of range [3] with length 0",
		"%%\n\nfmt.Println(y)": "CompileError: cell",
		"x := 1":               "CompileError: cell",
	} {
		r, err := c.Run(code, limit)
		if (err == nil) != (want == "") || err != nil && !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%q: %v", code, err)
		}
		if text(t, r.Output, "stdout") != "" || err != nil && text(t, r.Output, "stderr") != "" {
			t.Errorf("%q says %q", code, text(t, r.Output, "stderr"))
		}
	}
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	for _, cell := range [][2]string{ // what one kind of cells sets the other has
		{"%env DDPS_CELLS=of a compiled cell", "Set: DDPS_CELLS=\"of a compiled cell\"\n"},
		{"%%live\nfmt.Println(os.Getenv(`DDPS_CELLS`))", "of a compiled cell\n"},
		{"%%live\n%env DDPS_CELLS=a \"b\"\n%cd " + dir, ""},
		{"%%\nfmt.Println(os.Getenv(`DDPS_CELLS`))\nfmt.Println(os.Getwd())", "a \"b\"\n" + dir + " <nil>\n"},
		{"%cd ..", "Changed directory to \"" + filepath.Dir(dir) + "\"\n"},
		{"%%live\nfmt.Println(os.Getwd())", filepath.Dir(dir) + " <nil>\n"},
	} {
		r, err := c.Run(cell[0], limit)
		if got := text(t, r.Output, "stdout"); err != nil || got != cell[1] {
			t.Errorf("%q says %q, %v", cell[0], got, err)
		}
	}
	r, err := c.Run("%%\nw := bufio.NewWriter(os.Stdout)\nfor range 20 << 10 {\n\tfmt.Fprintln(w, "+
		"strings.Repeat(\"x\", 1023))\n}\nw.Flush()", limit)
	if n := len(text(t, r.Output, "stdout")); err != nil || n != 20<<20 {
		t.Errorf("%d bytes, %v", n, err)
	}
	id, err := c.Send(c.Shell, "execute_request", jupyter.ExecuteRequest{Code: "%%\nfmt.Println(1)\nfor {\n}"}.Whole())
	if err != nil {
		t.Fatal(err)
	}
	if err := c.Wait(limit, func() bool { return strings.Contains(kinds(c.Output), "stream") }); err != nil {
		t.Fatal(err)
	}
	if _, err := c.Send(c.Control, "interrupt_request", map[string]any{}); err != nil {
		t.Fatal(err)
	}
	if r, err := c.Collect(id, proctest.Patience); err != nil || content(t, r.Reply)["ename"] != nameInterrupt {
		t.Error("the cell runs on", err)
	}
	if r, err := c.Run("%%\nfmt.Println(2)", limit); err != nil || text(t, r.Output, "stdout") != "2\n" {
		t.Error("after an interrupt:", err)
	}
}
