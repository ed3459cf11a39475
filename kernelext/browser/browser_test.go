// Package browser holds the tests that need a real browser: of the kernel in JupyterLab, and of the page of ddps view.
//
//	browser_test.go   JupyterLab with the kernel of this tree, and the driver
//	drive.mjs         what a reader does with notebooks/03_guided_sampling.ipynb, and with testdata/controls.ipynb
//	view_test.go      ddps view, and what its page must say
//	view.mjs          what a reader does with that page
//	package.json      playwright-core, which drives the browser; it brings none
package browser

import (
	"context"
	"crypto/rand"
	"fmt"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/ddps-go/ddps/kernelext/kernel/setup"
)

// What the test takes from outside: DDPS_TEST_BROWSER names a Python that has notebooks/requirements.txt, without which
// there is nothing to run; DDPS_TEST_SCREENSHOTS a directory that is to keep the screenshots.
const (
	envPython      = "DDPS_TEST_BROWSER"
	envScreenshots = "DDPS_TEST_SCREENSHOTS"
)

// limit is how long all may take on a slow machine.
const limit = 15 * time.Minute

// Notebooks do in JupyterLab in Chromium what they do without a browser, and their controls, progress bars,
// completion, interrupt and restart work.
func TestJupyterLab(t *testing.T) {
	python := os.Getenv(envPython)
	if python == "" {
		t.Skip(envPython + " names no Python that has notebooks/requirements.txt")
	}
	ctx, cancel := context.WithTimeout(t.Context(), limit)
	defer cancel()
	module, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	prefix, work := t.TempDir(), workFolder(t, module)
	program := filepath.Join(prefix, "ddps")
	run(t, command(ctx, ".", "go", "build", "-o", program, "../../cmd/ddps"))
	run(t, command(ctx, ".", program, "kernel", "install", "--prefix", prefix))
	node := driver(t, ctx, prefix)
	url := lab(t, ctx, python, prefix, module)

	scratch, err := filepath.Rel(module, work)
	if err != nil {
		t.Fatal(err)
	}
	cmd := command(ctx, node, "node", "drive.mjs", chromium(t), url, filepath.ToSlash(scratch), screenshots(prefix))
	cmd.Stdout, cmd.Stderr = os.Stdout, os.Stderr
	if err := cmd.Run(); err != nil {
		t.Fatal(err)
	}
}

// workFolder is a directory of the module with copies of the notebooks, as JupyterLab writes what it runs.
func workFolder(t *testing.T, module string) string {
	t.Helper()
	if err := os.MkdirAll(filepath.Join(module, "out"), 0o755); err != nil {
		t.Fatal(err)
	}
	dir, err := os.MkdirTemp(filepath.Join(module, "out"), "browser-")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(dir) })
	for _, name := range []string{filepath.Join(module, "notebooks", "03_guided_sampling.ipynb"), filepath.Join("testdata",
		"controls.ipynb")} {
		data, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, filepath.Base(name)), data, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// driver makes the directory that the driver runs in, with what it needs.
func driver(t *testing.T, ctx context.Context, prefix string) string {
	t.Helper()
	dir := filepath.Join(prefix, "node")
	if err := os.Mkdir(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"package.json", "package-lock.json", "drive.mjs", "view.mjs"} {
		data, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, name), data, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	cmd := command(ctx, dir, "npm", "ci", "--prefer-offline", "--ignore-scripts", "--no-audit", "--no-fund")
	if out, err := cmd.CombinedOutput(); err != nil && os.Getenv(envPython) == "" {
		t.Skipf("npm brings no playwright-core: %v\n%s", err, out)
	} else if err != nil {
		t.Fatalf("npm ci: %v\n%s", err, out)
	}
	return dir
}

// chromium finds the browser.
func chromium(t *testing.T) string {
	t.Helper()
	path := browser()
	if path == "" {
		t.Fatal("there is no chromium in PATH; on Debian: apt-get install chromium")
	}
	return path
}

// browser returns the path of the browser, "" for none.
func browser() string {
	for _, name := range []string{"chromium", "chromium-browser", "google-chrome"} {
		if path, err := exec.LookPath(name); err == nil {
			return path
		}
	}
	return ""
}

// screenshots is the directory for them.
func screenshots(prefix string) string {
	if dir := os.Getenv(envScreenshots); dir != "" {
		return dir
	}
	return filepath.Join(prefix, "shots")
}

// lab starts JupyterLab for the module's directory, with settings of its own, and returns its address with the token.
func lab(t *testing.T, ctx context.Context, python, prefix, module string) string {
	t.Helper()
	config := filepath.Join(prefix, "config")
	for name, text := range map[string]string{ // no questions on the network; completions on a slow machine
		"labconfig/page_config.json": `{"disabledExtensions": {"@jupyterlab/apputils-extension:announcements": true}}`,
		"settings/@jupyterlab/completer-extension/manager.jupyterlab-settings": `{"providerTimeout": 20000}`,
	} {
		file := filepath.Join(config, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	token, port := rand.Text(), freePort(t)
	cmd := command(ctx, module, python, "-m", "jupyterlab", "--no-browser", "--allow-root", "--ServerApp.ip=127.0.0.1",
		fmt.Sprintf("--ServerApp.port=%d", port), "--ServerApp.port_retries=0", "--IdentityProvider.token="+token,
		"--ServerApp.root_dir="+module, "--LabApp.extension_manager=readonly", "--LabApp.expose_app_in_browser=True")
	cmd.Env = append(os.Environ(), "JUPYTER_PATH="+setup.PrefixData(prefix), "JUPYTER_CONFIG_DIR="+config,
		"JUPYTER_DATA_DIR="+filepath.Join(prefix, "data"),
		"JUPYTER_RUNTIME_DIR="+filepath.Join(prefix, "runtime"), "JUPYTERLAB_SETTINGS_DIR="+filepath.Join(config, "settings"),
		"JUPYTERLAB_WORKSPACES_DIR="+filepath.Join(config, "workspaces"), "GOPROXY=off")
	log, err := os.Create(filepath.Join(prefix, "lab.log"))
	if err != nil {
		t.Fatal(err)
	}
	defer log.Close()
	cmd.Stdout, cmd.Stderr = log, log
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	gone := make(chan error, 1)
	go func() { gone <- cmd.Wait() }()
	text := func() string { data, _ := os.ReadFile(log.Name()); return string(data) }
	t.Cleanup(func() {
		cmd.Process.Signal(syscall.SIGTERM)
		<-gone
		if t.Failed() {
			t.Logf("JupyterLab said:\n%s", text())
		}
	})
	url := fmt.Sprintf("http://127.0.0.1:%d/", port)
	for {
		if r, err := http.Get(url + "api/status?token=" + token); err == nil {
			r.Body.Close()
			if r.StatusCode == http.StatusOK {
				return url + "lab?token=" + token
			}
		}
		select {
		case err := <-gone:
			gone <- err
			t.Fatalf("JupyterLab: %v", err)
		case <-ctx.Done():
			t.Fatal("JupyterLab does not answer")
		case <-time.After(100 * time.Millisecond):
		}
	}
}

func freePort(t *testing.T) int {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	return l.Addr().(*net.TCPAddr).Port
}

// command is a command that is asked to end with the test, in a directory.
func command(ctx context.Context, dir, name string, args ...string) *exec.Cmd {
	cmd := exec.CommandContext(ctx, name, args...)
	cmd.Dir = dir
	cmd.Cancel = func() error { return cmd.Process.Signal(syscall.SIGTERM) }
	cmd.WaitDelay = 10 * time.Second
	return cmd
}

func run(t *testing.T, cmd *exec.Cmd) {
	t.Helper()
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%s: %v\n%s", strings.Join(cmd.Args, " "), err, out)
	}
}
