package ddps_test

import (
	"os"
	"path/filepath"
	"regexp"
	"testing"
)

// goFile is a file of Go that a text names by its path.
var goFile = regexp.MustCompile(`[A-Za-z0-9_.-]+(?:/[A-Za-z0-9_.-]+)+\.go\b`)

// The files of Go that the documents and notebooks name are there: by their path from the root, from ddps or from the
// text's own directory.
func TestNamedFiles(t *testing.T) {
	n := 0
	for _, pattern := range []string{"*.md", "docs/*.md", "notebooks/*.ipynb"} {
		texts, err := filepath.Glob(pattern)
		if err != nil {
			t.Fatal(err)
		}
		for _, text := range texts {
			if text == "CHANGELOG.md" { // of earlier versions too
				continue
			}
			data, err := os.ReadFile(text)
			if err != nil {
				t.Fatal(err)
			}
			for _, name := range goFile.FindAllString(string(data), -1) {
				if n++; !there(name, filepath.Join("ddps", name), filepath.Join(filepath.Dir(text), name)) {
					t.Errorf("%s names %s, which is not there", text, name)
				}
			}
		}
	}
	if n < 10 {
		t.Errorf("%d names found: does the pattern hold?", n)
	}
}

// there reports whether one of the files exists.
func there(names ...string) bool {
	for _, name := range names {
		if _, err := os.Stat(name); err == nil {
			return true
		}
	}
	return false
}
