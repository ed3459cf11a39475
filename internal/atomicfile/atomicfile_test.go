package atomicfile

import (
	"bytes"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"
)

var sweeps = !slices.Contains([]string{"aix", "illumos", "js", "plan9", "solaris", "wasip1"}, runtime.GOOS)

// holds checks that dir has the named files and no other.
func holds(t *testing.T, dir string, want ...string) {
	t.Helper()
	entries, err := os.ReadDir(dir)
	var names []string
	for _, e := range entries {
		names = append(names, e.Name())
	}
	if err != nil || strings.Join(names, " ") != strings.Join(want, " ") {
		t.Errorf("files %q (%v), expected %q", names, err, want)
	}
}

func contents(t *testing.T, path, want string) {
	t.Helper()
	if got, err := os.ReadFile(path); err != nil || string(got) != want {
		t.Errorf("%s: %q (%v), expected %q", path, got, err, want)
	}
}

// A new file has the permissions that os.WriteFile gives it, and a replaced one those that it had.
func TestPermissions(t *testing.T) {
	for _, perm := range []fs.FileMode{0o600, 0o644, 0o666, 0o755, 0o777} {
		dir := t.TempDir()
		plain, whole := filepath.Join(dir, "plain"), filepath.Join(dir, "whole")
		for _, other := range []fs.FileMode{perm, 0o640} {
			if err := errors.Join(os.WriteFile(plain, nil, other), WriteFile(whole, []byte("x"), other)); err != nil {
				t.Fatal(err)
			}
			a, err := os.Stat(plain)
			if err != nil {
				t.Fatal(err)
			}
			b, err := os.Stat(whole)
			if err != nil {
				t.Fatal(err)
			}
			if a.Mode() != b.Mode() {
				t.Errorf("%o: mode %v, expected %v", perm, b.Mode(), a.Mode())
			}
			if err := errors.Join(os.Chmod(plain, 0o666), os.Chmod(whole, 0o666)); err != nil { // more than the umask lets pass
				t.Fatal(err)
			}
		}
	}
}

// Whatever fails, the old contents stay and nothing is left beside them.
func TestFailures(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "file")
	if err := WriteFile(path, []byte("old"), 0o644); err != nil {
		t.Fatal(err)
	}
	broken := errors.New("broken")
	err := Write(path, 0o644, func(w io.Writer) error {
		w.Write([]byte("half"))
		return broken
	})
	if !errors.Is(err, broken) {
		t.Error(err)
	}
	contents(t, path, "old")
	holds(t, dir, "file")

	if err := os.Mkdir(filepath.Join(dir, "directory"), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := WriteFile(filepath.Join(dir, "directory"), nil, 0o644); err == nil {
		t.Error("a directory was replaced")
	}
	holds(t, dir, "directory", "file")
	if err := WriteFile(filepath.Join(dir, "none", "file"), nil, 0o644); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("no directory: %v", err)
	}
	err = Write(path, 0o644, func(w io.Writer) error { return w.(*File).Close() }) // so that Sync fails
	if !errors.Is(err, os.ErrClosed) {
		t.Errorf("closed: %v", err)
	}
	contents(t, path, "old")
	holds(t, dir, "directory", "file")
}

// A file has its name from Commit on; Discard removes it before and does nothing after.
func TestCommitDiscard(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "file")
	for _, commit := range []bool{false, true} {
		f, err := Create(path, 0o644)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := f.WriteString("new"); err != nil {
			t.Fatal(err)
		}
		holds(t, dir, filepath.Base(f.Name()))
		if got := filepath.Base(f.Name()); strings.TrimRight(got, "0123456789") != ".file.ddps-" || !isTemporary(got) {
			t.Errorf("temporary file %s", got)
		}
		if commit {
			if err := f.Commit(); err != nil {
				t.Fatal(err)
			}
		}
		if err := f.Discard(); err != nil {
			t.Error(err)
		}
	}
	holds(t, dir, "file")
	contents(t, path, "new")
}

// A link is followed, through others and in its own directory, and where nothing is at its end yet.
func TestSymlink(t *testing.T) {
	dir := t.TempDir()
	if err := os.Mkdir(filepath.Join(dir, "sub"), 0o755); err != nil {
		t.Fatal(err)
	}
	for link, to := range map[string]string{"link": "file", "second": filepath.Join(dir, "link"), "sub/up": "../link",
		"new": "sub/none", "loop": "loop"} {
		if err := os.Symlink(to, filepath.Join(dir, link)); runtime.GOOS == "windows" && err != nil {
			t.Skip(err) // wants a privilege
		}
	}
	for link, end := range map[string]string{"link": "file", "second": "file", "sub/up": "file", "new": "sub/none"} {
		if err := WriteFile(filepath.Join(dir, link), []byte(link), 0o644); err != nil {
			t.Fatal(err)
		}
		contents(t, filepath.Join(dir, end), link)
		if info, err := os.Lstat(filepath.Join(dir, link)); err != nil || info.Mode()&fs.ModeSymlink == 0 {
			t.Errorf("%s is no link any more: %v %v", link, info, err)
		}
	}
	if err := WriteFile(filepath.Join(dir, "loop"), nil, 0o644); err == nil {
		t.Error("a loop of links was written")
	}
	holds(t, dir, "file", "link", "loop", "new", "second", "sub")
}

// Names of up to 255 bytes can be written; the temporary name is cut between characters.
func TestLongNames(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{strings.Repeat("a", 227), strings.Repeat("a", 236), strings.Repeat("a", 255), "ab" +
		strings.Repeat("ä", 126)} {
		path := filepath.Join(dir, name)
		if err := WriteFile(path, []byte("x"), 0o644); err != nil {
			t.Skipf("%d bytes: %v", len(name), err) // a file system of another limit
		}
		contents(t, path, "x")
		if got := temporary(name); len(got) > 255 || !utf8.ValidString(got) || !isTemporary(got) {
			t.Errorf("temporary name %q of %d bytes", got, len(got))
		}
	}
	if err := WriteFile(filepath.Join(dir, strings.Repeat("a", 256)), nil, 0o644); err == nil {
		t.Error("a name of 256 bytes was written")
	}
}

// Sweep removes what a process left that was killed, and neither files that are being written nor others.
func TestSweep(t *testing.T) {
	dir := t.TempDir()
	if err := WriteFile(filepath.Join(dir, ".file.ddps-1"), nil, 0o644); err != nil { // a name of the user's
		t.Fatal(err)
	}
	live, err := Create(filepath.Join(dir, "live"), 0o644)
	if err != nil {
		t.Fatal(err)
	}
	defer live.Discard()
	for _, name := range []string{"x.csv", strings.Repeat("long", 60)} {
		if err := os.WriteFile(filepath.Join(dir, temporary(name)), []byte("half"), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want := 2
	if !sweeps {
		want = 0
	}
	if n := Sweep(dir); n != want {
		t.Errorf("%d files removed, expected %d", n, want)
	}
	if sweeps {
		holds(t, dir, ".file.ddps-1", filepath.Base(live.Name()))
	}
	if err := live.Commit(); err != nil {
		t.Fatal(err)
	}
}

// Writers and sweepers of one directory at the same time lose no file.
func TestSweepRace(t *testing.T) {
	dir, done := t.TempDir(), make(chan error)
	for k := range 4 {
		go func() {
			for n := range 200 {
				if err := WriteFile(filepath.Join(dir, string(rune('a'+k))), []byte{byte(n)}, 0o644); err != nil {
					done <- err
					return
				}
			}
			done <- nil
		}()
	}
	for left := 4; left > 0; {
		select {
		case err := <-done:
			if left--; err != nil {
				t.Error(err)
			}
		default:
			Sweep(dir) // may remove a file that was made and is not held yet: another is made then
		}
	}
	holds(t, dir, "a", "b", "c", "d")
}

// Who reads while a file is replaced finds one of the contents, whole.
func TestReaders(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("there a file that is open is not replaced")
	}
	path := filepath.Join(t.TempDir(), "file")
	texts := [][]byte{bytes.Repeat([]byte("a"), 1<<16), bytes.Repeat([]byte("b"), 3)}
	if err := WriteFile(path, texts[0], 0o644); err != nil {
		t.Fatal(err)
	}
	stop, failed := make(chan bool), make(chan error, 1)
	go func() {
		for k := 1; ; k++ {
			select {
			case <-stop:
				close(failed)
				return
			default:
			}
			if err := WriteFile(path, texts[k%2], 0o644); err != nil {
				failed <- err
				return
			}
		}
	}()
	for range 500 {
		got, err := os.ReadFile(path)
		if err != nil || !bytes.Equal(got, texts[0]) && !bytes.Equal(got, texts[1]) {
			t.Errorf("%d bytes, %v", len(got), err)
			break
		}
	}
	close(stop)
	if err := <-failed; err != nil {
		t.Error(err)
	}
}
