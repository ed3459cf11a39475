package plugin

import (
	"context"
	"errors"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"
)

// store writes a file and returns its path.
func store(t testing.TB, name string, data []byte) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(path, data, 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// Files, whatever their names: a plugin, a wheel, an archive; and what is none.
func TestFiles(t *testing.T) {
	x := newIndex(t)
	so := plugin(t)
	for name, data := range map[string][]byte{"plugin.so": so, "it.whl": x.data, "it": tarred(t, "a/libpjrt_cpu.so",
		string(so)),
		"jax.whl": zipped(t, "jax_plugins/xla_cuda_plugin.so", string(so), "pjrt.py", "x", "libcuda.so", "x")} {
		path := store(t, name, data)
		i := x.installer(t, Config{From: path})
		r, err := i.run(t.Context())
		if err != nil || r.From != path || !r.Pinned || r.API != "0.99" || r.Already || r.SHA256 != summed(so).sha256 {
			t.Errorf("%s: %+v, error %v", name, r, err)
		}
	}
	other := append(slices.Clone(so), 0)
	if r, err := x.installer(t, Config{From: store(t, "other.so", other)}).run(t.Context()); err != nil || r.Pinned ||
		r.API != "" || r.Size != int64(len(other)) {
		t.Errorf("%+v, error %v", r, err)
	}
	for name, c := range map[string]struct {
		data []byte
		want string
	}{
		"text.so":   {[]byte("not a library"), "is not an ELF"},
		"empty.so":  {nil, "is empty"},
		"cut.so":    {so[:len(so)-64], "truncated"},
		"cut.whl":   {x.data[:len(x.data)-9], "damaged or truncated wheel"},
		"cut.tgz":   {tarred(t, "libpjrt.so", string(so))[:90], "unexpected EOF"},
		"other.whl": {zipped(t, "libcuda.so", "x"), "no PJRT plugin"},
		"other.tgz": {tarred(t, "libcuda.so", "x"), "no PJRT plugin"},
		"two.whl":   {zipped(t, "a/pjrt_cpu.so", "x", "b/pjrt_gpu.so", "x"), "a/pjrt_cpu.so, b/pjrt_gpu.so"},
		"text.whl":  {zipped(t, "a/pjrt_cpu.so", "text"), "not an ELF"},
	} {
		path := store(t, name, c.data)
		fails(t, t.Context(), x.installer(t, Config{From: path}), path, c.want)
	}
	fails(t, t.Context(), x.installer(t, Config{From: "/no/such.whl"}), "/no/such.whl", "no such file")
	fails(t, t.Context(), x.installer(t, Config{From: t.TempDir()}), "not a regular file")
	cuda := x.installer(t, Config{From: store(t, "x.so", so)})
	cuda.Plugin = "cuda"
	fails(t, t.Context(), cuda, "is the plugin of xla:cpu")
}

// An archive that unpacks to more than a plugin may have is given up there.
func TestBombs(t *testing.T) {
	x := newIndex(t)
	so := plugin(t)
	big := string(so) + strings.Repeat("\x00", 1<<20)
	x.data = zipped(t, "some/libpjrt.so", big) // pinned at 464 bytes
	x.wheel.wheel = summed(x.data)
	i := x.installer(t, Config{})
	fails(t, t.Context(), i, "more than 464 bytes")
	s := &source{name: "bomb", wheel: &x.wheel, size: int64(len(x.data))}
	f, err := os.Open(store(t, "bomb.whl", x.data))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	s.file = f
	var n counter
	if _, err := s.unpack(t.Context(), &n); err == nil || n > 465 {
		t.Errorf("wrote %d bytes, error %v", n, err)
	}
}

type counter int64

func (c *counter) Write(p []byte) (int, error) {
	*c += counter(len(p))
	return len(p), nil
}

// Archives lie about sizes and names; nothing is written outside, nothing panics.
func FuzzUnpack(f *testing.F) {
	f.Add(zipped(f, "a/libpjrt.so", "text"))
	f.Add(tarred(f, "../../libpjrt.so", "text"))
	f.Add([]byte("PK\x03\x04"))
	f.Add([]byte("\x1f\x8b\x08"))
	path := filepath.Join(f.TempDir(), "x") // of this process: it runs one input at a time
	f.Fuzz(func(t *testing.T, data []byte) {
		if err := os.WriteFile(path, data, 0o600); err != nil {
			t.Fatal(err)
		}
		file, err := os.Open(path)
		if err != nil {
			t.Fatal(err)
		}
		s := &source{file: file, name: "x", size: int64(len(data))}
		defer s.Close()
		if got, err := s.unpack(t.Context(), io.Discard); err == nil && len(got.sha256) != 64 {
			t.Errorf("%+v", got)
		}
	})
}

func TestAddresses(t *testing.T) {
	x := newIndex(t)
	so := plugin(t)
	hash := "#sha256=" + x.wheel.wheel.sha256
	r, err := x.installer(t, Config{From: x.URL + "/files/it.whl" + hash}).run(t.Context())
	if err != nil || !r.Pinned || r.From != x.URL+"/files/it.whl" || r.SHA256 != summed(so).sha256 {
		t.Fatalf("%+v, error %v", r, err)
	}
	for from, want := range map[string]string{
		x.URL + "/files/it.whl":                                   "needs #sha256=",
		x.URL + "/files/it.whl#sha256=00":                         "64 hexadecimal digits",
		x.URL + "/files/it.whl#md5=00":                            "expected #sha256=",
		x.URL + "/files/it.whl#sha256=" + strings.Repeat("0", 64): "has the sha256",
		x.URL + "/files/none.whl" + hash:                          "answers 404",
		"github":                                                  "none has a plugin",
		"file:///etc/passwd":                                      "no http or https",
		"https://":                                                "no http or https",
		strings.Replace(x.URL, "//", "//a:secret@", 1) + "/x" + hash: "answers 404",
	} {
		if err := fails(t, t.Context(), x.installer(t, Config{From: from}), want); strings.Contains(err.Error(), "secret") {
			t.Error(err)
		}
	}
}

// Several at once in one directory, seen as several processes: each ends well, one downloads.
func TestAtOnce(t *testing.T) {
	x := newIndex(t)
	dir := filepath.Join(t.TempDir(), "lib")
	var group sync.WaitGroup
	already := make(chan bool, 6)
	for range cap(already) {
		group.Go(func() {
			r, err := x.installer(t, Config{Dir: dir}).run(t.Context())
			if err != nil || !r.Pinned {
				t.Errorf("%+v, error %v", r, err)
			}
			already <- r.Already
		})
	}
	group.Wait()
	first := 0
	for range cap(already) {
		if !<-already {
			first++
		}
	}
	if list := tree(t, dir); first != 1 || len(list) != 2 || len(x.asked) != 2 {
		t.Errorf("%d installed, %q, asked %q", first, list, x.asked)
	}
}

// While one is at work another waits, says so once, and can be interrupted.
func TestWaits(t *testing.T) {
	x := newIndex(t)
	dir := filepath.Join(t.TempDir(), "lib")
	unlock, err := lock(t.Context(), dir, nil)
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 200*time.Millisecond)
	defer cancel()
	told := 0
	if _, err := x.installer(t, Config{Dir: dir, Wait: func() { told++ }}).run(ctx); !errors.Is(err,
		context.DeadlineExceeded) || told != 1 {
		t.Errorf("error %v, told %d times", err, told)
	}
	if _, err := Uninstall(ctx, "cpu", dir); err == nil || !strings.Contains(err.Error(), "there is no") {
		t.Errorf("error %v", err)
	}
	unlock()
	if _, err := os.Stat(dir); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("%s is left (%v)", dir, err)
	}
}

// What a process that was killed left is removed by the next, and is never taken for a plugin.
func TestSweep(t *testing.T) {
	x := newIndex(t)
	i := x.installer(t, Config{Dir: t.TempDir()})
	for _, name := range []string{partPrefix + "123", lockName, "mine"} {
		if err := os.WriteFile(filepath.Join(i.Dir, name), []byte("x"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	x.file = http.NotFound
	if _, err := i.run(t.Context()); err == nil {
		t.Error("no error")
	}
	if list := tree(t, i.Dir); len(list) != 2 || !strings.Contains(list[1], "mine") {
		t.Errorf("%q", list)
	}
}

func TestDiskFull(t *testing.T) {
	x := newIndex(t)
	dir := t.TempDir()
	if out, err := exec.Command("mount", "-t", "tmpfs", "-o", "size=64k", "none", dir).CombinedOutput(); err != nil {
		t.Skipf("no small disk: %s", out)
	}
	defer func() {
		if out, err := exec.Command("umount", dir).CombinedOutput(); err != nil {
			t.Errorf("umount: %s", out)
		}
	}()
	so := append(slices.Clone(plugin(t)), make([]byte, 1<<20)...)
	full := zipped(t, "libpjrt.so", string(so)) // small, but not what is in it
	for _, c := range []struct {
		from string
		data []byte
	}{{FromIndex, append(slices.Clone(x.data), make([]byte, 1<<20)...)}, {store(t, "x.whl", full), x.data},
		{store(t, "x.so", so), x.data}} {
		x.data = c.data
		x.wheel.wheel = summed(x.data)
		err := fails(t, t.Context(), x.installer(t, Config{From: c.from, Dir: filepath.Join(dir, "a", "lib")}),
			"writing into "+dir, "no space left on device", "MiB are wanted")
		if strings.Contains(err.Error(), partPrefix) {
			t.Error(err)
		}
	}
}

func TestNotWritable(t *testing.T) {
	x := newIndex(t)
	for dir, want := range map[string]string{store(t, "file", nil) + "/x": "cannot make",
		"/proc/none/x": "cannot make /proc/none/x", "/proc/self": "cannot write into /proc/self", "a,b": "comma"} {
		if dir[0] == '/' && dir[1] == 'p' && runtime.GOOS != "linux" {
			continue
		}
		if _, err := x.installer(t, Config{Dir: dir}).run(t.Context()); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: error %v, want one with %q", dir, err, want)
		}
	}
	for plugin, system := range map[string]string{"tpu": "linux/amd64", "cpu": "plan9/mips"} {
		i := x.installer(t, Config{})
		i.Plugin, i.system = plugin, system
		if _, err := i.run(t.Context()); err == nil || !(strings.Contains(err.Error(), "expected cpu or cuda") ||
			strings.Contains(err.Error(), "this is plan9/mips")) {
			t.Errorf("%s on %s: error %v", plugin, system, err)
		}
	}
}

func TestUninstall(t *testing.T) {
	x := newIndex(t)
	i := x.installer(t, Config{})
	if _, err := i.run(t.Context()); err != nil {
		t.Fatal(err)
	}
	file, err := Uninstall(t.Context(), "cpu", i.Dir)
	if err != nil || file != filepath.Join(i.Dir, "pjrt_c_api_cpu_plugin.so") {
		t.Errorf("%s, error %v", file, err)
	}
	if list := tree(t, i.Dir); len(list) != 1 {
		t.Errorf("%q", list)
	}
	if err := os.Mkdir(file, 0o700); err != nil {
		t.Fatal(err)
	}
	for plugin, want := range map[string]string{"cpu": "is a directory", "cuda": "there is no " + filepath.Join(i.Dir,
		"nvidia"), "tpu": "expected cpu or cuda"} {
		if _, err := Uninstall(t.Context(), plugin, i.Dir); err == nil || !strings.Contains(err.Error(), want) ||
			!strings.Contains(err.Error(), "plugin: uninstall xla:"+plugin) {
			t.Errorf("%s: error %v", plugin, err)
		}
	}
}
