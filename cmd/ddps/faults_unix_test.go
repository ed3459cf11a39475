//go:build unix

package main

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/ddps-go/ddps/cmd/ddps/internal/clitest"
)

// stopped runs a command that is interrupted soon, and fails the test unless it ends as it should.
func stopped(t *testing.T, stdout io.Writer, args ...string) {
	t.Helper()
	ctx, stop := context.WithTimeout(context.Background(), time.Minute)
	defer stop()
	ctx, interrupt := context.WithCancel(ctx)
	time.AfterFunc(50*time.Millisecond, interrupt)
	var errs bytes.Buffer
	if status := execute(ctx, args, stdout, &errs); status != exitInterrupted || !strings.HasSuffix(errs.String(),
		"ddps: interrupted\n") {
		t.Errorf("%q: status %d, %q", args, status, errs.String())
	}
}

// A command that waits for someone to read its output ends with the first signal.
func TestNobodyReads(t *testing.T) {
	t.Chdir(t.TempDir())
	if err := syscall.Mkfifo("pipe", 0o600); err != nil {
		t.Skip(err)
	}
	stopped(t, io.Discard, "sample", "shipped:toy", "-q", "-n", "50", "--format", "csv", "-o", "pipe")
	r, w := io.Pipe()
	defer r.Close()
	stopped(t, w, "sample", "shipped:toy", "-q", "-n", "10000")
	if left, err := os.ReadDir("."); err != nil || len(left) != 1 {
		t.Errorf("files %v, %v", left, err)
	}
}

// What is written with nowhere to go is an error, help and versions too.
func TestFullOutput(t *testing.T) {
	full, err := os.OpenFile("/dev/full", os.O_WRONLY, 0)
	if err != nil {
		t.Skip(err)
	}
	defer full.Close()
	for _, line := range []string{"--help", "sample --help", "--version", "graph info toy", "paths make example",
		"sample shipped:toy -n 3", "completion bash"} {
		var errs bytes.Buffer
		if status := execute(context.Background(), strings.Fields(line), full, &errs); status == exitOK ||
			!strings.Contains(errs.String(), "no space left on device") {
			t.Errorf("ddps %s > /dev/full: status %d, %q", line, status, errs.String())
		}
	}
}

// The temporary file of a process that was killed goes with the next command that writes into the directory; a link is
// followed to a file that is not there yet; names may have 255 bytes.
func TestOutputs(t *testing.T) {
	t.Chdir(t.TempDir())
	p := start(t, "sample", "shipped:toy", "-q", "-n", "1000000000", "-o", "big.csv")
	waitFor(t, ".big.csv.*")
	if err := p.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	p.status(t)
	if err := os.Symlink("target.csv", "link"); err != nil {
		t.Fatal(err)
	}
	good(t, "sample", "shipped:toy", "-q", "-n", "3", "--format", "csv", "-o", "link")
	if to, err := os.Readlink("link"); to != "target.csv" || clitest.Read(t, "target.csv") == "" {
		t.Errorf("the link leads to %q, %v", to, err)
	}
	if left, err := filepath.Glob(".*"); err != nil || len(left) > 0 {
		t.Errorf("left %q, %v", left, err)
	}
	good(t, "sample", "shipped:toy", "-q", "-n", "3", "-o", strings.Repeat("a", 251)+".csv")
	bad(t, exitError, []string{"file name too long"}, "sample", "shipped:toy", "-q", "-n", "3", "-o",
		strings.Repeat("a", 252)+".csv")
}

// Work that needs more memory than there is ends before it begins, with the flag by which it fits; a guidance scale
// that is none is refused, wherever it is given.
func TestTooMuch(t *testing.T) {
	t.Chdir(t.TempDir())
	for line, part := range map[string]string{
		"view shipped:toy -n 1000000000 -o v.html":        "of memory, of which there are",
		"evaluate shipped:toy -n 1000000000":              ": -n ",
		"paths make toy -n 1000000000 -o p.csv":           ": -n ",
		"graph make dna --length 1000000000 -o d.json":    ": --length ",
		"graph make city --depth 1000000 -o c.json":       "memory: --depth ",
		"graph import edges.csv --start A --depth 600000": "expand: ",
		"sample shipped:toy --where reward>=2 --reward random:4 --reverse occupancy " +
			"--particles 100000 -n 1000000000 -o x.csv": ": -n ",
		"reproduce fig:reward --graph toy --instances 1000000000 -o new": ": --instances ",
		"reproduce fig:reward --graph toy --samples 1000000000 -o new":   ": --samples ",
	} {
		clitest.Write(t, "edges.csv", "from,to\n"+strings.Repeat("A,B\nB,C\nC,D\nD,A\n", 2)+many(300))
		bad(t, exitError, []string{part}, append(strings.Fields(line), "-q")...)
	}
	for _, lambda := range []string{"1e308", "-1", "NaN", "Inf", "2e9", "x"} {
		for _, line := range []string{"sample shipped:toy --guide eq7 --reward random:4 -o x.csv",
			"reproduce fig:reward -o new", "view shipped:toy -o v.html"} {
			bad(t, exitUsage, []string{"lambda"}, append(strings.Fields(line), "--lambda="+lambda)...)
		}
	}
}

// many returns n roads from A to places of their own.
func many(n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, "A,P%d\n", i)
	}
	return b.String()
}
