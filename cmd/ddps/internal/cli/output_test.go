package cli

import (
	"bytes"
	"errors"
	"io"
	"os"
	"strings"
	"testing"

	"github.com/ddps-go/ddps/cmd/ddps/internal/clitest"
)

func TestWriteFile(t *testing.T) {
	t.Chdir(t.TempDir())
	var out bytes.Buffer
	a := &App{Stdout: &out, Stderr: io.Discard}
	text := func(s string) func(io.Writer) error {
		return func(w io.Writer) error { _, err := io.WriteString(w, s); return err }
	}
	for _, path := range []string{"", "-"} {
		if err := a.WriteFile(path, text("x")); err != nil {
			t.Fatal(err)
		}
	}
	if out.String() != "xx" {
		t.Errorf("standard output %q", out.String())
	}
	if err := a.WriteFile("f", text("one")); err != nil || clitest.Read(t, "f") != "one" {
		t.Fatal(err)
	}
	if err := os.Chmod("f", 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink("f", "link"); err != nil {
		t.Fatal(err)
	}
	if err := a.WriteFile("link", text("two")); err != nil || clitest.Read(t, "f") != "two" {
		t.Fatalf("through a link: %v, %q", err, clitest.Read(t, "f"))
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
	a := &App{Stdout: io.Discard, Stderr: io.Discard}
	clitest.Write(t, "old", "old")
	boom := errors.New("boom")
	half := func(w io.Writer) error { w.Write(make([]byte, 1<<17)); return boom }
	fine := func(w io.Writer) error { _, err := w.Write([]byte("new")); return err }
	before := clitest.Listing(t)
	for _, list := range [][]OutFile{{{"old", half}}, {{"new", half}}, {{"old", fine}, {"new", half}},
		{{"", fine}, {"new", half}}} {
		if err := a.WriteFiles(list...); !errors.Is(err, boom) || !strings.Contains(err.Error(), list[len(list)-1].Path) {
			t.Errorf("error %v", err)
		}
	}
	if err := a.WriteFiles(OutFile{"new", fine}, OutFile{"none/new", fine}); err == nil {
		t.Error("no error")
	}
	if after := clitest.Listing(t); strings.Join(after, "\n") != strings.Join(before, "\n") {
		t.Errorf("files %q, before %q", after, before)
	}
	if err := a.CheckOut("old", "new", "-", ""); err != nil {
		t.Error(err)
	}
	if err := a.CheckOut("old", "old/new"); err == nil {
		t.Error("no error")
	}
	if after := clitest.Listing(t); strings.Join(after, "\n") != strings.Join(before, "\n") {
		t.Errorf("files %q, before %q", after, before)
	}
}

func TestCheckFolder(t *testing.T) {
	t.Chdir(t.TempDir())
	clitest.Write(t, "file", "")
	for dir, ok := range map[string]bool{".": true, "new": true, "new/deep": true, "file": false, "file/new": false} {
		if err := CheckDir(dir); (err == nil) != ok {
			t.Errorf("%s: %v", dir, err)
		}
	}
	if files := clitest.Listing(t); len(files) != 2 {
		t.Errorf("left %q", files)
	}
}

func TestNumbers(t *testing.T) {
	for x, want := range map[float64]string{0: "0", 1: "1.00", 12.345: "12.3", 1234.5: "1234", 0.00123: "0.00123",
		1e-9: "1e-09", -2.5: "-2.50", 2e9: "2e+09"} {
		if got := Real3(x); got != want {
			t.Errorf("real3(%v) = %q, want %q", x, got, want)
		}
	}
	inf := 1e308
	inf *= 10
	for got, want := range map[string]string{Real3(inf): "∞", Real3(-inf): "-∞", Real3(inf - inf): "–",
		Whole(1234567): "1,234,567",
		Whole(-123):    "-123", Whole(-1234): "-1,234", Whole(0): "0", Percent(.125): "12.5%", BytesSize(1536): "1.5 KiB",
		BytesSize(3 << 30): "3 GiB"} {
		if got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

func TestPrintTable(t *testing.T) {
	var b bytes.Buffer
	err := PrintTable(&b, []string{"distribution", "KL"}, [][]string{{"chain", "0.5"}, {"DDPS", "−10.25"}, {"floor", ""}})
	want := "distribution      KL\nchain            0.5\nDDPS          −10.25\nfloor\n"
	if err != nil || b.String() != want {
		t.Errorf("%q, want %q (%v)", b.String(), want, err)
	}
}
