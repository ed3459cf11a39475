package plugin

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/gzip"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"
)

func summed(data []byte) sum {
	h := sha256.Sum256(data)
	return sum{hex.EncodeToString(h[:]), int64(len(data))}
}

// plugin is a library that passes backend.Check.
func plugin(t testing.TB) []byte {
	t.Helper()
	if runtime.GOOS != "linux" || runtime.GOARCH != "amd64" {
		t.Skip("for linux/amd64")
	}
	data, err := os.ReadFile("../internal/backend/testdata/plugin.so")
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// zipped is a zip archive of pairs of name and contents.
func zipped(t testing.TB, files ...string) []byte {
	t.Helper()
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	for k := 0; k < len(files); k += 2 {
		w, err := z.Create(files[k])
		if err == nil {
			_, err = w.Write([]byte(files[k+1]))
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// tarred is zipped's like for .tar.gz.
func tarred(t testing.TB, files ...string) []byte {
	t.Helper()
	var b bytes.Buffer
	g := gzip.NewWriter(&b)
	w := tar.NewWriter(g)
	for k := 0; k < len(files); k += 2 {
		if err := w.WriteHeader(&tar.Header{Name: files[k], Mode: 0o644, Size: int64(len(files[k+1]))}); err != nil {
			t.Fatal(err)
		}
		if _, err := w.Write([]byte(files[k+1])); err != nil {
			t.Fatal(err)
		}
	}
	if err := errors.Join(w.Close(), g.Close()); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// index is a package index with one wheel, and what a test makes of it.
type index struct {
	*httptest.Server
	wheel Wheel
	data  []byte // of the wheel
	page  func(w http.ResponseWriter, files []indexFile)
	file  http.HandlerFunc
	asked []string
	mu    sync.Mutex
}

// writePage answers as an index does.
func writePage(w http.ResponseWriter, files []indexFile) {
	w.Header().Set("Content-Type", simpleJSON)
	json.NewEncoder(w).Encode(map[string]any{"meta": map[string]string{"api-version": "1.1"}, "name": "x", "files": files})
}

// newIndex serves a wheel that holds a plugin, and makes pip's settings point to it.
func newIndex(t *testing.T) *index {
	t.Helper()
	so := plugin(t)
	x := &index{data: zipped(t, "README", "no plugin", "some/libpjrt.so", string(so), "some/METADATA", "x"),
		page: writePage}
	x.wheel = Wheel{Plugin: "cpu", System: "linux/amd64", Package: "some-plugin", Version: "1.0",
		File: "some_plugin-1.0-manylinux_x86_64.whl",
		API:  "0.99", wheel: summed(x.data), member: "some/libpjrt.so", plugin: summed(so)}
	x.file = func(w http.ResponseWriter, r *http.Request) { w.Write(x.data) }
	x.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		x.mu.Lock()
		x.asked = append(x.asked, r.URL.Path)
		x.mu.Unlock()
		switch {
		case r.URL.Path == "/simple/some-plugin/" && r.Header.Get("Accept") == simpleJSON:
			x.page(w, []indexFile{{"some_plugin-1.0-manylinux_aarch64.whl", "../../files/other.whl", nil},
				{x.wheel.File, "../../files/it.whl", map[string]string{"sha256": x.wheel.wheel.sha256}}})
		case r.URL.Path == "/files/it.whl":
			x.file(w, r)
		default:
			http.NotFound(w, r)
		}
	}))
	t.Cleanup(x.Close)
	t.Setenv("PIP_CONFIG_FILE", os.DevNull)
	t.Setenv("PIP_CERT", "")
	t.Setenv("PIP_INDEX_URL", x.URL+"/simple/")
	return x
}

// installer installs the index's wheel into a new directory.
func (x *index) installer(t *testing.T, cfg Config) *installer {
	t.Helper()
	if cfg.Plugin = "cpu"; cfg.Dir == "" {
		cfg.Dir = filepath.Join(t.TempDir(), "lib", "go-xla")
	}
	return &installer{cfg, "linux/amd64", []Wheel{x.wheel}, "", network{x.Client(), 3, time.Millisecond, 5 * time.Second}}
}

// fails installs and wants an error with all parts, and the directory left as it was.
func fails(t *testing.T, ctx context.Context, i *installer, parts ...string) error {
	t.Helper()
	before := tree(t, filepath.Dir(filepath.Dir(i.Dir)))
	r, err := i.run(ctx)
	if err == nil || r != (Result{}) {
		t.Fatalf("no error, result %+v", r)
	}
	for _, p := range append(parts, "plugin: install xla:"+i.Plugin+": ") {
		if !strings.Contains(err.Error(), p) {
			t.Errorf("error %q lacks %q", err, p)
		}
	}
	if after := tree(t, filepath.Dir(filepath.Dir(i.Dir))); !slices.Equal(before, after) {
		t.Errorf("%q after, %q before", after, before)
	}
	return err
}

// tree lists what is below dir.
func tree(t *testing.T, dir string) (list []string) {
	t.Helper()
	err := filepath.Walk(dir, func(path string, info os.FileInfo, err error) error {
		list = append(list, fmt.Sprint(path, " ", info.Size()))
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return list
}

func TestInstall(t *testing.T) {
	x := newIndex(t)
	var told int64
	i := x.installer(t, Config{Progress: func(what string, done, total int64) {
		if what != "some-plugin 1.0" || done < told || total != int64(len(x.data)) {
			t.Errorf("%s %d/%d after %d", what, done, total, told)
		}
		told = done
	}})
	r, err := i.run(t.Context())
	file := filepath.Join(i.Dir, "pjrt_c_api_cpu_plugin.so")
	want := Result{file, "some-plugin 1.0", x.wheel.plugin.sha256, x.wheel.plugin.size, "0.99", true, false}
	if err != nil || r != want || told != int64(len(x.data)) {
		t.Fatalf("%+v, error %v, told %d", r, err, told)
	}
	if got, err := sumOf(file); err != nil || got != x.wheel.plugin {
		t.Fatalf("%+v, error %v", got, err)
	}
	if list := tree(t, i.Dir); len(list) != 2 {
		t.Errorf("%q", list)
	}
	info, err := os.Stat(file)
	if err != nil || info.Mode() != 0o644 {
		t.Errorf("%v, error %v", info.Mode(), err)
	}
	asked := len(x.asked)
	if asked != 2 {
		t.Errorf("asked %q", x.asked)
	}
	want.Already = true
	if r, err := i.run(t.Context()); err != nil || r != want || len(x.asked) != asked {
		t.Fatalf("once more: %+v, error %v, asked %q", r, err, x.asked)
	}
	if err := os.WriteFile(file, bytes.Repeat([]byte{0}, int(want.Size)), 0o600); err != nil { // damaged
		t.Fatal(err)
	}
	want.Already = false
	if r, err := i.run(t.Context()); err != nil || r != want || len(x.asked) != 2*asked {
		t.Fatalf("over a damaged one: %+v, error %v, asked %q", r, err, x.asked)
	}
}

// A link that go-xla's own installer left is replaced, not followed.
func TestInstallOverLink(t *testing.T) {
	x := newIndex(t)
	i := x.installer(t, Config{Dir: t.TempDir()})
	other := filepath.Join(i.Dir, "pjrt_c_api_cpu_v0_plugin.so")
	if err := os.WriteFile(other, []byte("other"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink("pjrt_c_api_cpu_v0_plugin.so", filepath.Join(i.Dir, "pjrt_c_api_cpu_plugin.so")); err != nil {
		t.Fatal(err)
	}
	if _, err := i.run(t.Context()); err != nil {
		t.Fatal(err)
	}
	if data, err := os.ReadFile(other); err != nil || string(data) != "other" {
		t.Errorf("%q, error %v", data, err)
	}
}
