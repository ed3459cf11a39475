package query_test

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/ddps-go/ddps/ddps"
	"github.com/ddps-go/ddps/ddps/query"
)

// TestNamesFile: a file of names in UTF-16, or with lines that end in CR, means what the names in braces mean.
func TestNamesFile(t *testing.T) {
	g, err := ddps.New([]int{1, 2, 2}, [][]int{{1, 2}, {3, 4}, {3, 4}, nil, nil})
	if err == nil {
		g, err = g.WithMeta(ddps.Meta{Names: []string{"s", "a", "b", "a", "b"}})
	}
	if err != nil {
		t.Fatal(err)
	}
	want, err := query.ParseWhere(`visit("a")`, g, nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, text := range []string{"a\n", "\xff\xfea\x00\r\x00\n\x00", "\ufeffa\r\n", "a\ra\r"} {
		path := filepath.Join(t.TempDir(), "names.txt")
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		c, err := query.ParseWhere(fmt.Sprintf("visit(file(%q))", path), g, nil, nil)
		if err != nil {
			t.Errorf("%q: %v", text, err)
			continue
		}
		for i := range 4 {
			p := ddps.Path{0, 1 + i/2, 3 + i%2}
			if c.LogWeight(p) != want.LogWeight(p) {
				t.Errorf("%q: path %v: %v", text, p, c.LogWeight(p))
			}
		}
	}
}
