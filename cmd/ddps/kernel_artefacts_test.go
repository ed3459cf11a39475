package main

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/ddps-go/ddps/kernelext/artefact"
)

func makeArtefact(context.Context) ([]int, error) { return make([]int, 1000), nil }

// What notebooks keep is listed with what made it, and removed by age and by size.
func TestArtefacts(t *testing.T) {
	root := t.TempDir()
	dir := filepath.Join(root, "runs", "artefacts")
	for i := range 3 {
		if _, err := artefact.Cached(t.Context(), dir, makeArtefact, i); err != nil {
			t.Fatal(err)
		}
	}
	list, err := artefact.List(dir)
	if err != nil || len(list) != 3 {
		t.Fatal(list, err)
	}
	for i, info := range list { // used 40 days, 20 days and an hour ago
		used := time.Now().Add(-[]time.Duration{40 * 24 * time.Hour, 20 * 24 * time.Hour, time.Hour}[i])
		if err := os.Chtimes(filepath.Join(dir, info.Key+".artefact"), used, used); err != nil {
			t.Fatal(err)
		}
	}
	for _, c := range []struct {
		args string
		want []string
		left int
	}{
		{"kernel artefacts", []string{"runs/artefacts", list[0].Key[:12], "[]int", "40 days ago", "1 h ago",
			"ddps.makeArtefact",
			"3 results, ", " kept below "}, 3},
		{"kernel gc --dry-run", []string{list[0].Key[:12], "would remove 1 result, "}, 3},
		{"kernel gc", []string{list[0].Key[:12], "removed 1 result, ", "; 2 results, "}, 2},
		{"kernel gc --keep 1500B", []string{list[1].Key[:12], "20 days ago", "removed 1 result, ", "; 1 result, "}, 1},
		{"kernel gc --unused 0", []string{list[2].Key[:12], "; 0 results, 0 B stay below"}, 0},
		{"kernel gc", []string{"removed 0 results"}, 0},
		{"kernel artefacts", []string{"0 results"}, 0},
	} {
		code, out, _ := call(append(strings.Fields(c.args), root)...)
		if code != 0 {
			t.Errorf("%s: status %d", c.args, code)
		}
		for _, w := range c.want {
			if !strings.Contains(out, w) {
				t.Errorf("%s: %q lacks %q", c.args, out, w)
			}
		}
		if now, err := artefact.List(dir); err != nil || len(now) != c.left {
			t.Errorf("%s: %d stay, %v", c.args, len(now), err)
		}
	}
	code, _, notes := call("artefacts", root) // its earlier name
	if code != 0 || !strings.Contains(notes, "ddps kernel artefacts") {
		t.Errorf("the earlier name: status %d, %q", code, notes)
	}
	if entries, _ := os.ReadDir(dir); len(entries) > 0 {
		t.Errorf("%v stays", entries)
	}
}
