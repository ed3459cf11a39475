package main

import (
	"bytes"
	"errors"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)

func TestWriteFile(t *testing.T) {
	t.Chdir(t.TempDir())
	var out bytes.Buffer
	a := &app{stdout: &out, stderr: io.Discard}
	text := func(s string) func(io.Writer) error {
		return func(w io.Writer) error { _, err := io.WriteString(w, s); return err }
	}
	for _, path := range []string{"", "-"} {
		if err := a.writeFile(path, text("x")); err != nil {
			t.Fatal(err)
		}
	}
	if out.String() != "xx" {
		t.Errorf("standard output %q", out.String())
	}
	if err := a.writeFile("f", text("one")); err != nil || read(t, "f") != "one" {
		t.Fatal(err)
	}
	if err := os.Chmod("f", 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink("f", "link"); err != nil {
		t.Fatal(err)
	}
	if err := a.writeFile("link", text("two")); err != nil || read(t, "f") != "two" {
		t.Fatalf("through a link: %v, %q", err, read(t, "f"))
	}
	if info, err := os.Lstat("link"); err != nil || info.Mode()&os.ModeSymlink == 0 {
		t.Error("the link is gone")
	}
	if info, err := os.Stat("f"); err != nil || info.Mode().Perm() != 0o600 {
		t.Error("the permissions changed")
	}
}

// What fails half way leaves the old files, all of them.
func TestWriteFileFails(t *testing.T) {
	t.Chdir(t.TempDir())
	a := &app{stdout: io.Discard, stderr: io.Discard}
	write(t, "old", "old")
	boom := errors.New("boom")
	half := func(w io.Writer) error { w.Write(make([]byte, 1<<17)); return boom }
	fine := func(w io.Writer) error { _, err := w.Write([]byte("new")); return err }
	before := listing(t)
	for _, list := range [][]outFile{{{"old", half}}, {{"new", half}}, {{"old", fine}, {"new", half}}, {{"", fine}, {"new", half}}} {
		if err := a.writeFiles(list...); !errors.Is(err, boom) || !strings.Contains(err.Error(), list[len(list)-1].path) {
			t.Errorf("error %v", err)
		}
	}
	if err := a.writeFiles(outFile{"new", fine}, outFile{"none/new", fine}); err == nil {
		t.Error("no error")
	}
	if after := listing(t); strings.Join(after, "\n") != strings.Join(before, "\n") {
		t.Errorf("files %q, before %q", after, before)
	}
	if err := a.checkOut("old", "new", "-", ""); err != nil {
		t.Error(err)
	}
	if err := a.checkOut("old", "old/new"); err == nil {
		t.Error("no error")
	}
	if after := listing(t); strings.Join(after, "\n") != strings.Join(before, "\n") {
		t.Errorf("files %q, before %q", after, before)
	}
}

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
	for _, args := range []string{"graph make toy -o full.json", "graph draw toy -o full.png", "paths make toy -o full.csv",
		"graph import " + "g.osm --start 1 --depth 3 -q -o full.json"} {
		write(t, "g.osm", crossXML)
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
	for _, args := range []string{"graph make toy", "graph info toy", "graph info toy --json", "graph validate toy", "paths count toy",
		"paths make toy", "paths list toy --format jsonl", "doctor"} {
		var buf bytes.Buffer
		if status := execute(t.Context(), strings.Fields(args), full, &buf); status != exitError || !strings.Contains(buf.String(), "no space left") {
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
		bad(t, exitError, []string{"cannot write", "permission denied"}, "graph", "make", "toy", "-o", filepath.Join(dir, "toy.json"))
		if checkFolder(dir) == nil {
			t.Error("no error")
		}
	}
	if runtime.GOOS == "linux" { // where nobody may make files
		t.Chdir(t.TempDir())
		bad(t, exitError, []string{"cannot write /proc/toy.json"}, "graph", "make", "toy", "-o", "/proc/toy.json")
		if checkFolder("/proc/x/y") == nil {
			t.Error("no error")
		}
	}
}

func TestCheckFolder(t *testing.T) {
	t.Chdir(t.TempDir())
	write(t, "file", "")
	for dir, ok := range map[string]bool{".": true, "new": true, "new/deep": true, "file": false, "file/new": false} {
		if err := checkFolder(dir); (err == nil) != ok {
			t.Errorf("%s: %v", dir, err)
		}
	}
	if files := listing(t); len(files) != 2 {
		t.Errorf("left %q", files)
	}
}

func TestNumbers(t *testing.T) {
	for x, want := range map[float64]string{0: "0", 1: "1.00", 12.345: "12.3", 1234.5: "1234", 0.00123: "0.00123", 1e-9: "1e-09", -2.5: "-2.50", 2e9: "2e+09"} {
		if got := real3(x); got != want {
			t.Errorf("real3(%v) = %q, want %q", x, got, want)
		}
	}
	inf := 1e308
	inf *= 10
	for got, want := range map[string]string{real3(inf): "∞", real3(-inf): "-∞", real3(inf - inf): "–", whole(1234567): "1,234,567",
		whole(-123): "-123", whole(-1234): "-1,234", whole(0): "0", percent(.125): "12.5 %", bytesSize(1536): "1.5 KiB", bytesSize(3 << 30): "3 GiB"} {
		if got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

func TestPrintTable(t *testing.T) {
	var b bytes.Buffer
	err := printTable(&b, []string{"law", "KL"}, [][]string{{"chain", "0.5"}, {"DDPS", "−10.25"}, {"floor", ""}})
	want := "law        KL\nchain     0.5\nDDPS   −10.25\nfloor\n"
	if err != nil || b.String() != want {
		t.Errorf("%q, want %q (%v)", b.String(), want, err)
	}
}
