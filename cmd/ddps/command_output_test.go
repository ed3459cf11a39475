package main

import (
	"bytes"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/ddps-go/ddps/cmd/ddps/internal/cli"
	"github.com/ddps-go/ddps/cmd/ddps/internal/clitest"
)

// A full disk is an error, in a file and on standard output.
func TestDiskFull(t *testing.T) {
	full, err := os.OpenFile("/dev/full", os.O_WRONLY, 0)
	if err != nil {
		t.Skip("no /dev/full")
	}
	defer full.Close()
	t.Chdir(t.TempDir())
	for _, name := range []string{"full.json", "full.csv", "full.png"} {
		if err := os.Symlink("/dev/full", name); err != nil {
			t.Fatal(err)
		}
	}
	for _, args := range []string{"graph make toy -o full.json", "graph draw toy -o full.png",
		"paths make toy -o full.csv",
		"graph import " + "g.osm --start 1 --depth 3 -q -o full.json"} {
		clitest.Write(t, "g.osm", crossXML)
		status, _, errs := call(strings.Fields(args)...)
		if status != exitError || !strings.Contains(errs, "writing full.") || !strings.Contains(errs, "no space left") {
			t.Errorf("%s: status %d, %q", args, status, errs)
		}
		var buf bytes.Buffer
		if status := execute(t.Context(), []string{"paths", "list", "toy"}, full, &buf); status != exitError ||
			!strings.Contains(buf.String(), "writing standard output: no space left") {
			t.Errorf("status %d, %q", status, buf.String())
		}
	}
	for _, args := range []string{"graph make toy", "graph info toy", "graph info toy --json", "graph validate toy",
		"paths count toy",
		"paths make toy", "paths list toy --format jsonl", "doctor"} {
		var buf bytes.Buffer
		if status := execute(t.Context(), strings.Fields(args), full, &buf); status != exitError ||
			!strings.Contains(buf.String(), "no space left") {
			t.Errorf("%s: status %d, %q", args, status, buf.String())
		}
	}
	if info, err := os.Stat("/dev/full"); err != nil || info.Mode().IsRegular() {
		t.Error("/dev/full was replaced")
	}
}

func TestUnwritable(t *testing.T) {
	if os.Geteuid() != 0 {
		dir := t.TempDir()
		if err := os.Chmod(dir, 0o500); err != nil {
			t.Fatal(err)
		}
		t.Chdir(t.TempDir())
		bad(t, exitError, []string{"cannot write", "permission denied"}, "graph", "make", "toy", "-o",
			filepath.Join(dir, "toy.json"))
		if cli.CheckDir(dir) == nil {
			t.Error("no error")
		}
	}
	if runtime.GOOS == "linux" { // where nobody may make files
		t.Chdir(t.TempDir())
		bad(t, exitError, []string{"cannot write /proc/toy.json"}, "graph", "make", "toy", "-o", "/proc/toy.json")
		if cli.CheckDir("/proc/x/y") == nil {
			t.Error("no error")
		}
	}
}
