package table

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// A name of the standard library that the release of go.mod did not have is left out by later ones, and any other is
// written as before. Names of other modules do not depend on the release.
func TestLaterRelease(t *testing.T) {
	const plotter = "gonum.org/v1/plot/plotter"
	paths := []string{"io", "strings", plotter}
	dir := t.TempDir()
	want := map[string][]byte{}
	for _, p := range paths {
		src, err := os.ReadFile(filepath.Join("..", "..", fileName(p)))
		if err != nil {
			t.Fatal(err)
		}
		want[fileName(p)] = src
	}
	src := string(want[fileName("strings")])
	from := strings.Index(src, "\t\t\"Cut\":")
	end := from + strings.Index(src[from:], "\n") + 1
	want[fileName("strings")] = []byte(src[:from] + src[end:])
	for name, src := range want {
		if name == fileName(plotter) {
			src = nil // what stood there does not count
		}
		if err := os.WriteFile(filepath.Join(dir, name), src, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	got, err := generate(dir, paths, true, "go1.26.0")
	if err != nil {
		t.Fatal(err)
	}
	for name := range want {
		if !bytes.Equal(got[name], want[name]) {
			t.Errorf("%s:\n%s\nexpected\n%s", name, got[name], want[name])
		}
	}
	if err := os.Remove(filepath.Join(dir, fileName("io"))); err != nil {
		t.Fatal(err)
	}
	if _, err := generate(dir, paths, true, "go1.26.0"); err == nil || !strings.Contains(err.Error(), "package io") ||
		!strings.Contains(err.Error(), "GOTOOLCHAIN=go1.26.0") {
		t.Errorf("error %v", err)
	}
}
