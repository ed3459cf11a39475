package main

import (
	"bytes"
	"context"
	"runtime"
	"strings"
	"testing"

	"github.com/ddps-go/ddps/cmd/ddps/internal/clitest"
	"github.com/ddps-go/ddps/ddps/run"
	"github.com/ddps-go/ddps/ddps/study"
)

func TestQuickstartErrors(t *testing.T) {
	t.Chdir(t.TempDir())
	clitest.Write(t, "file", "")
	bad(t, exitError, []string{"cannot write into file", "no directory"}, "quickstart", "-o", "file")
	bad(t, exitError, []string{"cannot write into file/new"}, "quickstart", "-o", "file/new")
	if runtime.GOOS == "linux" {
		bad(t, exitError, []string{"cannot write into /proc/self/new"}, "quickstart", "-o", "/proc/self/new")
	}
	bad(t, exitUsage, []string{"--paths", "want 100 or more"}, "quickstart", "--paths", "99")
	bad(t, exitUsage, []string{"one too many"}, "quickstart", "toy")

	d, err := study.HeightsDemo(100, 0)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := run.Create("out/run-heights", d.Config, d.Data); err != nil {
		t.Fatal(err)
	}
	bad(t, exitError, []string{"out/run-heights holds a run on other paths", "choose another directory"}, "quickstart",
		"--paths", "101", "-o", "out")
}

// Interrupted, quickstart says how to go on.
func TestQuickstartInterrupted(t *testing.T) {
	t.Chdir(t.TempDir())
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	var out, errs bytes.Buffer
	status := execute(ctx, []string{"quickstart", "--paths", "100", "-o", "out"}, &out, &errs)
	if status != exitInterrupted || out.Len() > 0 || !strings.Contains(errs.String(),
		"the same command goes on from there") {
		t.Errorf("status %d, %q, %q", status, out.String(), errs.String())
	}
	if _, err := run.Open("out/run-toy"); err != nil {
		t.Error(err)
	}
}
