package artefact

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"
)

func keep(t *testing.T, dir string, i int) int {
	t.Helper()
	x, err := Cached(t.Context(), dir, func(context.Context) (int, error) { return i, nil }, i)
	if err != nil {
		t.Fatal(err)
	}
	return x
}

func TestFolders(t *testing.T) {
	root := t.TempDir()
	for i, dir := range []string{"b/runs", "a", ".hidden", "b"} {
		keep(t, filepath.Join(root, dir), i)
	}
	got, err := Dirs(root)
	if want := []string{filepath.Join(root, "a"), filepath.Join(root, "b"), filepath.Join(root, "b",
		"runs")}; err != nil || !slices.Equal(got, want) {
		t.Error(got, err)
	}
	if got, err := Dirs(t.TempDir()); err != nil || len(got) != 0 {
		t.Error(got, err)
	}
	if _, err := Dirs(filepath.Join(root, "none")); err == nil {
		t.Error("no error for a directory that is not there")
	}
}

// What is held is spared, damage and strangers' files are left alone, half-written files go.
func TestCollect(t *testing.T) {
	dir := t.TempDir()
	keep(t, dir, 1)
	list, err := List(dir)
	if err != nil || len(list) != 1 || !strings.HasSuffix(list[0].By, "artefact.keep.func1") || list[0].Dir != dir {
		t.Fatalf("%+v, %v", list, err)
	}
	old := time.Now().Add(-48 * time.Hour)
	stranger, rest := filepath.Join(dir, "notes.txt"), filepath.Join(dir, "."+list[0].Key+ending+"123")
	for _, name := range []string{stranger, rest} {
		if err := os.WriteFile(name, nil, 0o644); err != nil {
			t.Fatal(err)
		}
		if err := os.Chtimes(name, old, old); err != nil {
			t.Fatal(err)
		}
	}
	release, err := lock(t.Context(), filepath.Join(dir, list[0].Key+lockEnding))
	if err != nil {
		t.Fatal(err)
	}
	all := Policy{Before: time.Now().Add(time.Hour)}
	if gone, err := Collect([]string{dir}, all); err != nil || len(gone) != 0 {
		t.Error("what is held went:", gone, err)
	}
	release()
	if _, err := os.Stat(rest); err == nil {
		t.Error("a half-written file stays")
	}
	if gone, err := Collect([]string{dir}, all); err != nil || len(gone) != 1 {
		t.Error(gone, err)
	}
	if entries, _ := os.ReadDir(dir); len(entries) != 1 || entries[0].Name() != "notes.txt" {
		t.Error(entries)
	}
}

// One that collects without end beside some that compute: each gets its own value, and no lock is held twice.
func TestCollectBeside(t *testing.T) {
	dir := t.TempDir()
	ctx, cancel := context.WithCancel(t.Context())
	var collector, workers sync.WaitGroup
	collector.Go(func() {
		for ctx.Err() == nil {
			if _, err := Collect([]string{dir}, Policy{Before: time.Now().Add(time.Hour)}); err != nil {
				t.Error(err)
				return
			}
		}
	})
	var mu [3]sync.Mutex
	for range 4 {
		workers.Go(func() {
			for n := range 21 {
				i := n % len(mu)
				x, err := Cached(ctx, dir, func(context.Context) (int, error) {
					if !mu[i].TryLock() {
						t.Error("computed twice at once")
						return 0, nil
					}
					defer mu[i].Unlock()
					time.Sleep(time.Millisecond)
					return i, nil
				}, i)
				if err != nil || x != i {
					t.Errorf("%d, %v instead of %d", x, err, i)
				}
			}
		})
	}
	workers.Wait()
	cancel()
	collector.Wait()
}
