package atomicfile

import (
	"bytes"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)

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
	holds(t, dir, "file", "directory")
	if err := WriteFile(filepath.Join(dir, "none", "file"), nil, 0o644); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("no directory: %v", err)
	}
	err = Write(path, 0o644, func(w io.Writer) error { return w.(*File).Close() }) // so that Sync fails
	if !errors.Is(err, os.ErrClosed) {
		t.Errorf("closed: %v", err)
	}
	contents(t, path, "old")
	holds(t, dir, "file", "directory")
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
		if got := filepath.Base(f.Name()); strings.TrimRight(got, "0123456789") != ".file" {
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

func TestSymlink(t *testing.T) {
	dir := t.TempDir()
	file, link := filepath.Join(dir, "file"), filepath.Join(dir, "link")
	if err := WriteFile(file, []byte("old"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(file, link); runtime.GOOS == "windows" && err != nil {
		t.Skip(err) // wants a privilege
	}
	if err := WriteFile(link, []byte("new"), 0o644); err != nil {
		t.Fatal(err)
	}
	contents(t, file, "old")
	contents(t, link, "new")
	if info, err := os.Lstat(link); err != nil || !info.Mode().IsRegular() {
		t.Errorf("the link is there still: %v %v", info, err)
	}
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
