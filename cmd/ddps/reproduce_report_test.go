package main

import (
	"bytes"
	"os"
	"path/filepath"
	"regexp"
	"testing"
)

// writtenBy is the line of a report that names the program that wrote it.
var writtenBy = regexp.MustCompile(`(?m)^\| written by .*\n`)

// The reports in docs are what their rows give: every figure, table and verdict regenerates by one command.
func TestDocsReports(t *testing.T) {
	dirs, err := filepath.Glob("../../docs/reproduced*")
	if err != nil || len(dirs) == 0 {
		t.Fatalf("no reports in docs: %v", err)
	}
	for _, dir := range dirs {
		t.Run(filepath.Base(dir), func(t *testing.T) {
			made := t.TempDir()
			files, err := filepath.Glob(filepath.Join(dir, "*"))
			if err != nil {
				t.Fatal(err)
			}
			for _, f := range files {
				if ext := filepath.Ext(f); ext != ".csv" && ext != ".sha256" {
					continue
				}
				if err := os.WriteFile(filepath.Join(made, filepath.Base(f)), read(t, f), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			good(t, "reproduce", "report", "-q", "-o", made)
			want, got := read(t, filepath.Join(dir, "report.md")), read(t, filepath.Join(made, "report.md"))
			if !bytes.Equal(writtenBy.ReplaceAll(want, nil), writtenBy.ReplaceAll(got, nil)) {
				t.Errorf("%s/report.md is stale: ddps reproduce report -o %[1]s", dir)
			}
			for _, f := range files {
				if filepath.Ext(f) == ".png" && !bytes.Equal(read(t, f), read(t, filepath.Join(made, filepath.Base(f)))) {
					t.Errorf("%s is stale", f)
				}
			}
		})
	}
}

func read(t *testing.T, file string) []byte {
	t.Helper()
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	return data
}
