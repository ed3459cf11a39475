package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// A notebook becomes a program; one that cannot leaves no file.
func TestKernelExport(t *testing.T) {
	dir := t.TempDir()
	in, out := filepath.Join(dir, "a.ipynb"), filepath.Join(dir, "main.go")
	for _, c := range []struct{ cell, program, message string }{
		{`%%live\nx := 1\nx + 1`, "notebook.Show(x + 1)", ""},
		{`!ls\nvar x = 2`, "var x = 2", "cell 1: !ls is left out"},
		{`%%live\ny`, "", "a.ipynb: export: cell 1: line 2: undefined: y"},
	} {
		os.Remove(out)
		book := `{"cells": [{"cell_type": "code", "source": "` + c.cell +
			`", "metadata": {}}], "nbformat": 4, "nbformat_minor": 5}`
		if err := os.WriteFile(in, []byte(book), 0o644); err != nil {
			t.Fatal(err)
		}
		code, _, errs := call("kernel", "export", in, "-o", out)
		if (code == 0) != (c.program != "") || !strings.Contains(errs, c.message) {
			t.Errorf("%s: status %d, %q", c.cell, code, errs)
		}
		text, err := os.ReadFile(out)
		if (err == nil) != (c.program != "") || !strings.Contains(string(text), c.program) {
			t.Errorf("%s: %v\n%s", c.cell, err, text)
		}
	}
}
