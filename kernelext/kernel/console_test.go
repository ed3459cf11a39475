//go:build unix

package kernel

import (
	"bytes"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/creack/pty"

	"github.com/ddps-go/ddps/kernelext/kernel/setup"
)

// console is jupyter console on a terminal of its own.
type console struct {
	t    *testing.T
	pty  *os.File
	mu   sync.Mutex
	text strings.Builder
	from int // what has been waited for ends here
}

// escapes are what a terminal does not print.
var escapes = regexp.MustCompile("\x1b(\\[[0-9;?]*[A-Za-z]|\\][^\x07]*\x07|[=>])")

func newConsole(t *testing.T, cmd *exec.Cmd) *console {
	t.Helper()
	f, err := pty.StartWithSize(cmd, &pty.Winsize{Rows: 60, Cols: 120})
	if err != nil {
		t.Fatal(err)
	}
	c := &console{t: t, pty: f}
	t.Cleanup(func() { cmd.Process.Kill(); cmd.Wait(); f.Close() })
	go func() {
		b := make([]byte, 1<<16)
		for {
			n, err := f.Read(b)
			c.mu.Lock()
			c.text.Write(b[:n])
			c.mu.Unlock()
			if bytes.Contains(b[:n], []byte("\x1b[6n")) { // where is the cursor?
				io.WriteString(f, "\x1b[1;1R")
			}
			if err != nil {
				return
			}
		}
	}()
	return c
}

// wait waits until want has come since the last wait, not counting escapes.
func (c *console) wait(want string) {
	c.t.Helper()
	seen := ""
	for end := time.Now().Add(2 * time.Minute); time.Now().Before(end); time.Sleep(20 * time.Millisecond) {
		c.mu.Lock()
		all := escapes.ReplaceAllString(c.text.String(), "")
		c.mu.Unlock()
		seen = all[min(c.from, len(all)):]
		if i := strings.Index(seen, want); i >= 0 {
			c.from += i + len(want)
			return
		}
	}
	c.t.Fatalf("no %q in %q", want, seen)
}

// jupyter console takes ten entries in a row, some of several lines, and an error, and goes on.
func TestConsole(t *testing.T) {
	python := python(t)
	program, prefix := buildProgram(t), t.TempDir()
	if out, err := exec.Command(program, "kernel", "install", "--prefix", prefix).CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	cmd := exec.Command(python, "-m", "jupyter_console", "--kernel", "ddps")
	cmd.Env = append(os.Environ(), "JUPYTER_PATH="+setup.PrefixData(prefix), "JUPYTER_CONFIG_DIR="+filepath.Join(prefix,
		"config"),
		"JUPYTER_DATA_DIR="+filepath.Join(prefix, "data"), "JUPYTER_RUNTIME_DIR="+filepath.Join(prefix, "runtime"),
		"TERM=xterm")
	c := newConsole(t, cmd)
	for _, e := range []struct {
		prompt string
		lines  []string
		want   string
	}{
		{"In [1]:", []string{"%%live", "6 * 7"}, "42"},
		{"In [2]:", []string{"%%", `fmt.Println("comp" + "iled")`}, "compiled"},
		{"In [3]:", []string{"func twice(x int) int {", "return 2 * x", "}"}, ""},
		{"In [4]:", []string{"%%", "fmt.Println(1000 + twice(11))"}, "1022"},
		{"In [5]:", []string{"%%", `panic("on " + "purpose")`}, "Panic: on purpose"},
		{"In [6]:", []string{"%%live", "nowhere"}, "undefined: nowhere"},
		{"In [7]:", []string{"%%live", "for i := range 3 {", `fmt.Println("row", i)`, "}"}, "row 2"},
		{"In [8]:", []string{`!echo $((40 + 4))"th"`}, "44th"},
		{"In [9]:", []string{"%ddps version"}, "go1."},
		{"In [10]:", []string{"%%live", "x := 5"}, ""},
		{"In [11]:", []string{"%%live", "x + 60"}, "65"},
	} {
		c.wait(e.prompt)
		for _, line := range e.lines {
			if _, err := io.WriteString(c.pty, line+"\r"); err != nil {
				t.Fatal(err)
			}
			time.Sleep(300 * time.Millisecond) // the console asks whether the entry is complete
		}
		if e.want != "" {
			c.wait(e.want)
		}
	}
	c.wait("In [12]:")
}
