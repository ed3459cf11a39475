//go:build unix

package setup

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// Where nothing is, the doctor says what to do about each thing.
func TestDoctor(t *testing.T) {
	t.Setenv("PATH", t.TempDir())
	t.Setenv("HOME", t.TempDir())
	t.Setenv("XDG_CACHE_HOME", t.TempDir())
	t.Setenv("JUPYTER_DATA_DIR", t.TempDir())
	found := map[string]Finding{}
	for _, f := range Doctor(t.Context(), t.TempDir(), "") {
		found[f.What] = f
	}
	for what, advice := range map[string]string{"jupyter": "pip install", "kernelspec": "ddps kernel install",
		"module": "go mod init"} {
		if f := found[what]; f.Level == OK || !strings.Contains(f.Detail, advice) {
			t.Errorf("%s: %+v", what, f)
		}
	}
	if found["go"].Level == OK {
		t.Error("go is in PATH?")
	}
	data := t.TempDir()
	t.Setenv("JUPYTER_DATA_DIR", data)
	if _, err := Install(data, []string{"/nowhere/ddps"}, ""); err != nil {
		t.Fatal(err)
	}
	if f := specFinding(""); f.Level != Fail || !strings.Contains(f.Detail, "not there") {
		t.Errorf("%+v", f)
	}
	// The environment that make setup makes in a module counts, though it is not active.
	module := t.TempDir()
	jupyter := filepath.Join(module, ".venv", "bin", "jupyter")
	for name, text := range map[string]string{filepath.Join(module, "go.mod"): "module m\n",
		jupyter: "#!/bin/sh\necho '{\"kernelspecs\": {\"ddps\": {\"resource_dir\": \"here\"}}}'\n"} {
		if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(text), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := Install(PrefixData(filepath.Dir(filepath.Dir(jupyter))), []string{jupyter}, ""); err != nil {
		t.Fatal(err)
	}
	t.Setenv("JUPYTER_DATA_DIR", t.TempDir())
	for _, f := range []Finding{jupyterFinding(t.Context(), ownPython(module)), specFinding(ownPython(module))} {
		if f.Level != OK || !strings.Contains(f.Detail, ".venv") {
			t.Errorf("%+v", f)
		}
	}
}
