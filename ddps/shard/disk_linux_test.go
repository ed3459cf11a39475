package shard

import (
	"bytes"
	"io"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// mounted mounts a file system in memory of 1 MiB, which needs root.
func mounted(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	if err := syscall.Mount("tmpfs", dir, "tmpfs", 0, "size=1m"); err != nil {
		t.Skipf("mounting a small file system: %v", err)
	}
	t.Cleanup(func() { syscall.Unmount(dir, syscall.MNT_DETACH) })
	return dir
}

// put puts a shard of some bytes.
func put(t *testing.T, dir string, i, size int) error {
	t.Helper()
	s, err := Open(t.Context(), dir)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	s.Wait = time.Microsecond
	_, err = s.Put(t.Context(), Job{Command: "test"}, One(i, 3), func(w io.Writer) error {
		_, err := w.Write(bytes.Repeat([]byte{byte(i)}, size))
		return err
	})
	return err
}

// A disk that is full ends a worker with one error and leaves nothing of the shard; those before stay, and with space
// the same call writes it.
func TestFullDisk(t *testing.T) {
	dir := mounted(t)
	if err := put(t, dir, 1, 600<<10); err != nil {
		t.Fatal(err)
	}
	if err := put(t, dir, 2, 600<<10); err == nil || !strings.Contains(err.Error(), "no space left") {
		t.Errorf("error %v", err)
	}
	files, err := filepath.Glob(filepath.Join(dir, "*", "*"))
	if err != nil || len(files) != 1 {
		t.Errorf("files %q, %v", files, err)
	}
	if err := syscall.Mount("tmpfs", dir, "tmpfs", syscall.MS_REMOUNT, "size=4m"); err != nil {
		t.Fatal(err)
	}
	if err := put(t, dir, 2, 600<<10); err != nil {
		t.Error(err)
	}
}

// A store that may only be read is read, and writing to it is one error that says so.
func TestReadOnly(t *testing.T) {
	dir := mounted(t)
	if err := put(t, dir, 1, 1000); err != nil {
		t.Fatal(err)
	}
	if err := syscall.Mount("tmpfs", dir, "tmpfs", syscall.MS_REMOUNT|syscall.MS_RDONLY, "size=1m"); err != nil {
		t.Fatal(err)
	}
	if err := put(t, dir, 1, 1000); err != nil {
		t.Errorf("a shard that is there: %v", err)
	}
	if err := put(t, dir, 2, 1000); err == nil || !strings.Contains(err.Error(), "read-only") {
		t.Errorf("error %v", err)
	}
	s, err := Open(t.Context(), dir)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	if set := only(t, s); len(set.Objects) != 1 {
		t.Error(set.Missing())
	}
}

// Nothing depends on clocks: objects of a worker whose clock is years off are like others.
func TestClocks(t *testing.T) {
	dir := t.TempDir()
	for i := 1; i <= 3; i++ {
		if err := put(t, dir, i, 100); err != nil {
			t.Fatal(err)
		}
	}
	files, err := filepath.Glob(filepath.Join(dir, "*", "*"))
	if err != nil || len(files) != 3 {
		t.Fatal(files, err)
	}
	var before [][]byte
	for i, f := range files {
		data, err := os.ReadFile(f)
		if err != nil {
			t.Fatal(err)
		}
		before = append(before, data)
		at := time.Now().AddDate(10*(i-1), 0, 0) // ten years ago, now, in ten years
		if err := os.Chtimes(f, at, at); err != nil {
			t.Fatal(err)
		}
	}
	for i := 1; i <= 3; i++ {
		if err := put(t, dir, i, 100); err != nil {
			t.Error(err)
		}
	}
	s, err := Open(t.Context(), dir)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	if set := only(t, s); len(set.Missing()) > 0 || len(set.Left) > 0 {
		t.Error(set.Missing(), set.Left)
	}
	for i, f := range files {
		if data, err := os.ReadFile(f); !bytes.Equal(data, before[i]) || err != nil {
			t.Errorf("%s: other bytes, %v", f, err)
		}
	}
}
