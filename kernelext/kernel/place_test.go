//go:build unix

package kernel

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/ddps-go/ddps/kernelext/kernel/cells"
	"github.com/ddps-go/ddps/kernelext/kernel/jupyter"
	"github.com/ddps-go/ddps/kernelext/kernel/setup"
)

func readAssistAny(m *jupyter.Message) { readAssist(m) }

func TestRuns(t *testing.T) {
	root := t.TempDir()
	var b strings.Builder
	if err := listRuns(root, &b); err != nil || !strings.HasPrefix(b.String(), "no run directories") {
		t.Error(b.String(), err)
	}
	for _, f := range []string{"runs/a/config.toml", "runs/a/versions.json", "b/config.toml", ".hidden/config.toml",
		".hidden/versions.json"} {
		os.MkdirAll(filepath.Dir(filepath.Join(root, f)), 0o755)
		if err := os.WriteFile(filepath.Join(root, f), nil, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	b.Reset()
	if err := listRuns(root, &b); err != nil || strings.Count(b.String(), "\n") != 1 || !strings.HasSuffix(b.String(),
		"  runs/a\n") {
		t.Errorf("%q, %v", b.String(), err)
	}
}

func TestFlags(t *testing.T) {
	if got := setup.CellFlags("-buildvcs=false -mod=mod --modfile=x -v"); got != "-buildvcs=false -v" {
		t.Error(got)
	}
	for pid, want := range map[string]string{"fmt.Pr|intln(": "fmt.Println", "a.b|.c": "a.b", "|x": "x", "f(|)": "",
		"x.|": "x"} {
		at := strings.IndexByte(pid, '|')
		if got := cells.NameAt(strings.Replace(pid, "|", "", 1), at); got != want {
			t.Errorf("%q: %q", pid, got)
		}
	}
}
