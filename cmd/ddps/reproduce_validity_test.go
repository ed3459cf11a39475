package main

import (
	"bytes"
	"context"
	"strings"
	"testing"

	"github.com/ddps-go/ddps/cmd/ddps/internal/clitest"
)

func TestValidityErrors(t *testing.T) {
	t.Chdir(t.TempDir())
	clitest.Write(t, "file", "")
	bad(t, exitUsage, []string{"--preset", "huge"}, "reproduce", "validity", "--preset", "huge")
	bad(t, exitUsage, []string{"--output is empty"}, "reproduce", "validity", "-o", "")
	bad(t, exitUsage, []string{"--samples", "want 0 or more"}, "reproduce", "validity", "-n", "-1")
	bad(t, exitError, []string{"file"}, "reproduce", "validity", "-o", "file")
}

// Interrupted, the study says how to go on.
func TestValidityInterrupted(t *testing.T) {
	t.Chdir(t.TempDir())
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	var out, errs bytes.Buffer
	status := execute(ctx, []string{"reproduce", "validity", "--backend", "go", "-o", "out"}, &out, &errs)
	if status != exitInterrupted || out.Len() > 0 || !strings.Contains(errs.String(),
		"the same command resumes from there") {
		t.Errorf("status %d, %q, %q", status, out.String(), errs.String())
	}
}
