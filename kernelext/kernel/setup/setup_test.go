package setup

import (
	"encoding/json"
	"image/png"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

func TestInstall(t *testing.T) {
	data := t.TempDir()
	for range 2 { // again is no error
		dir, err := Install(data, []string{"/bin/ddps", "kernel", "run"}, "/go/bin/go")
		if err != nil || dir != filepath.Join(data, "kernels", "ddps") {
			t.Fatal(dir, err)
		}
	}
	var s Spec
	text, err := os.ReadFile(filepath.Join(data, "kernels/ddps/kernel.json"))
	if err != nil || json.Unmarshal(text, &s) != nil {
		t.Fatal(err)
	}
	if !slices.Equal(s.Argv, []string{"/bin/ddps", "kernel", "run", "{connection_file}"}) ||
		s.InterruptMode != "message" ||
		s.DisplayName != displayName || s.Env[EnvGo] != "/go/bin/go" {
		t.Errorf("%+v", s)
	}
	for name, size := range map[string]int{"logo-32x32.png": 32, "logo-64x64.png": 64} {
		f, err := os.Open(filepath.Join(data, "kernels/ddps", name))
		if err != nil {
			t.Fatal(err)
		}
		img, err := png.Decode(f)
		f.Close()
		if err != nil || img.Bounds().Dx() != size {
			t.Error(name, err)
		}
	}
	if _, err := Uninstall(data); err != nil {
		t.Error(err)
	}
	if _, err := Uninstall(data); err == nil {
		t.Error("uninstalled twice")
	}
}

func TestPlaces(t *testing.T) {
	t.Setenv("JUPYTER_DATA_DIR", "/j")
	if d, err := UserData(); d != "/j" || err != nil {
		t.Error(d, err)
	}
	t.Setenv("VIRTUAL_ENV", "/v")
	if d, err := SysPrefix(); d != "/v" || err != nil || PrefixData(d) != "/v/share/jupyter" {
		t.Error(d, err)
	}
	t.Setenv("VIRTUAL_ENV", "")
	t.Setenv("CONDA_PREFIX", "")
	if _, err := SysPrefix(); err == nil {
		t.Error("an environment out of nothing")
	}
}

func TestFindModule(t *testing.T) {
	root, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	deep := filepath.Join(root, "a", "b")
	if err := os.MkdirAll(deep, 0o755); err != nil {
		t.Fatal(err)
	}
	if _, err := FindModule(deep); err == nil || !strings.Contains(err.Error(), "go mod init") {
		t.Error(err)
	}
	if err := os.WriteFile(filepath.Join(root, "go.mod"), []byte("module x\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	if got, err := FindModule(deep); got != root || err != nil {
		t.Error(got, err)
	}
}

// The tools' module pins the same GoNB as this module, whose packages cells import to speak to it.
func TestPins(t *testing.T) {
	main, err := os.ReadFile("../../../go.mod")
	if err != nil {
		t.Fatal(err)
	}
	for _, module := range []string{"github.com/janpfeifer/gonb", "github.com/go-zeromq/zmq4"} {
		version := func(mod string) string {
			_, rest, _ := strings.Cut(mod, "\t"+module+" ")
			return strings.Fields(rest + " ")[0]
		}
		if a, b := version(string(main)), version(string(toolsMod)); a != b || a == "" {
			t.Errorf("%s: %s here, %s for the tools", module, a, b)
		}
	}
}
