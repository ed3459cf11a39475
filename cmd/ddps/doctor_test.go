package main

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/ddps-go/ddps/cmd/ddps/internal/clitest"
	"github.com/ddps-go/ddps/cmd/ddps/internal/kernelcmd"
)

func TestDoctor(t *testing.T) {
	t.Setenv(asCommand, "1") // for the processes that probe
	t.Chdir(t.TempDir())
	out, _ := good(t, "doctor")
	for _, want := range []string{"program", "CPUs", "backend go ", "Go backend", "backend xla",
		"Heights 1,217,906 paths", "Ridge 36,607,667 paths",
		"temporary files", "writable", "free"} {
		if !strings.Contains(out, want) {
			t.Errorf("lacks %q:\n%s", want, out)
		}
	}
	for _, line := range strings.Split(strings.TrimSpace(out), "\n") {
		if state := strings.Fields(line)[0]; state != kernelcmd.StateOK && state != kernelcmd.StateWarn {
			t.Errorf("line %q", line)
		}
	}
	if files := clitest.Listing(t); len(files) != 1 {
		t.Errorf("left %q", files)
	}
}

func TestDoctorFails(t *testing.T) {
	t.Setenv("TMPDIR", filepath.Join(t.TempDir(), "none"))
	status, out, errs := call("doctor")
	if status != exitError || !strings.Contains(errs, "1 of ") || !strings.Contains(out, "fail  temporary files") ||
		!strings.Contains(out, "TMPDIR") {
		t.Errorf("status %d, %q:\n%s", status, errs, out)
	}
}
