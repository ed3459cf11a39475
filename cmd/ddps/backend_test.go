package main

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/ddps-go/ddps/cmd/ddps/internal/clitest"
	"github.com/ddps-go/ddps/cmd/ddps/internal/kernelcmd"
	"github.com/ddps-go/ddps/ddps/plugin"
)

// testPlugin is a library that passes for a plugin as long as it is not loaded.
const testPlugin = "ddps/internal/backend/testdata/plugin.so"

// atPlugins goes to an empty directory where only plugins in lib are looked for, and returns a plugin's file.
func atPlugins(t *testing.T) (file string) {
	t.Helper()
	if runtime.GOOS != "linux" || runtime.GOARCH != "amd64" {
		t.Skip("for linux/amd64")
	}
	file, err := filepath.Abs(filepath.Join("..", "..", testPlugin))
	if err != nil {
		t.Fatal(err)
	}
	t.Chdir(t.TempDir())
	t.Setenv(asCommand, "1") // for the processes that probe
	t.Setenv("PJRT_PLUGIN_LIBRARY_PATH", "lib")
	t.Setenv("PIP_CONFIG_FILE", os.DevNull)
	t.Setenv("PIP_CERT", "")
	return file
}

func TestBackendList(t *testing.T) {
	file := atPlugins(t)
	list := func() map[string]kernelcmd.BackendInfo {
		out, _ := good(t, "backend", "list", "--format", "json")
		var all []kernelcmd.BackendInfo
		if err := json.Unmarshal([]byte(out), &all); err != nil || len(all) != 5 {
			t.Fatalf("%v in %s", err, out)
		}
		m := map[string]kernelcmd.BackendInfo{}
		for _, b := range all {
			m[b.Backend] = b
		}
		return m
	}
	m := list()
	if b := m["go"]; !b.Built || !b.Usable {
		t.Errorf("%+v", b)
	}
	if b := m["xla:cpu"]; b.Usable || b.Built != plugin.Linked || b.Plugin != "" ||
		!strings.Contains(b.Note, "ddps backend install xla:cpu") {
		t.Errorf("%+v", b)
	}
	good(t, "backend", "install", "xla:cpu", "--from", file, "--dir", "lib")
	clitest.Write(t, "lib/pjrt_c_api_cuda_plugin.so", "no plugin")
	m = list()
	if b := m["xla:cpu"]; !strings.HasSuffix(b.Plugin, "/lib/pjrt_c_api_cpu_plugin.so") || !plugin.Linked &&
		!strings.Contains(b.Note, "-tags xla") {
		t.Errorf("%+v", b)
	}
	if b := m["xla:cuda"]; b.Usable || !strings.Contains(b.Note, "not an ELF") ||
		!strings.Contains(b.Note, "ddps backend install xla:cuda") {
		t.Errorf("%+v", b)
	}
	out, _ := good(t, "backend", "list")
	for _, want := range []string{"backend ", "PJRT API", "go:large", "auto", "lib/pjrt_c_api_cpu_plugin.so",
		"not an ELF"} {
		if !strings.Contains(out, want) {
			t.Errorf("lacks %q:\n%s", want, out)
		}
	}
}

func TestBackendInstall(t *testing.T) {
	file := atPlugins(t)
	out, errs := good(t, "backend", "install", "xla:cpu", "--from", file, "--dir", "lib")
	if !strings.HasPrefix(out, "installed ") || !strings.Contains(out, "lib/pjrt_c_api_cpu_plugin.so") ||
		!strings.Contains(errs, "sha256") ||
		strings.Contains(errs, "-tags xla") == plugin.Linked || strings.Contains(errs, "It is not what") {
		t.Errorf("%s%s", out, errs)
	}
	out, errs = good(t, "backend", "install", "xla:cuda", "--from", file, "--dir", "lib")
	if !strings.Contains(out, "lib/nvidia/pjrt_c_api_cuda_plugin.so") ||
		!strings.Contains(errs, "PJRT_PLUGIN_LIBRARY_PATH=") || !strings.Contains(errs, "CUDA 13") {
		t.Errorf("%s%s", out, errs)
	}
	out, errs = good(t, "backend", "uninstall", "xla:cuda", "--dir", "lib", "-q")
	if !strings.HasPrefix(out, "removed ") || errs != "" {
		t.Errorf("%s%s", out, errs)
	}
	bad(t, exitError, []string{"there is no ", "lib/nvidia"}, "backend", "uninstall", "xla:cuda", "--dir", "lib")
	bad(t, exitUsage, []string{`no plugin is known for "cpu"`}, "backend", "install", "cpu")
	bad(t, exitUsage, []string{`no plugin is known for "xla:tpu"`}, "backend", "uninstall", "xla:tpu")
	bad(t, exitUsage, []string{"argument xla:cpu|xla:cuda is missing"}, "backend", "install")
	clitest.Write(t, "text.so", "text")
	bad(t, exitError, []string{"install xla:cpu", "text.so", "not an ELF"}, "backend", "install", "xla:cpu", "--from",
		"text.so", "--dir", "new")
	bad(t, exitError, []string{"none.whl", "no such file"}, "backend", "install", "xla:cpu", "--from", "none.whl", "--dir",
		"new")
	bad(t, exitError, []string{"cannot make", "text.so"}, "backend", "install", "xla:cpu", "--from", file, "--dir",
		"text.so")
}

// What the index may do wrong is said on one line, with a way out where there is one, and leaves nothing.
func TestBackendInstallFails(t *testing.T) {
	atPlugins(t)
	page := ""
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if page == "" {
			http.NotFound(w, r)
			return
		}
		w.Header().Set("Content-Type", "application/vnd.pypi.simple.v1+json")
		fmt.Fprint(w, page)
	}))
	defer server.Close()
	t.Setenv("PIP_INDEX_URL", server.URL+"/simple")
	args := []string{"backend", "install", "xla:cuda", "--dir", "new"}
	bad(t, exitError, []string{"package index", "answers 404", "PIP_INDEX_URL may name", "--from"}, args...)
	page = `{"meta": {"api-version": "1.1"}, "files": []}`
	bad(t, exitError, []string{"it has no jax_cuda13_pjrt-0.10.2", "PIP_INDEX_URL may name"}, args...)
	page = `{"meta": {"api-version": "1.1"}, "files": [{"filename": "jax_cuda13_pjrt-0.10.2-py3-none-manylinux_2_27_x86_64.whl",
		"url": "../x.whl", "hashes": {"sha256": "00"}}]}`
	bad(t, exitError, []string{"has the sha256 00, this program expects", "not installed"}, args...)
}

// serve serves a plugin byte by byte, once a byte has come through go, and returns its address.
func serve(t *testing.T, file string, proceed <-chan bool) (address string, came <-chan bool) {
	t.Helper()
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	begun := make(chan bool, 100)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Write(data[:100])
		w.(http.Flusher).Flush()
		begun <- true
		select {
		case <-proceed:
			w.Write(data[100:])
		case <-r.Context().Done():
		}
	}))
	t.Cleanup(server.Close)
	sum := sha256.Sum256(data)
	return server.URL + "/plugin.so#sha256=" + hex.EncodeToString(sum[:]), begun
}

// Killed in the middle of the download, softly, nothing is left; hard, no more than the empty lock, which the next
// that installs takes away.
func TestBackendInstallKilled(t *testing.T) {
	file := atPlugins(t)
	proceed := make(chan bool)
	address, came := serve(t, file, proceed)
	for _, sig := range []os.Signal{syscall.SIGTERM, syscall.SIGKILL} {
		p := start(t, "backend", "install", "xla:cpu", "--from", address, "--dir", "lib")
		<-came
		if err := p.Process.Signal(sig); err != nil {
			t.Fatal(err)
		}
		status := p.status(t)
		want := []string{". "}
		if sig == syscall.SIGKILL {
			want = []string{". ", "lib ", "lib/.ddps-backend.lock "}
		} else if status != exitInterrupted {
			t.Errorf("status %d, %s", status, p.errs.String())
		}
		if files := clitest.Listing(t); !slices.Equal(files, want) {
			t.Errorf("%v left %q", sig, files)
		}
	}
	close(proceed)
	good(t, "backend", "install", "xla:cpu", "--from", address, "--dir", "lib")
	if files := clitest.Listing(t); len(files) != 3 || !strings.HasPrefix(files[2], "lib/pjrt_c_api_cpu_plugin.so ") {
		t.Errorf("%q", files)
	}
}

// Two processes at once: one waits for the other and says so, both end well.
func TestBackendInstallTwice(t *testing.T) {
	file := atPlugins(t)
	proceed := make(chan bool)
	address, came := serve(t, file, proceed)
	first := start(t, "backend", "install", "xla:cpu", "--from", address, "--dir", "lib")
	<-came
	second := start(t, "backend", "install", "xla:cpu", "--from", address, "--dir", "lib")
	select {
	case <-came:
		t.Error("both download at once")
	case <-time.After(200 * time.Millisecond):
	}
	close(proceed)
	for _, p := range []*process{first, second} {
		if status := p.status(t); status != exitOK || !strings.HasPrefix(p.out.String(), "installed ") {
			t.Errorf("status %d, %s%s", status, p.out.String(), p.errs.String())
		}
	}
	if files := clitest.Listing(t); len(files) != 3 || strings.Contains(first.errs.String(), "waiting") {
		t.Errorf("%q", files)
	}
}

func TestBackendInstallDiskFull(t *testing.T) {
	file := atPlugins(t)
	smallDisk(t, "disk")()
	bad(t, exitError, []string{"writing into ", "disk", "no space left on device", "MiB are wanted"}, "backend", "install",
		"xla:cpu", "--from", file, "--dir", "disk")
}

func TestBackendCheck(t *testing.T) {
	atPlugins(t)
	out, errs := good(t, "backend", "check")
	if strings.Count(out, "ok ") != 2 || !strings.Contains(out, "go:large") || !strings.Contains(out, "first step") ||
		errs != "" {
		t.Errorf("%s%s", out, errs)
	}
	status, out, errs := call("backend", "check", "go", "xla:cpu", "gpu", "--format", "json")
	var list []kernelcmd.BackendCheck
	if err := json.Unmarshal([]byte(out), &list); err != nil || status != exitError ||
		!strings.Contains(errs, "2 of 3 failed") || len(list) != 3 {
		t.Fatalf("%v, status %d, %s%s", err, status, out, errs)
	}
	if c := list[0]; !c.OK || c.Report == nil || c.Report.MaxError > 1e-6 || c.Error != "" {
		t.Errorf("%+v", c)
	}
	if c := list[1]; c.OK || c.Report != nil || !strings.Contains(c.Error, "-tags xla") &&
		!strings.Contains(c.Error, "backend install xla:cpu") {
		t.Errorf("%+v", c)
	}
	if c := list[2]; c.OK || !strings.Contains(c.Error, `unknown backend "gpu"`) {
		t.Errorf("%+v", c)
	}
	if status, out, _ := call("backend", "check", "gpu", "-q"); status != exitError ||
		!strings.HasPrefix(out, "fail  gpu  unknown backend") {
		t.Errorf("status %d, %s", status, out)
	}
}

// With XLA: a plugin that is there passes, one that crashes in any way is reported without a trace.
func TestBackendCheckXLA(t *testing.T) {
	must := os.Getenv("DDPS_TEST_XLA") == "1"
	if !plugin.Linked {
		if must {
			t.Fatal("DDPS_TEST_XLA=1, but built without XLA")
		}
		t.Skip("built without XLA")
	}
	file, err := plugin.Find("cpu")
	atPlugins(t)
	if err != nil && must {
		t.Fatal(err)
	}
	if err == nil {
		out, _ := good(t, "backend", "check", "xla:"+file)
		if !strings.HasPrefix(out, "ok ") || !strings.Contains(out, file) {
			t.Errorf("%s", out)
		}
		answer, err := kernelcmd.AskProbe(t.Context(), "--api", file)
		if err != nil || !strings.HasPrefix(answer.API, "0.") {
			t.Errorf("%+v, error %v", answer, err)
		}
	}
	cc, err := exec.LookPath("cc")
	if err != nil {
		t.Skip("no C compiler")
	}
	for name, body := range map[string]string{"segv": "*(volatile int *)1 = 0; return 0;",
		"abort": `fputs("no driver\n", stderr); abort();`,
		"exit":  "exit(0);", "null": "return 0;", "kill": "kill(getpid(), 9); return 0;"} {
		source := "#include <stdio.h>\n#include <stdlib.h>\n#include <signal.h>\n#include <unistd.h>\nvoid " +
			"*GetPjrtApi(void) { " + body + " }\n"
		clitest.Write(t, name+".c", source)
		lib, err := filepath.Abs(name + ".so")
		if err != nil {
			t.Fatal(err)
		}
		if out, err := exec.Command(cc, "-shared", "-fPIC", "-o", lib, name+".c").CombinedOutput(); err != nil {
			t.Skipf("%v: %s", err, out)
		}
		status, out, errs := call("backend", "check", "xla:"+lib)
		if status != exitError || !strings.HasPrefix(out, "fail  ") || strings.Contains(out+errs, "goroutine") ||
			strings.Count(out, "\n") != 1 {
			t.Errorf("%s: status %d, %s%s", name, status, out, errs)
		}
		t.Logf("%s: %s%s", name, out, errs)
	}
	var out, errs bytes.Buffer // and the doctor stays alive
	if err := os.MkdirAll("lib", 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.Rename("abort.so", "lib/pjrt_c_api_cpu_plugin.so"); err != nil {
		t.Fatal(err)
	}
	if status := execute(t.Context(), []string{"doctor"}, &out, &errs); status != exitOK || !strings.Contains(out.String(),
		"warn") || !strings.Contains(out.String(), "crashed") {
		t.Errorf("status %d, %s%s", status, out.String(), errs.String())
	}
	if list, _ := good(t, "backend", "list"); !strings.Contains(list, "crashed") {
		t.Errorf("%s", list)
	}
}
