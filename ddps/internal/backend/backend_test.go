package backend

import (
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/gomlx/gomlx/backends"
	"github.com/gomlx/gomlx/pkg/core/graph"
)

func runs(t *testing.T, b backends.Backend) {
	t.Helper()
	got := graph.MustExecOnce(b, func(x *graph.Node) *graph.Node { return graph.ReduceAllSum(graph.Square(x)) },
		[]float32{1, 2, 3}).Value()
	if got != float32(14) {
		t.Fatalf("sum of squares %v, want 14", got)
	}
}

func TestOpenGo(t *testing.T) {
	for _, spec := range []string{"", "go", "go:large"} {
		b, note, err := OpenNoted(spec)
		if err != nil || !strings.Contains(note, "sequence") {
			t.Fatalf("%q: note %q, error %v", spec, note, err)
		}
		runs(t, b)
	}
	if b, err := Open("go"); err != nil || b == nil {
		t.Fatal(b, err)
	}
}

func TestOpenUnknown(t *testing.T) {
	for _, spec := range []string{"gpu", "go:ops_parallel", "Go", "xla", "xla:", "xla:a,b", "xla:../x.so",
		"xla:no_such_plugin"} {
		if b, err := Open(spec); err == nil || b != nil {
			t.Errorf("%q: no error", spec)
		}
	}
}

// Without XLA the error says how to build with it, and auto says why it is Go.
func TestNotLinked(t *testing.T) {
	if Linked {
		t.Skip("built with XLA")
	}
	for _, spec := range []string{"xla:cpu", "xla:cuda", "xla:/x/y.so"} {
		if _, err := Open(spec); err == nil || !strings.Contains(err.Error(), "-tags xla") {
			t.Errorf("%q: error %v", spec, err)
		}
	}
	b, note, err := OpenNoted("auto")
	if err != nil || !strings.Contains(note, "Go backend") || !strings.Contains(note, "-tags xla") {
		t.Fatalf("note %q, error %v", note, err)
	}
	runs(t, b)
}

// Auto with a broken plugin is Go with a note, when XLA is linked.
func TestAutoFallsBack(t *testing.T) {
	dir := t.TempDir()
	t.Setenv("PJRT_PLUGIN_LIBRARY_PATH", dir)
	if err := os.WriteFile(filepath.Join(dir, "pjrt_c_api_cpu_plugin.so"), []byte("\x7fELF but no more"),
		0o600); err != nil {
		t.Fatal(err)
	}
	b, note, err := OpenNoted("auto")
	if err != nil || !strings.Contains(note, "Go backend") || (Linked && !strings.Contains(note, "damaged or truncated")) {
		t.Fatalf("note %q, error %v", note, err)
	}
	runs(t, b)
}

func TestFind(t *testing.T) {
	dir := t.TempDir()
	t.Setenv("PJRT_PLUGIN_LIBRARY_PATH", string(os.PathListSeparator)+filepath.Join(dir, "none")+string(
		os.PathListSeparator)+dir)
	if _, err := Find("cpu"); err == nil || !strings.Contains(err.Error(), dir) {
		t.Fatalf("error %v", err)
	}
	want := filepath.Join(dir, "pjrt_c_api_cpu_plugin.so")
	if err := os.WriteFile(want, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if got, err := Find("cpu"); err != nil || got != want {
		t.Fatalf("found %q, error %v", got, err)
	}
}

func TestCheck(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("ELF")
	}
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	program, err := os.ReadFile(self)
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	write := func(name string, data []byte) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, data, 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	other := append([]byte(nil), program...)
	other[16], other[18], other[19] = 3, 0xf3, 0 // a shared library for RISC-V
	for path, want := range map[string]string{
		filepath.Join(dir, "missing.so"): "does not exist",
		dir:                              "is a directory",
		"/dev/null":                      "not a regular file",
		write("empty.so", nil):           "is empty",
		write("text.so", []byte("not a library\n")): "not an ELF",
		write("short.so", program[:3]):              "not an ELF",
		write("header.so", program[:40]):            "damaged or truncated",
		write("cut.so", program[:len(program)/2]):   "truncated",
		write("program.so", program):                "",
		write("riscv.so", other):                    "is for",
		write("com,ma.so", program):                 "comma",
	} {
		if err := Check(path); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: error %v, want one with %q", path, err, want)
		}
	}
}

// A whole shared library that is no plugin is refused before it is loaded; every prefix of it too.
func TestCheckLibrary(t *testing.T) {
	cc, err := exec.LookPath("cc")
	if err != nil || runtime.GOOS != "linux" {
		t.Skip("needs a C compiler and ELF")
	}
	dir := t.TempDir()
	build := func(name, source string) string {
		src, lib := filepath.Join(dir, name+".c"), filepath.Join(dir, name+".so")
		if err := os.WriteFile(src, []byte(source), 0o600); err != nil {
			t.Fatal(err)
		}
		if out, err := exec.Command(cc, "-shared", "-fPIC", "-o", lib, src).CombinedOutput(); err != nil {
			t.Skipf("%v: %s", err, out)
		}
		return lib
	}
	if err := Check(build("plain", "int answer(void) { return 42; }")); err == nil || !strings.Contains(err.Error(),
		"GetPjrtApi") {
		t.Errorf("error %v", err)
	}
	lib := build("null", "void *GetPjrtApi(void) { return 0; }")
	if err := Check(lib); err != nil {
		t.Errorf("a library with the symbol: %v", err)
	}
	if Linked { // passes the check but hands out a null API
		if b, err := Open("xla:" + lib); err == nil || b != nil {
			t.Errorf("null API: no error")
		}
	}
	data, err := os.ReadFile(lib)
	if err != nil {
		t.Fatal(err)
	}
	for n := 0; n < len(data); n += 97 {
		path := filepath.Join(dir, "prefix.so")
		if err := os.WriteFile(path, data[:n], 0o600); err != nil {
			t.Fatal(err)
		}
		if Check(path) == nil {
			t.Fatalf("prefix of %d of %d bytes passes", n, len(data))
		}
	}
}

// With XLA linked and a plugin installed, a graph runs on it. DDPS_TEST_XLA=1 says that both must be there.
func TestXLA(t *testing.T) {
	must := os.Getenv("DDPS_TEST_XLA") == "1"
	if !Linked {
		if must {
			t.Fatal("DDPS_TEST_XLA=1, but built without XLA")
		}
		t.Skip("built without XLA")
	}
	path, err := Find("cpu")
	if err != nil {
		if must {
			t.Fatal(err)
		}
		t.Skip(err)
	}
	b, note, err := OpenNoted("xla:cpu")
	if err != nil {
		t.Fatal(err)
	}
	t.Log(note)
	runs(t, b)
	if api, err := API(path); err != nil || !strings.HasPrefix(api, "0.") || !strings.Contains(note, "v"+api) {
		t.Errorf("PJRT API %q, error %v", api, err)
	}
}

// Where XLA is not linked, the API of a plugin cannot be told; a file that is none is not loaded.
func TestAPI(t *testing.T) {
	if _, err := API("/no/such.so"); err == nil || !strings.Contains(err.Error(), "does not exist") {
		t.Errorf("error %v", err)
	}
}
