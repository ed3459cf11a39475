package main

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"
)

// childOf returns the process of a parent, 0 if there is none.
func childOf(t *testing.T, parent int) int {
	t.Helper()
	list, err := filepath.Glob("/proc/[0-9]*/status")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range list {
		text, err := os.ReadFile(name) // a process may end meanwhile
		if err == nil && strings.Contains(string(text), fmt.Sprintf("\nPPid:\t%d\n", parent)) {
			pid, err := strconv.Atoi(filepath.Base(filepath.Dir(name)))
			if err != nil {
				t.Fatal(err)
			}
			return pid
		}
	}
	return 0
}

// triedAgain kills the worker of a job of a standalone Prism, and that of one on the embedded Prism, in the middle:
// each job is done again by itself and leaves the bytes of the job that killed drew whole.
func triedAgain(t *testing.T, dir string, job func(...string) *exec.Cmd) {
	args := []string{"--do", "sample", "--model", filepath.Join(dir, "model.safetensors"), "--n", "2000", "--steps", "8",
		"--shards", "48", "--write", "csv", "--out"}
	for name, start := range map[string]func(...string) *exec.Cmd{"standalone": job,
		"embedded": func(args ...string) *exec.Cmd { return exec.Command(filepath.Join(dir, "ddps-scale"), args...) }} {
		out := filepath.Join(dir, name)
		files := func() []string { list, _ := filepath.Glob(filepath.Join(out, "paths-*.csv")); return list }
		cmd := start(append(args, out)...)
		var notes bytes.Buffer
		cmd.Stderr = &notes
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		for end := time.Now().Add(2 * time.Minute); len(files()) == 0 && time.Now().Before(end); {
			time.Sleep(time.Millisecond)
		}
		if worker := childOf(t, cmd.Process.Pid); worker == 0 || len(files()) == 48 {
			t.Errorf("%s: no worker was left to kill", name)
		} else if p, err := os.FindProcess(worker); err != nil || p.Kill() != nil {
			t.Errorf("%s: the worker cannot be killed", name)
		}
		if err := cmd.Wait(); err != nil || !strings.Contains(notes.String(), "the job is done again, try 2 of 3") {
			t.Errorf("%s: %v: %s", name, err, &notes)
		}
		if len(files()) != 48 {
			t.Errorf("%s: %d files", name, len(files()))
		}
		for _, file := range files() {
			want, err := os.ReadFile(filepath.Join(dir, "b", filepath.Base(file)))
			if err != nil {
				t.Fatal(err)
			}
			if got, err := os.ReadFile(file); string(got) != string(want) || err != nil {
				t.Errorf("%s: other bytes, %v", file, err)
			}
		}
	}
}

// A job that fails of itself is not done again, one whose worker is always killed so often as --tries says.
func TestSupervise(t *testing.T) {
	if testing.Short() {
		t.Skip("builds a program")
	}
	program := filepath.Join(t.TempDir(), "ddps-scale")
	if out, err := exec.Command("go", "build", "-o", program, ".").CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	sample := func(model string) (string, error) {
		text, err := exec.Command(program, "--do", "sample", "--model", model, "--n", "1", "--out",
			t.TempDir()).CombinedOutput()
		return string(text), err
	}
	text, err := sample("none")
	if want := "ddps-scale: open none: no such file or directory\n"; err == nil || text != want {
		t.Errorf("%q, expected %q", text, want)
	}
	bad := filepath.Join(t.TempDir(), "bad")
	write(t, bad, "x")
	text, err = sample(bad)
	if want := "\nddps-scale: " + bad + ": model: load: not a safetensors file: too short\n"; err == nil ||
		!strings.HasSuffix(text, want) || strings.Contains(text, "done again") {
		t.Errorf("%q, expected %q", text, want)
	}
	study := exec.Command(program, "--tries", "2", "--do", "study", "--command", "sleep {}", "--points", "60", "--out",
		t.TempDir())
	var notes bytes.Buffer
	study.Stderr = &notes
	if err := study.Start(); err != nil {
		t.Fatal(err)
	}
	for killed, last, end := 0, 0, time.Now().Add(time.Minute); killed < 2 && time.Now().Before(end); time.Sleep(
		10 * time.Millisecond) {
		worker := childOf(t, study.Process.Pid)
		if worker == 0 || worker == last {
			continue
		}
		p, err := os.FindProcess(worker)
		if err != nil {
			t.Fatal(err)
		}
		if p.Kill() == nil {
			killed, last = killed+1, worker
		}
	}
	if err := study.Wait(); err == nil || !strings.Contains(notes.String(), "the worker was ended 2 times") {
		t.Errorf("%v: %s", err, &notes)
	}
}
