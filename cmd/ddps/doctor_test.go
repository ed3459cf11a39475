package main

import (
	"path/filepath"
	"strings"
	"testing"
)

func TestDoctor(t *testing.T) {
	t.Setenv(asCommand, "1") // for the processes that probe
	t.Chdir(t.TempDir())
	out, _ := good(t, "doctor")
	for _, want := range []string{"program", "processors", "backend go ", "Go backend", "backend xla", "Heights 1,217,906 paths", "Ridge 36,607,667 paths",
		"temporary files", "writable", "free"} {
		if !strings.Contains(out, want) {
			t.Errorf("lacks %q:\n%s", want, out)
		}
	}
	for _, line := range strings.Split(strings.TrimSpace(out), "\n") {
		if state := strings.Fields(line)[0]; state != stateOK && state != stateWarn {
			t.Errorf("line %q", line)
		}
	}
	if files := listing(t); len(files) != 1 {
		t.Errorf("left %q", files)
	}
}

func TestDoctorFails(t *testing.T) {
	t.Setenv("TMPDIR", filepath.Join(t.TempDir(), "none"))
	status, out, errs := call("doctor")
	if status != exitError || !strings.Contains(errs, "1 of ") || !strings.Contains(out, "fail  temporary files") || !strings.Contains(out, "TMPDIR") {
		t.Errorf("status %d, %q:\n%s", status, errs, out)
	}
}

func TestFindings(t *testing.T) {
	if f := backendFinding("xla:/no/such.so", stateWarn); f.state != stateWarn || !strings.Contains(f.detail, "xla:/no/such.so") {
		t.Errorf("%+v", f)
	}
	if list := xlaFindings(t.Context(), false); len(list) != 1 || list[0].state != stateOK {
		t.Errorf("%+v", list)
	}
	t.Setenv(asCommand, "1") // for the processes that probe
	t.Setenv("PJRT_PLUGIN_LIBRARY_PATH", t.TempDir())
	for _, f := range xlaFindings(t.Context(), true) {
		if f.state != stateWarn || !strings.Contains(f.what, "backend xla:c") || !strings.Contains(f.detail, "backend install xla:c") && !strings.Contains(f.detail, "-tags xla") {
			t.Errorf("%+v", f)
		}
	}
	if f := diskFinding("disk", filepath.Join(t.TempDir(), "none")); f.state != stateWarn {
		t.Errorf("%+v", f)
	}
}
