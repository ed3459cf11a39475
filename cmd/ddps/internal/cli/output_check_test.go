package cli

import (
	"os"
	"path/filepath"
	"testing"
)

// TestCheckApart: two outputs may not be one file, by whatever names; devices and standard output may.
func TestCheckApart(t *testing.T) {
	dir := t.TempDir()
	a, b := filepath.Join(dir, "a"), filepath.Join(dir, "b")
	if err := os.WriteFile(a, nil, 0o644); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(a, filepath.Join(dir, "link")); err != nil {
		t.Skip(err)
	}
	if err := os.Symlink(dir, filepath.Join(dir, "in")); err != nil {
		t.Skip(err)
	}
	for _, c := range []struct {
		ok    bool
		paths []string
	}{
		{true, []string{a, b}}, {true, []string{"", ""}}, {true, []string{"-", "-", a}},
		{true, []string{os.DevNull, os.DevNull}},
		{false, []string{a, a}}, {false, []string{b, a, b}}, {false, []string{b, dir + "/./b"}},
		{false, []string{a, filepath.Join(dir, "link")}}, {false, []string{b, filepath.Join(dir, "in", "b")}},
	} {
		if err := CheckApart(c.paths...); (err == nil) != c.ok {
			t.Errorf("%q: %v", c.paths, err)
		}
	}
}

// TestShown: what a file calls something cannot steer a terminal.
func TestShown(t *testing.T) {
	for in, want := range map[string]string{"Ä λ\tx\ny": "Ä λ\tx\ny", "\x1b[31mred\x07": `\x1b[31mred\a`, "a\rb": `a\rb`,
		"\u009b": `\u009b`} {
		if got := shown(in); got != want {
			t.Errorf("%q: %q, want %q", in, got, want)
		}
	}
}
