package main

import (
	"path/filepath"
	"testing"
)

// A flag that takes one value refuses a second one, in every command; switches and lists do not.
func TestFlagsOnce(t *testing.T) {
	for _, args := range [][]string{
		{"sample", "shipped:toy", "-n", "3", "--where", "reward >= 1", "--where", "reward >= 2"},
		{"sample", "shipped:toy", "-n", "3", "--number", "4"},
		{"explain", "shipped:toy", "--where", "visit(vertex 7)", "--where", "visit(vertex 8)"},
		{"train", "--graph", "toy", "--graph", "dna", "-o", "x"},
	} {
		bad(t, exitUsage, []string{"given twice"}, args...)
	}
	good(t, "sample", "shipped:toy", "-n", "3", "-q", "-q")
	good(t, "graph", "draw", "example", "--path", "A,C,G,H", "--path", "A,B,E,H", "-o", filepath.Join(t.TempDir(),
		"x.svg"))
}
