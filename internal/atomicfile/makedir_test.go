package atomicfile

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestMakeDir: a link to a directory is followed, one to nothing is named, and nothing is made.
func TestMakeDir(t *testing.T) {
	dir := t.TempDir()
	at := func(name string) string { return filepath.Join(dir, name) }
	for link, to := range map[string]string{"good": "a", "dangling": "nowhere"} {
		if err := os.Symlink(to, at(link)); err != nil {
			t.Skip("no symbolic links here: ", err)
		}
	}
	if err := os.WriteFile(at("file"), nil, 0o644); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"a", "a/b/c", "good/d"} {
		if err := MakeDir(at(name)); err != nil {
			t.Error(err)
		}
	}
	for name, want := range map[string]string{
		"dangling":     "dangling is a symbolic link to nowhere, which is not there",
		"dangling/x/y": "dangling is a symbolic link to nowhere, which is not there",
		"file/x":       "not a directory",
	} {
		err := MakeDir(at(name))
		var path *fs.PathError
		if !errors.As(err, &path) || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if _, err := os.Stat(at("nowhere")); err == nil {
		t.Error("nowhere is there now")
	}
}
