//go:build unix

package kernel

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/ddps-go/ddps/kernelext/kernel/setup"
)

// Without a browser the controls of a compiled cell show their first state, and the notebook runs to its end.
func TestHeadlessControls(t *testing.T) {
	python := python(t)
	program, prefix := buildProgram(t), t.TempDir()
	if out, err := exec.Command(program, "kernel", "install", "--prefix", prefix).CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	book, err := filepath.Abs("../browser/testdata/controls.ipynb")
	if err != nil {
		t.Fatal(err)
	}
	begin := time.Now()
	cmd := exec.Command(python, "-m", "nbconvert", "--execute", "--to", "notebook", "--output-dir", prefix, book)
	cmd.Env = append(os.Environ(), "JUPYTER_PATH="+setup.PrefixData(prefix))
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	t.Logf("took %v", time.Since(begin))
	ran, err := os.ReadFile(filepath.Join(prefix, "controls.ipynb"))
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"a = 2, b = 1, c = false, Press = 0, e = ?", "a: 2, second, false, 0, ?", "went on",
		`type=\"range\"`} {
		if !strings.Contains(string(ran), want) {
			t.Errorf("%q is not there", want)
		}
	}
}
